// Manual links: decisions of an operator that records belong to another person, or that identities are one
// person.
import { hasContactData } from './erase/receipts.ts';
import { changeAndLinkAtomically, completePendingLinking } from './linking.ts';
import { BonafideError, notFoundError } from '../errors.ts';
import { requireRecordsByReference, requireIdentities } from '../graph/inspect.ts';
import type { RecordStoringGraph } from '../graph/graph.ts';
import type { ManualLink, StoredManualLink } from '../graph/capabilities.ts';
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';

/** Author, reason and time (milliseconds since 1970) of a manual link. */
export type ManualLinkAuthorAndReason = Pick<ManualLink, 'who' | 'why' | 'time'>;

/** Manual link: its id, kind and number of records, and the numbers of the identities that these records have now, in ascending order. */
export interface ManualLinkResult {
  id: number;
  kind: ManualLink['kind'];
  records: number;
  identities: number[];
}

/**
 * Moves records of an identity that belong to another person to a new identity. Errors: `not_found`; `invalid_arguments` if the records are all of
 * the identity or belong to several; those of `changeAndLinkAtomically`.
 */
export async function splitIdentity(
  graph: RecordStoringGraph,
  names: string[],
  judge: ManualLinkAuthorAndReason,
): Promise<ManualLinkResult> {
  await completePendingLinking(graph);
  const rows = await requireRecordsByReference(graph.records, names);
  const [identity, ...others] = new Set(rows.map((row) => row.identity));
  if (identity === undefined || identity === null || others.length > 0)
    throw new BonafideError(
      'invalid_arguments',
      'The records belong to several identities. Choose records of one identity only.',
    );
  const splitRows = new Set(rows.map(({ row }) => row));
  const rest = (await graph.records.listByIdentity(identity)).filter(({ row }) => !splitRows.has(row));
  if (rest.length === 0)
    throw new BonafideError(
      'invalid_arguments',
      'The named records are all records of the identity, so nothing would be left of it. Choose only the records that belong to another person.',
    );
  return addManualLink(graph, 'split', { groups: [rows, rest], judge });
}

/**
 * Joins identities that are one person. Errors: `not_found`; `invalid_arguments` if the identities are already one; those of
 * `changeAndLinkAtomically`.
 */
export async function joinIdentities(
  graph: RecordStoringGraph,
  numbers: number[],
  judge: ManualLinkAuthorAndReason,
): Promise<ManualLinkResult> {
  // Publishes an earlier manual link whose process was killed, because the present identities must be known.
  await completePendingLinking(graph);
  const identityNumbers = new Set((await requireIdentities(graph, numbers)).map(({ id }) => id));
  if (identityNumbers.size < 2)
    throw new BonafideError(
      'invalid_arguments',
      'Give the numbers of at least two identities that are the same person.',
    );
  const rows: RecordRow[] = [];
  for (const id of identityNumbers) rows.push(...(await graph.records.listByIdentity(id)));
  return addManualLink(graph, 'join', { groups: [rows], judge });
}

/**
 * Removes a manual link. Its records are then linked automatically, as if it had never been made. Errors: `not_found`; those of
 * `changeAndLinkAtomically`.
 */
export async function undoManualLink(
  graph: RecordStoringGraph,
  id: number,
  time: number,
): Promise<ManualLinkResult> {
  const manualLink = (await graph.manualLinks.list()).find((one) => one.id === id && one.undone === null);
  if (!manualLink)
    throw notFoundError(
      `There is no manual link ${id}, or it is already undone. List the manual links: bonafide graph manual-links`,
      'judgement',
    );
  const rows = await rowsOf(graph, manualLink);
  await completePendingLinking(graph);
  await changeAndLinkAtomically(graph, async () => {
    await graph.manualLinks.undo(id, time);
    await graph.records.put(rows.map(storedOf));
  });
  return toManualLinkResult(graph, manualLink, rows);
}

async function addManualLink(
  graph: RecordStoringGraph,
  kind: ManualLink['kind'],
  { groups, judge }: { groups: RecordRow[][]; judge: ManualLinkAuthorAndReason },
): Promise<ManualLinkResult> {
  if (hasContactData(judge.why)) throw CONTACT_IN_REASON_ERROR;
  const keys = groups.map((rows) => rows.map(({ key }) => key));
  let id = 0;
  await changeAndLinkAtomically(graph, async () => {
    id = await graph.manualLinks.add({ kind, ...judge, groups: keys });
    await graph.records.put(groups.flat().map(storedOf));
  });
  return toManualLinkResult(graph, { id, kind }, groups.flat());
}

/** Error for a reason that contains an e-mail or phone. All operators who list the manual links can read the reason. */
const CONTACT_IN_REASON_ERROR = new BonafideError(
  'invalid_arguments',
  'The reason contains an e-mail address or a phone number. Remove it, and names too: other people read the reason.',
);

async function toManualLinkResult(
  graph: RecordStoringGraph,
  { id, kind }: Pick<ManualLinkResult, 'id' | 'kind'>,
  rows: RecordRow[],
) {
  await completePendingLinking(graph);
  const now = await graph.records.readRows(rows.map(({ row }) => row));
  const identities = [...new Set(now.flatMap(({ identity }) => identity ?? []))].sort((a, b) => a - b);
  return { id, kind, records: rows.length, identities };
}

async function rowsOf({ records }: RecordStoringGraph, { groups }: StoredManualLink): Promise<RecordRow[]> {
  const keys = new Set(groups.flat());
  const rows: RecordRow[] = [];
  for await (const page of records.pages()) rows.push(...page.filter(({ key }) => keys.has(key)));
  return rows;
}

function storedOf(record: RecordRow): StoredRecord {
  const { row: _, key: __, identity: ___, ...stored } = record;
  return stored;
}
