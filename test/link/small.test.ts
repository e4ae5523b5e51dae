import { describe, expect, test } from 'vitest';
import { identitiesIn, importInto, type Row } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

type Person = Omit<Row, 'record_id'>;

const home = (number: number) => ({
  street: `${number} Juniper Terrace`,
  city: 'Boise',
  state: 'ID',
  zip: '83702',
});

/** Nine people of one town with different homes. With one or two more people they make a small file. */
const TOWN = [
  'Ana Souza',
  'Boris Petrenko',
  'Chidi Okafor',
  'Dana Levi',
  'Emil Novak',
  'Farah Haddad',
  'Gina Rossi',
  'Hugo Lindt',
  'Ines Castro',
].map((name, i): Person => ({ name, addresses: [home(10 + 2 * i)] }));

/** Returns the record ids of each identity, sorted. */
async function groupsOf(files: Row[][]): Promise<string[]> {
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, files);
  const groups = new Map<number | null, string[]>();
  for (const [record, identity] of await identitiesIn(graph))
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  return [...groups.values()].map((group) => group.sort().join(' ')).sort();
}

/** Returns true if these records are linked as one person, in a file with the town. */
async function areOne(...people: Person[]): Promise<boolean> {
  const rows = [...TOWN, ...people].map((one, i): Row => ({ record_id: `${i}`, ...one }));
  return (await groupsOf([rows])).length === TOWN.length + 1;
}

/** Returns true if each of these records is an identity of its own, in a file with the town. */
async function areAllApart(...people: Person[]): Promise<boolean> {
  const rows = [...TOWN, ...people].map((one, i): Row => ({ record_id: `${i}`, ...one }));
  return (await groupsOf([rows])).length === rows.length;
}

describe('three files of ten records', () => {
  const files = ['crm', 'shop', 'news'].map((source, s) =>
    [...TOWN, { name: 'Jane Doe', addresses: [home(77)] }].map(({ name = '', addresses = [] }, i): Row => ({
      record_id: `${source}-${i}`,
      source,
      name: s === 2 ? name.toUpperCase() : name,
      addresses: addresses.map((it) => ({ ...it, street: it.street?.replace('Terrace', 'Ter') })),
    })),
  );

  test('name and whole address in common make one person', async () => {
    expect(await groupsOf(files)).toEqual(
      Array.from({ length: 10 }, (_, i) => `crm-${i} news-${i} shop-${i}`).sort(),
    );
  });

  test('so they do where one file has no postcode', async () => {
    const [crm = [], ...others] = files;
    const bare = crm.map(({ addresses = [], ...row }) => ({
      ...row,
      addresses: addresses.map(({ street = '', city = '', state = '' }) => ({ street, city, state })),
    }));
    expect(await groupsOf([bare, ...others])).toHaveLength(10);
  });

  test('in other orders, and one file after the other, the same people come out', async () => {
    const graph = memoryGraph('a1'.repeat(32));
    for (const file of files.toReversed()) await importInto(graph, [file.toReversed()]);
    const numbers = new Set((await identitiesIn(graph)).values());
    expect(numbers.size).toBe(10);
  });
});

