// Tables with titles above and totals below, and dates that only the whole column explains.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../../src/import/items.ts';
import { type ReadRecordsOptions, readRecords } from '../../../src/import/read.ts';

async function read(text: string, more: Partial<ReadRecordsOptions> = {}): Promise<ImportRecordOrProblem[]> {
  const items: ImportRecordOrProblem[] = [];
  let made = 0;
  const options = { name: 'people.csv', makeId: () => `made ${++made}`, ...more };
  for await (const item of readRecords(Readable.from([Buffer.from(text)]), options)) items.push(item);
  return items;
}
const namesOf = (items: ImportRecordOrProblem[]) =>
  items.map(({ record, aside }) => record?.names[0] ?? aside);
const born = (items: ImportRecordOrProblem[]) => items.map(({ record }) => record?.birthDate);

const TABLE = 'Name;E-Mail\nAnn Lee;ann@post.example\nBo Dijk;bo@post.example';

test.each([
  ['a title', 'Kundenliste 2024;;;'],
  ['a title with a comma and a date', '"Kundenliste, Stand 12.03.2024"\nFiliale: Nord, Süd'],
  ['empty lines', ';;;\n\n;;'],
  ['a line that tells Excel the separator', 'sep=;'],
  ['all of these', 'sep=;\n\nKundenliste;Stand;2024\n;;\n'],
])('%s above the header of a table is skipped', async (_, above) => {
  const items = await read(`${above}\n${TABLE}`);
  expect(namesOf(items)).toEqual(['Ann Lee', 'Bo Dijk']);
  expect(items[0]?.line).toBe(above.split('\n').length + 2);
});

test('a header without known columns is the first line with several cells', async () => {
  const items = await read('Meine Liste\nWer;Wo\nAnn Lee;ann@post.example', { map: 'name=Wer,email=Wo' });
  expect(namesOf(items)).toEqual(['Ann Lee']);
});

test('a header over several lines is read as one', async () => {
  const items = await read('"Name\nof customer";E-Mail;Phone\nAnn Lee;ann@post.example;\n', {});
  expect(items.map(({ record }) => record?.contacts.length)).toEqual([1]);
});

test.each([
  ['CSV', ','],
  ['a sheet with tabs', '\t'],
])(
  'in %s the header is the line below a row of groups, which tells columns of one name apart',
  async (_, sign) => {
    const lines = [
      'Customer,,,Contact,,Billing Address,,,Shipping Address,,',
      'ID,First,Last,Email,Phone,Street,City,Zip,Street,City,Zip',
      'C1,Ann,Lee,ann@post.example,,1 Oak St,Leeds,LS1 4AP,2 Elm St,York,YO1 7HH',
    ];
    const items = await read(lines.map((line) => line.replaceAll(',', sign)).join('\n'));
    expect(items.map(({ recordId, record }) => [recordId, record?.names])).toEqual([['C1', ['Ann Lee']]]);
    expect(items[0]?.record?.contacts.map(({ kind }) => kind)).toEqual(['email', 'address', 'address']);
  },
);

test.each([
  ['Company Name', 'Complete Name,Email,Company Name,Is a Company', ',Azure Interior,False'],
  ['Parent', 'Complete Name,Email,Parent', ',Azure Interior'],
  ['Related Company', 'Complete Name,Email,Related Company', ',Azure Interior'],
  ['only the row of the company before it', 'Display Name,Email', ''],
])('the contact of a company is the person, not the company: with %s', async (_, header, more) => {
  const rows = [
    'Azure Interior,azure@post.example',
    `"Azure Interior, Brandon Freeman",b@post.example${more}`,
    `"Azure Interior, Diaz, Colleen",c@post.example${more}`,
    '"Freeman Olson, Ann Marie",d@post.example',
  ];
  expect(namesOf(await read([header, ...rows].join('\n'))).slice(1)).toEqual([
    'Brandon Freeman',
    'Diaz, Colleen',
    'Freeman Olson, Ann Marie',
  ]);
});

test('a family name alone in the row before is no company', async () => {
  const rows = ['Van Dijk,v@post.example', '"Van Dijk, Anna Maria",a@post.example'];
  const items = await read(['Name,Email', ...rows].join('\n'));
  expect(namesOf(items)).toEqual(['Van Dijk', 'Van Dijk, Anna Maria']);
});

test('a header with empty cells stays the header if records follow', async () => {
  const items = await read('Name,E-Mail,,Phone,\nAnn Lee,ann@post.example,,,\nBo Dijk,bo@post.example,,,');
  expect(namesOf(items)).toEqual(['Ann Lee', 'Bo Dijk']);
});

