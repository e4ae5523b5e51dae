// Measures how slow this machine is, so that bounds of time mean the same on every machine.

/**
 * CPU time in milliseconds of the fixed work on a machine of usual speed, at most. It is 40 on a machine that takes five times as long for
 * everything. A larger number makes bounds stricter.
 */
const USUAL_MS = 16;

interface Slowness {
  /** Ratio of CPU time to the usual one, and of elapsed time to the usual one, to which other processes add. At least 1. */
  processor: number;
  elapsed: number;
}

/** Does a fixed piece of work (texts, a map, JSON, fresh memory) and returns how many times longer than usual it took. */
function measureSlowness(): Slowness {
  const [time, processor] = [performance.now(), process.threadCpuUsage()];
  const counts = new Map<string, number>();
  for (let i = 0; i < 80_000; i++) counts.set(`k${i % 500}`, i);
  let length = 0;
  for (let i = 0; i < 120; i++) length += JSON.stringify(JSON.parse(LIST)).length;
  for (let i = 0; i < 32; i++) length += Buffer.alloc(65_536, i).length;
  const { user, system } = process.threadCpuUsage(processor);
  const elapsed = performance.now() - time;
  if (counts.size + length === 0) throw new Error('no work was done');
  return {
    processor: Math.max(1, (user + system) / 1000 / USUAL_MS),
    elapsed: Math.max(1, elapsed / USUAL_MS),
  };
}

const LIST = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ id: i, name: `name ${i}` })));

/** Number of runs before the work is measured, because the first runs mostly compile. */
const WARM_UP_TIMES = 10;

/** Collects measurements. Their median is not raised by a single interruption. */
export class SlownessRecord {
  private readonly measured: Slowness[] = [];

  constructor() {
    for (let i = 0; i < WARM_UP_TIMES; i++) measureSlowness();
  }

  measure(): void {
    this.measured.push(measureSlowness());
  }

  /** Returns the medians of the measurements; 1 without any. */
  median(): Slowness {
    const medianOf = (name: keyof Slowness) => {
      const sorted = this.measured.map((slowness) => slowness[name]).toSorted((a, b) => a - b);
      return sorted[sorted.length >> 1] ?? 1;
    };
    return { processor: medianOf('processor'), elapsed: medianOf('elapsed') };
  }
}