describe('a small file of households', () => {
  const addresses = [home(77)];

  test('couples and their children stay apart', async () => {
    const families = ['Doe', 'Garcia', 'Ostrander', 'Weiss'].flatMap((family, i) =>
      ['Walter', 'Clarissa', 'Benjamin'].map((given): Person => ({
        name: `${given} ${family}`,
        addresses: [home(50 + 2 * i)],
        phones: [`+1 206 300 10${20 + i}`],
      })),
    );
    expect(await areAllApart(...families)).toBe(true);
  });

  test('who has the long form of a name is another than who has the short one', async () => {
    const people = ['Patrick Moran', 'Pat Moran', 'Christina Moran', 'Chris Moran'];
    expect(await areAllApart(...people.map((name) => ({ name, addresses: [home(77)] })))).toBe(true);
  });

  test('a father and a son of one name are two where dates or suffixes tell', async () => {
    const walt = { name: 'Walter Doe', addresses };
    expect(
      await areAllApart({ ...walt, birth_date: '1948-02-11' }, { ...walt, birth_date: '1979-10-30' }),
    ).toBe(true);
    expect(await areAllApart({ ...walt, name: 'Walter Doe Jr' }, { ...walt, name: 'Walter Doe Sr' })).toBe(
      true,
    );
  });

  test('so do generations that stand between given and family name', async () => {
    const at = { addresses, phones: ['+1 206 300 1020'] };
    expect(await areAllApart({ name: 'Rufus I Harland', ...at }, { name: 'Rufus II Harland', ...at })).toBe(
      true,
    );
    expect(await areOne({ name: 'John I Smith', ...at }, { name: 'John Ivan Smith', ...at })).toBe(true);
  });

  test('so do those of other languages', async () => {
    const at = { addresses, phones: ['+1 206 300 1020'] };
    const pairs = [
      ['Emil Raschke, Sen', 'Emil Raschke, Jun'],
      ['Karl Krumbach sen.', 'Karl Krumbach jun.'],
      ['Paulo Teodoro Filho', 'Paulo Teodoro Neto'],
      ['Juan Almeida padre', 'Juan Almeida hijo'],
    ] as const;
    for (const [one, two] of pairs)
      expect(await areAllApart({ name: one, ...at }, { name: two, ...at })).toBe(true);
    const same = ['Emil Raschke senior', 'Emil Raschke Sr.', 'Emil Raschke d. Ä.'].map((name) => ({
      name,
      ...at,
    }));
    expect(await areOne(...same)).toBe(true);
    expect(await areOne({ name: 'Paulo Teodoro Filho', ...at }, { name: 'Paulo Teodoro', ...at })).toBe(true);
  });

  test('dates a generation apart are two people of a home, though but a digit differs', async () => {
    const walt = { name: 'Walter Doe', addresses };
    const [father, son] = [{ birth_date: '1950-05-17' }, { birth_date: '1980-05-17' }];
    expect(await areAllApart({ ...walt, ...father }, { ...walt, ...son })).toBe(true);
    expect(await areOne({ ...walt, ...father }, { ...walt, birth_date: '1950-05-11' })).toBe(true);
  });

  test('genders tell them apart, and titles', async () => {
    const pair = (names: [string, string], [one, two]: [object, object], more: object) =>
      areAllApart({ name: names[0], ...more, ...one }, { name: names[1], ...more, ...two });
    const genders: [object, object] = [{ gender: 'female' }, { gender: 'male' }];
    expect(await pair(['Alex Winter', 'Alex Winter'], genders, { addresses })).toBe(true);
    expect(await pair(['Erika Roth', 'Erik Roth'], genders, { addresses, birth_date: '1969-07-20' })).toBe(
      true,
    );
    expect(await pair(['J. Winter', 'J. Winter'], [{ title: 'Mrs' }, { title: 'Mr' }], { addresses })).toBe(
      true,
    );
    const two = [{ title: 'Signora' }, { title: 'Signor' }] as const;
    expect(await pair(['G. Rossetti', 'G. Rossetti'], [...two], { phones: ['+1 206 300 1020'] })).toBe(true);
    expect(await pair(['Frau A. Herbst', 'Herr A. Herbst'], [{}, {}], { phones: ['+1 206 300 1020'] })).toBe(
      true,
    );
  });

  test('neighbours of names nearly alike are two', async () => {
    const neighbour = (name: string, number: number, phone: string) => ({
      name,
      addresses: [{ street: `${number} Elm Court`, city: 'Reno', state: 'NV', zip: '89501' }],
      phones: [phone],
    });
    const three = [
      neighbour('Rufus Garland', 61, '+1 206 300 1020'),
      neighbour('Rufus Harland', 62, '+1 206 300 1031'),
      neighbour('Rufus Karland', 63, '+1 206 300 1042'),
    ];
    expect(await areAllApart(...three)).toBe(true);
  });

  test('mailboxes of a letter are two', async () => {
    const mailed = (mailbox: string) => ({ name: 'Xyrenia Quorvath', emails: [`${mailbox}@example.com`] });
    expect(await areAllApart(mailed('a'), mailed('b'))).toBe(true);
  });

  test('they may be two where e-mail and phone differ', async () => {
    const walt = { name: 'Walter Doe', addresses };
    const [one, two] = [
      { ...walt, phones: ['+1 206 300 1020'], emails: ['walter@doe.example'] },
      { ...walt, phones: ['+1 206 300 1077'], emails: ['wd1979@post.example'] },
    ];
    expect(await areAllApart(one, two)).toBe(true);
  });

  test('twins are two, a letter apart as their names may be', async () => {
    const twin = { birth_date: '2001-05-06', addresses, phones: ['+1 206 300 1020'] };
    expect(await areAllApart({ name: 'Daniel Garcia', ...twin }, { name: 'Daniela Garcia', ...twin })).toBe(
      true,
    );
    expect(await areAllApart({ name: 'Anna Garcia', ...twin }, { name: 'Clara Garcia', ...twin })).toBe(true);
  });

  test('one street and number in two towns say little', async () => {
    const there = { street: '77 Juniper Terrace', city: 'Reno', state: 'NV', zip: '89501' };
    expect(await areAllApart({ name: 'Jane Doe', addresses }, { name: 'Jane Doe', addresses: [there] })).toBe(
      true,
    );
  });
});