test('a row with more cells than headers is shifted and not imported; empty cells at its end are ignored', async () => {
  const rows = [
    'id,name,email,city',
    '1,Ann Lee,ann@post.example,Leeds,,',
    '2,Lee, Bo,bo@post.example,Leeds',
  ];
  const items = await read(rows.join('\n'));
  expect(items.map(({ record, problem }) => record?.names[0] ?? problem)).toEqual([
    'Ann Lee',
    'the row has more cells than the table has columns',
  ]);
});

test('an id that a shop writes for all guests is no id, nor is the decimal zero of pandas part of one', async () => {
  const ids = ['0', '-1', 'Guest', 'gast', 'n/a', '17.0', '10', 'guest-7'];
  const rows = ids.map((id, i) => `${id},Ann Lee,ann${i}@post.example,2175550100.0,4107.0,1 Oak St`);
  const items = await read(['customer_id,name,email,phone,zip,street', ...rows].join('\n'));
  const made = ids.slice(0, 5).map((_, i) => `made ${i + 1}`);
  expect(items.map(({ recordId }) => recordId)).toEqual([...made, '17', '10', 'guest-7']);
  const counted = await read('id,name\n0,Ann Lee\n1,Bo Dijk\n2,Cy Moe');
  expect(counted.map(({ recordId }) => recordId)).toEqual(['0', '1', '2']);
  const [, phone, place] = items[0]?.record?.contacts ?? [];
  expect([phone, place]).toMatchObject([{ standardized: '+12175550100' }, { standardized: { zip: '4107' } }]);
});

test('rows that only repeat contacts of an order have its id', async () => {
  const rows = ['5001,Ann Lee,ann@post.example,', ',,ann@post.example,', ',,cy@post.example,'];
  const items = await read(['Id,Name,Email,Phone', ...rows].join('\n'));
  expect(items.map(({ recordId }) => recordId)).toEqual(['5001', '5001', 'made 1']);
});

test('a name of more than 200 characters is not searched for a company', async () => {
  const company = 'Azure Interior '.repeat(20).trim();
  const [item] = await read(`Name,E-Mail,Company Name\n"${company}, Ann Lee",a@post.example,${company}`);
  expect(item?.dropped).toEqual(['names[0] cannot be used']);
});

test('a family name at birth is the family name of a row without another, also by a map of columns', async () => {
  const rows = [
    'Prénom;Nom de naissance;Nom d’usage;Courriel',
    'Léa;Martin;Dupont;lea@post.example',
    'Hugo;Petit;;hugo@post.example',
  ];
  const map = 'given=Prénom,family.birth=Nom de naissance,family=Nom d’usage,email=Courriel';
  for (const more of [{}, { map }])
    expect(namesOf(await read(rows.join('\n'), more))).toEqual(['Léa Dupont', 'Hugo Petit']);
  expect(namesOf(await read('Vorname;Geburtsname;E-Mail\nAnn;Lee;ann@post.example'))).toEqual(['Ann Lee']);
});

test('a column deleted removes the records of its rows', async () => {
  const rows = ['id,name,is_deleted', '1,Ann Lee,false', '2,Bo Dijk,TRUE', '3,Cy Oak,', '4,Li Wei,Yes'];
  const items = await read(rows.join('\n'));
  expect(items.map(({ record, removed }) => record?.names[0] ?? removed?.recordId)).toEqual([
    'Ann Lee',
    '2',
    'Cy Oak',
    '4',
  ]);
});

test('totals and other lines below a list are no people', async () => {
  const items = await read(`${TABLE};\nSumme;2;\nSumme;2 Mitglieder;\nTotal: 2 customers;;\nSeite 1 von 3;;`);
  expect(namesOf(items)).toEqual(['Ann Lee', 'Bo Dijk', 'total', 'total', 'total', 'total']);
});

test('one date with a day above twelve decides the order of a column, however late it comes', async () => {
  const early = Array.from({ length: 400 }, (_, i) => `${i};Ann Lee;06/05/${1950 + (i % 40)}`);
  const table = (last: string) => ['id;Name;Geburtsdatum', ...early, `x;Bo Dijk;${last}`].join('\n');
  expect(born(await read(table('17/05/1984'))).slice(0, 2)).toEqual(['1950-05-06', '1951-05-06']);
  expect(born(await read(table('05/17/1984'))).at(0)).toBe('1950-06-05');
  const unsure = await read(table('05/06/1984'));
  expect([unsure.length, born(unsure)[0], unsure[0]?.dropped]).toEqual([
    401,
    null,
    ['birth_date is ambiguous: day and month may be swapped'],
  ]);
  expect(born(await read(table('05/06/1984'), { dates: 'dmy' })).at(-1)).toBe('1984-06-05');
});

