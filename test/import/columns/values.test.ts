import { expect, test } from 'vitest';
import { assignFieldsToColumns } from '../../../src/import/columns/columns.ts';
import { guessColumn } from '../../../src/import/columns/guess.ts';
import { correctColumnGuess, measureValueTypeShares } from '../../../src/import/columns/values.ts';

test('only the beginnings of values are tested: a hundred values of a megabyte each take no time', () => {
  const long = Array.from({ length: 100 }, () => 'a'.repeat(1_000_000));
  expect(measureValueTypeShares(long)).toMatchObject({ count: 100, email: 0, phone: 0, words: 1 });
});

test('e-mails, phones and names are recognised', () => {
  expect(measureValueTypeShares(['jane@example.com', '<jane@example.com>'])).toMatchObject({
    email: 1,
    phone: 0,
  });
  expect(measureValueTypeShares(['+1 415 555 0100', ' '])).toMatchObject({ count: 1, phone: 1, words: 0 });
});

test('a column of lists of e-mails is one of e-mails, whatever separates them', () => {
  const lists = [';', '; ', ', ', '\n', '|', ' ::: '].map((sign) => `ann@post.example${sign}a@b.example`);
  const long = Array.from({ length: 20 }, (_, i) => `ann.lee${i}@post.example`).join('\n');
  for (const list of [...lists, long, 'smtp:ann@post.example;SMTP:a@b.example;X500:/o=Org'])
    expect([list, measureValueTypeShares([list]).emails]).toEqual([list, 1]);
  expect(measureValueTypeShares(['a@b.example; see notes', 'X500:/o=Org', ';']).emails).toBe(0);
});

test('a list of e-mails counts only under a header of e-mails', () => {
  const shares = measureValueTypeShares([
    'x1@a.example; y1@a.example',
    'x2@a.example; y2@a.example',
    'z@a.example',
  ]);
  const fieldOf = (header: string) => correctColumnGuess(header, guessColumn(header), shares)?.field;
  for (const header of ['emails', 'proxyAddresses', 'Additional email addresses'])
    expect([header, fieldOf(header)]).toEqual([header, 'email']);
  for (const header of [
    'Attendees',
    'Cc',
    'Team',
    'Members',
    'Followers',
    'Approvers',
    'Shared with',
    'Participants',
  ])
    expect([header, fieldOf(header)]).not.toEqual([header, 'email']);
  expect(
    correctColumnGuess('Cc', null, measureValueTypeShares(['a@a.example', 'b@a.example', 'c@a.example']))
      ?.field,
  ).toBe('email');
});

test.each([
  ['Contact no.', 'record_id'],
  ['Kontaktnummer', 'record_id'],
  ['Número de contacto', 'record_id'],
  ['İletişim numarası', undefined],
  ['Номер контакта', 'record_id'],
])('%s is a column of phones if its values are, and otherwise not', (header, otherwise) => {
  const fieldOf = (...values: string[]) =>
    correctColumnGuess(header, guessColumn(header), measureValueTypeShares(values))?.field;
  expect(fieldOf('+31 20 123 4567', '415 555 0100')).toBe('phone');
  expect(fieldOf('9876543210', '9123456789', '8877665544')).toBe('phone');
  expect(fieldOf('1001', '1002', '1003')).toBe(otherwise);
});

test('an id of a contact stays an id, even if it looks like a phone number', () => {
  const shares = measureValueTypeShares(['9876543210', '9123456789', '8877665544']);
  expect(correctColumnGuess('Contact ID', guessColumn('Contact ID'), shares)?.field).toBe('record_id');
});

test('an id under `Contact No.` stays an id if its zeros show it, or if the phones are in another column', () => {
  const fieldsOf = (headers: string[], ...rows: string[][]) =>
    assignFieldsToColumns(headers, { name: 'a.csv', makeId: () => 'row', samples: rows }).map(
      (column) => column?.field ?? null,
    );
  const [one, two] = [
    (id: string) => [id, 'Ann Lee', '030 555018'],
    (id: string) => [id, 'Bo Ray', '040 555019'],
  ];
  const phones = ['Contact No.', 'Name', 'Telefon'];
  expect(fieldsOf(phones, one('4000012345'), two('4000012346'))).toEqual(['record_id', 'name', 'phone']);
  expect(fieldsOf(phones, one('+49 30 5550181'), two('+49 30 5550182'))).toEqual(['phone', 'name', 'phone']);
  const ids = (first: string, second: string) =>
    fieldsOf(['Contact No.', 'Name'], [first, 'Ann Lee'], [second, 'Bo Ray']);
  expect(ids('0001000017', '0001000018')).toEqual(['record_id', 'name']);
  expect(ids('0612345678', '0612345679')).toEqual(['phone', 'name']);
  const withId = ['Employee ID', ...phones];
  expect(fieldsOf(withId, ['1', ...one('9876543210')], ['2', ...two('9123456789')])).toEqual([
    'record_id',
    'phone',
    'name',
    'phone',
  ]);
});

