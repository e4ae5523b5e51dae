/** Shortest time between two reports of a state that changes often. */
const MIN_REPORT_INTERVAL_MS = 5000;

/**
 * Returns a reporter that calls `tell` when the state differs from the last reported state: at once, or five seconds after the last report if
 * that is later.
 *
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

/** Interval of the probes of an unavailable graph. */
const PROBE_EVERY_MS = 5000;

/**
 * Returns a probe that calls an unavailable graph every five seconds until it is healthy. An unready server gets no calls, so that it would
 * never notice the recovery otherwise.
 */
export function createGraphRecoveryProbe(probe: () => unknown, isHealthy: () => boolean) {
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
