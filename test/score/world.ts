// Generated people in a real graph for the laws of the score: people, households and crowds, and requests
// about them.
import * as fc from 'fast-check';
import { beforeAll } from 'vitest';
import { checkClaim, toGraphQuery } from '../../src/check.ts';
import type { IdentityGraph } from '../../src/graph/graph.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import type { Verdict } from '../../src/model.ts';
import { flat } from '../kit/verdict.ts';
import { createNameComparer } from '../../src/match/name.ts';
import { prepareName } from '../../src/names/index.ts';
import { importRows, type Row, sharedFolder, strangers } from '../kit/graphs/graph.ts';

export type Kind = 'emails' | 'phones' | 'addresses';
export interface Address {
  street: string;
  city: string;
  state: string;
  zip: string;
}
export interface Request {
  name: string;
  emails: string[];
  phones: string[];
  addresses: Address[];
}
/** One contact value: its kind, and its text or address parts. */
export type Value = [kind: Kind, value: string | Address];

export const COUPLES = 12;
export const OFFICE = '+1 206 234 0199';
export const ALONE = '+1 206 234 0200';

/**
 * Records that misspell a name and therefore are separate identities: misspelt names of people in `WORLD`,
 * and of a person without another record.
 */
const MISSPELT: Row[] = [
  ['Margarte Bostenberg', 'margaret.b@other.example', '+1 509 234 3001'],
  ['Theodore Dsotelberg', 'theodore.d@other.example', '+1 509 234 3002'],
  ['Wilhelmina Yorkshier', 'wilhelmina@other.example', '+1 509 234 3003'],
  ['Annegret Sommerfeldd', 'annegret@other.example', '+1 509 234 3004'],
].map(([name = '', email = '', phone = ''], i) => ({
  record_id: `misspelt-${i}`,
  identity: `misspelt-${i}`,
  name,
  emails: [email],
  phones: [phone],
  addresses: [{ street: `${20 + i} Hazel Walk`, city: 'Bend', state: 'OR', zip: '97701' }],
  first_seen: '2005-01-01',
  last_seen: '2023-01-01',
}));

/** A name, a contact of the person with the name, and a contact of the record that misspells the name. */
export const MISSPELT_BESIDE: [name: string, own: Value, other: Value][] = [
  ['Margaret Bostenberg', ['emails', 'margaret0@work.example'], ['emails', 'margaret.b@other.example']],
  ['Theodore Dostelberg', ['phones', '+1 541 234 1001'], ['emails', 'theodore.d@other.example']],
  ['Wilhelmina Yorkshire', ['emails', 'wy@post.example'], ['phones', '+1 509 234 3003']],
];

/** People who share one half of their name with others, alone and in pairs that share a mailbox. */
export const HALVES: Row[] = [
  ['Margaret Underhill', 'margaret.u@post.example'],
  ['Theodore Underhill', 'margaret.u@post.example'],
  ['Wilhelmina Quist', 'wilhelmina.q@post.example'],
  ['Ingeborg Yorkshire', 'ingeborg.y@post.example'],
  ['Hugo Vandermolen', 'hugo.v@post.example'],
].map(([name = '', email = ''], i) => ({
  record_id: `half-${i}`,
  identity: `half-${i}`,
  name,
  emails: [email],
  phones: [`+1 541 234 ${4000 + i}`],
  first_seen: '2012-01-01',
  last_seen: '2024-01-01',
}));

/**
 * Couples in households, namesakes, people with one office phone, one person without a name, one in another
 * script.
 */
