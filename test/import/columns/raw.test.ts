// Cells of a row as the values of a record.
import { expect, test } from 'vitest';
import { assignFieldsToColumns } from '../../../src/import/columns/columns.ts';
import { toRawRecord } from '../../../src/import/columns/raw.ts';

const emailsIn = (cell: string) =>
  toRawRecord([cell], { columns: [{ field: 'email', group: '' }], orders: { of: () => null } }).raw.emails;

test.each([
  'jane. doe@example.com',
  'jane,doe@example.com',
  'jane .doe@example.com',
  'jane @example.com',
  'ann@example.com, jane. doe@example.com',
  'ann@example.com und jane. doe@example.com',
  'Ann Lee @example.com',
])('an e-mail with a space or comma inside is not read as the address of another person: %s', (cell) => {
  expect(emailsIn(cell)).toEqual([cell]);
});

test.each([
  'privat: ann@example.com, work: bo@example.com',
  'ann@example.com und bo@example.com',
  'ann@example.com / bo@example.com',
  '1. ann@example.com 2. bo@example.com',
  'Work ann@example.com Home bo@example.com',
  'ann@example.com bzw. bo@example.com',
  'n/a; ann@example.com; bo@example.com',
  '"Lee, Ann" <ann@example.com>, Bo Dijk <bo@example.com>',
  'ann@example.com (privat) bo@example.com (old)',
])('labels and words between e-mails do not matter: %s', (cell) => {
  const emails = (emailsIn(cell) as string[]).filter((email) => email.includes('@'));
  expect(emails.map((email) => email.replace(/[<>]/g, ''))).toEqual(['ann@example.com', 'bo@example.com']);
});

test.each([
  'Ann Lee a@example.com',
  'Ann, a@example.com',
  'LEE, a@example.com',
  'Ann M. Lee a@example.com',
  'alt. a@example.com',
  'mailto a@example.com',
  'main a@example.com alt a@example.com',
])('an e-mail after its label or the name of its owner is used: %s', (cell) => {
  expect((emailsIn(cell) as string[]).filter((email) => email.includes('@'))).toContain('a@example.com');
});

test('an address in the notation of HL7 is read by its components', () => {
  const columns = [{ field: 'address', group: '' }] as const;
  const cell = '4677 Cedar Ave^Apt 3^Chicago^IL^60614^USA^H~1 Old Rd^^Salem^OR^97301';
  const { raw } = toRawRecord([cell], { columns: [...columns], orders: { of: () => null } });
  expect(raw.addresses).toEqual([
    {
      street: '4677 Cedar Ave',
      street2: 'Apt 3',
      city: 'Chicago',
      state: 'IL',
      zip: '60614',
      country: 'USA',
    },
  ]);
});

test.each([
  ['Ann Lee, 1 Elm St, Salem', '1 Elm St, Salem'],
  ['ANN LEE\n1 Elm St\nSalem', '1 Elm St\nSalem'],
  ['Bo Ray, 1 Elm St, Salem', 'Bo Ray, 1 Elm St, Salem'],
  ['Ann Lee Road, Salem', 'Ann Lee Road, Salem'],
])('the name of the row’s person in front of an address is no part of it: %j', (cell, street) => {
  const columns = (['given', 'family', 'address'] as const).map((field) => ({ field, group: '' }));
  const { raw } = toRawRecord(['Ann', 'Lee', cell], { columns, orders: { of: () => null } });
  expect(raw.addresses).toEqual([{ street }]);
});

test('the time of splitting a cell grows with its length, not with its square', { retry: 2 }, () => {
  const secondsFor = (words: number) => {
    const started = performance.now();
    emailsIn('x y@z '.repeat(words));
    return (performance.now() - started) / 1000;
  };
  secondsFor(1000);
  expect(secondsFor(16_000)).toBeLessThan(Math.max(2, 40 * secondsFor(1000)));
});