test.each([
  ['two rows share one', ['4000012345', '4000012345', '4000012346'], 'US', 'phone'],
  ['a row has none', ['4000012345', '', '4000012346'], 'US', 'phone'],
  ['they begin differently', ['9811122233', '9123456789', '8877665544'], 'US', 'phone'],
  ['their lengths differ', ['400001234', '4000012346', '4000012347'], 'US', 'phone'],
  ['they are valid phones of the region', ['8702340102', '8702340103', '8702340177'], 'US', 'phone'],
  ['they number the rows', ['8702340102', '8702340103', '8702340177'], 'CH', 'record_id'],
])('numbers under `Contact no.` beside a column of phones: %s', (_, numbers, region, field) => {
  const samples = numbers.map((number, i) => [`Ann Lee ${i}`, `98765432${i}0`, number]);
  const settings = { name: 'a.csv', makeId: () => 'row', region, samples };
  const columns = assignFieldsToColumns(['Name', 'Mobile', 'Contact no.'], settings);
  expect(columns.map((column) => column?.field)).toEqual(['name', 'phone', field]);
});

test.each([
  'Emergency Contact No.',
  'Guardian Contact No.',
  'Parent contact number',
  "Father's Contact No",
  'Spouse Contact Number',
  'Agent Contact No.',
  'Landlord contact no.',
  'Supplier Contact No.',
  'Doctor contact number',
  'Teacher contact no.',
  'Notfall Kontaktnummer',
  'Notfallkontakt Nr.',
  'Vermieter Kontaktnummer',
  'Número de contacto de emergencia',
  'Número de contacto del padre',
  'Numéro de contact du médecin',
  'Número de contato do responsável',
  'Numero contatto fornitore',
  'Контактный номер родителя',
  'Contact fax no.',
  'Contact passport no.',
  'Contact SSN number',
  'Contact tax number',
  'Contact VAT no.',
  'Contact policy number',
  'Contact account number',
  'Contact order no.',
  'Contact invoice number',
])('%s is no phone of the person of the row', (header) => {
  // A number with a country code is a phone whatever unknown words its header has.
  const codes = /fornitore|passport|SSN|policy/.test(header) ? [''] : ['', '+91'];
  const groups = codes.map((code) => {
    const shares = measureValueTypeShares([`${code}9876543210`, `${code}9123456789`, `${code}8877665544`]);
    const guess = correctColumnGuess(header, guessColumn(header), shares);
    // The phone of a relative belongs to the record of the group.
    return guess?.field === 'phone' ? guess.group : null;
  });
  expect(groups).not.toContain('');
});

test.each([
  'Primary contact no.',
  'Customer Contact Number',
  'Contact number 2',
  'Contact No. (Mobile)',
  'Contact No. (WhatsApp)',
  'Preferred contact number',
  'Registered contact number',
  'Best contact number',
  'Local contact number',
  'Enter contact number',
  'Bevorzugte Kontaktnummer',
])('%s is a phone of the person of the row', (header) => {
  const shares = measureValueTypeShares(['9876543210', '9123456789', '8877665544']);
  expect(correctColumnGuess(header, guessColumn(header), shares)?.field).toBe('phone');
});

test.each(
  'Supervisor Warden Nominee Sponsor NOK Witness Surety Beneficiary Carer Sibling Uncle Driver Apoderado Vormund Responsable VAT Reachable'.split(
    ' ',
  ),
)('`%s contact number` may mean another person or thing, also if it has the only phones', (word) => {
  const fields = assignFieldsToColumns(['Name', `${word} contact number`], {
    name: 'a.csv',
    makeId: () => 'row',
    samples: ['2125550101', '4155550102', '8702340177'].map((number, i) => [`Ann Lee ${i}`, number]),
  });
  expect(fields.map((column) => column?.field ?? null)).toEqual(['name', null]);
});
