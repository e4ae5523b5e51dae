// Forged workbooks, and values of other programs that must not be taken for a person's.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../../src/import/items.ts';
import { type ReadRecordsOptions, readRecords } from '../../../src/import/read.ts';
import type { ColumnMappingReport } from '../../../src/import/input/plan.ts';
import { PACKED_FILES } from '../../trials/hostile/packed.ts';

async function read(
  name: string,
  bytes: Buffer | string,
  more: Partial<ReadRecordsOptions> = {},
): Promise<ImportRecordOrProblem[]> {
  const items: ImportRecordOrProblem[] = [];
  let made = 0;
  const options = { name, makeId: (text: string) => `made ${++made} ${text.length}`, ...more };
  for await (const item of readRecords(Readable.from([Buffer.from(bytes)]), options)) items.push(item);
  return items;
}

test.each(['a workbook of entities that grow', 'a workbook of 200,000 sheets', 'a Parquet file of nothing'])(
  '%s is refused with a clear message',
  async (name) => {
    const { ending, bytes } = PACKED_FILES[name]?.() ?? { ending: '', bytes: Buffer.alloc(0) };
    await expect(read(`file.${ending}`, bytes)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:unreadable_file|invalid_arguments)$/),
      message: expect.stringContaining(`file.${ending}`),
    });
  },
);