describe('a birth date in a small file', () => {
  const born = (name: string, birth_date = '1969-07-20') => ({ name, birth_date });

  test('with a name in common, or nearly, makes one person', async () => {
    expect(await areOne(born('Jane Doe'), born('Jane Doe'))).toBe(true);
    expect(await areOne(born('Jon Smyth'), born('John Smith'))).toBe(true);
    expect(await areOne(born('Katherine Oyelaran'), born('Catherine Oyelaren'))).toBe(true);
  });

  test('with but a given name in common does not', async () => {
    expect(await areAllApart(born('Jane Doe'), born('Jane Hale'))).toBe(true);
  });

  test('with the name makes one person of two hundred records', async () => {
    expect(await areOne(...Array.from({ length: 200 }, () => born('Jane Doe')))).toBe(true);
  });

  test('that a form puts in says little', async () => {
    const others = ['Karl Meier', 'Lena Vogt', 'Milos Babic', 'Nora Quist'].map((name) =>
      born(name, '1900-01-01'),
    );
    const near = [born('Marta Kowalski', '1900-01-01'), born('Marta Kowalczyk', '1900-01-01')];
    expect(await areAllApart(...others, ...near)).toBe(true);
  });
});

describe('a whole postcode', () => {
  const living = (address: NonNullable<Person['addresses']>[number]) => ({
    name: 'Jane Doe',
    addresses: [address],
  });

  test.each([
    ['GB', 'BN3 6EF', 'bn36ef', 'BN3 1AB'],
    ['CA', 'M5V 2T6', 'm5v2t6', 'M5V 1J9'],
    ['NL', '1017 CE', '1017ce', '1017 AA'],
    ['IE', 'D02 X285', 'd02x285', 'D02 A272'],
    ['PT', '1000-205', '1000205', '1000-013'],
    ['BR', '01310-100', '01310100', '01310-930'],
    ['SG', '238859', '238859', '238801'],
  ])(
    'that means a street or a building joins those of one name, in %s',
    async (country, zip, same, other) => {
      expect(await areOne(living({ zip, country }), living({ zip: same, country }))).toBe(true);
      expect(await areAllApart(living({ zip, country }), living({ zip: other, country }))).toBe(true);
    },
  );

  test.each([
    ['US', '83706'],
    ['DE', '10115'],
    ['CA', 'V0N 1B4'],
    ['BR', '78550-000'],
  ])('that means a town does not, in %s', async (country, zip) => {
    expect(await areAllApart(living({ zip, country }), living({ zip, country }))).toBe(true);
  });

  test('with the house number is a house, however its street is called', async () => {
    const house = (street: string) => living({ street, city: 'Hove', zip: 'BN3 6EF', country: 'GB' });
    expect(await areOne(house('14 High Street'), house('14 Old Bakery Court'))).toBe(true);
  });

  test('with a postcode of another street takes names of streets for no slips', async () => {
    const house = (street: string, zip: string) => living({ street, city: 'Hove', zip, country: 'GB' });
    expect(await areOne(house('14 Hill Street', 'BN3 6EF'), house('14 Hll Street', 'BN3 6EF'))).toBe(true);
    expect(await areAllApart(house('14 Hill Street', 'BN3 6EF'), house('14 Mill Street', 'BN3 6EB'))).toBe(
      true,
    );
  });

  test('keeps the members of a household apart', async () => {
    const addresses = [{ zip: 'BN3 6EF', country: 'GB' }];
    expect(await areAllApart({ name: 'Jane Doe', addresses }, { name: 'Walter Doe', addresses })).toBe(true);
  });
});

