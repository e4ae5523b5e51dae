// Operations on people on record that administrative routes can call. Each has a name and takes one value that can be sent to a thread.
import type { AuditAction } from '../../accounts/audit.ts';
import {
  parseRecordAgeToMs,
  isClockImplausible,
  requirePlausibleClock,
  createErasureAuditAction,
  completeInterruptedErasureAndReceipt,
  finishReceiptsOfInterruptedErasures,
  eraseRecordsAndWriteReceipt,
  type ErasureWithReceiptOptions,
  findReimportedRecords,
  findExpiredRecords,
} from '../../people/erase/forget.ts';
import { compactGraph } from '../../people/erase/erase.ts';
import {
  readSuppressionMarks,
  type ErasureReceipt,
  listReceiptFilePaths,
  maskSourceNameIfContactData,
} from '../../people/erase/receipts.ts';
import { invalidArgumentError } from '../../errors.ts';
import { explainIdentityLinks, explainRecordPair, getIdentityDetails } from '../../graph/inspect.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { SourceRecordId } from '../../graph/records.ts';
import {
  listSelectedRecords,
  selectRecords,
  selectRecordsToForget,
  type RecordSelectionCriteria,
} from '../../people/select-records.ts';
import { findPeople, type PeopleQuery } from '../../people/find-people.ts';
import { exportPerson } from '../../people/export-person.ts';
import { refuseUndoAfterKilledImport, removeSource, undoImport } from '../../import/sources.ts';
import { completePendingLinking, linkChangedRecords, linkPendingRecords } from '../../people/linking.ts';
import { verifyGraph } from '../../people/verify-links.ts';
import {
  joinIdentities,
  type ManualLinkResult,
  splitIdentity,
  undoManualLink,
} from '../../people/manual-links.ts';

/** Context of an operation on the people on record: caller, time (ms since 1970), and location of the data. */
export interface PeopleOperationContext {
  dataDir: string;
  region: string;
  actor: string;
  now: number;
  /** Folder of the scheduled backups; undefined if there are none. */
  backupsTo?: string | undefined;
  /** Deletion of the watches (stored claims that are checked again) and the job lines that contain values of erased records. */
  watchEraser?: ErasureWithReceiptOptions['watchEraser'];
}

/** Result of an operation on the people on record. If the operation changed anything, it includes an audit log entry. */
export interface AuditedResult<T> {
  result: T;
  note?: Omit<AuditAction, 'actor'>;
}

/** Selection of the records to forget, and its confirmation. */
interface ForgetRequest extends Omit<RecordSelectionCriteria, 'region'> {
  /** Selects all records last seen longer than this many milliseconds ago, instead of named people or records. */
  olderThanMs?: number | undefined;
  /** True to select the people on the suppression list who are on record again, instead of named people or records. */
  again?: boolean | undefined;
  /** Number of records that the caller expects to remove. Nothing changes if it is missing or wrong. */
  confirm?: number | undefined;
  allowReturn?: boolean | undefined;
  /** True to confirm `olderThanMs` although no record was seen in the last year (the clock may be wrong). */
  isClockRight?: boolean | undefined;
}

/** Records that were removed, or that a confirmed request would remove. */
interface ForgetResult {
  records: number;
  people: { identity: number | null; names: string[]; records: SourceRecordId[]; others: number }[];
  /** Receipt of the removal; null if nothing was changed. */
  receipt: ErasureReceipt | null;
}

/** Maximum number of records of one identity that are compared with each other to show its links. */
const MAX_COMPARED = 8;

/** Map from operation names to functions that work on the people on record. An operation that changes anything also returns an audit log entry. */
export const PEOPLE_OPERATIONS = {
  find: async (
    graph: RecordStoringGraph,
    query: Omit<PeopleQuery, 'region'>,
    { region }: PeopleOperationContext,
  ) => {
    await linkPendingRecords(graph);
    return { result: await findPeople(graph, { ...query, region }) };
  },
  show: async (graph: RecordStoringGraph, identity: number) => ({
    result: await getIdentityDetails(graph, identity),
  }),
  why: async (graph: RecordStoringGraph, { a, b }: { a: string; b: string }) => ({
    result: await explainRecordPair(graph, a, b),
  }),
  links: async (graph: RecordStoringGraph, identity: number) => ({
    result: await explainIdentityLinks(graph, identity, MAX_COMPARED),
  }),
  export: async (graph: RecordStoringGraph, identity: number) => {
    await linkPendingRecords(graph);
    const result = await exportPerson(graph, identity);
    const detail = { records: result.records.length };
    return { result, note: toNote('graph.export', String(result.identity), detail) };
  },
  forget: forgetPeople,
  compact: async (graph: RecordStoringGraph, _: undefined, context: PeopleOperationContext) => {
    const { dataDir, watchEraser } = context;
    const { receipt, isStoreErased } = await completeInterruptedErasureAndReceipt(
      graph,
      dataDir,
      watchEraser,
      true,
    );
    const logsEmpty = (await compactGraph(graph)).logsEmpty && isStoreErased;
    const note = receipt ? createErasureAuditAction(receipt) : toNote('graph.compact');
    return { result: { completed: receipt?.records ?? null, logsEmpty }, note };
  },
  verify: async (graph: RecordStoringGraph) => ({ result: await verifyGraph(graph) }),
  retain: async (
    graph: RecordStoringGraph,
    { olderThan }: { olderThan: string },
    context: PeopleOperationContext,
  ) => {
    const { dataDir, now, backupsTo, watchEraser } = context;
    await completeInterruptedErasureAndReceipt(graph, dataDir, watchEraser);
    const unseen = await findExpiredRecords(graph, parseRecordAgeToMs(olderThan), now);
    if (unseen.names.length === 0) return { result: { records: 0 } };
    requirePlausibleClock(unseen, now);
    // Records removed by retention may be imported again if the people were seen again.
    const options = { dataDir, now, backupsTo, watchEraser, allowReturn: true };
    const { receipt } = await eraseRecordsAndWriteReceipt(graph, unseen.names, options);
    return { result: { records: receipt.records }, note: createErasureAuditAction(receipt) };
  },
  join: async (
    graph: RecordStoringGraph,
    request: { identities: number[]; why: string },
    context: PeopleOperationContext,
  ) =>
    withLinkNote(
      'graph.join',
      await joinIdentities(graph, request.identities, decisionOf(request.why, context)),
    ),
  split: async (
    graph: RecordStoringGraph,
    request: { records: string[]; why: string },
    context: PeopleOperationContext,
  ) =>
    withLinkNote(
      'graph.split',
      await splitIdentity(graph, request.records, decisionOf(request.why, context)),
    ),
  judgements: async (graph: RecordStoringGraph) => ({ result: await graph.manualLinks.list() }),
  undo: async (graph: RecordStoringGraph, id: number, { now }: PeopleOperationContext) =>
    withLinkNote('graph.undo', await undoManualLink(graph, id, now)),
  removeSource: async (graph: RecordStoringGraph, { source }: { source: string }) => {
    const result = await removeSource(graph, source, () => linkChangedRecords(graph));
    return {
      result,
      note: toNote('graph.remove-source', maskSourceNameIfContactData(source), { ...result }),
    };
  },
  undoImport: async (graph: RecordStoringGraph, _: undefined, { dataDir }: PeopleOperationContext) => {
    const last = await graph.records.lastAppliedImport();
    if (last) refuseUndoAfterKilledImport(dataDir, last);
    const result = await undoImport(graph, () => linkChangedRecords(graph));
    return { result, note: toNote('graph.undo', '', { ...result }) };
  },
};