test('things in an order are no people, and neither is the seller', async () => {
  const order = {
    id: 12345678901234567890n,
    email: 'ann@post.example',
    customer: { first_name: 'Ann', last_name: 'Lee' },
    owner: { name: 'Bob Hale', email: 'bob@shop.example' },
    line_items: [{ name: 'A lamp', vendor: 'Lamps' }],
  };
  const text = JSON.stringify(order, (_, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  );
  const [item] = await read('orders.jsonl', text.replace(/"#(\d+)#"/, '$1'));
  expect(item?.recordId).toBe('12345678901234567890');
  expect(item?.record?.names).toEqual(['Ann Lee']);
  expect(item?.record?.contacts.map(({ standardized }) => standardized)).toEqual(['ann@post.example']);
});

test('a record without an id gets one that does not depend on the order of its fields', async () => {
  const made = async (text: string) => (await read('people.jsonl', text))[0]?.recordId;
  const one = await made('{"name":"Ann Lee","emails":["ann@post.example"]}');
  expect(await made('{"emails":["ann@post.example"],"name":"Ann Lee"}')).toBe(one);
  expect(one).toMatch(/^made 1 /);
});

const NESTED = {
  kundenId: '7',
  person: { vorname: 'Nora', nachname: 'Feldt' },
  kontakt: { mail: 'nora.feldt@post.example', telefonPrivat: '0341 5550142' },
  anschrift: { strasse: 'Lindenallee 12', plz: '04107', ort: 'Leipzig', land: 'DE' },
  domicilio: { calle: 'Calle Mayor', numero: '5', cp: '28013', ciudad: 'Madrid', pais: 'ES' },
  letzterBesuch: '14.03.2024',
  schuhgroesse: 38,
};

test('objects of other programs are read by the path of each value, as columns are by their headers', async () => {
  const [item] = await read('kunden.json', JSON.stringify([NESTED]));
  expect(item).toMatchObject({ recordId: '7', record: { names: ['Nora Feldt'] } });
  const told = item?.record?.contacts.map(({ kind, standardized }) => [kind, JSON.stringify(standardized)]);
  expect(told).toMatchObject([
    ['email', '"nora.feldt@post.example"'],
    ['phone', '"+493415550142"'],
    ['address', expect.stringContaining('LEIPZIG')],
    ['address', expect.stringContaining('MADRID')],
  ]);
  expect(new Date(item?.record?.lastSeen ?? 0).toISOString()).toMatch(/^2024-03-14/);
});

test.each([
  ['texts', (mails: string[]) => ({ emails: mails })],
  ['objects', (mails: string[]) => ({ email: mails.map((address) => ({ address })) })],
  ['typed objects', (mails: string[]) => ({ contacts: mails.map((value) => ({ type: 'email', value })) })],
])('all e-mails are read if every record has a list of several: %s', async (_, toFields) => {
  const rows = [1, 2, 3].map((id) => ({
    id,
    name: 'Ann Lee',
    ...toFields([`a@b${id}.org`, `a@c${id}.org`]),
  }));
  const [item] = await read('people.json', JSON.stringify(rows));
  const told = item?.record?.contacts.map(({ standardized }) => standardized);
  expect(told).toEqual(['a@b1.org', 'a@c1.org']);
});

test.each(['dn: uid=a,dc=x\n', 'version: 1\n\ndn:: dWlkPWE=\n', '# extended LDIF\n#\n'])(
  'an LDIF file is refused with the advice to export CSV: %j',
  async (text) => {
    await expect(read('users.ldif', `${text}cn: Ann Lee\n`)).rejects.toThrow(
      /^users\.ldif is an LDIF file.*csvde/,
    );
  },
);

test('the e-mails of proxyAddresses are read without their protocol', async () => {
  const cell = (n: number) => `SMTP:a${n}@b.org;smtp:b${n}@b.org;X500:/o=Org;SIP:a${n}@c.org`;
  const rows = [1, 2, 3].map((n) => `${n}\tAnn Lee\t${cell(n)}`);
  const [item] = await read('users.tsv', ['id\tname\tproxyAddresses', ...rows].join('\n'));
  expect(item?.record?.contacts.map(({ standardized }) => standardized)).toEqual(['a1@b.org', 'b1@b.org']);
  expect(item?.dropped).toEqual([]);
});

test.each([
  { name: { given: 'Ann', family: 'Lee' } },
  { name: { givenName: 'Ann', familyName: 'Lee', title: 'Ms' } },
  { name: { formatted: 'Ann Lee' } },
  { profile: { name: { given: 'Ann', last_name: 'Lee' } } },
  { nombre: { primernombre: 'Ann', apellido: 'Lee' } },
])('the parts of a name are read in an object that means a name: %o', async (fields) => {
  const [item] = await read('people.json', JSON.stringify([{ id: 1, ...fields }]));
  expect(item?.record?.names).toEqual(['Ann Lee']);
});

test('the parts of a name are not read in an object of a thing or of another person', async () => {
  const other = {
    company: { name: { first: 'Bo' } },
    spouse: { name: { given: 'Bo' } },
    pet: { given: 'Bo' },
    dog: { name: { given: 'Bo', familyName: 'Ray' } },
  };
  for (const name of ['Ann Lee', undefined]) {
    const [item] = await read(
      'people.json',
      JSON.stringify([{ id: 1, email: 'a@b.example', name, ...other }]),
    );
    expect(item?.record?.names).toEqual(name === undefined ? [] : [name]);
  }
});

test.each([
  [{ year: 1957, month: 3, day: 8 }, '1957-03-08'],
  [{ day: '28', month: '11', year: '1957' }, '1957-11-28'],
  [{ year: 1957, month: 3, day: null }, '1957-03'],
  [{ year: 1957, month: 0, day: 0 }, '1957'],
  [{ year: 1957, month: 'March', day: 8 }, '1957'],
  [{ year: null, month: 3, day: 8 }, null],
])('a date whose parts are properties is one date: %o', async (dob, date) => {
  const [item] = await read('people.json', JSON.stringify([{ id: 1, name: 'Ann Lee', dob }]));
  expect([item?.record?.birthDate, item?.dropped]).toEqual([date, []]);
});

test('elements of a list name the type of their value', async () => {
  const contacts = [
    { art: 'E-Mail', wert: 'ann@post.example' },
    { art: 'Mobil', wert: '+49 151 55501430' },
    { art: 'Fax', wert: '+49 341 5550199' },
  ];
  const [item] = await read('people.jsonl', JSON.stringify({ vorname: 'Ann', kontakte: contacts }));
  const told = item?.record?.contacts.map(({ standardized }) => standardized);
  expect(told).toEqual(['ann@post.example', '+4915155501430']);
});

test('records under their ids are records of their own, and two addresses of a record are not', async () => {
  const people = {
    '-N1': { displayName: 'Ann Lee', email: 'ann@post.example' },
    '-N2': { displayName: 'Bo Dijk', email: 'bo@post.example' },
  };
  for (const file of [people, { users: people }]) {
    const items = await read('people.json', JSON.stringify(file));
    expect(items.map(({ recordId, record }) => [recordId, record?.names])).toEqual([
      ['-N1', ['Ann Lee']],
      ['-N2', ['Bo Dijk']],
    ]);
  }
  const order = {
    billing: { first_name: 'Ann', last_name: 'Lee', email: 'ann@post.example' },
    shipping: { first_name: 'Ann', last_name: 'Lee', phone: '+44 20 7946 0018' },
  };
  expect(await read('order.json', JSON.stringify(order))).toHaveLength(1);
});

test('values that an export of MongoDB wraps are read', async () => {
  const [item] = await read(
    'people.jsonl',
    '{"_id":{"$oid":"64b0"},"fullName":"Ann Lee","dob":{"$date":"1980-01-02T00:00:00Z"},"createdAt":{"$date":{"$numberLong":"1577836800000"}}}',
  );
  expect([item?.recordId, item?.record?.birthDate, item?.record?.firstSeen]).toEqual([
    '64b0',
    '1980-01-02',
    Date.UTC(2020, 0, 1),
  ]);
});

test('a map names the properties of objects, and is refused if it does not apply', async () => {
  const text = JSON.stringify({ record_id: '1', wer: { a: 'Ann Lee' }, name: 'nobody' });
  const [item] = await read('people.jsonl', text, { map: 'name=wer.a' });
  expect(item?.record).toMatchObject({ recordId: '1', names: ['Ann Lee'] });
  await expect(read('people.jsonl', text, { map: 'name=wer.b' })).rejects.toThrow(/no such column/);
  const ours = '{"record_id":"1","name":"Ann Lee"}';
  await expect(read('people.jsonl', ours, { map: 'name=wer.a' })).rejects.toThrow(/--map does not apply/);
});

test('unused properties are reported, but not if their names may be values', async () => {
  const told: unknown[] = [];
  const onPlan = async ({ columns, more }: ColumnMappingReport) =>
    void told.push(
      columns.map((one) => one.header),
      more,
    );
  const rows = [1, 2, 3].map((n) => ({ name: `Ann Lee ${n}`, shoe: 38, [`ann${n}@post.example`]: 'x' }));
  await read('people.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'), { onPlan });
  expect(told).toEqual([['name', 'shoe'], 3]);
  told.length = 0;
  const wrapped = JSON.stringify({ name: 'Ann Lee', 'Marked Value': { mail: 'ann@post.example' } });
  const [item] = await read('people.jsonl', wrapped, { onPlan });
  expect(item?.record?.contacts).toHaveLength(1);
  expect(told).toEqual([['name', '….mail'], 0]);
  const unknown: unknown[] = [];
  const row = (n: number) => ({ record_id: `${n}`, name: 'Ann Lee', shoe: 38, [`ann${n}`]: 'x' });
  const long = `${'name_'.repeat(12)}JaneDoe`;
  const names = ['Jane.Doe', 'Doe-Jane', 'JaneDoePhone', 'mail_jane_doe', long];
  names.push('JaneDoe.name', '06.12.34.56.78', 'constructor.JaneDoe');
  const once = {
    customer_group: 'gold',
    emials: 'x',
    ...Object.fromEntries(names.map((name) => [name, 'x'])),
  };
  const ours = [row(1), row(2), { ...row(3), ...once }];
  const onUnknown = (fields: unknown) => void unknown.push(fields);
  await read('people.jsonl', ours.map((row) => JSON.stringify(row)).join('\n'), { onUnknown });
  expect(unknown).toEqual([
    [
      { field: 'shoe', records: 3, nearest: null },
      { field: 'customer_group', records: 1, nearest: null },
      { field: 'emials', records: 1, nearest: 'emails' },
      { field: null, records: 11, nearest: null },
    ],
  ]);
});