test.each([
  [['Ann Lee', 'Ann', ''], ['Ann Lee'], undefined],
  [['Lee, Ann', 'Ann', ''], ['Lee, Ann'], undefined],
  [['Mary Ann', '', 'Jones'], ['Mary Ann Jones'], undefined],
  [['Robert Smith', 'Bob', ''], ['Robert Smith'], undefined],
  [['Ann Lee', '', '', 'Marie', 'Jr'], ['Ann Marie Lee Jr'], undefined],
  [['Lee, Ann', '', '', 'Marie'], ['Lee, Ann Marie'], undefined],
  [['Ann Marie Lee', '', '', 'M.', 'Jr'], ['Ann Marie Lee Jr'], undefined],
  [['Ann Lee Jr', '', '', 'Marie', 'Jr'], ['Ann Lee Jr'], undefined],
  [['Ann Lee', 'Ann', '', 'Marie', 'Jr'], ['Ann Marie Lee Jr'], undefined],
  [['Ann Lee', '', 'Lee'], ['Ann Lee'], undefined],
  [['Ann Lee', '', 'Lee-Jones'], ['Ann Lee-Jones'], undefined],
  [['Ann Lee-Jones', '', 'Lee'], ['Ann Lee-Jones'], undefined],
  [['Ana Ruiz', '', 'Ruiz Soto', 'Eva'], ['Ana Eva Ruiz Soto'], undefined],
  [['Lee, Ann', '', 'Lee-Jones', 'Marie'], ['Lee-Jones, Ann Marie'], undefined],
  [['Lee', 'Ann', 'Lee-Jones'], ['Lee'], { given: 'Ann', family: 'Lee-Jones' }],
  [['Ann', 'Ann', ''], ['Ann'], undefined],
  [['Ann Lee', 'Ann', 'Lee'], ['Ann Lee'], { given: 'Ann', family: 'Lee' }],
  [['', 'Ann', ''], [], { given: 'Ann' }],
  [['Lee', 'Ann', ''], ['Ann Lee'], undefined],
  [['李明', '', '李'], ['李明'], undefined],
  [['김민준', '민준', ''], ['김민준'], undefined],
  [['山田', '太郎', ''], ['太郎 山田'], undefined],
  [['Acme Widgets Ltd', 'Ann', ''], ['Acme Widgets Ltd'], { given: 'Ann' }],
])('the parts of a name that a whole name lacks are no second name: %j', (cells, names, name) => {
  const columns = (['name', 'given', 'family', 'middle', 'suffix'] as const).map((field) => ({
    field,
    group: '',
  }));
  expect(toRawRecord(cells, { columns, orders: { of: () => null } }).raw).toMatchObject({ names });
  expect(toRawRecord(cells, { columns, orders: { of: () => null } }).raw.name).toEqual(name);
});

test('a personal number that is the record id also gives the birth date', () => {
  const columns = [
    { field: 'record_id', group: '', isPersonalNumber: true },
    { field: 'name', group: '' },
  ] as const;
  const read = (id: string) => toRawRecord([id, 'Ann Lee'], { columns, orders: { of: () => null } }).raw;
  expect(read('580317-0009')).toMatchObject({ record_id: '580317-0009', birth_date: '1958-03-17' });
  expect(read('580317-0000')).toMatchObject({ record_id: '580317-0000' });
  expect(read('580317-0000').birth_date).toBeUndefined();
});

test.each([
  [['2024-03-02', '2020-05-01', ''], '2020-05-01'],
  [['2020-05-01', '2024-03-02', '2019-01-01'], '2019-01-01'],
  [['soon', '2024-03-02', '2019-01-01'], '2019-01-01'],
  [['soon', '2024-03-02', ''], '2024-03-02'],
  [['2024-03-02', '', ''], undefined],
])('of last dates %j and a first one, the first is %s', (cells, first) => {
  const columns = (['last_seen', 'last_seen', 'first_seen'] as const).map((field) => ({ field, group: '' }));
  expect(toRawRecord(cells, { columns, orders: { of: () => null } }).raw.first_seen).toBe(first);
});

