// A mixed graph of invented people and their records. The holders of every value are known.
import type { Place } from '../answer.ts';

/** A person of the graph. Records with one `label` belong to one person. */
export interface Person {
  label: string;
  /** Null if no record has a name. */
  name: string | null;
  emails: string[];
  phones: string[];
  addresses: Place[];
}

/** One record to import. */
export interface Source {
  record_id: string;
  source: string;
  identity: string;
  name?: string;
  emails?: string[];
  phones?: string[];
  addresses?: Place[];
  first_seen?: string;
  last_seen?: string;
}

export interface World {
  people: Person[];
  records: Source[];
}

interface Seen {
  first?: string;
  last?: string;
  /** Another spelling of the name, in a second record with the first e-mail. */
  alias?: string;
  /** Date of a newer record with the first e-mail only. */
  newer?: string;
}

const BOISE = { city: 'Boise', state: 'ID', zip: '83702' };
const OMAHA = { city: 'Omaha', state: 'NE', zip: '68102' };
export const TOWER = { street: '900 Harbor Tower Road', city: 'Tampa', state: 'FL', zip: '33602' };
export const OFFICE_PHONE = '+1 206 234 0199';
export const EXCHANGE_PHONE = '+1 206 234 0150';

function world(): World & { add(person: Person, seen?: Seen): Person } {
  const people: Person[] = [];
  const records: Source[] = [];
  const add = (person: Person, { first, last, alias, newer }: Seen = {}): Person => {
    people.push(person);
    const { label, name, ...contacts } = person;
    const dates = { ...(first ? { first_seen: first } : {}), ...(last ? { last_seen: last } : {}) };
    records.push({
      record_id: label,
      source: 'crm',
      identity: label,
      ...(name ? { name } : {}),
      ...contacts,
      ...dates,
    });
    if (alias)
      records.push({
        record_id: `${label}-alias`,
        source: 'shop',
        identity: label,
        name: alias,
        emails: contacts.emails.slice(0, 1),
        ...dates,
      });
    if (newer && name)
      records.push({
        record_id: `${label}-newer`,
        source: 'shop',
        identity: label,
        name,
        emails: contacts.emails.slice(0, 1),
        last_seen: newer,
      });
    return person;
  };
  return { people, records, add };
}
type Add = ReturnType<typeof world>['add'];

/**
 * Two adults and a child with one landline, one address and a family e-mail; each also has an e-mail and a
 * mobile.
 */
function households(add: Add): void {
  const families = [
    'Bosteberg',
    'Dosterling',
    'Fostermann',
    'Gostbridge',
    'Hosteland',
    'Kostenbauer',
    'Lostrander',
    'Mostgate',
  ];
  families.forEach((family, i) => {
    const home = { street: `${70 + i} Juniper Terrace`, ...BOISE };
    const mail = `family@${family.toLowerCase()}.example`;
    ['Margaret', 'Theodore', 'Penelope'].forEach((given, k) =>
      add(
        {
          label: `${given}-${family}`,
          name: `${given} ${family}`,
          emails: [`${given}.${family}@post.example`.toLowerCase(), ...(k < 2 ? [mail] : [])],
          phones: [`+1 ${509 + k} 234 ${1000 + i}`, `+1 208 234 ${1000 + i}`],
          addresses: [home],
        },
        { first: `${2001 + i}-01-01`, last: `20${String(16 + k * 4)}-01-01` },
      ),
    );
  });
}

/** Namesakes with contacts of their own, and people of one name in one house. */
function namesakes(add: Add): void {
  for (let i = 0; i < 5; i++)
    add({
      label: `smith-${i}`,
      name: 'John Smith',
      emails: [`jsmith${i}@mail${i}.example`],
      phones: [`+1 402 234 11${10 + i}`],
      addresses: [{ street: `${300 + i} Quarry Road`, ...OMAHA }],
    });
  for (const [suffix, k] of [
    ['Sr', 0],
    ['Jr', 1],
  ] as const)
    add({
      label: `stoddart-${suffix}`,
      name: `Harlan Stoddart ${suffix}`,
      emails: [`harlan.${suffix.toLowerCase()}@stoddart.example`],
      phones: [`+1 402 234 12${10 + k}`],
      addresses: [{ street: '18 Foundry Lane', ...OMAHA }],
    });
}

/** Thirty people on one switchboard and ten on another, each with an e-mail. */
function offices(add: Add): void {
  const given = ['Ada', 'Boris', 'Clara', 'Dmitri', 'Elspeth', 'Farid', 'Greta', 'Hugo', 'Imogen', 'Jamal'];
  const family = ['Abernathy', 'Calloway', 'Drummond', 'Eastlake'];
  for (let i = 0; i < 40; i++) {
    const name = `${given[i % 10]} ${family[Math.floor(i / 10)]}`;
    add(
      {
        label: `office-${i}`,
        name,
        emails: [`${name.replace(' ', '.').toLowerCase()}@office.example`],
        phones: [i < 30 ? OFFICE_PHONE : EXCHANGE_PHONE],
        addresses: [],
      },
      i % 2 ? { first: '2012-01-01', last: '2023-01-01' } : {},
    );
  }
}

/** Pairs of people who had one phone after each other, with years between. */
function recycledPhones(add: Add): void {
  ['Gunnar Ekstrom', 'Farida Osei', 'Leopold Strasser', 'Ghislaine Boutin'].forEach((name, i) =>
    add(
      {
        label: `recycled-${i}`,
        name,
        emails: [`recycled${i}@post.example`],
        phones: [`+1 907 234 30${10 + Math.floor(i / 2)}`],
        addresses: [],
      },
      i % 2
        ? { first: '2019-01-01', last: '2023-06-01' }
        : { first: '2001-01-01', last: `201${i}-01-01`, newer: '2022-01-01' },
    ),
  );
}

