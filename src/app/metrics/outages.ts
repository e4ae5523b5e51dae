// Logs each outage of the store or the graph once when it begins and once when it ends.
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import type { ServerDatabases } from '../data/databases.ts';
import type { ThreadMetricCounts } from './thread-metrics.ts';

type Part = 'store' | 'graph';

/** Error codes of calls that are refused during an outage, by the part that is out of order. */
const CODES: Record<Part, readonly string[]> = {
  store: ['store_unavailable'],
  graph: ['graph_unavailable', 'graph_timeout', 'graph_bad_response'],
};
const PARTS = Object.keys(CODES) as Part[];

type OutageCounts = Pick<ThreadMetricCounts, 'families' | 'state'>;

interface OutageOptions {
  log: Pick<Log, 'error' | 'info'>;
  data: Pick<ServerDatabases, 'engine' | 'graph'>;
}

const CHECK_EVERY_MS = 1000;

/** Checks every second if the store or the graph is out of order, and logs each outage. For single-threaded servers. */
export function startOutageLogging({
  counts,
  ...options
}: OutageOptions & { counts(): ThreadMetricCounts }): NodeJS.Timeout {
  const tell = createOutageReporter(options);
  return setInterval(() => tell(counts()), CHECK_EVERY_MS).unref();
}

/** Creates a function that must be called with the metrics every second; it logs the start and the end of each outage. */
export function createOutageReporter({ log, data }: OutageOptions): (seen: OutageCounts) => void {
  const outages = new Map<Part, { since: number; refused: number }>();
  const before = new Map<Part, number>();
  return (seen) => {
    for (const part of PARTS) {
      const refused = countRefusedCalls(part, seen);
      const isAway = seen.state.parts[part] === 'failed';
      const outage = outages.get(part);
      if (isAway && !outage) {
        // The outage includes the calls that were refused before this check noticed it.
        outages.set(part, { since: performance.now(), refused: before.get(part) ?? 0 });
        log.error(
          `the ${part} does not work, and calls are refused until it does${formatCause(FIND_CAUSE[part](data))}`,
        );
      } else if (!isAway && outage) {
        outages.delete(part);
        const seconds = Math.round((performance.now() - outage.since) / 1000);
        log.info(`the ${part} works again after ${seconds} s; refused calls: ${refused - outage.refused}`);
      }
      before.set(part, refused);
    }
  };
}

/** Formats the cause of an outage. Only our own error messages are logged, because others may contain submitted values. */
const formatCause = (error: unknown) => (error instanceof BonafideError ? `: ${error.message}` : '');

const FIND_CAUSE: Record<Part, (data: OutageOptions['data']) => unknown> = {
  store: ({ engine }) => engine.getFailure(),
  graph({ graph }) {
    try {
      return graph.ping();
    } catch (error) {
      return error;
    }
  },
};

function countRefusedCalls(part: Part, { families }: OutageCounts): number {
  const problems = families.find(({ name }) => name === 'bonafide_problems_total')?.samples ?? [];
  return problems
    .filter(({ labels }) => CODES[part].includes(labels?.code ?? ''))
    .reduce((sum, { value }) => sum + Number(value), 0);
}
