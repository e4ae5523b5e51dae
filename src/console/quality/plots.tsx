// The pictures of a run: how scores lie, whether a score is right, and every threshold at once.
import type { ComponentChildren } from 'preact';
import { plural } from '../parts/text.ts';
import { sharesOf } from './runs.ts';
import type { Done, Point } from './runs.ts';

export function Shares({ run: { evaluation }, threshold }: { run: Done; threshold: number }) {
  const shares = sharesOf(evaluation.scores);
  const most = Math.max(...shares.flatMap(({ genuine, other }) => [genuine, other]), 0.01);
  // By the square root, so that rare scores are seen beside common ones.
  const height = (share: number) => ({ height: `${Math.sqrt(share / most) * 100}%` });
  const { genuine, not_genuine: others } = evaluation.cases;
  return (
    <div
      class="bars"
      role="img"
      aria-label={`Scores of ${plural(genuine + others, 'case')} in steps of five points`}
    >
      {shares.map(({ from, genuine, other }) => (
        <div key={from} class={from + 5 <= threshold ? 'below' : ''}>
          <span>
            <i class="good" style={height(genuine)} />
            <i style={height(other)} />
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
const FOOT = 34;
const px = (x: number) => LEFT + x * (WIDTH - LEFT - 20);
const py = (y: number) => HEIGHT - FOOT - y * (HEIGHT - FOOT - 10);
const pathOf = (points: { x: number; y: number }[]) =>
  points.map(({ x, y }) => `${px(x)},${py(y)}`).join(' ');

interface FrameProps {
  label: string;
  x: { name: string; ticks: [number, string][] };
  y: { ticks: [number, string][] };
  children: ComponentChildren;
}

const Frame = ({ label, x, y, children }: FrameProps) => (
  <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
    {y.ticks.map(([at, text]) => (
      <g key={text}>
        <line class="grid" x1={px(0)} x2={px(1)} y1={py(at)} y2={py(at)} />
        <text x={LEFT - 6} y={py(at) + 4} text-anchor="end">
          {text}
        </text>
      </g>
    ))}
    {x.ticks.map(([at, text]) => (
      <text key={text} x={px(at)} y={HEIGHT - FOOT + 15} text-anchor="middle">
        {text}
      </text>
    ))}
    <text x={px(0.5)} y={HEIGHT - 3} text-anchor="middle">
      {x.name}
    </text>
    {children}
  </svg>
);

const Band = ({ points }: { points: Point[] }) => (
  <polygon
    class="band"
    points={pathOf([
      ...points.map(({ x, high }) => ({ x, y: high })),
      ...points.toReversed().map(({ x, low }) => ({ x, y: low })),
    ])}
  />
);

const SHARES: [number, string][] = [0, 25, 50, 75, 100].map((at) => [at / 100, `${at} %`]);

/** On the dashed line a score of 70 is right seven times in ten. */
export function Reliability({ run }: { run: Done }) {
  const points = run.evaluation.reliability.curve.flatMap(({ score, value, low, high }) =>
    value === null ? [] : [{ x: score / 100, y: value, low: low ?? value, high: high ?? value }],
  );
  const ticks = [0, 20, 40, 60, 80, 100].map((at): [number, string] => [at / 100, String(at)]);
  return (
    <Frame
      label="Reliability: the share of the genuine at each score"
      x={{ name: 'score', ticks }}
      y={{ ticks: SHARES }}
    >
      <line class="chance" x1={px(0)} y1={py(0)} x2={px(1)} y2={py(1)} />
      <Band points={points} />
      <polyline class="curve" points={pathOf(points)} />
      {points.map(({ x, y }) => (
        <circle key={x} cx={px(x)} cy={py(y)} r="2" />
      ))}
    </Frame>
  );
}

/** Good scores live in the upper left corner, which is stretched open by the square root. */
const fromZero = (share: number) => Math.sqrt(share);
const toOne = (share: number) => 1 - Math.sqrt(Math.max(0, 1 - share));
const ticksOf = (shares: number[], stretch: (share: number) => number) =>
  shares.map((share): [number, string] => [stretch(share / 100), `${share} %`]);

export function Roc({ run, threshold }: { run: Done; threshold: number }) {
  const { roc } = run.evaluation.curves;
  const points = roc.map((one) => ({
    x: fromZero(one.x),
    y: toOne(one.y),
    low: toOne(one.low),
    high: toOne(one.high),
  }));
  const { genuine, not_genuine: others } = run.evaluation.scores;
  const share = (counts: number[]) =>
    counts.slice(threshold).reduce((sum, one) => sum + one, 0) /
    (counts.reduce((sum, one) => sum + one, 0) || 1);
  return (
    <Frame
      label="ROC curve: the genuine who pass, against the others who pass with them"
      x={{ name: 'others who pass', ticks: ticksOf([0, 1, 5, 25, 50, 100], fromZero) }}
      y={{ ticks: ticksOf([0, 50, 75, 90, 99, 100], toOne) }}
    >
      <Band points={points} />
      <polyline class="curve" points={pathOf(points)} />
      <circle class="here" cx={px(fromZero(share(others)))} cy={py(toOne(share(genuine)))} r="5" />
    </Frame>
  );
}
