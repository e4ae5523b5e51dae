// What waits is taken in together, in one transaction with the identities that come of it.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { openRecordGraph } from '../../graph/engines.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import type { GraphRecords } from '../../graph/records.ts';
import { linkDue, linkPut } from '../../people/linking/linking.ts';
import { remember } from '../../platform/held.ts';
import type { FeedOptions, FeedResult } from './feed.ts';
import { parseFeedCall } from './lines.ts';
import type { FeedChanges, FeedCall } from './lines.ts';
import { openFullLinking } from './full-linking.ts';

export interface FeedWriter {
  /** Errors: those of the graph. */
  take(sent: FeedCall): Promise<FeedResult>;
  /** Links all records where that is due, beside what is taken in. Answers whether it could. */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  changes: FeedChanges;
  resolve(taken: FeedResult): void;
  reject(error: unknown): void;
}

/** So many records are taken in together, and those of the call with which they become more. */
const GROUP_RECORDS = 1000;

/** While another process links all records, nothing can be put: whoever asks hears that, and asks again. */
const MOST_WAIT_MS = 20_000;

/** @param mostWaitMs how long others that write are waited for */
export function openFeedWriter(place: FeedOptions, mostWaitMs = MOST_WAIT_MS): FeedWriter {
  const { dataDir, secret, graph: setting } = place;
  let graph: RecordGraph | undefined;
  const opened = () => (graph ??= openRecordGraph({ dataDir, secret, graph: setting, create: false }));
  const settling = openFullLinking(place);
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  let entered: Promise<unknown> = Promise.resolve();
  let isClosing = false;

  async function takeIn(group: Waiting[]): Promise<void> {
    settling.hold();
    try {
      const it = opened();
      const { barred, seen } = await it.records.runAtomically(async () => {
        const barred = [];
        for (const { changes } of group) barred.push(await putInto(it.records, changes));
        return { barred, seen: await linkPut(it) };
      }, mostWaitMs);
      remember(dataDir, 'records');
      const linked = seen ? settling.later() : await settling.now(it);
      for (const [i, { changes, resolve }] of group.entries())
        resolve(takenOf(changes, { linked, barred: barred[i] ?? 0 }));
    } catch (error) {
      settling.later();
      for (const { reject } of group) reject(error);
    }
  }

  /** While nobody waits, what was put off is caught up with, piece by piece. Answers whether there is more. */
  async function catchUp(): Promise<boolean> {
    try {
      if (isClosing || !graph) return false;
      if (await linkDue(graph, { mostWaitMs: 0 })) return true;
      await graph.records.runDeferredWork?.();
      return false;
    } catch {
      // Whoever puts something next is told of what fails, and some of it is done with that.
      return false;
    }
  }

  async function work(): Promise<void> {
    for (let more = true; more || waiting.length > 0;) {
      const group = groupOf(waiting);
      if (group.length > 0) await takeIn(group);
      more = group.length > 0 || (await catchUp());
      // Who was taken in hears it before anything else is begun.
      await endOfTurn();
    }
    working = null;
  }

  /** In a promise's place it would be waited for. */
  function enter(changes: FeedChanges): { taken: FeedResult | Promise<FeedResult> } {
    if (changes.records.size === 0) return { taken: takenOf(changes, { linked: true, barred: 0 }) };
    const taken = new Promise<FeedResult>((resolve, reject) => {
      waiting.push({ changes, resolve, reject });
      working ??= work();
    });
    return { taken };
  }

  return {
    async take(sent) {
      const [earlier, read] = [entered, parseFeedCall(sent, opened().records)];
      // Whoever came first is put first, however long its lines take to read.
      const own = Promise.all([read, earlier]).then(([changes]) => enter(changes));
      entered = Promise.allSettled([earlier, own]).then(() => undefined);
      return (await own).taken;
    },
    settle: settling.beside,
    async close() {
      isClosing = true;
      await working;
      await settling.close();
      await graph?.close();
    },
  };
}

/** Takes from those that wait, in their order, as many as make a group. */
function groupOf(waiting: Waiting[]): Waiting[] {
  let records = 0;
  const end = waiting.findIndex(({ changes }) => (records += changes.records.size) >= GROUP_RECORDS);
  return waiting.splice(0, end < 0 ? waiting.length : end + 1);
}

/** Answers how many lines are on records that are kept out. */
async function putInto(records: GraphRecords, changes: FeedChanges): Promise<number> {
  const all = [...changes.records.values()];
  const gone = all.flatMap(({ name, record }) => (record ? [] : [name]));
  if (gone.length > 0) await records.remove(gone);
  let barred = 0;
  // Of those that are put together it is not told which are kept out.
  for (const [lines, some] of Map.groupBy(all, ({ lines }) => lines)) {
    const put = some.flatMap(({ record }) => record ?? []);
    if (put.length > 0) barred += lines * ((await records.put(put)).barred ?? 0);
  }
  return barred;
}

function takenOf(
  changes: FeedChanges,
  { linked, barred }: Pick<FeedResult, 'linked' | 'barred'>,
): FeedResult {
  const { put, deleted, refused, leftOut } = changes;
  return { put: put - barred, deleted, barred, refused, leftOut, linked };
}