describe('numbers of one type that differ', () => {
  const held = (type: string, value: string, country = 'US') => ({
    name: 'Jane Doe',
    identifiers: [{ type, value, country }],
  });
  const at = { addresses: [home(77)] };
  const born = { birth_date: '1969-07-20' };

  test('of a type that people have for life, they are two people', async () => {
    expect(
      await areAllApart({ ...held('SSN', '912-05-1120'), ...at }, { ...held('SSN', '934-09-9918'), ...at }),
    ).toBe(true);
  });

  test('of one that is renewed speak against, and no more than a little', async () => {
    const slip = { birth_date: '1969-07-21' };
    const [one, two] = [held('passport', 'C1234567'), held('passport', 'C7654321')];
    expect(await areOne({ ...one, ...born }, { ...one, ...slip })).toBe(true);
    expect(await areOne({ name: 'Jane Doe', ...born }, { name: 'Jane Doe', ...slip })).toBe(true);
    expect(await areAllApart({ ...one, ...born }, { ...two, ...slip })).toBe(true);
    expect(await areOne({ ...one, ...born }, { ...two, ...born })).toBe(true);
  });

  test('of passports of two countries say nothing', async () => {
    const slip = { birth_date: '1969-07-21' };
    expect(
      await areOne(
        { ...held('passport', 'C1234567'), ...born },
        { ...held('passport', '533380006', 'GB'), ...slip },
      ),
    ).toBe(true);
  });

  test("are no matter where one is the same, which is hardly ever another person's", async () => {
    const vogt = { ...held('passport', 'C1234567'), name: 'Jane Vogt' };
    expect(
      await groupsOf([
        [
          { record_id: '1', ...held('passport', 'C1234567') },
          { record_id: '2', ...vogt },
        ],
      ]),
    ).toEqual(['1 2']);
    expect(
      await areAllApart(held('customer of shop', '1017'), {
        ...held('customer of shop', '1018'),
        name: 'Jane Vogt',
      }),
    ).toBe(true);
  });

  test('count beside a number of another type in common', async () => {
    const both = (ssn: string) => ({
      name: 'Jane Doe',
      identifiers: [
        { type: 'customer of shop', value: '1017' },
        { type: 'SSN', value: ssn },
      ],
    });
    expect(await areOne(both('912-05-1120'), both('912-05-1120'))).toBe(true);
    expect(await areAllApart(both('912-05-1120'), both('934-09-9918'))).toBe(true);
  });
});