export const WORLD: Row[] = [
  ...Array.from({ length: COUPLES }, (_, i): Row[] => {
    const family = `${'BDFGHKLMNPRT'[i]}oste${'nlrmstbdkgpv'[i]}berg`;
    const shared = {
      phones: [`+1 208 234 ${1000 + i}`],
      addresses: [{ street: `${70 + i} Juniper Terrace`, city: 'Boise', state: 'ID', zip: '83702' }],
    };
    const person = (given: string): Row => ({
      record_id: `${given}-${i}`,
      identity: `${given}-${i}`,
      name: `${given} ${family}`,
      emails: [`${given}.${family}@post.example`.toLowerCase(), `${given}${i}@work.example`.toLowerCase()],
      phones: [`+1 ${given === 'Margaret' ? 509 : 541} 234 ${1000 + i}`, ...shared.phones],
      addresses: shared.addresses,
      first_seen: `${2001 + i}-01-01`,
      last_seen: '2024-01-01',
    });
    return [person('Margaret'), person('Theodore')];
  }).flat(),
  ...Array.from({ length: 30 }, (_, i): Row => ({
    record_id: `james-${i}`,
    identity: `james-${i}`,
    name: 'James Ridgeway',
    emails: [`james${i}@post.example`],
    phones: [OFFICE],
  })),
  {
    record_id: 'lone',
    identity: 'lone',
    name: 'Wilhelmina Yorkshire',
    emails: ['wy@post.example'],
    phones: [ALONE],
  },
  { record_id: 'none', identity: 'none', emails: ['nameless@post.example'], phones: ['+1 646 234 0177'] },
  {
    record_id: 'script',
    identity: 'script',
    name: 'Екатерина Вознесенская',
    emails: ['voznesenskaya@post.example'],
  },
  { record_id: 'none-2', identity: 'none-2', emails: ['annegret@other.example'], phones: [OFFICE] },
  ...MISSPELT,
  ...HALVES,
  ...strangers(60).map((row) => ({ ...row, identity: row.record_id })),
];

export const KINDS: Kind[] = ['emails', 'phones', 'addresses'];
export const held: Value[] = WORLD.flatMap((row) =>
  KINDS.flatMap((kind) => (row[kind] ?? []).map((value): Value => [kind, value as Address])),
);
export const unknown: Value[] = [
  ['emails', 'nobody@nowhere.example'],
  ['emails', 'margaret@elsewhere.example'],
  ['phones', '+1 907 234 0111'],
  ['phones', '+49 30 23125118'],
  ['addresses', { street: '1 Nowhere Lane', city: 'Nome', state: 'AK', zip: '99762' }],
  ['addresses', { street: '', city: 'Boise', state: 'ID', zip: '' }],
];

export const bearer = fc.constantFrom(...WORLD.filter((row) => row.name));
export const name = fc.oneof(
  bearer.map((row) => row.name!),
  bearer.map((row) =>
    row.name!.replace('Margaret', 'Peggy').replace('Theodore', 'Ted').replace('James', 'Jim'),
  ),
  bearer.map((row) => row.name!.replace(/(..)(.)(.)$/, '$1$3$2')),
  bearer.map((row) => `${row.name!.split(' ')[0]} Vandermolen`),
  fc.constantFrom(
    'Hugo Delacroix-Boone',
    'Annegret Sommerfeld',
    'Wilhelmina Underhill',
    'M. Yorkshire',
    '山田太郎',
    "Zoë O'Neill",
  ),
);
export const valuesOf = (row: Row) =>
  held.filter(([kind, value]) => (row[kind] as unknown[] | undefined)?.includes(value));
export const person = bearer.chain((row) => {
  const own = valuesOf(row);
  return fc.record({
    name: fc.oneof({ weight: 3, arbitrary: fc.constant(row.name!) }, { weight: 2, arbitrary: name }),
    own: fc.subarray(own),
  });
});
export const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...held) },
  { weight: 1, arbitrary: fc.constantFrom(...unknown) },
);

/**
 * Arbitrary request: a person's own values, some values of others, some without a record; at most four of a
 * kind.
 */
export const anyRequest: fc.Arbitrary<Request> = fc
  .record({ person, others: fc.array(anyValue, { maxLength: 4 }) })
  .map(({ person, others }) => requestOf(person.name, [...person.own, ...others]));

/**
 * Arbitrary request with one more value of the person with the name, or of somebody whose values the request
 * has.
 */
export const ownValue = bearer.chain((row) =>
  fc
    .record({
      name: fc.oneof(fc.constant(row.name!), name),
      value: fc.constantFrom(...valuesOf(row)),
      own: fc.shuffledSubarray(valuesOf(row)),
      others: fc.array(anyValue, { maxLength: 2 }),
    })
    .map(({ name, value, own, others }) => ({
      request: requestOf(name, [...own.filter((one) => one !== value), ...others]),
      value,
    })),
);

export function requestOf(name: string, values: Value[]): Request {
  const of = (kind: Kind) => values.filter((one) => one[0] === kind).map((one) => one[1]);
  return {
    name,
    emails: of('emails').slice(0, 4) as string[],
    phones: of('phones').slice(0, 4) as string[],
    addresses: of('addresses').slice(0, 4) as Address[],
  };
}

