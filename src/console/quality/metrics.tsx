import type { EvaluationComparison } from '../app/types.ts';
import { Note } from '../components/feedback.tsx';
import { formatNumber, formatPercent, formatSigned, formatCount } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import { type TableColumn, Table } from '../components/table.tsx';
import {
  countAcceptedAndRejectedCases,
  type EvaluationRunWithResult,
  type MetricValueWithInterval,
  type MetricFormatFlags,
  type MetricName,
  EVALUATION_METRICS,
} from './runs.ts';

const formatMetric = (value: number | null, { isPlain = false }: MetricFormatFlags): string =>
  value === null
    ? '–'
    : isPlain
      ? value.toFixed(3)
      : formatPercent(value, value !== 0 && Math.abs(value) < 0.01 ? 2 : 1);

const formatRange = ({ low, high }: MetricValueWithInterval, kind: MetricFormatFlags): string =>
  low === null || high === null ? '' : `${formatMetric(low, kind)} to ${formatMetric(high, kind)}`;

interface RunsProps {
  runs: EvaluationRunWithResult[];
}

function runColumns<T>(
  runs: EvaluationRunWithResult[],
  nameOf: (row: T) => string,
  cell: (row: T, run: EvaluationRunWithResult) => ReturnType<TableColumn<T>['cell']>,
): TableColumn<T>[] {
  return [
    { head: <span class="visually-hidden">Metric</span>, isRowHead: true, cell: nameOf },
    ...runs.map((run, i): TableColumn<T> => ({
      head: (
        <>
          {runs.length > 1 ? `${i + 1}: ` : ''}
          <bdi>{run.name}</bdi>
        </>
      ),
      end: true,
      cell: (row) => cell(row, run),
    })),
  ];
}

type Metric = [MetricName, string, MetricFormatFlags];

export function MetricsCard({ runs }: RunsProps) {
  const comparison = runs.length > 1 ? (runs.at(-1)?.comparison ?? null) : null;
  const columns = runColumns<Metric>(
    runs,
    ([, label]) => label,
    ([name, , kind], { evaluation: { figures } }) => (
      <>
        {formatMetric(figures[name].value, kind)}
        <small>{formatRange(figures[name], kind)}</small>
      </>
    ),
  );
  if (comparison)
    columns.push({
      head: 'Difference',
      end: true,
      cell: ([name, , kind]) => <Difference interval={comparison.figures[name].difference} kind={kind} />,
    });
  return (
    <Card title="Metrics" about="Small below each value: its 95 % confidence interval." flush>
      <Table label="Metrics" rows={EVALUATION_METRICS} columns={columns} />
      {comparison ? <ComparisonText comparison={comparison} /> : null}
    </Card>
  );
}

/** Difference of a metric between two runs, coloured if it is significant (its interval excludes zero). */
function Difference({ interval, kind }: { interval: MetricValueWithInterval; kind: MetricFormatFlags }) {
  const { value, low, high } = interval;
  if (value === null) return <>–</>;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  const text = `${sign}${formatMetric(Math.abs(value), kind).replace('%', 'points')}`;
  if (low === null || high === null || (low <= 0 && high >= 0)) return <span class="soft">{text}</span>;
  return <Badge tone={value > 0 === (kind.isLowBetter ?? false) ? 'bad' : 'good'}>{text}</Badge>;
}

const ComparisonText = ({
  comparison: { shared, unshared, moved },
}: {
  comparison: EvaluationComparison;
}) => (
  <p class="small soft below-table">
    Differences are of the {formatCount(shared, 'case')} in both runs, matched by <code>case_id</code> or
    line. {formatCount(moved, 'score')} changed
    {unshared > 0 ? `, ${formatCount(unshared, 'case')} in one run only` : ''}. Coloured differences are
    significant.
  </p>
);

const formatShare = (part: number, rest: number) =>
  part + rest === 0 ? '–' : `${formatNumber(part)} (${formatPercent(part / (part + rest))})`;

