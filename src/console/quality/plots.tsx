// Plots of a run: distribution of scores, calibration, and ROC curve.
import type { ComponentChildren } from 'preact';
import { formatCount } from '../components/format.ts';
import {
  type EvaluationRunWithResult,
  listCaseSharesPerFivePoints,
  getCaseShareReachingThreshold,
} from './runs.ts';

interface ThresholdPlotProps {
  run: EvaluationRunWithResult;
  threshold: number;
}

/** Bar chart of the shares of genuine and other cases by score. Bar heights are square roots, so that small shares stay visible. */
export function ScoreDistribution({ run: { evaluation }, threshold }: ThresholdPlotProps) {
  const groups = listCaseSharesPerFivePoints(evaluation.scores);
  const most = Math.max(...groups.flatMap(({ genuine, others }) => [genuine, others]), 0.01);
  const height = (share: number) => ({ height: `${Math.sqrt(share / most) * 100}%` });
  const { genuine, not_genuine: others } = evaluation.cases;
  return (
    <div
      class="bars"
      role="img"
      aria-label={`Distribution of the scores of ${formatCount(genuine + others, 'case')} in steps of five points`}
    >
      {groups.map(({ from, ...shares }) => (
        <div key={from} class={from + 5 <= threshold ? 'below' : ''}>
          <span>
            <i class="good" style={height(shares.genuine)} />
            <i style={height(shares.others)} />
          </span>
          <small class="number">{from % 20 === 0 ? from : ''}</small>
        </div>
      ))}
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 240;
const LEFT = 40;
const BOTTOM = 34;
const toX = (share: number) => LEFT + share * (WIDTH - LEFT - 20);
const toY = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 10);

/** Point of a curve, with the ends of its confidence interval. All numbers are from 0 to 1. */
type CurvePoint = EvaluationRunWithResult['evaluation']['curves']['roc'][number];

type Tick = [position: number, text: string];

interface ChartProps {
  label: string;
  xLabel: string;
  xTicks: Tick[];
  yTicks: Tick[];
  points: CurvePoint[];
  children: ComponentChildren;
}

function Chart({ label, xLabel, xTicks, yTicks, points, children }: ChartProps) {
  const toPath = (line: { x: number; y: number }[]) =>
    line.map(({ x, y }) => `${toX(x)},${toY(y)}`).join(' ');
  const upper = points.map(({ x, high }) => ({ x, y: high }));
  const lower = points.toReversed().map(({ x, low }) => ({ x, y: low }));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {yTicks.map(([position, text]) => (
        <g key={text}>
          <line class="grid" x1={toX(0)} x2={toX(1)} y1={toY(position)} y2={toY(position)} />
          <text x={LEFT - 6} y={toY(position) + 4} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {xTicks.map(([position, text]) => (
        <text key={text} x={toX(position)} y={HEIGHT - BOTTOM + 15} text-anchor="middle">
          {text}
        </text>
      ))}
      <text x={toX(0.5)} y={HEIGHT - 3} text-anchor="middle">
        {xLabel}
      </text>
      <polygon class="band" points={toPath([...upper, ...lower])} />
      <polyline class="curve" points={toPath(points)} />
      {children}
    </svg>
  );
}

/** Calibration plot: share of genuine cases at each score. The dashed line is perfect calibration. */
export function CalibrationPlot({ run }: { run: EvaluationRunWithResult }) {
  const points = run.evaluation.reliability.curve.flatMap(({ score, value, low, high }) =>
    value === null ? [] : [{ x: score / 100, y: value, low: low ?? value, high: high ?? value }],
  );
  return (
    <Chart
      label="Calibration: share of genuine cases at each score"
      xLabel="score"
      xTicks={[0, 20, 40, 60, 80, 100].map((score): Tick => [score / 100, String(score)])}
      yTicks={[0, 25, 50, 75, 100].map((share): Tick => [share / 100, `${share} %`])}
      points={points}
    >
      <line class="chance" x1={toX(0)} y1={toY(0)} x2={toX(1)} y2={toY(1)} />
      {points.map(({ x, y }) => (
        <circle key={x} cx={toX(x)} cy={toY(y)} r="2" />
      ))}
    </Chart>
  );
}

/** Scales a coordinate of the ROC curve by its square root, which enlarges the corner where good curves are. */
const scaleX = (share: number) => Math.sqrt(share);
const scaleY = (share: number) => 1 - Math.sqrt(Math.max(0, 1 - share));
const toTicks = (percents: number[], scale: (share: number) => number) =>
  percents.map((percent): Tick => [scale(percent / 100), `${percent} %`]);

export function RocPlot({ run: { evaluation }, threshold }: ThresholdPlotProps) {
  const points = evaluation.curves.roc.map(({ x, y, low, high }) => ({
    x: scaleX(x),
    y: scaleY(y),
    low: scaleY(low),
    high: scaleY(high),
  }));
  const { genuine, not_genuine: others } = evaluation.scores;
  return (
    <Chart
      label="ROC curve: accepted genuine cases against accepted cases that are not genuine"
      xLabel="not genuine accepted"
      xTicks={toTicks([0, 1, 5, 25, 50, 100], scaleX)}
      yTicks={toTicks([0, 50, 75, 90, 99, 100], scaleY)}
      points={points}
    >
      <circle
        class="threshold"
        cx={toX(scaleX(getCaseShareReachingThreshold(others, threshold)))}
        cy={toY(scaleY(getCaseShareReachingThreshold(genuine, threshold)))}
        r="5"
      />
    </Chart>
  );
}
