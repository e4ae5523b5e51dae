import { describe, expect, test } from 'vitest';
import { parseImportRecord } from '../../src/import/record.ts';
import { prepareName } from '../../src/names/index.ts';

const phoneOf = (phone: string) => {
  const raw = { record_id: '1', name: 'Ann Lee', phone };
  return parseImportRecord(raw, { source: 'crm', region: 'DE' });
};

test.each([
  ['491712345678', '+491712345678'],
  ['447911123456', '+447911123456'],
  ['1712345678', '+491712345678'],
  ['15112345678', '+4915112345678'],
  ['3023125014', '+493023125014'],
])('German digits %s, which may have lost a plus sign, are read as %s', (phone, standardized) => {
  expect(phoneOf(phone)).toMatchObject({ record: { contacts: [{ standardized }] }, dropped: [] });
});

test.each([
  ['Calle Mayor 5, 28013 Madrid, España', '612 345 678', '+34612345678'],
  ['FR, 75002, Paris, 12 rue de la Paix', '06 12 34 56 78', '+33612345678'],
  ['12 Larch St, Springfield, IL 62701, USA', '(217) 555-0100', '+12175550100'],
  ['12 Main St, Austin, TX 78701', '512 472 1234', '+15124721234'],
  ['5 Market St, Wilmington, DE 19801', '(302) 472-1234', '+13024721234'],
  ['Italia, Via Roma 5, 20154 MI', '345 678 9012', '+393456789012'],
  ['Mexico, MO, 12 Main St, 65265', '(573) 581-1234', '+15735811234'],
  ['USA, 1600 Pennsylvania Ave, Washington, DC 20500', '(202) 456-1111', '+12024561111'],
  ['UK, 12 Station Road, Washington, NE38 7AB', '0191 416 1234', '+441914161234'],
  ['5 Beale St, Memphis, TN 38103', '(901) 525-1234', '+19015251234'],
])(
  'a phone without a country code is read in the country of an address on one line: %s',
  (address, phone, standardized) => {
    const outcome = parseImportRecord({ record_id: '1', address, phone }, { source: 'crm', region: 'DE' });
    expect(outcome).toMatchObject({ record: { contacts: [{ standardized }, {}] } });
    expect(outcome).not.toHaveProperty('notes');
  },
);

test.each([
  '12 Rue Main, Trento, TN 38122',
  'Via Roma 5, Rovereto, TN 38068',
  'Via Roma 5, Milano, MI 20154',
  'Hauptstr. 5, Berlin, DE 10115',
])('a postcode that is none of the US state shows no country: %s', (address) => {
  const outcome = parseImportRecord(
    { record_id: '1', address, phone: '030 2312 5014' },
    { source: 'crm', region: 'DE' },
  );
  expect(outcome).toMatchObject({ record: { contacts: [{ standardized: '+493023125014' }, {}] } });
});

test('digits that may as well have lost a zero are left out and reported', () => {
  expect(phoneOf('33612345678')).toMatchObject({
    record: { contacts: [] },
    dropped: ['phones[0] cannot be used'],
  });
});

test('remarks, extensions and the decimal zero of pandas are no digits of a phone number', () => {
  for (const phone of ['0341 5550142 DW 12', '0341 5550142/43', '0341 5550142 (ab 18 Uhr)', '3415550142.0'])
    expect(phoneOf(phone)).toMatchObject({ record: { contacts: [{ standardized: '+493415550142' }] } });
  expect(phoneOf('0341 5550142 nach 0341 5550143')).toMatchObject({ dropped: ['phones[0] cannot be used'] });
});

test('a phone number that a spreadsheet rounded is not used', () => {
  expect(phoneOf('4.91712E+11')).toMatchObject({
    record: { contacts: [] },
    dropped: ['phones[0] has lost digits'],
  });
  expect(phoneOf("'4,9E+12")).toMatchObject({ dropped: ['phones[0] has lost digits'] });
});

