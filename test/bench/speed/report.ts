// Figures of a run, and their printed form.

export interface Spread {
  min: number;
  median: number;
  max: number;
}

/** Milliseconds that the event loop was held, by elapsed time and by CPU time of the thread. */
export interface Holds {
  holdMs: number;
  busyHoldMs: number;
  busyHoldP99Ms: number;
}

export interface Checks extends Holds {
  /** Number of values in a request, including the name. */
  values: number;
  /** Maximum CPU time of a check as a multiple of a bare server's. */
  goal: number;
  calls: number;
  failed: number;
  perSecond: Spread;
  cpuMicros: Spread;
  bareCpuMicros: Spread;
  /** CPU time of a bare server with the same rate of calls. */
  bareSameRateMicros: Spread;
  ratio: Spread;
  sameRateRatio: Spread;
  /** Mean size of an answer in bytes. */
  bytes: number;
  /** Time of a call under load, and of a single call. */
  loadedMs: { p50: number; p99: number };
  aloneMs: { p50: number; p99: number };
}

export interface Figures {
  import: { records: number; bytes: number; seconds: number; perSecond: number };
  people: number;
  firstSeconds: Holds;
  checks: Checks[];
  ai: { plainMs: number; narrativeAddedMs: number | null; enhancedAddedMs: number | null };
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]!, max: sorted.at(-1)! };
}

const HOLD_GOAL_MS = 10;

/** Formats the figures as lines of text. */
export function card({ import: imported, people, checks, firstSeconds, ai }: Figures): string {
  const lines = [
    `Import    ${whole(imported.records)} records on ${whole(people)} people in ${imported.seconds.toFixed(1)} s, linking included: ${whole(imported.perSecond)} records/s`,
    '',
  ];
  for (const one of checks) lines.push(...checkLines(one), '');
  lines.push(
    `First seconds of load: event loop held ${holds(firstSeconds)}`,
    `AI features add at p50: ai=true ${added(ai.narrativeAddedMs)}, enhanced ${added(ai.enhancedAddedMs)}`,
  );
  return `${lines.join('\n')}\n`;
}

function checkLines(one: Checks): string[] {
  const met = (ok: boolean) => (ok ? 'met' : 'MISSED');
  return [
    `Check of ${one.values} values (answers of ${whole(one.bytes)} bytes, usage committed before each)`,
    `  throughput   ${range(one.perSecond, 0)} a second${one.failed > 0 ? `, ${one.failed} FAILED` : ''}`,
    `  latency      p50 ${one.loadedMs.p50.toFixed(1)} ms, p99 ${one.loadedMs.p99.toFixed(1)} ms under full load; alone ${one.aloneMs.p50.toFixed(2)} and ${one.aloneMs.p99.toFixed(2)} ms`,
    `  CPU a check  ${range(one.cpuMicros, 0)} us; node:http flat out ${range(one.bareCpuMicros, 0)} us, at our rate ${range(one.bareSameRateMicros, 0)} us`,
    `  ratio        ${range(one.ratio, 1)}; goal at most ${one.goal}: ${met(one.ratio.median <= one.goal)}; at the same rate ${range(one.sameRateRatio, 1)}`,
    `  event loop   held ${holds(one)}; goal at most ${HOLD_GOAL_MS} ms: ${met(one.busyHoldMs <= HOLD_GOAL_MS)}`,
  ];
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const range = ({ min, median, max }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
const holds = ({ holdMs, busyHoldMs, busyHoldP99Ms }: Holds) =>
  `at most ${busyHoldMs.toFixed(1)} ms by its own work (p99 ${busyHoldP99Ms.toFixed(1)}), ${holdMs.toFixed(1)} ms by the clock`;
const added = (ms: number | null) => (ms === null ? 'no answer' : `${ms.toFixed(2)} ms`);