export type PeopleOperationName = keyof typeof PEOPLE_OPERATIONS;
export type PeopleOperationInput<Name extends PeopleOperationName> = Parameters<
  (typeof PEOPLE_OPERATIONS)[Name]
>[1];
export type PeopleOperationResult<Name extends PeopleOperationName> = Awaited<
  ReturnType<(typeof PEOPLE_OPERATIONS)[Name]>
>['result'];

const toNote = (act: AuditAction['act'], target = '', detail: AuditAction['detail'] = {}) => ({
  act,
  target,
  detail,
});

const decisionOf = (why: string, { actor, now }: PeopleOperationContext) => ({ who: actor, why, time: now });

const withLinkNote = (
  act: AuditAction['act'],
  result: ManualLinkResult,
): AuditedResult<ManualLinkResult> => ({
  result,
  note: toNote(act, String(result.id), { records: result.records, identities: result.identities.length }),
});

async function forgetPeople(
  graph: RecordStoringGraph,
  { olderThanMs, again = false, confirm, allowReturn, isClockRight = false, ...selection }: ForgetRequest,
  { dataDir, region, now, backupsTo, watchEraser }: PeopleOperationContext,
): Promise<AuditedResult<ForgetResult>> {
  if (confirm !== undefined) await completeInterruptedErasureAndReceipt(graph, dataDir, watchEraser);
  const isOfPeople = olderThanMs === undefined && !again;
  // Records that are stored but not linked yet belong to no identity, so the selection would miss them.
  if (isOfPeople) await completePendingLinking(graph);
  const selectPeople = () => selectRecords(graph, { ...selection, region });
  // `false` keeps the undo journal: a mistyped value would discard it without an entry in the audit log.
  const people = isOfPeople ? await selectRecordsToForget(graph, { ...selection, region }, false) : [];
  const unseen = isOfPeople || again ? null : await findExpiredRecords(graph, olderThanMs ?? 0, now);
  const names = isOfPeople
    ? listSelectedRecords(people)
    : (unseen?.names ??
      (await findReimportedRecords(graph, listReceiptFilePaths(dataDir).flatMap(readSuppressionMarks))));
  const plan = {
    records: names.length,
    people: people.map((person) => ({
      identity: person.identity,
      names: person.names,
      records: listSelectedRecords([person]),
      others: person.others,
    })),
  };
  if (again && confirm === 0 && names.length === 0)
    await finishReceiptsOfInterruptedErasures(graph, dataDir, allowReturn);
  if (confirm === undefined || names.length === 0) return { result: { ...plan, receipt: null } };
  if (confirm !== names.length) throw WRONG_NUMBER;
  if (unseen && !isClockRight && isClockImplausible(unseen, now)) throw DOUBTFUL_CLOCK;
  const select = isOfPeople ? async () => listSelectedRecords(await selectPeople()) : undefined;
  const options = { dataDir, now, backupsTo, watchEraser, allowReturn, select };
  const { receipt } = await eraseRecordsAndWriteReceipt(graph, names, options);
  if (again) await finishReceiptsOfInterruptedErasures(graph, dataDir, allowReturn);
  return { result: { ...plan, receipt }, note: createErasureAuditAction(receipt) };
}

const WRONG_NUMBER = invalidArgumentError(
  'The number in "confirm" is not the number of records that would be removed. Send the request without "confirm" to get this number.',
  'confirm',
  'It must be the number of records that would be removed. Send the request without it to get the number.',
);

const DOUBTFUL_CLOCK = invalidArgumentError(
  'The clock of the server may be ahead. Check the clock; if it is right, send "clock_is_right": true.',
  'clock_is_right',
  "By the server's clock nobody on record was seen for a year, and more than half of the records with a date would be removed. Set the clock if it is ahead, else send `true`.",
);
