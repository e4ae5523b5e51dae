import type { EvaluationComparison, ChangedCase } from '../compare.ts';
import type { Evaluation } from '../evaluation.ts';
import { METRIC_NAMES, METRIC_DEFINITIONS, type MetricName } from '../figures.ts';
import {
  type CaseGroupResults,
  type CaseResultsByAttribute,
  type CaseTypeResults,
  MAX_RESAMPLED_GROUPS,
} from '../groups.ts';
import type { ConfidenceInterval } from '../sample.ts';
import {
  formatMetricChangeAndRange,
  escapeHtml,
  METRIC_LABELS,
  formatMetric,
  formatPercent,
  formatCount,
  formatPercentRange,
  formatMetricRange,
} from './words.ts';

const table = (
  head: string[],
  rows: string[][],
  style = '',
): string => `<div class="scroll"><table class="${style}">
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.map(([first = '', ...cells]) => `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table></div>`;

/** Returns a table cell for a share: value, optional bar, and below them the interval and a note. */
function share(
  one: ConfidenceInterval,
  { bar, more = '' }: { bar?: 'genuine' | 'others'; more?: string } = {},
): string {
  const seen = bar && one.value !== null ? barOf(one.value, bar) : '';
  return `${formatPercent(one.value)}${seen}<small>${[formatPercentRange(one), more].filter(Boolean).join('; ')}</small>`;
}

const barOf = (value: number, style: string) =>
  `<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="4"/><rect class="${style}" width="${(value * 100).toFixed(1)}" height="4"/></svg>`;

export function createThresholdTable({ thresholds, threshold }: Evaluation): string {
  const rows = thresholds.map(({ score, genuine, not_genuine, precision, lost, passed }) => [
    score === threshold ? `${score}<small>1 % of the others</small>` : String(score),
    share(genuine, { bar: 'genuine', more: `${lost} lost` }),
    share(not_genuine, { bar: 'others', more: `${passed} passed` }),
    share(precision),
  ]);
  return table(['from', 'genuine that pass', 'others that pass', 'genuine among who pass'], rows);
}

export function createCaseTypeTable(sorts: CaseTypeResults[]): string {
  const rows = sorts.map((row) => {
    const name =
      row.subkind === null ? escapeHtml(row.kind) : `<span class="sub">${escapeHtml(row.subkind)}</span>`;
    const area =
      row.auc.value === null
        ? '–'
        : `${row.auc.value.toFixed(3)}<small>${formatMetricRange('auc', row.auc)}</small>`;
    const cells = [
      String(row.cases),
      row.mean.toFixed(1),
      ...[row.from_85, row.from_65, row.from_40, row.flagged].map((one) => share(one)),
      area,
    ];
    return [`${name}<small>${ROLES[row.role]}</small>`, ...cells];
  });
  const head = ['sort of case', 'cases', 'mean', '≥ 85', '≥ 65', '≥ 40', 'flagged', 'AUC'];
  return table(head, rows) + noteGroupsWithoutInterval(rows.length);
}

/** Returns a note on the groups of a table that are not resampled; empty if all are. */
const noteGroupsWithoutInterval = (groups: number): string =>
  groups > MAX_RESAMPLED_GROUPS
    ? `<p>Only the ${MAX_RESAMPLED_GROUPS} largest of the ${groups} rows have intervals.</p>`
    : '';

const ROLES = { genuine: 'genuine', not_genuine: 'not genuine', apart: 'apart' } as const;

/** Minimum number of genuine cases in a group that may be named best or worst. */
const ENOUGH = 30;

export function createGroupSection({ by, groups }: CaseResultsByAttribute, threshold: number): string {
  const largeGroups = groups.filter(({ genuine }) => genuine >= ENOUGH);
  const value = ({ genuine_at_threshold: { value } }: CaseGroupResults) => value ?? 0;
  const ranked = largeGroups.toSorted((a, b) => value(b) - value(a));
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const spread =
    best && worst && best !== worst
      ? `<p>From ${formatPercent(value(worst))} (${escapeHtml(worst.group)}) to ${formatPercent(value(best))} (${escapeHtml(best.group)}) of the genuine reach ${threshold}, among groups of at least ${ENOUGH} genuine cases.</p>`
      : '';
  const least = Math.min(...groups.map(({ genuine_at_threshold: { low } }) => low ?? 1));
  const rows = groups.map((row) => [
    `${escapeHtml(row.group)}<small>${row.genuine} + ${row.not_genuine}</small>`,
    `${formatPercent(row.genuine_at_threshold.value)}${forest(row.genuine_at_threshold, least)}<small>${formatPercentRange(row.genuine_at_threshold)}</small>`,
    share(row.genuine_from_65),
    share(row.genuine_below_40),
    share(row.not_genuine_from_65),
    row.auc.value === null
      ? '–'
      : `${row.auc.value.toFixed(3)}<small>${formatMetricRange('auc', row.auc)}</small>`,
  ]);
  const head = [by, `genuine ≥ ${threshold}`, 'genuine ≥ 65', 'genuine &lt; 40', 'others ≥ 65', 'AUC'];
  return `<h3>By ${by}</h3>\n${spread}\n${table(head, rows)}${noteGroupsWithoutInterval(rows.length)}`;
}

/** Draws a value as a dot and its interval as a line, on a scale from the lowest bound of all groups to 100 %. */
function forest({ value, low, high }: ConfidenceInterval, least: number): string {
  if (value === null || low === null || high === null) return '';
  const from = Math.floor(least * 10) / 10;
  const at = (share: number) => (2 + ((share - from) / Math.max(0.1, 1 - from)) * 76).toFixed(1);
  return (
    `<svg class="forest" viewBox="0 0 80 10" aria-hidden="true"><line class="grid" x1="2" x2="78" y1="5" y2="5"/>` +
    `<line class="whisker" x1="${at(low)}" x2="${at(high)}" y1="5" y2="5"/><circle class="genuine" cx="${at(value)}" cy="5" r="3"/></svg>`
  );
}

export function createComparisonTable({ figures }: EvaluationComparison): string {
  const rows = METRIC_NAMES.map((figure) => {
    const { before, after, difference } = figures[figure];
    return [
      METRIC_LABELS[figure],
      formatMetric(figure, before),
      formatMetric(figure, after),
      `<span class="${judged(figure, difference)}">${formatMetricChangeAndRange(figure, difference).value}</span><small>${formatMetricChangeAndRange(figure, difference).range}</small>`,
    ];
  });
  return table(['figure', 'before', 'after', 'difference'], rows);
}

/** Returns the direction of a change. `same` means that its interval contains zero. */
function judged(figure: MetricName, { low, high }: ConfidenceInterval): 'better' | 'worse' | 'same' {
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'same';
  return low > 0 === (METRIC_DEFINITIONS[figure].good === 'high') ? 'better' : 'worse';
}

export function createChangedCasesTable(moved: ChangedCase[], word: string): string {
  if (moved.length === 0) return '';
  const rows = moved.map(({ id, role, before, after }) => [
    escapeHtml(id),
    ROLES[role],
    `${before} → ${after}`,
  ]);
  return `<div><h3>Most for the ${word}</h3>${table(['case', 'is', 'score'], rows)}</div>`;
}

export function createRefusedCasesList(refused: Evaluation['refused']): string {
  if (refused.length === 0) return '';
  const items = refused.map(
    ({ rule, lines }) =>
      `<li>${escapeHtml(rule)}: ${formatCount(lines.length, 'case')}, first in line ${lines[0]}</li>`,
  );
  return `<h3>Requests that the service does not take</h3><ul>${items.join('')}</ul>`;
}
