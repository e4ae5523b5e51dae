// Rows of tables that name several people.
import { expect, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../../../src/import/items.ts';
import { describeMissingNames } from '../../../../src/import/summary.ts';
import { read, summarise } from './kit.ts';

test('a relative with a contact in a row gets a record', async () => {
  const [child, parent, ...others] = await read(
    'id;Name;Name der Mutter;E-Mail Mutter;Vater\n1;Mia Feldt;Nora Feldt;nora@post.example;Jan\n',
  );
  expect([child?.recordId, child?.record?.contacts]).toEqual(['1', []]);
  expect([parent?.recordId, parent?.record?.names]).toEqual(['1/mutter', ['Nora Feldt']]);
  expect(others).toEqual([]);
});

test.each([
  ["Zara's mum", null],
  ["Zara's mum and dad", null],
  ["Zara's mum Nora Feldt", 'Nora Feldt'],
  ["Nora Feldt (Zara's mum)", 'Nora Feldt'],
  ["Zara's mum (Nora Feldt)", 'Nora Feldt'],
])('a relation is no name of a relative: %s', async (cell, name) => {
  const [child, ...parents] = await read(
    `Pupil,Parent/Guardian,Parent Email\nMia Feldt,${cell},nora@post.example\n`,
  );
  expect(parents.map(({ record }) => record?.names)).toEqual(name === null ? [] : [[name]]);
  expect(child?.dropped).toEqual(name === null ? ['names is a relation to a person, not a name'] : []);
});

test.each([
  ['a table', "Name,Email\nZara's mum,nora@post.example\n"],
  ['JSON', JSON.stringify({ name: "Zara's mum", email: 'nora@post.example' })],
])('a relation is no name of a record in %s', async (_, text) => {
  const [{ record, dropped } = {}] = await read(text, { name: text.startsWith('{') ? 'a.jsonl' : 'a.csv' });
  expect([record?.names, record?.contacts.length]).toEqual([[], 1]);
  expect(dropped).toEqual(['names[0] is a relation to a person, not a name']);
});

test.each(['Parent/Carer 1', 'Guardian', 'Mutter/Vater', 'Responsable légal', '保護者'])(
  'the contacts of a parent are not those of the child: %s',
  async (word) => {
    const people = await read(
      `Pupil,${word},${word} Phone,${word} Email\nMia Feldt,Nora Feldt,030 23125014,nora@post.example\n`,
    );
    expect(people.map(({ record }) => [record?.names[0], record?.contacts.length])).toEqual([
      ['Mia Feldt', 0],
      ['Nora Feldt', 2],
    ]);
  },
);

test.each([
  ['Mother email', 'nora@post.example'],
  ["Father's mobile", '030 23125014'],
  ['Mum', '030 23125014'],
  ["Son's mobile", '030 23125014'],
  ['Telefone filha', '030 23125014'],
  ['Tel Oma', '030 23125014'],
  ['Telefon matki', '030 23125014'],
  ['Neighbour phone', '030 23125014'],
  ['E-mail vader', 'nora@post.example'],
])('a contact in a column %s belongs to nobody in a table without their names', async (header, contact) => {
  const rows = ['Mia Feldt', 'Jan Feldt', 'Tom Feldt'].map(
    (name, i) => `${name},${contact.replace('4', String(i))}`,
  );
  const people = await read(`Pupil,${header}\n${rows.join('\n')}\n`);
  expect(people.map(({ record }) => record?.contacts.length)).toEqual([0, 0, 0]);
});

test("a relative's contact stays that of the relative if a remark says so again", async () => {
  const people = await read('Pupil,Mother,Mother phone\nMia Feldt,Nora Feldt,030 23125014 (mother)\n');
  expect(people.map(({ record }) => [record?.names[0], record?.contacts.length])).toEqual([
    ['Mia Feldt', 0],
    ['Nora Feldt', 1],
  ]);
});

test.each([
  ['one row', ['Flat,First name,Surname,Phone,Guarantor Name,Guarantor Phone']],
  ['two rows', ['Flat,Tenant,,Contact,Guarantor,', ',First name,Surname,Phone,Name,Phone']],
])('a guarantor in a table with %s of headers is a second person', async (_, headers) => {
  const rows = [
    'A1,Desmond,Inchbald,07811 590394,Yewande Quill,07811 899064',
    'A2,Rosalind,Gunn,07412 491997,,',
  ];
  const people = await read([...headers, ...rows].join('\n'), { region: 'GB' });
  expect(
    people.map(({ record, others }) => [record?.names, record?.contacts.map(({ input }) => input), others]),
  ).toEqual([
    [['Desmond Inchbald'], ['07811 590394'], true],
    [['Rosalind Gunn'], ['07412 491997'], false],
  ]);
});

test('headers over two rows, and headers of groups with numbers, are read', async () => {
  const rows = [
    'Pupil,Date of birth,Parent/Carer 1,,,Parent/Carer 2,',
    ',,Name,Phone,Email,Name,Phone',
    'Mia Feldt,04/05/2016,Nora Feldt,07811 590394,nora@post.example,Jan Feldt,07412 491997',
  ];
  const people = await read(rows.join('\n'), { region: 'GB', dates: 'dmy' });
  expect(people.map(({ record }) => [record?.names, record?.birthDate, record?.contacts.length])).toEqual([
    [['Mia Feldt'], '2016-05-04', 0],
    [['Nora Feldt'], null, 2],
    [['Jan Feldt'], null, 1],
  ]);
});

test.each([
  ['01.01.1900', 1],
  ['31.12.9999', 1],
  ['1900-01-01', 1],
  ['01.01.1970', 3],
])('the birth date %s is a placeholder and counted', async (date, rows) => {
  const text = `Name;E-Mail;Geburtsdatum\n${`Ann Lee;ann@post.example;${date}\n`.repeat(rows)}`;
  const people = await read(`${text}Bo Dijk;bo@post.example;02.01.1900`);
  expect(people.map(({ record, dropped }) => [record?.birthDate, dropped])).toEqual([
    ...Array.from({ length: rows }, () => [null, ['birth_date is a placeholder']]),
    ['1900-01-02', []],
  ]);
  expect((await read('Name;Geburtsdatum\nAnn Lee;01.01.1970'))[0]?.record?.birthDate).toBe('1970-01-01');
});

test('a list of tenants with flats but no houses has no addresses, and the start of the lease', async () => {
  const rows = ['12B,Ann Lee,2019-02-01,2027-01-31,Ship', '12C,Bo Dijk,2020-02-01,,Shop'];
  const items = await read(`Unit,Name,Lease from,Lease to,From\n${rows.join('\n')}\n`);
  expect(items.map(({ record, dropped }) => [record?.contacts, record?.lastSeen, dropped])).toEqual([
    [[], null, []],
    [[], null, []],
  ]);
  expect(items[0]?.record?.firstSeen).toBe(Date.UTC(2019, 1, 1));
});

test('JSON records lose the same fillers in e-mails and phones as tables', async () => {
  const filled = { email: 'n/a', emails: ['none@none.com', 'ann@example.com'], phones: ['999-999-9999'] };
  const [json] = await read(JSON.stringify({ record_id: '1', name: 'Ann Lee', ...filled }), {
    name: 'a.jsonl',
  });
  const [row] = await read(
    'id,Name,Email,Email 2,Email 3,Phone\n1,Ann Lee,n/a,none@none.com,ann@example.com,999-999-9999\n',
  );
  const summariseItem = (item?: ImportRecordOrProblem) => [
    item?.record?.contacts.map(({ input }) => input),
    item?.dropped.toSorted(),
  ];
  expect(summariseItem(json)).toEqual(summariseItem(row));
  expect(summariseItem(json)).toEqual([
    ['ann@example.com'],
    ['emails belongs to nobody', 'emails contains only a marker for no value', 'phones belongs to nobody'],
  ]);
});

test('of two columns of family names, the second counts where the first is empty, and the plan says so', async () => {
  const advice: string[] = [];
  const people = await read(
    'id;First Name;Last Name;Surname;Email\n1;Ann;Lee;Leeson;a@example.com\n2;Bo;;Dijk;b@example.com\n',
    { onPlan: async (plan) => void advice.push(...describeMissingNames(plan)) },
  );
  expect(people.map(({ record }) => record?.names)).toEqual([['Ann Lee'], ['Bo Dijk']]);
  expect(advice).toEqual([
    'people.csv: Last Name and Surname are family names: each row uses the first that is not empty. If one name consists of both, map them: family=Last Name,family=Surname',
  ]);
});

test.each([
  ['Reports To', []],
  ['Mother', ['Mother']],
])('the plan gives advice for names of relatives only: %s', async (header, expected) => {
  const unused: string[] = [];
  const rows = ['Ann Lee;Mark Reed', 'Bo Dijk;Carol Whitfield', 'Cara Nash;Maria Gonzalez'];
  await read(`Name;${header};Email\n${rows.map((row, i) => `${row};p${i}@example.com`).join('\n')}\n`, {
    onPlan: async (plan) => void unused.push(...plan.unusedNames),
  });
  expect(unused).toEqual(expected);
});

test.each([
  ['Paul Reed; Karen Reed', ['Paul Reed']],
  ['Paul Reed | Mark Stone', ['Paul Reed']],
  ['Paul Reed; Paul Stone', ['Paul Reed', 'Paul Stone']],
  ['Robert Reed; Bob Reed', ['Robert Reed', 'Bob Reed']],
])('a cell with names of several people has the first one: %s', async (cell, names) => {
  const [item] = await read(`Guest name(s),Phone\n${cell},206-938-7155\n`);
  expect([item?.record?.names, item?.others]).toEqual([names, names.length < 2]);
});

test.each(['First Name,Last Name,Email,Phone', 'First Name.1,Last Name.1,Email,Phone.1'])(
  'contacts after repeated names belong to another person, and the plan says so: %s',
  async (second) => {
    const unused: string[] = [];
    const rows = ['Susan,Cole,206-689-6703,Bo,Reed,b@post.example,206-879-7854', 'Ann,Lee,206-689-6704,,,,'];
    const items = await read(`First Name,Last Name,Phone,${second}\n${rows.join('\n')}\n`, {
      onPlan: async (plan) => void unused.push(...plan.unusedNames),
    });
    expect(summarise(items)).toEqual([
      [['Susan Cole'], ['206-689-6703'], true],
      [['Ann Lee'], ['206-689-6704'], false],
    ]);
    expect(unused).toEqual(second.split(',').slice(0, 2));
  },
);

test('a joined table that repeats the same people keeps the contacts of both halves', async () => {
  const items = await read(
    'First Name,Last Name,Phone,First Name,Last Name,Email\nSusan,Cole,206-689-6703,Susan,Cole,s@post.example\n',
  );
  expect(items[0]?.record?.contacts.length).toBe(2);
});