test('a column whose dates are ambiguous takes the order of the other date columns', async () => {
  const rows = [
    'id;Name;geboren;Kunde seit',
    '1;Ann Lee;06/05/1971;17/05/2019',
    '2;Bo Dijk;03/04/1980;01/02/2020',
  ];
  expect(born(await read(rows.join('\n')))).toEqual(['1971-05-06', '1980-04-03']);
  const mixed = [...rows, '3;Cy Oak;;12/31/2020'].map((row) => row.replace('17/05', '05/06'));
  expect(born(await read(mixed.join('\n')))).toEqual(['1971-06-05', '1980-03-04', null]);
});

test('dates with dots are day, month and year beside dates with slashes that begin with the month', async () => {
  const rows = ['id;Name;Born', '1;Ann Lee;03.04.1976', '2;Bo Dijk;05/13/1980', '3;Cy Oak;06/07/1981'];
  expect(born(await read(rows.join('\n')))).toEqual(['1976-04-03', '1980-05-13', '1981-06-07']);
});

test('where no column shows the order, the country of the row decides it', async () => {
  const rows = [
    'id;Name;Born;Country',
    '1;Ann Lee;03/04/1976;US',
    '2;Bo Dijk;03/04/1976;Netherlands',
    '3;Cy Oak;03/04/1976;',
    '4;Li Wei;03/04/1976;CN',
  ];
  expect(born(await read(rows.join('\n')))).toEqual(['1976-03-04', '1976-04-03', null, null]);
});

test('dates that contradict the order of their column are counted', async () => {
  const rows = ['id;Name;Born', '1;Ann Lee;03/04/1976', '2;Bo Dijk;05/13/1980', '3;Cy Oak;13/05/1980'];
  const items = await read(rows.join('\n'), { dates: 'dmy' });
  expect(items.map(({ notes }) => notes?.againstOrder ?? [])).toEqual([[], ['birth_date dmy'], []]);
  expect(born(items)).toEqual(['1976-04-03', '1980-05-13', '1980-05-13']);
});

test('rows keep their order while they wait for a date that shows the order', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => `${i};Ann Lee;${i < 250 ? '' : '06/05/1971'}`);
  const items = await read(['id;Name;Geboren', ...rows, '300;Bo Dijk;17/05/1984'].join('\n'));
  expect(items.map(({ recordId }) => Number(recordId))).toEqual([...Array(301).keys()]);
  expect(items[250]?.record?.birthDate).toBe('1971-05-06');
});

test('records in the record format are read in the given order of dates', async () => {
  const text = '{"record_id":"1","name":"Ann Lee","birth_date":"06.05.1971"}';
  expect(born(await read(text, { name: 'people.jsonl', dates: 'dmy' }))).toEqual(['1971-05-06']);
});

test('a country alone is no address, and phone numbers are read as dialled there', async () => {
  const [item] = await read('Name;Telefon;Land\nAnn Lee;08 5550142;SE');
  expect(item?.record?.contacts.map(({ standardized }) => standardized)).toEqual(['+4685550142']);
});

test.each([
  ['1420 Elm St  Austin  TX  78701  US', '1420 Elm St,Austin,TX,78701,US', '512 555 0143'],
  ['Hauptstr. 5    Berlin    10115  DE', 'Hauptstr. 5,Berlin,,10115,DE', '030 5550111'],
])(
  'an address in one cell with two spaces between its parts is read by its parts: %s',
  async (cell, parts, phone) => {
    const keysOf = async (header: string, cells: string) => {
      const [item] = await read(`Name,Phone,${header}\nAnn Lee,${phone},${cells}`);
      return item?.record?.contacts.flatMap(({ keys }) => keys.map(({ type, text }) => `${type} ${text}`));
    };
    const keys = await keysOf('Address', cell);
    expect(keys).toEqual(await keysOf('Street,City,State,Zip,Country', parts));
  },
);

test('of several dates of activity, the first and the last count, unless the last is in the future', async () => {
  const now = Date.UTC(2025, 0, 1);
  const [item] = await read(
    'Name,Email,Created,Modified,Last visit,Booked,End date\nAnn Lee,ann@post.example,2021-05-06,2023-01-01,2023-04-01,2020-02-03,2030-01-01',
    { now },
  );
  const days = [item?.record?.firstSeen, item?.record?.lastSeen].map((at) =>
    new Date(at ?? 0).toISOString().slice(0, 10),
  );
  expect(days).toEqual(['2020-02-03', '2023-04-01']);
});

test('a country does not decide the dates of a column in which another date contradicts its country', async () => {
  const head = 'Name,Email,Country,Birthday\nAnn Lee,ann@post.example,US,03/25/1980\nBo Dijk,bo@post.example';
  const rows = 'Cy Lee,cy@post.example,US,04/05/1982';
  expect(born(await read(`${head},DE,25/03/1981\n${rows}`))).toEqual([
    '1980-03-25',
    '1981-03-25',
    '1982-04-05',
  ]);
  expect(born(await read(`${head},US,25/03/1981\n${rows}`))).toEqual(['1980-03-25', '1981-03-25', null]);
});

