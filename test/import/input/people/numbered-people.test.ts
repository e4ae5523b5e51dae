// Rows with several people whose columns have numbers or letters.
import { expect, test } from 'vitest';
import { read, summarise } from './kit.ts';

test.each([
  ['Tenant 1,Tenant 2,Email 1,Email 2,Phone 1,Phone 2', '/tenant2'],
  ['Name 1,Name 2,E-mail,E-mail 2,Phone,Phone 2', '/person2'],
  ['Mieter 1,Mieter 2,E-Mail Mieter 1,E-Mail Mieter 2,Telefon Mieter 1,Telefon Mieter 2', '/mieter2'],
  [
    'Applicant 1 Name,Applicant 2 Name,Applicant 1 Email,Applicant 2 Email,Applicant 1 Phone,Applicant 2 Phone',
    '/applicant2',
  ],
])('people with numbers in a row are two records: %s', async (headers, id) => {
  const rows = [
    'Donna Reed,Paul Reed,d@post.example,p@post.example,206-938-7155,206-284-8608',
    'Susan Ward,,s@post.example,,512-568-6581,',
    'Linda Cole,Mark Cole,l@post.example,,617-737-7654,',
  ];
  const items = await read(`id,${headers}\n${rows.map((row, i) => `${i},${row}`).join('\n')}\n`);
  expect(items.map(({ recordId }) => recordId)).toEqual(['0', `0${id}`, '1', '2']);
  expect(summarise(items)).toEqual([
    [['Donna Reed'], ['d@post.example', '206-938-7155'], false],
    [['Paul Reed'], ['p@post.example', '206-284-8608'], false],
    [['Susan Ward'], ['s@post.example', '512-568-6581'], false],
    [['Linda Cole'], ['l@post.example', '617-737-7654'], true],
  ]);
});

test.each([
  ['Tenant 1,Tenant 1 Email,Tenant 2,Tenant 2 Email', 'Tsering Dolma,z@x.example,Lhakpa Norbu,y@x.example'],
  ['Tenant 1,Tenant 2,Tenant 1 Email,Tenant 2 Email', 'Tsering,Lhakpa,z@x.example,y@x.example'],
  ['Name 1,Email 1,Name 2,Email 2', 'Xiomara,z@x.example,Wayra,y@x.example'],
  ['Name 1,Name 2,Email 1,Email 2', 'Xiomara Quispe,Wayra Mamani,z@x.example,y@x.example'],
  ['Name 1,Name 2,Email 1,Email 2', 'Ann,Lee,z@x.example,y@x.example'],
  ['Name 1,Name 2,Phone 1,Phone 2', 'Ann,Lee,206-938-7155,206-284-8608'],
])('rare names in numbered columns are two people: %s', async (headers, row) => {
  const isContact = (cell: string) => Number(/[@\d]/.test(cell));
  const cells = row.split(',').toSorted((a, b) => isContact(a) - isContact(b));
  expect(summarise(await read(`${headers}\n${row}\n`))).toEqual([
    [[cells[0]], [cells[2]], false],
    [[cells[1]], [cells[3]], false],
  ]);
});

test.each([
  ['Tenant 1', 'Tenant 2', 'Tenant 10', ['tenant2', 'tenant10']],
  ['tenant_1_name', 'tenant_10_name', 'tenant_99_name', ['tenant10', 'tenant99']],
  ['Tenant 0', 'Tenant 1', 'Tenant 2', ['tenant0', 'tenant2']],
  ['Tenant 8', 'Tenant 9', 'Tenant 10', ['tenant9', 'tenant10']],
  ['Tenant A', 'Tenant B', 'Tenant C', ['tenant2', 'tenant3']],
  ['Tenant', 'Tenant B', 'Tenant C', ['tenant2', 'tenant3']],
  ['Name A', 'Name B', 'Name F', ['person2', 'person6']],
  ['Tenant 1', 'Tenant 2', 'Tenant 100', ['tenant2']],
])('people with any numbers and letters are records of their own: %s, %s, %s', async (a, b, c, groups) => {
  const emailOf = (name: string) =>
    name.startsWith('Name') ? name.replace('Name', 'E-Mail') : `${name.replace('_name', '')} E-Mail`;
  const headers = [a, b, c].flatMap((name) => [name, emailOf(name)]);
  const unused: string[] = [];
  const items = await read(
    `id,${headers.join()}\n1,Ann Lee,ann@x.example,Bo Kim,bo@x.example,Jon Pike,jon@x.example\n`,
    { onPlan: async (plan) => void unused.push(...plan.unusedNames) },
  );
  const isLeftOut = groups.length < 2;
  expect(items.map(({ recordId }) => recordId)).toEqual(['1', ...groups.map((group) => `1/${group}`)]);
  expect(items.map(({ record }) => [record?.names.length, record?.contacts.length])).toEqual(
    items.map(() => [1, 1]),
  );
  expect([items.some(({ others }) => others), unused]).toEqual([isLeftOut, isLeftOut ? [c] : []]);
});

