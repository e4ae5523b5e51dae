// Operations on people on record over HTTP. Each has a name and takes one value that can be cloned.
import type { AuditAction } from '../../accounts/audit.ts';
import { ageOf } from '../../people/erase/age.ts';
import { isClockDoubtful, refuseDoubtfulClock } from '../../people/erase/clock.ts';
import { compact } from '../../people/erase/erase.ts';
import {
  actOf,
  completeForgetting,
  finishReceipts,
  forget,
  returned,
  unseenFor,
} from '../../people/erase/forget.ts';
import { marksIn, type Receipt, receiptsIn, sourceTold } from '../../people/erase/receipt.ts';
import { invalidArgument } from '../../errors.ts';
import { explainIdentity, explainPair, getIdentityCard } from '../../graph/inspect.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import type { RecordName } from '../../graph/records.ts';
import { choose, type Chosen } from '../../people/choose.ts';
import { findPeople, type Sought } from '../../people/find.ts';
import { heldOn } from '../../people/held.ts';
import { removeSource, undoImport } from '../../import/sources.ts';
import { linkChanged } from '../../people/linking/linking.ts';
import { verifyGraph } from '../../people/linking/verify.ts';
import { join, type Judged, judgementsIn, split, undo } from '../../people/judge.ts';

/** Who calls an operation, when (milliseconds since 1970), and where the data is. */
export interface PeopleContext {
  dataDir: string;
  region: string;
  actor: string;
  now: number;
  /** Folder of scheduled backups. */
  backupsTo?: string | undefined;
}

/** Result of an operation, and its entry for the audit log if it changed anything. */
export interface PeopleOutcome<T> {
  done: T;
  note?: Omit<AuditAction, 'actor'>;
}

/** Whose or which records are to be forgotten. */
export interface ForgetRequest extends Omit<Chosen, 'region'> {
  /** Instead of people or records: all records that were last seen longer ago, in milliseconds. */
  olderThanMs?: number | undefined;
  /** Instead of people or records: people who were forgotten before and are on record again. */
  again?: boolean | undefined;
  /** Number of records that the caller expects to be removed. Without it, or with another number, nothing is changed. */
  confirm?: number | undefined;
  allowReturn?: boolean | undefined;
  /** With `olderThanMs`: true removes records although by the clock nobody was seen for a year. */
  isClockRight?: boolean | undefined;
}

/** Records that would be removed, or were removed. */
export interface ForgetResult {
  records: number;
  people: { identity: number | null; names: string[]; records: RecordName[]; others: number }[];
  /** Null if nothing was changed. */
  receipt: Receipt | null;
}

/** Most records of an identity that are compared with each other. */
const MOST_COMPARED = 8;

export const PEOPLE_OPERATIONS = {
  find: async (graph: RecordGraph, asked: Omit<Sought, 'region'>, { region }: PeopleContext) => ({
    done: await findPeople(graph, { ...asked, region }),
  }),
  show: async (graph: RecordGraph, identity: number) => ({ done: await getIdentityCard(graph, identity) }),
  why: async (graph: RecordGraph, { a, b }: { a: string; b: string }) => ({
    done: await explainPair(graph, a, b),
  }),
  links: async (graph: RecordGraph, identity: number) => ({
    done: await explainIdentity(graph, identity, MOST_COMPARED),
  }),
  export: async (graph: RecordGraph, identity: number) => {
    const done = await heldOn(graph, identity);
    const detail = { records: done.records.length };
    return { done, note: { act: 'graph.export' as const, target: String(done.identity), detail } };
  },
  forget: forgetAsked,
  compact: async (graph: RecordGraph, _: undefined, { dataDir }: PeopleContext) => {
    const receipt = await completeForgetting(graph, dataDir);
    const { logsEmpty } = await compact(graph);
    const note = receipt ? actOf(receipt) : { act: 'graph.compact' as const, target: '', detail: {} };
    return { done: { completed: receipt?.records ?? null, logsEmpty }, note };
  },
  verify: async (graph: RecordGraph) => ({ done: await verifyGraph(graph) }),
  retain: async (graph: RecordGraph, { olderThan }: { olderThan: string }, asking: PeopleContext) => {
    const { dataDir, now, backupsTo } = asking;
    await completeForgetting(graph, dataDir);
    const found = await unseenFor(graph, ageOf(olderThan), now);
    const { names } = found;
    if (names.length === 0) return { done: { records: 0 } };
    refuseDoubtfulClock(found, now);
    // Whose time is over may come again as somebody who was seen since.
    const { receipt } = await forget(graph, names, { dataDir, now, backupsTo, allowReturn: true });
    return { done: { records: receipt.records }, note: actOf(receipt) };
  },
  join: async (graph: RecordGraph, asked: { identities: number[]; why: string }, asking: PeopleContext) =>
    noted('graph.join', await join(graph, asked.identities, judgeOf(asked.why, asking))),
  split: async (graph: RecordGraph, asked: { records: string[]; why: string }, asking: PeopleContext) =>
    noted('graph.split', await split(graph, asked.records, judgeOf(asked.why, asking))),
  judgements: async (graph: RecordGraph) => ({ done: await judgementsIn(graph) }),
  undo: async (graph: RecordGraph, id: number, { now }: PeopleContext) =>
    noted('graph.undo', await undo(graph, id, now)),
  removeSource: async (graph: RecordGraph, { source }: { source: string }) => {
    const done = await removeSource(graph, source, () => linkChanged(graph));
    return {
      done,
      note: { act: 'graph.remove-source' as const, target: sourceTold(source), detail: { ...done } },
    };
  },
  undoImport: async (graph: RecordGraph) => {
    const done = await undoImport(graph, () => linkChanged(graph));
    return { done, note: { act: 'graph.undo' as const, target: '', detail: { ...done } } };
  },
};

