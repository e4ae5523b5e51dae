// Makes reports on a whole graph, which may hold millions of records: each in a worker thread of its own.
import { BonafideError } from '../../errors.ts';
import { openThread, type Thread, withDeadline } from '../../platform/threads/calls.ts';
import type { GraphThreadData } from './graph-thread.ts';
import type { GraphReport, GraphReports } from './reports.ts';

export interface GraphReportWorker {
  /**
   * Returns a report. Callers that ask while a report is being made, or soon after a slow one, get the same report.
   *
   * @param hops number of servers that the query came through, for a graph on another server
   *
   * Errors: graph_timeout if the report takes too long (it goes on: ask again later), graph_unavailable.
   */
  makeReport<Name extends GraphReport>(name: Name, hops?: number): Promise<TimedReport<Name>>;
  /** To be called after a change of the graph: reports made before are discarded. */
  discardReports(): void;
  close(): Promise<void>;
}

/** A report and the time it was finished, in milliseconds since 1970. */
export interface TimedReport<Name extends GraphReport> {
  found: GraphReports[Name];
  at: number;
}

/** Longest wait for a report. */
const MAX_WAIT_MS = 20_000;
/** How long a slow report is kept. */
const KEEP_MS = 60_000;
/** Reports that take no longer are not kept. */
const QUICK_MS = 1000;

type ReportCalls = { [Name in GraphReport]: (input: null) => GraphReports[Name] };

/** Returns the worker of a graph. */
export function openGraphReportWorker(
  workerData: GraphThreadData,
  maxWaitMs = MAX_WAIT_MS,
): GraphReportWorker {
  const pending = new Map<GraphReport, Promise<TimedReport<GraphReport>>>();
  const kept = new Map<GraphReport, TimedReport<GraphReport>>();
  const threads = new Set<Thread<ReportCalls>>();
  let changes = 0;

  async function make(name: GraphReport): Promise<TimedReport<GraphReport>> {
    const [started, changesBefore] = [Date.now(), changes];
    const thread = openThread<ReportCalls>({ file: 'admin/graph/graph-thread', workerData, toEndedError });
    threads.add(thread);
    try {
      const found = await thread.call(name, null);
      const report = { found, at: Date.now() };
      if (changes === changesBefore && report.at - started > QUICK_MS) kept.set(name, report);
      return report;
    } catch {
      throw toEndedError();
    } finally {
      threads.delete(thread);
      await thread.close();
    }
  }

  function start(name: GraphReport): Promise<TimedReport<GraphReport>> {
    const report = make(name).finally(() => pending.get(name) === report && pending.delete(name));
    // The caller may have stopped waiting.
    report.catch(() => undefined);
    pending.set(name, report);
    return report;
  }

  return {
    async makeReport(name) {
      const before = kept.get(name);
      if (before && Date.now() - before.at < KEEP_MS) return before as TimedReport<typeof name>;
      const report = withDeadline(pending.get(name) ?? start(name), maxWaitMs, toTimeoutError);
      return (await report) as TimedReport<typeof name>;
    },
    discardReports() {
      changes++;
      kept.clear();
      pending.clear();
    },
    close: async () => {
      await Promise.all(Array.from(threads, (thread) => thread.close()));
    },
  };
}

const toEndedError = () => new BonafideError('graph_unavailable', 'The thread of the graph report ended.');
const toTimeoutError = () =>
  new BonafideError('graph_timeout', 'The report takes long and goes on. Ask again later.');
