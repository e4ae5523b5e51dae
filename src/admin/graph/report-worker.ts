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
/** Minimum duration (ms) of a report that is kept. */
const QUICK_MS = 1000;

type ReportCalls = { [Name in GraphReportName]: (input: null) => GraphReportResults[Name] };

export function openGraphReportWorker(
  workerData: GraphThreadData,
  maxWaitMs = MAX_WAIT_MS,
): GraphReportWorker {
  const pending = new Map<GraphReportName, Promise<FinishedGraphReport<GraphReportName>>>();
  const latestReports = new Map<GraphReportName, FinishedGraphReport<GraphReportName>>();
  const threads = new Set<WorkerThread<ReportCalls>>();
  let changes = 0;

  async function make(name: GraphReportName): Promise<FinishedGraphReport<GraphReportName>> {
    const [started, changesBefore] = [Date.now(), changes];
    const thread = createLazyWorkerThread<ReportCalls>({
      file: 'admin/graph/graph-thread',
      workerData,
      toEndedError,
    });
    threads.add(thread);
    try {
      const newReport = await thread.call(name, null);
      const report = { found: newReport, at: Date.now() };
      if (changes === changesBefore && report.at - started > QUICK_MS) latestReports.set(name, report);
      return report;
    } catch {
      throw toEndedError();
    } finally {
      threads.delete(thread);
      await thread.close();
    }
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
    close: async () => {
      await Promise.all(Array.from(threads, (thread) => thread.close()));
    },
  };
}

const toEndedError = () =>
  new BonafideError('graph_unavailable', 'The report stopped because its thread ended. Request it again.');
const toTimeoutError = () =>
  new BonafideError('graph_timeout', 'The report is not finished yet. Request it again later.');
