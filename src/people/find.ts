// Whose records hold a value: what an operator asks who has been asked "what do you hold on me?".
import { NOTHING } from '../graph/graph.ts';
import type { GraphQuery, KeepingGraph } from '../graph/graph.ts';
import type { RecordRow } from '../link/stored.ts';
import type { Address, Contact, Kind } from '../model.ts';
import { nameKeys, prepareName } from '../names/index.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { BonafideError } from '../errors.ts';

/** What somebody is looked for by; any of them will do. */
export interface Sought {
  names?: readonly string[] | undefined;
  emails?: readonly string[] | undefined;
  phones?: readonly string[] | undefined;
  /** Each on one line. */
  addresses?: readonly string[] | undefined;
  /** ISO country in which numbers and addresses that name none are read. */
  region: string;
}

/** An identity, and what of that which was sought it has. */
export interface FoundPerson {
  identity: number;
  names: string[];
  /** Which values it has: the kind, its place among those of the kind, and how nearly (a lookup key's type; `name`). */
  has: { kind: Kind | 'name'; index: number; how: string }[];
  /** All of its records; `holds` where one holds a contact that was sought. */
  records: { source: string; recordId: string; holds: boolean }[];
}

export interface FoundPeople {
  people: FoundPerson[];
  /** Of values that very many share, how many more people there are who are not listed. */
  more: number;
}

interface Asked {
  kind: Kind | 'name';
  index: number;
  contact: Contact | null;
  query: GraphQuery;
}

/**
 * The identities that have one of the values, the lower number first.
 * Errors: those of the graph; `invalid_arguments` where a value cannot be read, or none is given.
 */
export async function findPeople(graph: KeepingGraph, sought: Sought): Promise<FoundPeople> {
  const found = new Map<number, FoundPerson['has']>();
  const asked = askedFor(sought);
  let more = 0;
  for (const one of asked) {
    const { hits, share } = await hitsOf(graph, one);
    more += Math.max(0, share - hits.length);
    for (const { identity, how } of hits) {
      const { kind, index } = one;
      found.set(identity, [...(found.get(identity) ?? []), { kind, index, how }]);
    }
  }
  const keys = keysOf(asked, graph.records.fingerprints.of);
  const people: FoundPerson[] = [];
  for (const [identity, has] of [...found].sort(([a], [b]) => a - b)) {
    const card = await graph.linking.identity(identity);
    const records = (await graph.records.byIdentity(identity)).map((row) => recordOf(row, keys));
    people.push({ identity, names: card?.names ?? [], has, records });
  }
  return { people, more };
}

const recordOf = (row: RecordRow, keys: Set<number>) => ({
  source: row.source,
  recordId: row.recordId,
  holds: row.contacts.some((contact) => contact.keys.some(([, key]) => keys.has(key))),
});

async function hitsOf(graph: KeepingGraph, { kind, query }: Asked) {
  const { values, name } = await graph.resolve(query);
  if (kind === 'name')
    return { hits: name.identities.map((identity) => ({ identity, how: 'name' })), share: name.bearers };
  const [agreements = []] = values;
  const hits = agreements.map(({ identity, type }) => ({ identity, how: type }));
  return { hits, share: Math.max(0, ...agreements.map(({ share }) => share)) };
}

function askedFor({ names = [], emails = [], phones = [], addresses = [], region }: Sought): Asked[] {
  const asked = [
    ...names.map((text, index): Asked => named(text, index)),
    ...emails.map((text, index) => valued('email', index, normaliseContact('email', text, region))),
    ...phones.map((text, index) => valued('phone', index, normaliseContact('phone', text, region))),
    ...addresses.map((street, index) =>
      valued('address', index, normaliseContact('address', { ...NO_ADDRESS, street }, region)),
    ),
  ];
  if (asked.length > 0) return asked;
  throw new BonafideError(
    'invalid_arguments',
    'Whom to look for? Give a name, an e-mail, a phone or an address.',
  );
}

const NO_ADDRESS: Address = { street: '', street2: '', city: '', state: '', zip: '', country: '' };

function named(text: string, index: number): Asked {
  const keys = nameKeys(prepareName(text));
  if (keys.length === 0) throw unusable('name', index);
  return { kind: 'name', index, contact: null, query: { ...NOTHING, name: text, nameKeys: keys } };
}

/** Alone, so that nothing is found for its likeness to something else that was asked for. */
function valued(kind: Kind, index: number, contact: Contact | null): Asked {
  if (contact === null || contact.keys.length === 0) throw unusable(kind, index);
  const value = { keys: contact.keys, signature: null, said: contact };
  return { kind, index, contact, query: { ...NOTHING, values: [value] } };
}

/** The value itself is told to nobody. */
const unusable = (kind: string, index: number) =>
  new BonafideError(
    'invalid_arguments',
    `The ${kind}${index === 0 ? '' : ` (number ${index + 1})`} cannot be read: write it whole, as it would stand in a record.`,
  );

function keysOf(asked: Asked[], fingerprint: KeepingGraph['records']['fingerprints']['of']): Set<number> {
  const keys = asked.flatMap(({ contact }) => contact?.keys ?? []);
  return new Set(keys.map(({ type, text }) => fingerprint(type, text)));
}
