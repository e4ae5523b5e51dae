// Writes the records of a feed: all pending calls go into one transaction, together with the resulting
// identities.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { openRecordStoringGraph } from '../../graph/engines.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { GraphRecordOperations } from '../../graph/records.ts';
import {
  compareSomePostponedRecords,
  tryLinkAddedRecords,
  completePendingLinking,
} from '../../people/linking.ts';
import { registerDataFolderDatabase } from '../../platform/data-folder.ts';
import { createLazyWorkerThread } from '../../platform/threads/calls.ts';
import type { FeedOperations, FeedOptions, FeedResult } from './feed.ts';
import { type FeedRequest, type ParsedFeedChanges, parseFeedRequest } from './lines.ts';

export interface RecordFeedWriter {
  /** Adds and removes the records of a feed call. Errors: those of the graph. */
  write(call: FeedRequest): Promise<FeedResult>;
  /** Links all records in a second thread if a full linking is due. Returns false if linking failed. */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

interface PendingCall {
  changes: ParsedFeedChanges;
  resolve(result: FeedResult): void;
  reject(error: unknown): void;
}

/** Number of records from which a transaction is full, so that no further feed call is added to it. */
const GROUP_RECORDS = 1000;

/**
 * Maximum time in milliseconds that a transaction waits for another process, for example for one that links all records. After it, the feed call
 * fails, and its caller must repeat it.
 */
const MOST_WAIT_MS = 20_000;

export function openRecordFeedWriter(options: FeedOptions, mostWaitMs = MOST_WAIT_MS): RecordFeedWriter {
  const { dataDir, secret, graph: setting } = options;
  let graph: RecordStoringGraph | undefined;
  const openGraph = () =>
    (graph ??= openRecordStoringGraph({ dataDir, secret, graph: setting, create: false }));
  const fullLinking = openFullLinking(options);
  let pending: PendingCall[] = [];
  let working: Promise<void> | null = null;
  let lastEntered: Promise<unknown> = Promise.resolve();
  let isClosing = false;

  async function write(group: PendingCall[]): Promise<void> {
    fullLinking.postpone();
    try {
      const opened = openGraph();
      const { barred, isLinked, revision } = await opened.records.runAtomically(async () => {
        const barred = [];
        for (const { changes } of group) barred.push(await applyChanges(opened.records, changes));
        const isLinked = await tryLinkAddedRecords(opened);
        return { barred, isLinked, revision: await opened.linking.revision() };
      }, mostWaitMs);
      registerDataFolderDatabase(dataDir, 'records');
      if (isLinked) fullLinking.runWhenIdle();
      const linked = isLinked || (await fullLinking.runSoon(opened));
      for (const [i, { changes, resolve }] of group.entries())
        resolve(toResult(changes, { linked, barred: barred[i] ?? 0, revision }));
    } catch (error) {
      fullLinking.runWhenIdle();
      for (const { reject } of group) reject(error);
    }
  }

  /** Links some of the records whose linking was postponed. Returns true if more remain. */
  async function catchUp(): Promise<boolean> {
    try {
      if (isClosing || !graph) return false;
      if (await compareSomePostponedRecords(graph, { mostWaitMs: 0 })) return true;
      await graph.records.runDeferredWork?.();
      return false;
    } catch {
      // The next call reports the error, and its linking does part of the work.
      return false;
    }
  }

  async function work(): Promise<void> {
    for (let more = true; more || pending.length > 0;) {
      const group = takeGroup(pending);
      if (group.length > 0) await write(group);
      more = group.length > 0 || (await catchUp());
      // Callers get their results before anything else begins.
      await endOfTurn();
    }
    working = null;
  }

  /** Adds the changes of a call to the queue. Returns the result inside an object, because an async caller would await a bare promise. */
  function enter(changes: ParsedFeedChanges): { result: FeedResult | Promise<FeedResult> } {
    if (changes.records.size === 0)
      return { result: toResult(changes, { linked: true, barred: 0, revision: null }) };
    const result = new Promise<FeedResult>((resolve, reject) => {
      pending.push({ changes, resolve, reject });
      working ??= work();
    });
    return { result };
  }

  return {
    async write(call) {
      const [earlier, parsing] = [lastEntered, parseFeedRequest(call, openGraph().records)];
      // Calls are written in the order of their arrival, however long their lines take to parse.
      const entered = Promise.all([parsing, earlier]).then(([changes]) => enter(changes));
      lastEntered = Promise.allSettled([earlier, entered]).then(() => undefined);
      return (await entered).result;
    },
    settle: fullLinking.run,
    async close() {
      isClosing = true;
      await working;
      await fullLinking.close();
      await graph?.close();
    },
  };
}

/** Takes the oldest pending calls from the queue, as many as fit into one transaction. */
function takeGroup(pending: PendingCall[]): PendingCall[] {
  let records = 0;
  const end = pending.findIndex(({ changes }) => (records += changes.records.size) >= GROUP_RECORDS);
  return pending.splice(0, end < 0 ? pending.length : end + 1);
}

/** Applies changes to the records of the graph. Returns the number of lines whose record is on the suppression list. */
async function applyChanges(records: GraphRecordOperations, changes: ParsedFeedChanges): Promise<number> {
  const all = [...changes.records.values()];
  const removed = all.flatMap(({ name, record }) => (record ? [] : [name]));
  if (removed.length > 0) await records.remove(removed);
  let barred = 0;
  // The graph returns only one count for all records of a call, so records with the same number of lines are
  // stored together.
  for (const [lines, group] of Map.groupBy(all, ({ lines }) => lines)) {
    const put = group.flatMap(({ record }) => record ?? []);
    if (put.length > 0) barred += lines * ((await records.put(put)).barred ?? 0);
  }
  return barred;
}

function toResult(
  { put, deleted, refused, leftOut }: ParsedFeedChanges,
  { linked, barred, revision }: Pick<FeedResult, 'linked' | 'barred' | 'revision'>,
): FeedResult {
  return { put: put - barred, deleted, barred, refused, leftOut, linked, revision };
}

/** Maximum number of records of a graph whose full linking is fast enough to run in this thread. */
const FEW_RECORDS = 2000;
/**
 * Maximum time in milliseconds that a feed call waits for a full linking that it has started. After it, the call is answered with `linked: false`,
 * and linking continues.
 */
const LINKING_WAIT_MS = 2000;
/** Time in milliseconds without feed calls after which a due full linking starts. */
const IDLE_MS = 10_000;

/** Opens the second thread, which links all records while the first thread writes. */
function openFullLinking(options: FeedOptions) {
  let running: { ended: Promise<boolean>; stop(): Promise<void> } | null = null;
  let idle: NodeJS.Timeout | undefined;

  /** Links all records in the second thread. Returns false if linking failed; the next feed call then tries it again. */
  function run(): Promise<boolean> {
    if (running) return running.ended;
    const thread = createLazyWorkerThread<FeedOperations>({
      file: 'import/feed/thread',
      workerData: options,
      toEndedError: () => new Error('the thread that links all records ended'),
    });
    const ended = thread.call('linkAll', null).then(
      () => true,
      () => false,
    );
    running = { ended, stop: thread.close };
    return ended.finally(() => {
      running = null;
      return thread.close();
    });
  }

  const runWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(run, IDLE_MS).unref();
  };

  return {
    run,
    runWhenIdle,
    postpone: () => clearTimeout(idle),
    /** Starts linking all records. Returns true if linking ended within two seconds. Errors: those of the graph. */
    async runSoon(graph: RecordStoringGraph): Promise<boolean> {
      runWhenIdle();
      // A call during a run returns at once: this run does not link records that arrived after its start.
      if (running) return false;
      if ((await graph.records.count()) > FEW_RECORDS) return Promise.race([run(), falseAfterWait()]);
      await completePendingLinking(graph);
      // A thread without due work would only slow down other calls.
      clearTimeout(idle);
      return true;
    },
    async close() {
      clearTimeout(idle);
      await running?.stop();
    },
  };
}

const falseAfterWait = () =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), LINKING_WAIT_MS).unref());
