// Figures of a graph of one size, and their table.

export interface ImportFigures {
  records: number;
  identities: number;
  seconds: number;
  /** CPU seconds of all threads of the import. */
  cpuSeconds: number;
  /** Maximum resident memory, in MB. */
  memoryMb: number;
  /** Bytes of each file, and of their WAL files. */
  files: Record<'graph' | 'records' | 'link' | 'logs', number>;
}

interface Quantiles {
  p50: number;
  p99: number;
}

export interface OneFigures {
  records: number;
  /** Number of records that checks saw at once. */
  linked: number;
  cpuMs: Quantiles;
  clockMs: Quantiles;
  bytes: Quantiles;
  /** Means per record, including postponed work. */
  mean: { cpuMs: number; bytes: number };
}

export interface CheckFigures {
  cpuMicros: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface SizeFigures {
  import: ImportFigures;
  accuracy: Record<'precision' | 'recall' | 'f1', Interval>;
  checks: Record<'four' | 'sixteen' | 'hostile', CheckFigures>;
  one: OneFigures;
  /** Times of checks over HTTP without other work, during an import, and during a feed. */
  served: Record<'alone' | 'importing' | 'feeding', Quantiles>;
  /** Times from sending a record until checks see it; records per second that were sent, and that were published. */
  feed: Quantiles & { asked: number; perSecond: number; linked: number; calls: number };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
/** Formats a share and its interval for a table. */
export const interval = ({ value, low, high }: Interval): string =>
  `${value.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`;
const pair = ({ p50, p99 }: Quantiles, digits: number) => `${p50.toFixed(digits)} / ${p99.toFixed(digits)}`;

/** Name, goal and formatted value of a row of the table. */
type Row = [name: string, goal: string, of: (figures: SizeFigures) => string];

const ROWS: Row[] = [
  ['records on identities', '', ({ import: it }) => `${whole(it.records)} on ${whole(it.identities)}`],
  [
    'import with linking, records/s by the clock / by processor time',
    '≥ 15,000 at 1 M',
    ({ import: it }) => `${whole(it.records / it.seconds)} / ${whole(it.records / it.cpuSeconds)}`,
  ],
  ['memory while importing, MB', '≤ 1,000 at 1 M, ≤ 1,200 at 3 M', ({ import: it }) => whole(it.memoryMb)],
  [
    'one record into it: ms of CPU, p50 / p99, and the mean of all that it comes to',
    '≤ 10 at 1 M',
    ({ one }) => `${pair(one.cpuMs, 1)}, ${one.mean.cpuMs.toFixed(1)}`,
  ],
  [
    'the same, kB written',
    '≤ 100 at 1 M',
    ({ one }) =>
      `${pair({ p50: one.bytes.p50 / 1000, p99: one.bytes.p99 / 1000 }, 0)}, ${whole(one.mean.bytes / 1000)}`,
  ],
  ['serving file, bytes an identity', '≤ 450', ({ import: it }) => whole(it.files.graph / it.identities)],
  [
    'records and what linking remembers, bytes a record',
    '',
    ({ import: it }) => `${whole(it.files.records / it.records)} + ${whole(it.files.link / it.records)}`,
  ],
  ['logs after the import, kB', 'small', ({ import: it }) => whole(it.files.logs / 1000)],
  ['check of 4 values in process, µs of CPU', '≤ 80 at 1 M', ({ checks }) => whole(checks.four.cpuMicros)],
  [
    'check of 16 values in process, µs of CPU',
    '≤ 200 at 1 M',
    ({ checks }) => whole(checks.sixteen.cpuMicros),
  ],
  [
    'check of 4 values in process, ms, p50 / p99',
    '≤ 1 / ≤ 5 at 10 M',
    ({ checks }) => pair({ p50: checks.four.p50Ms, p99: checks.four.p99Ms }, 2),
  ],
  [
    'hostile check (15 values that many share), µs of CPU',
    '≤ 600',
    ({ checks }) => whole(checks.hostile.cpuMicros),
  ],
  ['checks over HTTP with nothing beside, ms, p50 / p99', '', ({ served }) => pair(served.alone, 1)],
  ['checks over HTTP during an import, ms, p50 / p99', 'p99 ≤ 10', ({ served }) => pair(served.importing, 1)],
  ['checks over HTTP during a feed, ms, p50 / p99', '', ({ served }) => pair(served.feeding, 1)],
  [
    'a record fed over HTTP until checks see it, ms, p50 / p99',
    'p99 ≤ 100 at 500/s into 1 M',
    ({ feed }) => `${pair(feed, 0)} at ${whole(feed.perSecond)} of ${whole(feed.asked)} a second`,
  ],
  [
    'precision (95 %)',
    'not below that of a smaller one by more than .005',
    ({ accuracy }) => interval(accuracy.precision),
  ],
  ['recall (95 %)', '', ({ accuracy }) => interval(accuracy.recall)],
  ['F1 (95 %)', 'as precision', ({ accuracy }) => interval(accuracy.f1)],
];

/** Returns a Markdown table with a column for each size. */
export function table(all: SizeFigures[]): string {
  const lines = ROWS.map(([name, goal, of]) => `| ${[name, ...all.map(of), goal].join(' | ')} |`);
  const head = ['figure', ...all.map(({ import: it }) => `${whole(it.records)} records`), 'goal'];
  return `| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}\n${lines.join('\n')}\n`;
}
