// Invented people for measurements: always the same ones, with the variety of real records.

/** A record in the importer's format. */
export interface PersonRecord {
  record_id: string;
  source: string;
  name: string;
  emails: string[];
  phones: string[];
  addresses: Place[];
  birth_date?: string;
  first_seen: string;
  last_seen: string;
}

export interface Place {
  street: string;
  street2?: string;
  city: string;
  state: string;
  zip: string;
}

export interface Person {
  given: string;
  middle: string;
  family: string;
  birth: string;
  emails: string[];
  phones: string[];
  /** Addresses, the current one first. */
  addresses: Place[];
}

/** A request body of the API. */
export interface Body {
  name: string;
  emails: string[];
  phones: string[];
  addresses: Place[];
}

const words = (text: string) => text.trim().split(/\s+/);

const GIVEN = words(`
  James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica
  Thomas Sarah Christopher Karen Charles Lisa Daniel Nancy Matthew Sandra Anthony Betty Mark Ashley Donald Emily Steven
  Kimberly Andrew Margaret Paul Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa George Deborah Timothy
  Stephanie Jose Maria Carlos Ana Wei Mei Hiroshi Yuki Ahmed Fatima Ivan Olga Pierre Camille Raj Priya Kwame Amara Sven
  Ingrid Luca Giulia Nikos Eleni Tomasz Agnieszka Diego Lucia Omar Leila`);
const FAMILY = words(`
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter`);
const HEADS = words(`
  Ash Black Bram Brook Cal Clay Cran Dar Dun East Ell Fair Farn Glen Gran Hal Hart Hazel Hol Kel Kings Lang Lin Mar
  Mel Nor Oak Pem Rad Red Row Sel Shel Stan Sutter Thorn Wal Wes Whit Wood`);
const TAILS = words(`
  berg bourne bridge brook bury by combe cott croft dale don field ford gate ham hurst land ley man more ridge shaw
  stead stein ston thwaite ton ville wall way well wick wood worth`);
const STREETS = words(`
  Oak Maple Cedar Elm Pine Walnut Washington Lake Hill Park River Spring Church Main High Mill Sunset Highland Jackson
  Franklin Chestnut Willow Prospect Meadow Juniper Magnolia Lincoln Adams Dogwood Hickory Laurel Birch Cherry Poplar`);
const KINDS = words('Street Avenue Road Drive Lane Court Boulevard Place');
const SHORT: Record<string, string> = {
  Street: 'St',
  Avenue: 'Ave',
  Road: 'Rd',
  Drive: 'Dr',
  Lane: 'Ln',
  Court: 'Ct',
  Boulevard: 'Blvd',
  Place: 'Pl',
};
const CITIES: [city: string, state: string, zip: number, area: number][] = [
  ['Springfield', 'IL', 62_700, 217],
  ['Portland', 'OR', 97_200, 503],
  ['Austin', 'TX', 78_700, 512],
  ['Columbus', 'OH', 43_200, 614],
  ['Denver', 'CO', 80_200, 303],
  ['Atlanta', 'GA', 30_300, 404],
  ['Tucson', 'AZ', 85_700, 520],
  ['Boston', 'MA', 2_100, 617],
  ['Raleigh', 'NC', 27_600, 919],
  ['Sacramento', 'CA', 95_800, 916],
  ['Seattle', 'WA', 98_100, 206],
  ['Nashville', 'TN', 37_200, 615],
];
const MAIL = words('example.com example.org mail.example.net post.example.com home.example.org');
const SOURCES = words('shop newsletter telco utility loyalty returns');

/** Returns numbers from 0 up to 1, the same ones for the same seed (mulberry32, by Tommy Ettinger). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns `count` records, about three for each person, and the people. */
export function makePeople(count: number, seed = 1): { people: Person[]; records: PersonRecord[] } {
  const random = randomNumbers(seed);
  const people: Person[] = [];
  const records: PersonRecord[] = [];
  while (records.length < count) {
    for (const person of household(random)) {
      const number = people.push(person);
      const copies = 1 + Math.floor(random() * 5);
      for (let i = 0; i < copies && records.length < count; i++)
        records.push(recordOf(person, `${number}-${i}`, random));
    }
  }
  return { people, records };
}

type Random = () => number;

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;
/** Picks an item; the first items of the list are common, the last ones rare. */
const skewed = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() ** 2 * list.length)]!;

