// Metrics in the Prometheus text format, version 0.0.4.

export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: MetricSample[];
}
/** Number or histogram with its labels. Label values never come from a request. */
export interface MetricSample {
  labels?: Record<string, string>;
  value: number | HistogramMetric;
}
export interface HistogramMetric {
  /** Upper bounds of the buckets in seconds, ascending. `counts` are the numbers of values per bucket (not cumulative). */
  bounds: readonly number[];
  counts: ArrayLike<number>;
  /** Number of values above the bound of the last bucket. */
  beyond: number;
  sum: number;
}

export const createGauge = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples,
});

export const createCounter = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
});

export function formatMetricFamilies(families: MetricFamily[]): string {
  return families
    .map(({ name, help, type, samples }) => {
      const lines = samples.flatMap((sample) => linesOf(name, sample));
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
    })
    .join('');
}

function linesOf(name: string, { labels = {}, value }: MetricSample): string[] {
  if (typeof value === 'number') return [`${name}${labelText(labels)} ${value}`];
  const { bounds, counts, beyond, sum } = value;
  let total = 0;
  const buckets = bounds.map((le, i) => {
    total += counts[i] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: String(le) })} ${total}`;
  });
  const all = total + beyond;
  return [
    ...buckets,
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${all}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${all}`,
  ];
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