/** A tower block with a dozen flats, two of which had several tenants. */
function tower(add: Add): void {
  const names = [
    'Quentin Fairweather',
    'Rosalind Grimaldi',
    'Stellan Hawksworth',
    'Tamsin Ingersoll',
    'Ottilie Jurgensen',
    'Pavel Kowalczyk',
    'Mabel Lindqvist',
    'Nadir Montefiore',
    'Keiko Nakagawa',
    'Lorenz Oberholzer',
    'Viola Pemberton',
    'Wanda Quarrington',
  ];
  names.forEach((name, i) =>
    add(
      {
        label: `tower-${i}`,
        name,
        emails: [`${name.replace(/ .*/, '').toLowerCase()}@tower.example`],
        phones: [`+1 813 234 20${10 + i}`],
        addresses: [{ ...TOWER, street2: `Apt ${100 + Math.floor(i / 1.5)}` }],
      },
      { first: `20${10 + i}-05-01`, last: `20${12 + i}-05-01` },
    ),
  );
}

/** Names in other scripts and from other countries. */
function scripts(add: Add): void {
  const rows: [string, string, string, Place][] = [
    [
      'Екатерина Вознесенская',
      'voznesenskaya@post.example',
      '+49 30 23125118',
      { street: 'Lindenhofstraße 12 A', city: 'Berlin', zip: '10715', country: 'DE' },
    ],
    [
      '山田太郎',
      'taro.yamada@post.example',
      '+81 3 5550 1234',
      { street: '1-2-3 Marunouchi', city: 'Tokyo', zip: '100-0005', country: 'JP' },
    ],
    [
      'محمد الزيتوني',
      'zaytouni@post.example',
      '+1 313 234 0170',
      { street: '77 Olive Street', city: 'Dearborn', state: 'MI', zip: '48126' },
    ],
    [
      'Νίκος Παπαμιχελάκης',
      'nikos.p@post.example',
      '+1 718 234 0171',
      { street: 'Odos Elaionos 33', city: 'Patra', zip: '262 23', country: 'GR' },
    ],
    [
      'José Hernández',
      'jose.h@post.example',
      '+1 915 234 0172',
      { street: '40 Mesa Drive', city: 'El Paso', state: 'TX', zip: '79901' },
    ],
    [
      'Zoë O’Neill',
      'zoe.oneill@post.example',
      '+44 20 7946 0231',
      { street: '14 Tannery Row', city: 'London', zip: 'SE16 4NB', country: 'GB' },
    ],
  ];
  for (const [name, email, phone, address] of rows)
    add(
      { label: email, name, emails: [email], phones: [phone], addresses: [address] },
      { first: '2014-11-18', last: '2023-04-28' },
    );
}

/** Misspelt names, other names of a person, records without a name, and people without shared values. */
function others(add: Add): void {
  const plain = (name: string, i: number): Person => {
    const [given, family] = name.toLowerCase().split(' ');
    return {
      label: `plain-${i}`,
      name,
      emails: [`${given}@${family}.example`, `${given}.${i}@post.example`],
      phones: [`+1 303 234 ${3000 + i}`, `+1 720 234 ${3000 + i}`],
      addresses: [
        { street: `${100 + i} Orchard Street`, city: 'Denver', state: 'CO', zip: String(80_200 + i) },
        { street: `${400 + i} Chapel Avenue`, city: 'Aurora', state: 'CO', zip: String(80_010 + i) },
      ],
    };
  };
  const aliases: [string, string | undefined][] = [
    ['Wilhelmina Yorkshire', 'Wilhelmnia Yorkshire'],
    ['Bartholomew Rasmussen', 'Bart Rasmusen'],
    ['Guinevere Silverstone', 'Guinevere Thackeray'],
    ['Evangeline Larkspur', undefined],
    ['Maximilian Underhill', undefined],
    ['Seraphina Vandermolen', undefined],
    ['Robert Hale', 'Bob Hale'],
    ['Katherine Osgood', 'Kate Osgood'],
  ];
  aliases.forEach(([name, alias], i) =>
    add(plain(name, i), {
      ...(i % 3 ? { first: '2009-02-03', last: '2024-05-06' } : {}),
      ...(alias ? {} : { first: '2009-02-03', last: `20${12 + 2 * i}-05-06`, newer: '2024-05-06' }),
      ...(alias ? { alias } : {}),
    }),
  );
  for (let i = 0; i < 4; i++)
    add({
      label: `nameless-${i}`,
      name: null,
      emails: [`nameless${i}@post.example`],
      phones: [`+1 646 234 01${70 + i}`],
      addresses: i % 2 ? [{ street: `${20 + i} Mill Lane`, city: 'Albany', state: 'NY', zip: '12207' }] : [],
    });
}

export function makeWorld(): World {
  const { add, people, records } = world();
  for (const make of [households, namesakes, offices, tower, recycledPhones, scripts, others]) make(add);
  return { people, records };
}

/** Returns the people of labelled records. */
export function worldOf(records: Source[]): World {
  const people = new Map<string, Person>();
  for (const { identity, name = null, emails = [], phones = [], addresses = [] } of records) {
    const known = people.get(identity);
    const all = <T>(before: T[] | undefined, more: T[]): T[] => [...(before ?? []), ...more];
    people.set(identity, {
      label: identity,
      name: known?.name ?? name,
      emails: all(known?.emails, emails),
      phones: all(known?.phones, phones),
      addresses: all(known?.addresses, addresses),
    });
  }
  return { people: [...people.values()], records };
}
