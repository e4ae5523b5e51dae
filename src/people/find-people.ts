// Whose records hold a value: what an operator asks who has been asked "what do you hold on me?".
import { EMPTY_QUERY } from '../graph/graph.ts';
import type { GraphQuery, RecordGraph } from '../graph/graph.ts';
import type { RecordRow } from '../link/stored-record.ts';
import type { Address, Contact, ContactKind } from '../model.ts';
import { nameKeys, prepareName } from '../names/index.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { MAIN_COUNTRIES } from '../normalise/numbering.ts';
import { BonafideError } from '../errors.ts';

/** What somebody is looked for by; any of them will do. */
export interface PeopleQuery {
  names?: readonly string[] | undefined;
  emails?: readonly string[] | undefined;
  phones?: readonly string[] | undefined;
  /** Each on one line. */
  addresses?: readonly string[] | undefined;
  /** ISO country in which addresses that name none are read, and numbers first: they are tried in all others too. */
  region: string;
}

/** An identity, and what of that which was sought it has. */
export interface FoundPerson {
  identity: number;
  names: string[];
  /** Which values it has: the kind, its place among those of the kind, and how nearly (a lookup key's type; `name`). */
  has: ValueMatch[];
  /** All of its records; `holds` where one holds a contact that was sought. */
  records: { source: string; recordId: string; holds: boolean }[];
}

/** `region`: the country in which a number was read that names none and is nobody's where it was tried first. */
export interface ValueMatch {
  kind: ContactKind | 'name';
  index: number;
  how: string;
  region: string | null;
}

export interface PeopleSearchResult {
  people: FoundPerson[];
  /** Of values that very many share, how many more people there are who are not listed. */
  more: number;
  /** A number names no country: it was read in this one first, then in every other. Null where each names its own. */
  tried: string | null;
}

interface Asked {
  kind: ContactKind | 'name';
  index: number;
  contact: Contact | null;
  query: GraphQuery;
  region: string | null;
}

/**
 * The identities that have one of the values, the lower number first.
 * Errors: those of the graph; `invalid_arguments` where a value cannot be read, or none is given.
 */
export async function findPeople(graph: RecordGraph, sought: PeopleQuery): Promise<PeopleSearchResult> {
  const found = new Map<number, ValueMatch[]>();
  const asked = askedFor(sought);
  let more = 0;
  for (const one of asked) {
    const { hits, share } = await hitsOf(graph, one);
    more += Math.max(0, share - hits.length);
    for (const { identity, how } of hits) {
      const { kind, index, region } = one;
      found.set(identity, [...(found.get(identity) ?? []), { kind, index, how, region }]);
    }
  }
  const keys = keysOf(asked, graph.records.fingerprints.of);
  const people: FoundPerson[] = [];
  for (const [identity, has] of [...found].sort(([a], [b]) => a - b)) {
    const card = await graph.linking.getIdentity(identity);
    const records = (await graph.records.listByIdentity(identity)).map((row) => recordOf(row, keys));
    people.push({ identity, names: card?.names ?? [], has, records });
  }
  const tried = asked.some(({ region }) => region !== null) ? sought.region : null;
  return { people, more, tried };
}

const recordOf = (row: RecordRow, keys: Set<number>) => ({
  source: row.source,
  recordId: row.recordId,
  holds: row.contacts.some((contact) => contact.keys.some(([, key]) => keys.has(key))),
});

async function hitsOf(graph: RecordGraph, { kind, query }: Asked) {
  const { values, name } = await graph.resolve(query);
  if (kind === 'name')
    return { hits: name.identities.map((identity) => ({ identity, how: 'name' })), share: name.bearers };
  const [agreements = []] = values;
  const hits = agreements.map(({ identity, type }) => ({ identity, how: type }));
  return { hits, share: Math.max(0, ...agreements.map(({ share }) => share)) };
}

function askedFor({ names = [], emails = [], phones = [], addresses = [], region }: PeopleQuery): Asked[] {
  const asked = [
    ...names.map((text, index): Asked => named(text, index)),
    ...emails.map((text, index) => valued('email', index, normaliseContact('email', text, region))),
    ...phones.flatMap((text, index) => numbered(text, index, region)),
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
  const query = { ...EMPTY_QUERY, name: text, nameKeys: keys };
  return { kind: 'name', index, contact: null, query, region: null };
}

/** Alone, so that nothing is found for its likeness to something else that was asked for. */
function valued(kind: ContactKind, index: number, contact: Contact | null): Asked {
  if (contact === null || contact.keys.length === 0) throw unusable(kind, index);
  const value = { keys: contact.keys, signature: null, raw: contact };
  return { kind, index, contact, query: { ...EMPTY_QUERY, values: [value] }, region: null };
}

/** A number as it reads at home, and where it names no country, as it reads in every other: records came with a country of their own. */
function numbered(text: string, index: number, home: string): Asked[] {
  const first = valued('phone', index, normaliseContact('phone', text, home));
  const seen = new Set(first.contact?.keys.map((key) => key.text));
  const others = MAIN_COUNTRIES.flatMap((region): Asked[] => {
    const contact = normaliseContact('phone', text, region);
    const keys = contact?.keys.filter((key) => !seen.has(key.text)) ?? [];
    if (!contact || keys.length === 0) return [];
    for (const key of keys) seen.add(key.text);
    return [{ ...valued('phone', index, { ...contact, keys }), region }];
  });
  return [first, ...others];
}

/** The value itself is told to nobody. */
const unusable = (kind: string, index: number) =>
  new BonafideError(
    'invalid_arguments',
    `The ${kind}${index === 0 ? '' : ` (number ${index + 1})`} cannot be read: write it whole, as it would stand in a record.`,
  );

function keysOf(asked: Asked[], fingerprint: RecordGraph['records']['fingerprints']['of']): Set<number> {
  const keys = asked.flatMap(({ contact }) => contact?.keys ?? []);
  return new Set(keys.map(({ type, text }) => fingerprint(type, text)));
}
