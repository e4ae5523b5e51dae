/** Minimum time (ms) between two reports of a state change. */
const MIN_REPORT_INTERVAL_MS = 5000;

/**
 * Creates a reporter of state changes. It calls `tell` at most every five seconds, and only if the state differs from the last reported one.
 * @param state the initial state, which is not reported
 */
export function createStateChangeReporter(state: boolean, tell: (state: boolean) => void) {
  let reported = state;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (state === reported || timer) return;
    reported = state;
    tell(state);
    timer = setTimeout(() => {
      timer = undefined;
      look();
    }, MIN_REPORT_INTERVAL_MS).unref();
  };
  return {
    setState(now: boolean) {
      state = now;
      look();
    },
    end: () => clearTimeout(timer),
  };
}

/** Interval (ms) at which an unavailable graph is tested. */
const PROBE_EVERY_MS = 5000;

/**
 * Creates a watcher of a graph: after work passed to `watch` has failed, it calls `probe` every five seconds until the graph is healthy. A server that
 * is not ready gets no calls, and would not notice the recovery otherwise.
 */
export function createGraphRecoveryWatcher(probe: () => unknown, isHealthy: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async () => {
    timer = undefined;
    try {
      await probe();
    } catch {
      // The error is ignored: `isHealthy` reports the result.
    }
    schedule();
  };
  const schedule = () => {
    if (isClosed || timer || isHealthy()) return;
    timer = setTimeout(() => void look(), PROBE_EVERY_MS).unref();
  };
  return {
    watch<T>(work: Promise<T>): Promise<T> {
      work.catch(schedule);
      return work;
    },
    end() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
