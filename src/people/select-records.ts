// Selection of records by identity number, record id, or a value of the person.
import { BonafideError, notFoundError } from '../errors.ts';
import { findRecord } from '../graph/inspect.ts';
import type { RecordGraph } from '../graph/graph.ts';
import type { RecordName } from '../graph/records.ts';
import type { RecordRow } from '../link/stored-record.ts';
import { findPeople, type FoundPerson, type PeopleQuery } from './find-people.ts';

/** Selection criteria. The union of all matches is selected. */
export interface RecordSelection extends Pick<PeopleQuery, 'emails' | 'phones' | 'region'> {
  identities?: readonly number[] | undefined;
  /** Record ids, plain or as `SOURCE:ID`. */
  records?: readonly string[] | undefined;
}

export interface SelectedPerson {
  identity: number | null;
  names: string[];
  chosen: RecordName[];
  /** Number of records of the identity that are not selected. */
  others: number;
}

/**
 * Selects all records of the identities that are named or have one of the values, and the named records, grouped by identity.
 *
 * Errors: `not_found` if an identity or record does not exist; `invalid_arguments` if nothing is named, a record id is not unique, or
 * several identities have a value, so that the operator must choose.
 */
export async function selectRecords(
  graph: RecordGraph,
  selection: RecordSelection,
): Promise<SelectedPerson[]> {
  const { identities = [], records = [], emails = [], phones = [], region } = selection;
  const whole = new Set<number>();
  for (const number of identities) whole.add(await numberOf(graph, number));
  for (const email of emails) whole.add(await onlyOne(graph, { emails: [email], region }));
  for (const phone of phones) whole.add(await onlyOne(graph, { phones: [phone], region }));
  const rows = new Map<number, RecordRow>();
  for (const id of whole) for (const row of await graph.records.listByIdentity(id)) rows.set(row.row, row);
  for (const text of records) {
    const row = await findRecord(graph.records, text);
    rows.set(row.row, row);
  }
  if (rows.size === 0)
    throw new BonafideError(
      'invalid_arguments',
      'No person given. Name an identity, a record, an e-mail or a phone.',
    );
  return (await groupRecordsByIdentity(graph, [...rows.values()])).people;
}

/** Groups records by identity, up to a maximum number of identities. Also returns the number of further identities. */
export async function groupRecordsByIdentity(
  graph: RecordGraph,
  rows: readonly Pick<RecordRow, 'source' | 'recordId' | 'identity'>[],
  most = Infinity,
): Promise<{ people: SelectedPerson[]; more: number }> {
  const byIdentity = [...Map.groupBy(rows, ({ identity }) => identity)];
  const shown = byIdentity.slice(0, most);
  const people = await Promise.all(shown.map(([identity, chosen]) => personOf(graph, identity, chosen)));
  return { people, more: byIdentity.length - shown.length };
}

async function personOf(
  graph: RecordGraph,
  identity: number | null,
  recordNames: RecordName[],
): Promise<SelectedPerson> {
  if (identity === null) return { identity, names: [], chosen: recordNames, others: 0 };
  const all = await graph.records.listByIdentity(identity);
  const card = await graph.linking.getIdentity(identity);
  return { identity, names: card?.names ?? [], chosen: recordNames, others: all.length - recordNames.length };
}

async function numberOf({ linking }: RecordGraph, asked: number): Promise<number> {
  const linkedPerson = await linking.getIdentity(asked);
  if (linkedPerson) return linkedPerson.id;
  throw notFoundError(`There is no identity ${asked} in the graph.`, 'identity');
}

async function onlyOne(graph: RecordGraph, peopleQuery: PeopleQuery): Promise<number> {
  const { people: foundPeople, more } = await findPeople(graph, peopleQuery);
  const people = foundPeople.filter(({ has }) => has.some(({ region }) => region === null));
  const [only, another] = people;
  const kind = peopleQuery.emails ? 'e-mail' : 'phone';
  if (!only && foundPeople.length > 0) throw abroad(foundPeople, peopleQuery.region);
  if (!only) throw notFoundError(`There is no record of that ${kind} in the graph.`, 'record');
  if (!another && more === 0) return only.identity;
  const numbers = people.map(({ identity }) => identity).join(', ');
  throw new BonafideError(
    'invalid_arguments',
    `That ${kind} is on record for several identities (${numbers}${more > 0 ? ` and ${more} more` : ''}). Look at each with \`bonafide graph show\`, and name the right identity.`,
  );
}

/**
 * Returns the error for a phone number that matches only if it is read in another country than the given one. The operator must name the
 * country, because the intended person is not guessed.
 */
function abroad(found: readonly FoundPerson[], home: string): BonafideError {
  const where = found.map(({ identity, has }) => `${identity} (${has.find(({ region }) => region)?.region})`);
  return new BonafideError(
    'invalid_arguments',
    `As a number of ${home}, that phone is on record for nobody. As a number of another country it belongs to identity ${where.join(', ')}. Write it with + and its country code.`,
  );
}
