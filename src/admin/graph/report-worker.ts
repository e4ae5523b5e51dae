// Makes reports on the whole graph, which may have millions of records, in worker threads.
import { BonafideError } from '../../errors.ts';
import { createLazyWorkerThread, type WorkerThread, withDeadline } from '../../platform/threads/calls.ts';
import type { GraphThreadData } from './graph-thread.ts';
import type { GraphReportName, GraphReportResults } from './reports.ts';

export interface GraphReportWorker {
  /**
   * Returns a report on the graph. A report in progress is shared by its callers, and a slow report is kept for some time. @param hops number of
   * servers that the query has passed through, for a graph on another server Errors: graph_unavailable; graph_timeout if the report takes too
   * long (it continues).
   */
  makeReport<Name extends GraphReportName>(name: Name, hops?: number): Promise<FinishedGraphReport<Name>>;
  /** Discards the reports made so far. Must be called after a change of the graph. */
  discardReports(): void;
  close(): Promise<void>;
}

/** Finished report on the graph. `at` is the time at which it was finished (ms since 1970). */
export interface FinishedGraphReport<Name extends GraphReportName> {
  found: GraphReportResults[Name];
  at: number;
}

/** Maximum time (ms) that a caller waits for a report. */
const MAX_WAIT_MS = 20_000;
/** Time (ms) for which a slow report is kept and returned again. */
const KEEP_MS = 60_000;
/** A report is kept, and returned again, only if making it took longer than this time (ms). */
const QUICK_MS = 1000;

/** Time (ms) after which a thread without work is ended. */
const KEEP_THREAD_MS = 300_000;
/** Maximum number of threads that make reports. */
const MAX_THREADS = 4;
/** Time (ms) after which a report in progress counts as slow, so that waiting reports may get another thread. */
const BLOCKING_MS = 5000;

type ReportCalls = { [Name in GraphReportName]: (input: null) => GraphReportResults[Name] } & {
  /** Does nothing. Its answer shows that the thread has loaded its modules. */
  ready(input: null): null;
};

type ReportThread = WorkerThread<ReportCalls>;

/**
 * Opens a pool of threads. It has one thread, which makes reports one after the other, because loading several threads at once on a busy machine
 * takes much longer than the reports. It gets another thread when all its threads make slow reports.
 */
function openReportThreads(workerData: GraphThreadData) {
  const threads = new Set<ReportThread>();
  const idle: ReportThread[] = [];
  const queue: { start(thread: ReportThread): Promise<void>; reject(error: Error): void }[] = [];
  let slow = 0;
  let isClosed = false;
  let closing: NodeJS.Timeout | undefined;

  function startNext(): void {
    clearTimeout(closing);
    if (isClosed) return;
    while (queue.length > 0) {
      const thread = idle.pop();
      if (!thread) break;
      void queue.shift()?.start(thread);
    }
    if (queue.length > 0 && threads.size === slow && slow < MAX_THREADS) void load();
    else if (idle.length === threads.size)
      closing = setTimeout(() => void closeThreads(), KEEP_THREAD_MS).unref();
  }

  async function load(): Promise<void> {
    const thread = createLazyWorkerThread<ReportCalls>({
      file: 'admin/graph/graph-thread',
      workerData,
      toEndedError,
    });
    threads.add(thread);
    // A thread that cannot be loaded fails the report that is given to it.
    await thread.call('ready', null).catch(() => undefined);
    if (threads.has(thread)) idle.push(thread);
    startNext();
  }

  async function make<Name extends GraphReportName>(
    thread: ReportThread,
    name: Name,
  ): Promise<GraphReportResults[Name]> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow++;
      startNext();
    }, BLOCKING_MS);
    try {
      const report = await thread.call(name, null);
      if (threads.has(thread)) idle.push(thread);
      return report as GraphReportResults[Name];
    } catch {
      threads.delete(thread);
      await thread.close();
      throw toEndedError();
    } finally {
      clearTimeout(timer);
      if (isSlow) slow--;
      startNext();
    }
  }

  async function closeThreads(): Promise<void> {
    const all = [...threads];
    threads.clear();
    idle.length = 0;
    await Promise.all(all.map((thread) => thread.close()));
  }

  return {
    make: <Name extends GraphReportName>(name: Name) =>
      new Promise<GraphReportResults[Name]>((resolve, reject) => {
        if (isClosed) return reject(toEndedError());
        queue.push({ start: (thread) => make(thread, name).then(resolve, reject), reject });
        startNext();
      }),
    /** Ends the threads. Reports that are in progress or pending fail. */
    async close(): Promise<void> {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(toEndedError());
      await closeThreads();
    },
  };
}

export function openGraphReportWorker(
  workerData: GraphThreadData,
  maxWaitMs = MAX_WAIT_MS,
): GraphReportWorker {
  const pending = new Map<GraphReportName, Promise<FinishedGraphReport<GraphReportName>>>();
  const latestReports = new Map<GraphReportName, FinishedGraphReport<GraphReportName>>();
  const threads = openReportThreads(workerData);
  let changes = 0;

  async function make(name: GraphReportName): Promise<FinishedGraphReport<GraphReportName>> {
    const [started, changesBefore] = [Date.now(), changes];
    const report = { found: await threads.make(name), at: Date.now() };
    if (changes === changesBefore && report.at - started > QUICK_MS) latestReports.set(name, report);
    return report;
  }

  function start(name: GraphReportName): Promise<FinishedGraphReport<GraphReportName>> {
    const report = make(name).finally(() => pending.get(name) === report && pending.delete(name));
    // The caller may have stopped waiting; then no code would handle an error of the report.
    report.catch(() => undefined);
    pending.set(name, report);
    return report;
  }

  return {
    async makeReport(name) {
      const before = latestReports.get(name);
      const ageMs = before ? Date.now() - before.at : 0;
      if (before && ageMs >= 0 && ageMs < KEEP_MS) return before as FinishedGraphReport<typeof name>;
      const report = withDeadline(pending.get(name) ?? start(name), maxWaitMs, toTimeoutError);
      return (await report) as FinishedGraphReport<typeof name>;
    },
    discardReports() {
      changes++;
      latestReports.clear();
      pending.clear();
    },
    close: threads.close,
  };
}

const toEndedError = () =>
  new BonafideError('graph_unavailable', 'The report stopped because its thread ended. Request it again.');
const toTimeoutError = () =>
  new BonafideError('graph_timeout', 'The report is not finished yet. Request it again later.');