test.each([
  ['{"object":"list","data":[ROWS],"has_more":false}'],
  ['{\n  "results": [ROWS],\n  "paging": {"next": [1]}\n}\n'],
  ['\ufeff{ "items" : [ROWS] }'],
  ['{"customers":[ROWS]}'],
  ['{\n  "page": { "no": 1, "sizes": [{"a": 1}] },\n  "Kunden": [ROWS]\n}'],
  ['{"_embedded":{"clients":[ROWS]}}'],
  ['{"name":"Acme","members":[ROWS]}'],
])('records inside a wrapper are found: %s', async (text) => {
  const rows = '{"id":"1","email":"ann@post.example"},\n{"id":"2","email":"bo@post.example","tags":["a"]}';
  const items = await read('answer.json', text.replace('ROWS', rows));
  expect(items.map(({ recordId, problem }) => problem ?? recordId)).toEqual(['1', '2']);
});

test.each([
  '{"id":"1","orders":[{"email":"bo@post.example"}],"email":"ann@post.example"}',
  '{"tags":[{"a":1}],"email":"ann@post.example"}',
  '{"emails":[{"value":"ann@post.example"}],"shoe":38}',
  '{"customer":{"email":"ann@post.example","addresses":[{"first_name":"Bo","last_name":"Dahl"}]}}',
])('a record with lists is one record: %s', async (text) => {
  const items = await read('people.jsonl', text);
  expect(items.map(({ record }) => record?.contacts.map(({ standardized }) => standardized))).toEqual([
    ['ann@post.example'],
  ]);
});