type Counts = ReturnType<typeof countAcceptedAndRejectedCases>;

const OUTCOMES: [label: string, text: (counts: Counts) => string][] = [
  ['Genuine accepted', (counts) => formatShare(counts.genuineAccepted, counts.genuineRejected)],
  ['Genuine rejected', (counts) => formatShare(counts.genuineRejected, counts.genuineAccepted)],
  ['Not genuine rejected', (counts) => formatShare(counts.othersRejected, counts.othersAccepted)],
  ['Not genuine accepted', (counts) => formatShare(counts.othersAccepted, counts.othersRejected)],
];

export const AcceptedAndRejectedCasesTable = ({ runs, threshold }: RunsProps & { threshold: number }) => (
  <Table
    label="Accepted and rejected cases"
    rows={OUTCOMES}
    columns={runColumns<(typeof OUTCOMES)[number]>(
      runs,
      ([label]) => label,
      ([, text], { evaluation }) => text(countAcceptedAndRejectedCases(evaluation.scores, threshold)),
    )}
  />
);

/** Summary of a run: number of cases, unused columns, and rejected cases. */
export function EvaluationRunSummary({
  run: { name, columns, evaluation },
}: {
  run: EvaluationRunWithResult;
}) {
  const { genuine, not_genuine: others, apart, refused } = evaluation.cases;
  const unused = columns.filter(({ field }) => field === null).map(({ header }) => header);
  return (
    <>
      <p class="soft">
        <bdi>{name}</bdi>: {formatCount(genuine, 'genuine case')}, {formatNumber(others)} not genuine
        {apart > 0 ? `, ${formatNumber(apart)} that no check can decide` : ''}.
        {unused.length === 0 ? null : (
          <>
            {' '}
            Columns not used: <bdi>{unused.join(', ')}</bdi>.
          </>
        )}
      </p>
      {refused === 0 ? null : (
        <Note tone="care">
          {formatCount(refused, 'case')} rejected, because the API would reject the request:
          <ul class="bullets">
            {evaluation.refused.map(({ rule, lines }) => (
              <li key={rule}>
                {rule} {formatCount(lines.length, 'case')}, the first in line {lines[0]}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}

const MISSES = [
  ['genuine', 'Genuine with a low score'],
  ['not_genuine', 'Not genuine with a high score'],
] as const;

/** Cases whose score differs most from their label, by their id in the file. */
export const WorstCasesCard = ({ run: { name, evaluation } }: { run: EvaluationRunWithResult }) =>
  evaluation.misses.length === 0 ? null : (
    <Card
      title="Largest errors"
      about={
        <>
          Cases of <bdi>{name}</bdi>. Submitted values are not stored: find a case in your file by its ID.
        </>
      }
    >
      <div class="pair">
        {MISSES.map(([role, title]) => {
          const misses = evaluation.misses.filter((miss) => miss.role === role);
          return (
            <div key={role} class="stack tight">
              <h3>{title}</h3>
              {misses.length === 0 ? <p class="small soft">None.</p> : null}
              {misses.map((miss) => (
                <MissDetails key={miss.id} miss={miss} />
              ))}
            </div>
          );
        })}
      </div>
    </Card>
  );

type Miss = EvaluationRunWithResult['evaluation']['misses'][number];

const MissDetails = ({ miss: { id, role, kind, subkind, score, steps, bounds } }: { miss: Miss }) => (
  <details class="miss">
    <summary>
      <b class="number">{score}</b> <bdi>{id}</bdi>{' '}
      <span class="faint small">{[kind === role ? '' : kind, subkind].filter(Boolean).join(', ')}</span>
    </summary>
    <ul class="small">
      {steps.map(({ bits, text }, i) => (
        <li key={i}>
          <span class="number">{formatSigned(bits)}</span> {text}
        </li>
      ))}
    </ul>
    <p class="small soft">{bounds}</p>
  </details>
);
