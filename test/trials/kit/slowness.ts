// How slow this machine is at this moment, so that a bound of time means the same on every machine.

/** Processor time in milliseconds that the fixed work takes on the machine on which the bounds of time were chosen. */
const USUAL_MS = 8;

interface Slowness {
  /** Ratio of processor time to the usual one, and of elapsed time to the usual one, which other processes add to. At least 1. */
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

/** Number of times that the work is done before it is measured: until then most of the time is compiling. */
const WARM_UP_TIMES = 10;

/** Keeps the largest slowness of several measurements. */
export class SlownessRecord {
  worst: Slowness = { processor: 1, elapsed: 1 };

  constructor() {
    for (let i = 0; i < WARM_UP_TIMES; i++) measureSlowness();
  }

  measure(): void {
    const { processor, elapsed } = measureSlowness();
    this.worst = {
      processor: Math.max(this.worst.processor, processor),
      elapsed: Math.max(this.worst.elapsed, elapsed),
    };
  }
}