test('a negative number with an exponent shares no id with the positive one', () => {
  const idOf = (id: string) =>
    parseImportRecord({ record_id: id, names: ['Ann Lee'] }, { source: 'crm' }).recordId;
  expect(['1.23E+02', '-1.23E+02'].map(idOf)).toEqual(['123', '-1.23E+02']);
});

test('a phone number whose exponent form shows all of its digits is used', () => {
  for (const phone of ['4.93415550142E+11', "'+4,93415550142e+11"])
    expect(phoneOf(phone)).toMatchObject({ record: { contacts: [{ standardized: '+493415550142' }] } });
});

test('a birth date in the future, and a last activity in the future, are left out; tomorrow may have begun in another time zone', () => {
  const dated = (birth: string, seen: string) =>
    parseImportRecord(
      { record_id: '1', name: 'Ann Lee', birth_date: birth, last_seen: seen },
      { source: 'crm', region: 'DE', now: Date.UTC(2026, 10, 22) },
    );
  const inDays = (days: number) => new Date(Date.UTC(2026, 10, 22 + days)).toISOString().slice(0, 10);
  expect(dated(inDays(3), inDays(3)).dropped).toEqual([
    'last_seen is in the future',
    'birth_date is in the future',
  ]);
  expect(dated('2099', '2099').dropped).toHaveLength(2);
  expect(dated(inDays(0), inDays(1)).dropped).toEqual([]);
});

test('an e-mail written as a link is read', () => {
  const raw = { record_id: '1', emails: ['mailto:ann@post.example?subject=Hello'] };
  expect(parseImportRecord(raw, { source: 'crm', region: 'DE' })).toMatchObject({
    record: { contacts: [{ standardized: 'ann@post.example' }] },
  });
});

test('two letters of a province are no US state in a country that writes provinces that way', () => {
  const raw = {
    record_id: '1',
    address: { street: 'Corso Como 5', city: 'Milano', state: 'MI', zip: '20154' },
  };
  const countryIn = (region: string) => {
    const outcome = parseImportRecord(raw, { source: 'crm', region });
    return 'record' in outcome && outcome.record.contacts.map(({ standardized }) => standardized);
  };
  expect(countryIn('IT')).toMatchObject([{ country: '', state: 'MI' }]);
  expect(countryIn('US')).toMatchObject([{ country: 'US' }]);
});

describe('deleted records', () => {
  const said = (deleted: unknown) =>
    parseImportRecord({ record_id: '1', name: 'Ann Lee', deleted }, { source: 'crm', region: 'DE' });

  test.each([true, 'true', 'TRUE', ' yes ', '1', 1])('deleted: %j removes the record', (deleted) => {
    expect(said(deleted)).toMatchObject({ removed: { source: 'crm', recordId: '1' } });
  });

  test.each([undefined, null, false, 'false', 'No', '0', 0, '', ' '])(
    'deleted: %j adds the record',
    (deleted) => {
      expect(said(deleted)).toMatchObject({ record: { names: ['Ann Lee'] }, dropped: [] });
    },
  );

  test.each([{}, { of: true }, [], [true], 2, Infinity, 'y', 'Zqx', '2024-01-01'])(
    '%j is refused by the name of its field, and puts nothing',
    (deleted) => {
      const problem = 'deleted is neither true nor false';
      expect(said(deleted)).toEqual({ problem, recordId: '1', dropped: [] });
    },
  );
});

test.each([
  ['sen.', 1],
  ['Sen', 1],
  ['Jun', 2],
  ['jun.', 2],
  ['Filho', 2],
  ['Neto', 3],
  ['d. J.', 2],
  ['Jr', 2],
  ['', 0],
])('the suffix %j in its own field means generation %i', (suffix, generation) => {
  const name = { given: 'Emil', middle: '', family: 'Raschke', suffix };
  const read = parseImportRecord({ record_id: '1', name }, { source: 'crm', region: 'DE' });
  const [written = ''] = 'record' in read ? read.record.names : [];
  expect(prepareName(written)).toMatchObject({ generation, canonical: 'emil raschke' });
});