/** Returns one to four people who share an address; most share a family name, some a phone. */
function household(random: Random): Person[] {
  const place = placeOf(random);
  const family = familyName(random);
  const shared = random() < 0.5 ? phoneOf(place, random) : null;
  const size = 1 + Math.floor(random() ** 1.6 * 4);
  return Array.from({ length: size }, () => {
    const given = skewed(GIVEN, random);
    const own = random() < 0.8 ? family : familyName(random);
    const middle = random() < 0.5 ? pick(GIVEN, random) : '';
    const birth = `${1940 + Math.floor(random() * 65)}-${two(1 + random() * 12)}-${two(1 + random() * 28)}`;
    const emails = emailsOf(given, own, random);
    const phones = [phoneOf(place, random), ...(shared ? [shared] : [])];
    if (random() < 0.3) phones.push(phoneOf(place, random));
    const addresses = [place, ...(random() < 0.4 ? [placeOf(random)] : [])];
    return { given, middle, family: own, birth, emails, phones, addresses };
  });
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0');

function familyName(random: Random): string {
  if (random() < 0.35) return skewed(FAMILY, random);
  return pick(HEADS, random) + pick(TAILS, random);
}

function placeOf(random: Random): Place {
  const [city, state, zip] = pick(CITIES, random);
  const street = `${1 + Math.floor(random() * 4000)} ${pick(STREETS, random)} ${pick(KINDS, random)}`;
  const unit = random() < 0.2 ? { street2: `Apt ${1 + Math.floor(random() * 60)}` } : {};
  return { street, ...unit, city, state, zip: String(zip + Math.floor(random() * 60)).padStart(5, '0') };
}

function phoneOf({ city }: Place, random: Random): string {
  const area = CITIES.find(([name]) => name === city)![3];
  return `${area}${200 + Math.floor(random() * 800)}${String(Math.floor(random() * 10_000)).padStart(4, '0')}`;
}

function emailsOf(given: string, family: string, random: Random): string[] {
  const [g, f] = [given.toLowerCase(), family.toLowerCase()];
  const number = Math.floor(random() * 1000);
  const all = [`${g}.${f}${number}`, `${g[0]}${f}${number}`, `${f}_${g}${number}`];
  return all.slice(0, 1 + Math.floor(random() * 3)).map((box) => `${box}@${pick(MAIL, random)}`);
}

/** Returns a record with some values of a person, as a source writes them: shortened, in capitals, sometimes with a typo. */
function recordOf(person: Person, id: string, random: Random): PersonRecord {
  const year = 2004 + Math.floor(random() * 20);
  const source = pick(SOURCES, random);
  return {
    record_id: `${source}-${id}`,
    source,
    name: nameOf(person, random),
    emails: person.emails.filter(() => random() < 0.6).map((email) => written(email, random)),
    phones: person.phones.filter(() => random() < 0.6).map((phone) => writtenPhone(phone, random)),
    addresses: person.addresses.filter(() => random() < 0.6).map((place) => writtenPlace(place, random)),
    ...(random() < 0.3 ? { birth_date: person.birth } : {}),
    first_seen: `${year}-0${1 + Math.floor(random() * 9)}-15`,
    last_seen: `${year + Math.floor(random() * 3)}-1${Math.floor(random() * 3)}-15`,
  };
}

function nameOf({ given, middle, family }: Person, random: Random): string {
  const kind = random();
  const between = middle === '' || kind < 0.5 ? '' : kind < 0.8 ? `${middle[0]} ` : `${middle} `;
  const first = kind > 0.95 ? given[0]! : given;
  const full = random() < 0.1 ? `${family}, ${first} ${between}`.trim() : `${first} ${between}${family}`;
  return random() < 0.05 ? slip(full, random) : random() < 0.15 ? full.toUpperCase() : full;
}

/** Swaps two neighbouring letters. */
function slip(text: string, random: Random): string {
  const at = 1 + Math.floor(random() * (text.length - 2));
  return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
}

const written = (email: string, random: Random) => (random() < 0.1 ? email.toUpperCase() : email);

function writtenPhone(digits: string, random: Random): string {
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  const all = [
    digits,
    `(${area}) ${exchange}-${line}`,
    `${area}-${exchange}-${line}`,
    `+1${digits}`,
    `1-${area}-${exchange}-${line}`,
  ];
  return pick(all, random);
}

function writtenPlace(place: Place, random: Random): Place {
  const street = place.street.replace(/\S+$/, (kind) => (random() < 0.5 ? (SHORT[kind] ?? kind) : kind));
  return { ...place, street: random() < 0.2 ? street.toUpperCase() : street };
}

/**
 * Returns request bodies about the people, with up to `each` values of every kind of contact. Most values are the person's
 * own; the others belong to another person of the graph or to nobody, so that every status occurs.
 */
export function makeBodies(people: Person[], { each, count }: { each: number; count: number }): Body[] {
  const random = randomNumbers(each);
  const stranger = () => household(random)[0]!;
  return Array.from({ length: count }, () => {
    const person = pick(people, random);
    const other = random() < 0.5 ? pick(people, random) : stranger();
    const fill = <T>(own: T[], others: (from: Person) => T[]): T[] => {
      const values = random() < 0.85 ? [...own] : others(other).slice(0, 1);
      const filled = new Set(values);
      for (let i = 0; filled.size < each; i++)
        for (const one of others(i === 0 ? other : stranger())) filled.add(one);
      return [...filled].slice(0, each);
    };
    return {
      name: nameOf(person, random),
      emails: fill(person.emails, ({ emails }) => emails).map((email) => written(email, random)),
      phones: fill(person.phones, ({ phones }) => phones).map((phone) => writtenPhone(phone, random)),
      addresses: fill(person.addresses, ({ addresses }) => addresses).map((place) =>
        writtenPlace(place, random),
      ),
    };
  });
}