const own = (kind: 'email' | 'phone', cell: string) => {
  const columns = [{ field: kind, group: '' }];
  const { raw, blanks } = toRawRecord([cell], { columns, orders: { of: () => null } });
  return { left: [raw.emails, raw.phones].flat(), blanks };
};

test.each([
  '@ (son)',
  '@ (filha)',
  '@ (Mãe)',
  'Mutter: @',
  '@ wife',
  "Ann's mum @",
  'meine Frau @',
  '@ (parents)',
  '@ - mobile of mother',
  'мама: @',
  '@ (Frau)',
])('an e-mail or phone with the word for a relative is not the own one: %s', (cell) => {
  for (const [kind, value] of [
    ['email', 'ann@example.com'],
    ['phone', '030 23125014'],
  ] as const) {
    const { left, blanks } = own(kind, cell.replace('@', value));
    expect(left).toEqual([]);
    expect(blanks).toEqual([`${kind}s belongs to a relative`]);
  }
});

test.each(['@ (work)', 'Frau Brandt: @', 'Mae West @', '@ (Jan)', 'privat @'])(
  'an e-mail or phone beside the own name, a title or another label is the own one: %s',
  (cell) => {
    for (const [kind, value] of [
      ['email', 'ann@example.com'],
      ['phone', '030 23125014'],
    ] as const)
      expect(own(kind, cell.replace('@', value)).blanks).toEqual([]);
  },
);

test('of several e-mails or phones in a cell, those of relatives are left out', () => {
  expect(own('email', 'ann@example.com, bo@example.com (husband)').left).toEqual(['ann@example.com']);
  expect(own('phone', '030 23125014 (home) / 0171 2345678 (son)').left).toEqual(['030 23125014 (home)']);
});

test.each(['RES ADDRESS', 'Residential Address', 'Situs Address', 'Residence Address'])(
  'a column with city, state and ZIP code belongs to the street in another column: %s',
  (header) => {
    const options = { name: 'a.csv', makeId: () => 'row' };
    const columns = assignFieldsToColumns(['Name', header, 'City St Zip'], options);
    expect(columns.slice(1).map((column) => column?.field)).toEqual(['address', 'address']);
    expect(columns[1]?.group).toBe(columns[2]?.group);
  },
);

test.each<[string, string, string?]>([
  ['Apellido 1', 'Apellido 2'],
  ['Apellido', 'Apellido 2'],
  ['Apellido1', 'Apellido2'],
  ['1º Apellido', '2º Apellido'],
  ['1er Apellido', '2do Apellido'],
  ['Primer Apellido', 'Segundo Apellido'],
  ['Apellido Paterno', 'Apellido Materno'],
  ['Last Name 1', 'Last Name 2'],
  ['Family Name', 'Second Family Name'],
  ['A', 'B', 'family=A,family=B,given=Nombre'],
])(
  'the columns %s and %s are the first and the second family name, in either order',
  (first, second, map) => {
    const nameOf = (headers: string[], cells: string[]) => {
      const columns = assignFieldsToColumns(headers, { name: 'es', region: 'ES', makeId: String, map });
      return toRawRecord(cells, { columns, orders: { of: () => null } }).raw.name;
    };
    const name = { given: 'Santiago', family: 'Rodríguez Sainz' };
    expect(nameOf([first, second, 'Nombre'], ['Rodríguez', 'Sainz', 'Santiago'])).toEqual(name);
    expect(nameOf([second, first, 'Nombre'], ['Sainz', 'Rodríguez', 'Santiago'])).toEqual(name);
  },
);

test('numbered columns of given and family names are those of two people', () => {
  const columns = assignFieldsToColumns(['First Name 1', 'Last Name 1', 'First Name 2', 'Last Name 2'], {
    name: 'two',
    makeId: String,
  });
  const { raw } = toRawRecord(['Ann', 'Lee', 'Bo', 'Ray'], { columns, orders: { of: () => null } });
  expect(raw.name).toEqual({ given: 'Ann', family: 'Lee' });
});
