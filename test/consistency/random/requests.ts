// Random requests about the people of a world: their own values, other people's, values without a record, in
// any spelling.
import * as fc from 'fast-check';
import type { Body, Kind, Place } from '../answer.ts';
import { KINDS } from '../answer.ts';
import type { Person, World } from './world.ts';

/** One contact value and its holders; no holders if the value is not on record. */
export interface Value {
  kind: Kind;
  value: string | Place;
  holders: string[];
}

export const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
  'other',
];
export const LISTS = { email: 'emails', phone: 'phones', address: 'addresses' } as const;

export const NOBODYS: readonly Value[] = [
  { kind: 'email', value: 'nobody@nowhere.example', holders: [] },
  { kind: 'email', value: 'margaret@elsewhere.example', holders: [] },
  { kind: 'email', value: 'a.b.c@unheard.example', holders: [] },
  { kind: 'phone', value: '+1 907 234 0111', holders: [] },
  { kind: 'phone', value: '+49 30 23125999', holders: [] },
  {
    kind: 'address',
    value: { street: '1 Nowhere Lane', city: 'Nome', state: 'AK', zip: '99762' },
    holders: [],
  },
  {
    kind: 'address',
    value: { street: '5 Hidden Court', city: 'Reno', state: 'NV', zip: '89501' },
    holders: [],
  },
];

/** Returns all values of a world with their holders. */
export function valuesOf({ people }: World): Value[] {
  const found = new Map<string, Value>();
  for (const person of people)
    for (const kind of KINDS)
      for (const value of person[LISTS[kind]]) {
        const key = JSON.stringify([kind, value]);
        const known = found.get(key) ?? { kind, value, holders: [] };
        known.holders.push(person.label);
        found.set(key, known);
      }
  return [...found.values()];
}

/** Returns a body of values: at most five of a kind, each once. */
export function bodyOf(name: string, values: readonly Value[]): Body {
  const of = <T>(kind: Kind): T[] => {
    const texts = values.filter((one) => one.kind === kind).map((one) => JSON.stringify(one.value));
    return [...new Set(texts)].slice(0, 5).map((text) => JSON.parse(text) as T);
  };
  return { name, emails: of<string>('email'), phones: of<string>('phone'), addresses: of<Place>('address') };
}

/** Spellings of the same name: case, accents, apostrophes, order with a comma. */
export const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `  ${name.replaceAll(' ', '   ')} `,
  (name) => name.normalize('NFD'),
  (name) => name.replaceAll('’', "'"),
];

/** Similar names: another form or part, a typing error, a relative, a couple. */
const NEAR: readonly ((name: string) => string)[] = [
  (name) => name.replace(/(..)(.)(.)$/, '$1$3$2'),
  (name) => name.replace(/^(\S)\S+/, '$1.'),
  (name) => name.replace('Margaret', 'Peggy').replace('Theodore', 'Ted').replace('Robert', 'Bob'),
  (name) => name.replace(/^(\S+) (\S+)/, '$2 $1'),
  (name) => `${name.split(' ')[0]} Marie ${name.split(' ').slice(1).join(' ')}`.trim(),
  (name) => name.replace(/^(\S+ \S)\S+/, '$1'),
  (name) => name.split(' ')[0] ?? name,
  (name) => name.replace(/^\S+ /, 'Octavia '),
  (name) => name.replace(/^(\S+) /, '$1 and Theodore '),
  (name) => `${name} ${name.endsWith(' Sr') ? 'Jr' : 'Sr'}`.replace(/ [SJ]r(?= )/, ''),
];
export const STRANGE = [
  'Hugo Delacroix-Boone',
  'Xiomara Zabriskie',
  'Ingrid Petersdotter',
  'Zoë',
  '王小明',
  "Siobhán D'Arcy",
];

export interface Arbitraries {
  /** A person of the world with a name. */
  person: fc.Arbitrary<Person & { name: string }>;
  name: fc.Arbitrary<string>;
  value: fc.Arbitrary<Value>;
  /** Bodies with a value of another person. */
  body: fc.Arbitrary<Body>;
}

export function arbitraries(world: World): Arbitraries {
  const named = world.people.filter((one): one is Person & { name: string } => one.name !== null);
  const values = valuesOf(world);
  const person = fc.constantFrom(...named);
  const name = fc.oneof(
    { weight: 4, arbitrary: person.map((one) => one.name) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(person, fc.constantFrom(...NEAR, ...SPELLINGS))
        .map(([one, write]) => write(one.name)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE) },
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.constantFrom(...NOBODYS) },
  );
  const near = (one: { name: string }) => fc.constantFrom(...NEAR).map((write) => write(one.name));
  const ofPerson = person.chain((one) =>
    fc
      .record({
        name: fc.oneof(
          { weight: 3, arbitrary: fc.constant(one.name) },
          { weight: 1, arbitrary: near(one) },
          { weight: 1, arbitrary: name },
        ),
        own: fc.subarray(values.filter(({ holders }) => holders.includes(one.label))),
        more: fc.array(value, { maxLength: 4 }),
        hand: fc.nat(11),
        intent: fc.constantFrom(...INTENTS),
      })
      .map(({ name, own, more, hand, intent }) => ({
        ...written(bodyOf(name, [...own, ...more]), hand),
        intent,
      })),
  );
  const ofOneHolder = fc.constantFrom(...world.people).chain(({ label, name: own }) =>
    fc
      .tuple(
        own === null ? name : fc.oneof(near({ name: own }), name),
        fc.subarray(
          values.filter(({ holders }) => holders.includes(label)),
          { minLength: 1 },
        ),
        fc.constantFrom(...INTENTS),
      )
      .map(([written, some, intent]) => ({ ...bodyOf(written, some), intent })),
  );
  const body = fc.oneof({ weight: 4, arbitrary: ofPerson }, { weight: 1, arbitrary: ofOneHolder });
  return { person, name, value, body };
}

const FORMS = ['$&', '+1 ($1) $2-$3', '+1.$1.$2.$3'];

/** Returns the request with other order, letter case, formatting and duplicates; the name stays. */
export function written(body: Body, hand: number): Body {
  const turned = <T>(list: T[] = []): T[] => (hand % 2 ? list.toReversed() : list);
  const letters = hand % 3 === 1 ? (text: string) => text.toUpperCase() : (text: string) => text;
  const spaced = (text: string) => (hand % 4 === 2 ? ` ${text} ` : text);
  const digits = (phone: string) => phone.replace(/^\+1 (\d+) (\d+) (\d+)$/, FORMS[hand % 3] ?? '$&');
  const twice = (list: string[]) => (hand === 11 && list.length < 5 ? [...list, ...list.slice(0, 1)] : list);
  return {
    ...body,
    emails: twice(turned(body.emails).map((text) => spaced(letters(text)))),
    phones: twice(turned(body.phones).map(digits)),
    addresses: turned(body.addresses).map((place) =>
      Object.fromEntries(Object.entries(place).map(([part, text]) => [part, spaced(letters(text))])),
    ),
  };
}
