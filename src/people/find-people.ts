// Search for the people whose records contain a value, to answer requests such as "which data do you store
// about me?".
import { EMPTY_GRAPH_QUERY, type GraphQuery, type RecordStoringGraph } from '../graph/graph.ts';
import type { RecordRow } from '../link/stored-record.ts';
import type { Address, Contact, ContactKind } from '../model.ts';
import { getNameKeys, prepareName } from '../names/index.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { ONE_COUNTRY_PER_CALLING_CODE } from '../normalise/numbering.ts';
import { BonafideError } from '../errors.ts';

/** Values to search for. A person is found if at least one value matches. */
export interface PeopleQuery {
  names?: readonly string[] | undefined;
  emails?: readonly string[] | undefined;
  phones?: readonly string[] | undefined;
  /** Addresses to search for, each as one line of text. */
  addresses?: readonly string[] | undefined;
  /** ISO country of phones and addresses without a country. Such a phone is also read as a number of all other countries. */
  region: string;
}

/** Identity that was found, with the values that matched and its records. */
export interface FoundPerson {
  identity: number;
  names: string[];
  has: ValueMatch[];
  /** All records of the identity. `holds` is true for a record that contains one of the searched e-mails, phones or addresses. */
  records: { source: string; recordId: string; holds: boolean }[];
}

/**
 * Searched value that matches an identity: its kind, its index among the searched values of this kind, and how it matches. `region` is the country as
 * whose number a phone matches; null for a phone with a country code.
 */
export interface ValueMatch {
  kind: ContactKind | 'name';
  index: number;
  how: string;
  region: string | null;
}

export interface PeopleSearchResult {
  people: FoundPerson[];
  /** Number of people who match but are not listed, because very many people share a value. */
  more: number;
  /** Country as whose numbers phones without a country code were read first; null if every phone has a country code. */
  tried: string | null;
}

interface ValueQuery {
  kind: ContactKind | 'name';
  index: number;
  contact: Contact | null;
  query: GraphQuery;
  region: string | null;
}

/**
 * Returns the identities that match at least one value, in ascending order of their numbers. Errors: those of the graph; `invalid_arguments` if a
 * value is invalid or none is given.
 */
export async function findPeople(
  graph: RecordStoringGraph,
  peopleQuery: PeopleQuery,
): Promise<PeopleSearchResult> {
  const matchesByIdentity = new Map<number, ValueMatch[]>();
  const valueQueries = createQueries(peopleQuery);
  let more = 0;
  for (const valueQuery of valueQueries) {
    const { hits, share } = await findHits(graph, valueQuery);
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

async function findHits(graph: RecordStoringGraph, { kind, query }: ValueQuery) {
  const { values, name } = await graph.resolve(query);
  if (kind === 'name')
    return { hits: name.identities.map((identity) => ({ identity, how: 'name' })), share: name.bearers };
  const [agreements = []] = values;
  const hits = agreements.map(({ identity, type }) => ({ identity, how: type }));
  return { hits, share: Math.max(0, ...agreements.map(({ share }) => share)) };
}

function createQueries({
  names = [],
  emails = [],
  phones = [],
  addresses = [],
  region,
}: PeopleQuery): ValueQuery[] {
  const asked = [
    ...names.map((text, index): ValueQuery => createNameQuery(text, index)),
    ...emails.map((text, index) => createValueQuery('email', index, normaliseContact('email', text, region))),
    ...phones.flatMap((text, index) => createPhoneQueries(text, index, region)),
    ...addresses.map((street, index) =>
      createValueQuery('address', index, normaliseContact('address', { ...NO_ADDRESS, street }, region)),
    ),
  ];
  if (asked.length > 0) return asked;
  throw new BonafideError(
    'invalid_arguments',
    'No search value given. Give a name, an e-mail, a phone or an address.',
  );
}

const NO_ADDRESS: Address = { street: '', street2: '', city: '', state: '', zip: '', country: '' };

function createNameQuery(text: string, index: number): ValueQuery {
  const keys = getNameKeys(prepareName(text));
  if (keys.length === 0) throw invalidSearchValueError('name', index);
  const query = { ...EMPTY_GRAPH_QUERY, name: text, nameKeys: keys };
  return { kind: 'name', index, contact: null, query, region: null };
}

/**
 * Creates the graph query for one searched value. Each value is queried alone, because the answer to a query with several values also contains
 * similar values.
 */
function createValueQuery(kind: ContactKind, index: number, contact: Contact | null): ValueQuery {
  if (contact === null || contact.keys.length === 0) throw invalidSearchValueError(kind, index);
  const value = { keys: contact.keys, signature: null, raw: contact };
  return { kind, index, contact, query: { ...EMPTY_GRAPH_QUERY, values: [value] }, region: null };
}

/** Creates the graph queries for a phone: one for the home country, and, if it has no country code, one for every other country. */
function createPhoneQueries(text: string, index: number, home: string): ValueQuery[] {
  const first = createValueQuery('phone', index, normaliseContact('phone', text, home));
  const seen = new Set(first.contact?.keys.map((key) => key.text));
  const others = ONE_COUNTRY_PER_CALLING_CODE.flatMap((region): ValueQuery[] => {
    const contact = normaliseContact('phone', text, region);
    const keys = contact?.keys.filter((key) => !seen.has(key.text)) ?? [];
    if (!contact || keys.length === 0) return [];
    for (const key of keys) seen.add(key.text);
    return [{ ...createValueQuery('phone', index, { ...contact, keys }), region }];
  });
  return [first, ...others];
}

/** Creates the error for an invalid searched value. The message does not contain the value, because it is personal data. */
const invalidSearchValueError = (kind: string, index: number) =>
  new BonafideError(
    'invalid_arguments',
    `The ${kind}${index === 0 ? '' : ` (number ${index + 1})`} cannot be read. Write the whole value, as records contain it.`,
  );

function keysOf(
  asked: ValueQuery[],
  fingerprint: RecordStoringGraph['records']['fingerprints']['of'],
): Set<number> {
  const keys = asked.flatMap(({ contact }) => contact?.keys ?? []);
  return new Set(keys.map(({ type, text }) => fingerprint(type, text)));
}
