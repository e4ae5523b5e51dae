/** What flickers is told no oftener. */
const MIN_REPORT_INTERVAL_MS = 5000;

/**
 * Tells a state whenever it is another one than was told last: at once, and where it changes soon again, as it is a while later.
 *
 * @param state what it is before anything is told
 */
export function createChangeReporter(state: boolean, tell: (state: boolean) => void) {
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

/** How often what is away is asked. */
const PROBE_EVERY_MS = 5000;

/** Where nobody asks any more, since this server is not ready, nobody would see that the graph is there again: so it is asked from here. */
export function createRecoveryProbe(probe: () => unknown, isHealthy: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async () => {
    timer = undefined;
    try {
      await probe();
    } catch {
      // What it failed with is known to whoever says that it is healthy.
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
