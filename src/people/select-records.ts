// Selection of records by identity number, record id, or a value of the person.
import { BonafideError, notFoundError, withErrorPointer } from '../errors.ts';
import { requireIdentities, requireRecordsByReference } from '../graph/inspect.ts';
import type { RecordStoringGraph } from '../graph/graph.ts';
import type { SourceRecordId } from '../graph/records.ts';
import type { RecordRow } from '../link/stored-record.ts';
import { findPeople, type FoundPerson, type PeopleQuery } from './find-people.ts';

/** Criteria that select records. A record is selected if it matches at least one of them. */
export interface RecordSelectionCriteria extends Pick<PeopleQuery, 'emails' | 'phones' | 'region'> {
  identities?: readonly number[] | undefined;
  /** Record ids, as `ID` alone or as `SOURCE:ID`. */
  records?: readonly string[] | undefined;
}

export interface SelectedPerson {
  identity: number | null;
  names: string[];
  chosen: SourceRecordId[];
  /** Number of the identity's records that are not selected. */
  others: number;
}

/**
 * Returns the selected records, grouped by identity. An identity number, e-mail or phone selects all records of its person. Errors: `not_found` if an
 * identity or record does not exist; `invalid_arguments` if no criterion is given, or if a value or record id belongs to several.
 */
export async function selectRecords(
  graph: RecordStoringGraph,
  selection: RecordSelectionCriteria,
): Promise<SelectedPerson[]> {
  const { identities = [], records = [], emails = [], phones = [], region } = selection;
  const whole = new Set<number>();
  for (const { id } of await requireIdentities(graph, identities)) whole.add(id);
  const addOnlyIdentity = (pointer: string, query: PeopleQuery) =>
    withErrorPointer(pointer, async () => whole.add(await findOnlyIdentity(graph, query)));
  for (const [i, email] of emails.entries())
    await addOnlyIdentity(`/emails/${i}`, { emails: [email], region });
  for (const [i, phone] of phones.entries())
    await addOnlyIdentity(`/phones/${i}`, { phones: [phone], region });
  const rows = new Map<number, RecordRow>();
  for (const id of whole) for (const row of await graph.records.listByIdentity(id)) rows.set(row.row, row);
  for (const row of await requireRecordsByReference(graph.records, records)) rows.set(row.row, row);
  if (rows.size === 0)
    throw new BonafideError(
      'invalid_arguments',
      'No person given. Give an identity number, a record id, an e-mail or a phone.',
    );
  return (await groupRecordsByIdentity(graph, [...rows.values()])).people;
}

/**
 * Selects the records of people to forget; see `selectRecords`. If no record matches, the undo journal of the last import may still contain the
 * person, and the error says so.
 * @param isConfirmed true to discard this journal then
 */
export async function selectRecordsToForget(
  graph: RecordStoringGraph,
  selection: RecordSelectionCriteria,
  isConfirmed: boolean,
): Promise<SelectedPerson[]> {
  try {
    return await selectRecords(graph, selection);
  } catch (error) {
    const { emails = [], phones = [], records = [] } = selection;
    const isUnknown = error instanceof BonafideError && error.code === 'not_found';
    if (!isUnknown || !(await graph.records.lastAppliedImport())) throw error;
    const discards = isConfirmed && emails.length + phones.length + records.length > 0;
    if (discards) await graph.records.discardUndoJournal();
    const hint = discards ? JOURNAL_DISCARDED : JOURNAL_KEPT;
    throw new BonafideError(error.code, `${error.message}\n${hint}`, error.details);
  }
}

const JOURNAL_KEPT =
  'Records that the last import replaced or removed are still stored for `graph import --undo`. `bonafide graph forget` with --yes and an e-mail, a phone or a record deletes them, and so does the next import.';
const JOURNAL_DISCARDED =
  'The last import can no longer be undone: the records that it replaced or removed were deleted, because they may be those of this person.';

/** Returns the source and record id of every selected record. */
export const listSelectedRecords = (people: readonly SelectedPerson[]): SourceRecordId[] =>
  people.flatMap(({ chosen }) => chosen.map(({ source, recordId }) => ({ source, recordId })));

/** Groups records by identity and returns at most `most` identities. `more` is the number of further identities. */
export async function groupRecordsByIdentity(
  graph: RecordStoringGraph,
  rows: readonly Pick<RecordRow, 'source' | 'recordId' | 'identity'>[],
  most = Infinity,
): Promise<{ people: SelectedPerson[]; more: number }> {
  const byIdentity = [...Map.groupBy(rows, ({ identity }) => identity)];
  const shown = byIdentity.slice(0, most);
  const people = await Promise.all(shown.map(([identity, chosen]) => personOf(graph, identity, chosen)));
  return { people, more: byIdentity.length - shown.length };
}

async function personOf(
  graph: RecordStoringGraph,
  identity: number | null,
  recordNames: SourceRecordId[],
): Promise<SelectedPerson> {
  if (identity === null) return { identity, names: [], chosen: recordNames, others: 0 };
  const all = await graph.records.listByIdentity(identity);
  const card = await graph.linking.getIdentity(identity);
  return { identity, names: card?.names ?? [], chosen: recordNames, others: all.length - recordNames.length };
}

async function findOnlyIdentity(graph: RecordStoringGraph, peopleQuery: PeopleQuery): Promise<number> {
  const { people: foundPeople, more } = await findPeople(graph, peopleQuery);
  const people = foundPeople.filter(({ has }) => has.some(({ region }) => region === null));
  const [only, another] = people;
  const kind = peopleQuery.emails ? 'e-mail' : 'phone';
  if (!only && foundPeople.length > 0) throw phoneOfOtherCountryError(foundPeople, peopleQuery.region);
  if (!only)
    throw notFoundError(`There is no record of that ${kind} in the graph. Check the ${kind}.`, 'record');
  if (!another && more === 0) return only.identity;
  const numbers = people.map(({ identity }) => identity).join(', ');
  throw new BonafideError(
    'invalid_arguments',
    `That ${kind} is on record for several identities (${numbers}${more > 0 ? ` and ${more} more` : ''}). Look at each with \`bonafide graph show\`, and name the right identity.`,
  );
}

/**
 * Creates the error for a phone that is on record only as a number of another country than `home`. The operator must add the country code, because a
 * guess could select the wrong person.
 */
function phoneOfOtherCountryError(found: readonly FoundPerson[], home: string): BonafideError {
  const where = found.map(({ identity, has }) => `${identity} (${has.find(({ region }) => region)?.region})`);
  return new BonafideError(
    'invalid_arguments',
    `As a number of ${home}, the phone belongs to nobody on record. As a number of another country, it belongs to identity ${where.join(', ')}. Write it with + and its country code.`,
  );
}