test.each([
  ['Brandt;Karin;Weg 1;0341 231250;0171 2312501;;', ['Karin Brandt'], 3],
  ['Karin Brandt;c/o Jan Sommer;Weg 1;0341 231250;;k@x.example;k2@x.example', ['Karin Brandt'], 4],
  ['Autohaus Mohn GmbH;c/o Karin Brandt;Weg 1;0341 231250;;a@x.example;', ['Karin Brandt'], 3],
  ['Jan Sommer;;Weg 1;0341 231250;0171 2312501;j@x.example;j2@x.example', ['Jan Sommer'], 5],
])('names and contacts 1 and 2 of SAP are of one customer: %s', async (row, names, contacts) => {
  const headers = 'Name 1;Name 2;Straße;Telefon 1;Telefon 2;E-Mail 1;E-Mail 2';
  const items = await read(`${headers}\n${row}\n`, { region: 'DE' });
  expect(items.map(({ record }) => [record?.names, record?.contacts.length])).toEqual([[names, contacts]]);
});

test('names in two scripts are no people with letters', async () => {
  const [item, ...others] = await read('id,Name (E),Name (C),Email\n1,Lee Ming,李明,a@x.example\n');
  expect([item?.record?.names, others]).toEqual([['Lee Ming', '李明'], []]);
});

test('numbered given and family names belong to numbered people, and so do dates of birth', async () => {
  const items = await read(
    'First Name 1,Last Name 1,First Name 2,Last Name 2,Email 1,Email 2,DOB 1,DOB 2\nAnn,Lee,Bo,Ray,a@post.example,b@post.example,,1980-02-03\n',
  );
  expect(items.map(({ record }) => [record?.contacts.length, record?.birthDate])).toEqual([
    [1, null],
    [1, '1980-02-03'],
  ]);
});

test('numbered contacts that do not fit the numbers of the names are left out, but not the first', async () => {
  const items = await read(
    'Tenant 1,Tenant 2,Phone 1,Phone 2,Phone 3\nDonna Reed,Paul Reed,206-938-7155,206-284-8608,512-568-6581\n',
  );
  expect(summarise(items)).toEqual([[['Donna Reed'], ['206-938-7155'], true]]);
});

test('numbered contacts of one person stay together', async () => {
  const items = await read('Name,Phone 1,Phone 2\nDonna Reed,206-938-7155,206-284-8608\n');
  expect(items.map(({ record }) => record?.contacts.length)).toEqual([2]);
});

test('numbered people in a map are records of their own', async () => {
  const map = 'name=A,name.tenant2=B,email=C,email.tenant2=D';
  const items = await read('A,B,C,D\nDonna Reed,Paul Reed,d@post.example,p@post.example\n', { map });
  expect(items.map(({ record }) => record?.names)).toEqual([['Donna Reed'], ['Paul Reed']]);
});

test.each(['alt2', 'parent1'])(
  'a group to which a map gives only addresses has one of the row: %s',
  async (group) => {
    const map = `street=S,city=C,street.${group}=S2,city.${group}=C2`;
    const items = await read('Name,S,C,S2,C2\nDonna Reed,1 Elm St,Salem,2 Oak St,Keizer\n', { map });
    expect(items.map(({ record }) => record?.contacts.length)).toEqual([2]);
  },
);

test('a group with a name in a map is a person, also with an address', async () => {
  const map = 'name=Name,name.alt2=N2,phone.alt2=P2,street.alt2=S2,city.alt2=C2';
  const items = await read('Name,N2,P2,S2,C2\nDonna Reed,Paul Reed,206-284-8608,2 Oak St,Keizer\n', { map });
  expect(items.map(({ record }) => record?.contacts.length)).toEqual([0, 2]);
});