export type PeopleOperation = keyof typeof PEOPLE_OPERATIONS;
export type PeopleInput<W extends PeopleOperation> = Parameters<(typeof PEOPLE_OPERATIONS)[W]>[1];
export type PeopleResult<W extends PeopleOperation> = Awaited<
  ReturnType<(typeof PEOPLE_OPERATIONS)[W]>
>['done'];

const judgeOf = (why: string, { actor, now }: PeopleContext) => ({ who: actor, why, time: now });

const noted = (act: 'graph.join' | 'graph.split' | 'graph.undo', done: Judged): PeopleOutcome<Judged> => ({
  done,
  note: {
    act,
    target: String(done.id),
    detail: { records: done.records, identities: done.identities.length },
  },
});

async function forgetAsked(
  graph: RecordGraph,
  { olderThanMs, again = false, confirm, allowReturn, isClockRight = false, ...chosen }: ForgetRequest,
  { dataDir, region, now, backupsTo }: PeopleContext,
): Promise<PeopleOutcome<ForgetResult>> {
  if (confirm !== undefined) {
    await completeForgetting(graph, dataDir);
    // What the last import replaced may be of the very person who is not found any more.
    await graph.records.discardUndoJournal();
  }
  const isOfPeople = olderThanMs === undefined && !again;
  const people = isOfPeople ? await choose(graph, { ...chosen, region }) : [];
  const unseen = isOfPeople || again ? null : await unseenFor(graph, olderThanMs ?? 0, now);
  const names = isOfPeople
    ? people.flatMap((one) => one.chosen.map(nameOf))
    : (unseen?.names ?? (await returned(graph, receiptsIn(dataDir).flatMap(marksIn))));
  const told = {
    records: names.length,
    people: people.map((one) => ({
      identity: one.identity,
      names: one.names,
      records: one.chosen.map(nameOf),
      others: one.others,
    })),
  };
  if (again && confirm === 0 && names.length === 0) await finishReceipts(graph, dataDir);
  if (confirm === undefined || names.length === 0) return { done: { ...told, receipt: null } };
  if (confirm !== names.length) throw OTHERS;
  if (unseen && !isClockRight && isClockDoubtful(unseen, now)) throw CLOCK;
  const { receipt } = await forget(graph, names, { dataDir, now, backupsTo, allowReturn });
  if (again) await finishReceipts(graph, dataDir);
  return { done: { ...told, receipt }, note: actOf(receipt) };
}

const nameOf = ({ source, recordId }: RecordName): RecordName => ({ source, recordId });

const OTHERS = invalidArgument(
  'That is not how many records would go.',
  'confirm',
  'It must be how many records would go: ask without it first.',
);

const CLOCK = invalidArgument(
  'The clock may be ahead.',
  'clock_is_right',
  "By the server's clock nobody on record was seen for a year, and more than half of the records with a date would go: set the clock if it is ahead, else say true.",
);