test('two name columns with the same header are the halves of a name, if their cells are single words', async () => {
  const email = ',ann@post.example';
  expect(namesOf(await read(`Name,Name,Email\nAnna,Berger${email}`))).toEqual(['Anna Berger']);
  const [item] = await read(`Name,Name,Email\nAnna Berger,Anna Maria Berger${email}`);
  expect(item?.record?.names).toEqual(['Anna Berger', 'Anna Maria Berger']);
});

test('a country in an export of Odoo is its name or the id `base.de`', async () => {
  const items = await read('id,name,city,country_id/id\n1,Ann Lee,Bonn,base.de\n2,Bo Ek,Paris,France');
  expect(items.map(({ record }) => record?.contacts[0]?.standardized)).toMatchObject([
    { country: 'DE' },
    { country: 'FR' },
  ]);
});

test('a guest or a receiver is another person than the one who booked or bought', async () => {
  const [booked] = await read('Booked by,Guest name(s),Phone\n"Rossi, Maria",Luca Bianchi,+39 06 555 0123');
  expect([booked?.record?.names, booked?.others]).toEqual([['Rossi, Maria'], true]);
  const [bought] = await read(
    'First Name,Last Name,Email,Buyer First Name,Buyer Last Name,Buyer Email\nTia,Ross,tia@post.example,Ben,Ross,ben@post.example',
  );
  expect(bought?.record?.contacts.map(({ standardized }) => standardized)).toEqual(['tia@post.example']);
});

test('a region without a place is no part of an address', async () => {
  const [item] = await read('Name,Address,Region\nAnn Lee,12 Bow St New York NY 10001,BE');
  expect(JSON.stringify(item?.record?.contacts)).not.toContain('"BE"');
  const [placed] = await read('Name,Address,City,Region\nAnn Lee,12 Bow St,New York,NY');
  expect(JSON.stringify(placed?.record?.contacts)).toContain('"NY"');
});

test('people with a name that also means a total are people', async () => {
  const names = [
    'Suma Reddy',
    'Count Basie',
    'Total Kumar',
    'Summe',
    'Total general',
    'Total: 3',
    'Anzahl Kunden 12',
  ];
  const items = await read(`Name,E-Mail,Phone\n${names.map((name) => `${name},,+4930555018`).join('\n')}`);
  expect(namesOf(items)).toEqual([...names.slice(0, 3), 'total', 'total', 'total', 'total']);
});

test.each(['North Total,,,7', 'ИТОГО,2,,', '合计,2,,', '-----,-----,--,-----'])(
  '%s is no record',
  async (row) => {
    expect(namesOf(await read(`Name,Email,Phone,Orders\nAnn Lee,ann@post.example,,2\n${row}`))).toEqual([
      'Ann Lee',
      'total',
    ]);
  },
);

test('a quote and a line break that MySQL escapes with a backslash are part of the cell', async () => {
  const rows =
    '"O\\"Neil","ann@post.example"\n"Max Line\\\nBreak","max@post.example"\n"C:\\","c@post.example"';
  expect(namesOf(await read(`"Name","Email"\n${rows}`))).toEqual(['O"Neil', 'Max Line', 'C:\\']);
});

test('a row that a column names as a company is one', async () => {
  const rows = 'Azure Interior,True,a@post.example\nBo Dijk,False,bo@post.example';
  expect(namesOf(await read(`Name,Is a Company,Email\n${rows}`))).toEqual(['company', 'Bo Dijk']);
});

test.each([
  ['Vorwahl;Telefon', 'DE', "'0221;790809", '+49221790809'],
  ['Vorwahl;Telefon', 'DE', '0221;0171 2345671', '+491712345671'],
  ['Area code;Phone', 'US', '(415);555-0142', '+14155550142'],
  ['DDD;Celular', 'BR', '11;98042-1079', '+5511980421079'],
  ['Vorwahl;Telefon', 'DE', '+49;790809', null],
  ['Vorwahl;Telefon', 'DE', ';790809', null],
  ['Telefon', 'DE', '790809', null],
])('under %s in %s, %s is %s: only an area code completes a local number', async (...row) => {
  const [headers, region, cells, phone] = row;
  const [item] = await read(`Name;${headers}\nAnn Lee;${cells}\n`, { region });
  const [contact] = item?.record?.contacts ?? [];
  expect(contact && 'keys' in contact ? contact.standardized : null).toBe(phone);
  expect(item?.dropped).toEqual(phone === null ? ['phones[0] lacks its area code'] : []);
});