test.each([
  ['addresses', [{ name: 'Bo Kim' }], []],
  ['default_address', { first_name: 'Bo', last_name: 'Kim' }, []],
  ['addresses', [{ name: 'Bo Kim' }, { name: 'Lee, Ann' }], ['+14155550112', '2 Elm St']],
  ['addresses', [{ name: 'Home address' }], ['+14155550111', '1 Elm St']],
  ['addresses', [{ name: 'Elm Tools Inc' }], ['+14155550111', '1 Elm St']],
])(
  'an address with the name of another person is left out and counted: %s %j',
  async (field, names, kept) => {
    const place = (i: number) => ({
      phone: `+1415555011${i}`,
      street: `${i} Elm St`,
      city: 'Reno',
      zip: '89501',
    });
    const addresses = Array.isArray(names)
      ? names.map((name, i) => ({ ...name, ...place(i + 1) }))
      : { ...names, ...place(1) };
    const customer = { first_name: 'Ann', last_name: 'Lee', email: 'a@post.example', [field]: addresses };
    const items = await read('shop.json', JSON.stringify([{ id: 1, customer }]));
    expect(items.map(({ record, others }) => [record?.names, others])).toEqual([
      [['Ann Lee'], JSON.stringify(names).includes('Bo')],
    ]);
    const contacts = items[0]?.record?.contacts.map(({ input }) =>
      typeof input === 'string' ? input : input.street,
    );
    expect(contacts).toEqual(['a@post.example', ...kept]);
  },
);

test('lists of e-mails, phones and addresses of any name are read, also inside the objects of OData', async () => {
  const person = {
    BusinessPartner: '1000002',
    FirstName: 'Timo',
    LastName: 'Falk',
    Mails: [{ Address: 'timo@post.example', Type: 'Home' }],
    to_BusinessPartnerAddress: {
      results: [
        {
          StreetName: 'Waldweg',
          PostalCode: '50668',
          CityName: 'Köln',
          to_EmailAddress: { results: [{ EmailAddress: 'falk@post.example' }] },
          to_PhoneNumber: { results: [{ PhoneNumber: '+49 221 5550123' }] },
        },
        { StreetName: 'Am Hof', PostalCode: '50669', CityName: 'Köln' },
      ],
    },
  };
  const [item] = await read('partners.json', JSON.stringify({ d: { results: [person] } }));
  expect(item?.recordId).toBe('1000002');
  expect(
    item?.record?.contacts
      .map(({ kind }) => kind)
      .toSorted()
      .join(' '),
  ).toBe('address address email email phone');
});
