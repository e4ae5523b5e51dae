// Labels and number formats of a report.
import type { MetricName } from '../figures.ts';
import type { ConfidenceInterval } from '../sample.ts';

export const METRIC_LABELS: Record<MetricName, string> = {
  auc: 'Genuine above not genuine (AUC)',
  genuine_from_65: 'Genuine at 65 and above',
  genuine_from_85: 'Genuine at 85 and above',
  genuine_below_40: 'Genuine below 40',
  genuine_at_threshold: 'Genuine passing where 1 % of the others do',
  not_genuine_from_65: 'Not genuine at 65 and above',
  not_genuine_from_85: 'Not genuine at 85 and above',
  calibration_error: 'Calibration error (ECE)',
  brier: 'Brier score',
  flagged_not_genuine: 'Not genuine, flagged as possible catfish',
  flagged_genuine: 'Genuine, flagged as possible catfish',
};

const PLAIN = new Set<MetricName>(['auc', 'calibration_error', 'brier']);

const NOTHING = '–';

/** Returns the number of decimals of a percentage. Small shares have one more. */
const digitsOf = (value: number) => (value !== 0 && Math.abs(value) < 0.01 ? 2 : 1);

export const formatPercent = (value: number | null): string =>
  value === null ? NOTHING : `${(value * 100).toFixed(digitsOf(value))} %`;

const decimal = (value: number | null): string => (value === null ? NOTHING : value.toFixed(3));

export const formatMetric = (figure: MetricName, value: number | null): string =>
  PLAIN.has(figure) ? decimal(value) : formatPercent(value);

/** Formats the bounds of an interval, such as `91.2–95.0 %`. */
export function formatMetricRange(figure: MetricName, { low, high }: ConfidenceInterval): string {
  if (low === null || high === null) return NOTHING;
  return PLAIN.has(figure) ? `${decimal(low)} to ${decimal(high)}` : formatPercentRange({ low, high });
}

export function formatPercentRange({ low, high }: Pick<ConfidenceInterval, 'low' | 'high'>): string {
  if (low === null || high === null) return '';
  return `${(low * 100).toFixed(digitsOf(low))} to ${formatPercent(high)}`;
}

/** Formats the change of a metric with its sign. The change of a share is in percentage points. */
export function formatMetricChangeAndRange(
  figure: MetricName,
  change: ConfidenceInterval,
): { value: string; range: string } {
  const sign = change.value !== null && change.value > 0 ? '+' : '';
  const toReadable = (text: string) => text.replaceAll('-', '−').replace('%', 'points');
  return {
    value: toReadable(sign + formatMetric(figure, change.value)),
    range: toReadable(formatMetricRange(figure, change)),
  };
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const formatRecordAndIdentityCounts = ({
  records,
  identities,
}: {
  records: number;
  identities: number;
}): string => `${formatCount(records, 'record')} of ${formatCount(identities, 'identity', 'identities')}`;