export function plus(request: Request, [kind, value]: Value): Request {
  return { ...request, [kind]: [...request[kind], value] };
}

/** Returns the same request with other order, case and formatting. */
export function rewritten(request: Request, turn: number): Request {
  const rotated = <T>(list: T[]) => [
    ...list.slice(turn % Math.max(1, list.length)),
    ...list.slice(0, turn % Math.max(1, list.length)),
  ];
  const upper = turn % 2 ? (text: string) => text.toUpperCase() : (text: string) => text.toLowerCase();
  const digits = (phone: string) =>
    phone.replace(/^\+1 (\d+) (\d+) (\d+)$/, turn % 3 ? '($1) $2-$3' : '1.$1.$2.$3');
  return {
    name: upper(request.name),
    emails: rotated(request.emails.map(upper)),
    phones: rotated(request.phones.map(digits)),
    addresses: rotated(
      request.addresses.map((one) => ({
        ...one,
        street: upper(one.street).replace(/ terrace$/i, ' ter'),
        city: ` ${upper(one.city)} `,
      })),
    ),
  };
}

let graph: IdentityGraph;

/** Imports the people before the tests of a file, each of which may share the process with others. Returns the data folder. */
export function openWorld(): string {
  const folder = sharedFolder();
  beforeAll(async () => {
    await importRows(folder, [WORLD]);
    graph = openSqliteGraph({ dataDir: folder });
    return () => graph.close();
  });
  return folder;
}

export type Outcome = ReturnType<typeof flat<Verdict>>;
type CheckRequest = Request & { operation?: 'raw' };
const parse = (request: CheckRequest) => parseClaim({ value: { ...request }, issues: [] }, 'US');

/** Checks a request. With `operation: 'raw'`, the outcome has the weighed evidence, which takes half of the CPU time. */
export const run = async (request: CheckRequest, on = graph): Promise<Outcome> =>
  flat(await checkClaim(parse(request), on));

export const expectAlways = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: 250 });

/** Returns the identities to which the graph resolves the last value of a kind in a request that has one more of it than `request`. */
async function resolved(longer: Request, request: Request, kind: Kind): Promise<number[]> {
  const { values } = await graph.resolve(toGraphQuery(parse(longer)).query);
  const end = {
    emails: 0,
    phones: request.emails.length,
    addresses: request.emails.length + request.phones.length,
  }[kind];
  return (values[end + request[kind].length] ?? []).map((hit) => hit.identity);
}

/** Returns the records with a value. */
export const holdersOf = ([kind, value]: Value): Row[] =>
  WORLD.filter((row) =>
    (row[kind] as unknown[] | undefined)?.some((one) => JSON.stringify(one) === JSON.stringify(value)),
  );

/** True if a record has at most one half of a name: both names are real, and at most one half is the same. */
export function isOthers(name: string, row: Row): boolean {
  const names = row.name === undefined ? [] : [row.name];
  const { isSame: same, agreement } = createNameComparer(prepareName(name))({
    ...NOTHING,
    names,
  });
  return !same && agreement <= HALF;
}
/** True if no part of the name agrees with the record's name. */
export function isSurelyAnother(name: string, row: Row): boolean {
  if (row.name === undefined) return false;
  return createNameComparer(prepareName(name))({ ...NOTHING, names: [row.name] }).agreement < 16;
}
const NOTHING = { id: 0, firstSeen: null, lastSeen: null, records: 1, sources: 1 };
const HALF = 30;

/** Returns the outcomes before and after one more value, without values that the request has already. */
export async function adding(request: Request, added: Value) {
  fc.pre(!request[added[0]].some((one) => JSON.stringify(one) === JSON.stringify(added[1])));
  const unique = requestOf(request.name, dedupe(request));
  const longer = plus(unique, added);
  const [before, after] = [await run(unique), await run(longer)];
  return { before, after, to: await resolved(longer, unique, added[0]) };
}

export function dedupe(request: Request): Value[] {
  const seen = new Map<string, Value>();
  for (const kind of KINDS)
    for (const value of request[kind]) seen.set(JSON.stringify([kind, value]), [kind, value]);
  return [...seen.values()];
}
