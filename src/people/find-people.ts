// Search for the people whose records contain a value, to answer requests such as "which data do you store about me?".
import { EMPTY_GRAPH_QUERY } from '../graph/graph.ts';
import type { GraphQuery, RecordGraph } from '../graph/graph.ts';
import type { RecordRow } from '../link/stored-record.ts';
import type { Address, Contact, ContactKind } from '../model.ts';
import { getNameKeys, prepareName } from '../names/index.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { MAIN_COUNTRIES_OF_CALLING_CODES } from '../normalise/numbering.ts';
import { BonafideError } from '../errors.ts';

/** Values of a search. A person is found if any of them matches. */
export interface PeopleQuery {
  names?: readonly string[] | undefined;
  emails?: readonly string[] | undefined;
  phones?: readonly string[] | undefined;
  /** Addresses, each as one line of text. */
  addresses?: readonly string[] | undefined;
  /** ISO country for addresses and phone numbers that name no country. Such numbers are tried in all other countries too. */
  region: string;
}

/** Identity that matches a search, and the searched values that it has. */
export interface FoundPerson {
  identity: number;
  names: string[];
  /** Matching values: kind, index among the searched values of this kind, and type of match (type of the lookup key, or `name`). */
  has: ValueMatch[];
  /** All records of the identity. `holds` is true if the record contains a searched contact. */
  records: { source: string; recordId: string; holds: boolean }[];
}

/**
 * Matching value. `region` is the country in which a phone number without a country code was read; null if it is the first country that was
 * tried.
 */
export interface ValueMatch {
  kind: ContactKind | 'name';
  index: number;
  how: string;
  region: string | null;
}

export interface PeopleSearchResult {
  people: FoundPerson[];
  /** Number of further people who are not listed, because very many share a value. */
  more: number;
  /** Country in which phone numbers without a country code were read first, before all others; null if every number has a country code. */
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
 * Finds the identities that have one of the values, in ascending order. Errors: those of the graph; `invalid_arguments` if a value is
 * invalid or none is given.
 */
export async function findPeople(graph: RecordGraph, peopleQuery: PeopleQuery): Promise<PeopleSearchResult> {
  const matchesByIdentity = new Map<number, ValueMatch[]>();
  const valueQueries = askedFor(peopleQuery);
  let more = 0;
  for (const valueQuery of valueQueries) {
    const { hits, share } = await hitsOf(graph, valueQuery);
    more += Math.max(0, share - hits.length);
    for (const { identity, how } of hits) {
      const { kind, index, region } = valueQuery;
      matchesByIdentity.set(identity, [
        ...(matchesByIdentity.get(identity) ?? []),
        { kind, index, how, region },
      ]);
    }
  }
  const keys = keysOf(valueQueries, graph.records.fingerprints.of);
  const people: FoundPerson[] = [];
  for (const [identity, has] of [...matchesByIdentity].sort(([a], [b]) => a - b)) {
    const card = await graph.linking.getIdentity(identity);
    const records = (await graph.records.listByIdentity(identity)).map((row) => recordOf(row, keys));
    people.push({ identity, names: card?.names ?? [], has, records });
  }
  const tried = valueQueries.some(({ region }) => region !== null) ? peopleQuery.region : null;
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
    'No search value given. Give a name, an e-mail, a phone or an address.',
  );
}

const NO_ADDRESS: Address = { street: '', street2: '', city: '', state: '', zip: '', country: '' };

function named(text: string, index: number): Asked {
  const keys = getNameKeys(prepareName(text));
  if (keys.length === 0) throw unusable('name', index);
  const query = { ...EMPTY_GRAPH_QUERY, name: text, nameKeys: keys };
  return { kind: 'name', index, contact: null, query, region: null };
}

/** Creates the query for one value. One query for all values would also find matches that are only similar to another searched value. */
function valued(kind: ContactKind, index: number, contact: Contact | null): Asked {
  if (contact === null || contact.keys.length === 0) throw unusable(kind, index);
  const value = { keys: contact.keys, signature: null, raw: contact };
  return { kind, index, contact, query: { ...EMPTY_GRAPH_QUERY, values: [value] }, region: null };
}

/**
 * Creates the queries for a phone number: read in the home country and, without a country code, also in every other country, because
 * records were imported with their own country.
 */
function numbered(text: string, index: number, home: string): Asked[] {
  const first = valued('phone', index, normaliseContact('phone', text, home));
  const seen = new Set(first.contact?.keys.map((key) => key.text));
  const others = MAIN_COUNTRIES_OF_CALLING_CODES.flatMap((region): Asked[] => {
    const contact = normaliseContact('phone', text, region);
    const keys = contact?.keys.filter((key) => !seen.has(key.text)) ?? [];
    if (!contact || keys.length === 0) return [];
    for (const key of keys) seen.add(key.text);
    return [{ ...valued('phone', index, { ...contact, keys }), region }];
  });
  return [first, ...others];
}

/** The message must not repeat the searched value. */
const unusable = (kind: string, index: number) =>
  new BonafideError(
    'invalid_arguments',
    `The ${kind}${index === 0 ? '' : ` (number ${index + 1})`} cannot be read. Write the whole value, as records contain it.`,
  );

function keysOf(asked: Asked[], fingerprint: RecordGraph['records']['fingerprints']['of']): Set<number> {
  const keys = asked.flatMap(({ contact }) => contact?.keys ?? []);
  return new Set(keys.map(({ type, text }) => fingerprint(type, text)));
}
