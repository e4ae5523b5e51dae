import type { CurvePoint } from '../curves.ts';
import type { Evaluation } from '../evaluation.ts';
import {
  drawBandBetweenCurves,
  PLOT_AREA,
  drawPlotLine,
  drawPlotMark,
  createPercentTicks,
  drawPlot,
  createScoreTicks,
  toPlotPixelX,
  toPlotPixelY,
} from './plot.ts';
import { formatBits, type EvidenceStep, computeEvidenceSumsAndRange } from '../steps.ts';
import { escapeHtml } from './words.ts';

const FULL = createPercentTicks(0, 25, 50, 75, 100);

/** Converts a share (0 to 1) to a position by the square root, which enlarges the range near 0, where the ROC curves of good scores rise. */
const fromZero = (share: number) => Math.sqrt(share);
const toOne = (share: number) => 1 - Math.sqrt(Math.max(0, 1 - share));
/** Converts precision (0.5-1) to a position. With equally common classes, precision is at least one half. */
const fromHalf = (share: number) => toOne(share * 2 - 1);

type Stretch = (share: number) => number;
const ticks = (values: number[], stretch: Stretch) =>
  values.map((value) => ({ at: stretch(value / 100), text: `${value} %` }));
const stretched = (points: CurvePoint[], [x, y]: [x: Stretch, y: Stretch]): CurvePoint[] =>
  points.map((one) => ({ x: x(one.x), y: y(one.y), low: y(one.low), high: y(one.high) }));

export function drawRocChart({ curves: { roc, marks } }: Evaluation): string {
  const curve = stretched(roc, [fromZero, toOne]);
  const chance = roc.map(({ x }) => ({ x: fromZero(x), y: toOne(x) }));
  const dots = marks.map(({ score, genuine, not_genuine }) =>
    drawPlotMark({ x: fromZero(not_genuine), y: toOne(genuine) }, String(score)),
  );
  const content = [
    drawPlotLine(chance, 'chance'),
    drawBandBetweenCurves(curve, 'band'),
    drawPlotLine(curve, 'curve'),
    ...dots,
  ].join('');
  return drawPlot(content, {
    title: 'ROC curve: the genuine that pass, against the others that pass with them',
    x: { label: 'not genuine that pass', ticks: ticks([0, 1, 5, 10, 25, 50, 100], fromZero) },
    y: { label: 'genuine that pass', ticks: ticks([0, 50, 75, 90, 95, 99, 100], toOne) },
  });
}

export function drawPrecisionChart({ curves: { precision, marks } }: Evaluation): string {
  const curve = stretched(precision, [toOne, fromHalf]);
  const dots = marks.map(({ score, genuine, precision }) =>
    drawPlotMark({ x: toOne(genuine), y: fromHalf(precision) }, String(score), true),
  );
  return drawPlot([drawBandBetweenCurves(curve, 'band'), drawPlotLine(curve, 'curve'), ...dots].join(''), {
    title: 'Precision and recall: the share of the genuine among those who pass',
    x: { label: 'genuine that pass', ticks: ticks([0, 50, 75, 90, 97, 100], toOne) },
    y: { label: 'genuine among who pass', ticks: ticks([50, 75, 90, 95, 99, 100], fromHalf) },
  });
}

export function drawReliabilityChart({ reliability: { curve }, scores }: Evaluation): string {
  const drawn = curve.map(({ score, value, low, high }) => {
    const y = value ?? 0;
    return { x: score / 100, y, low: low ?? y, high: high ?? y };
  });
  const content = [
    spikes(scores.genuine, scores.not_genuine),
    drawPlotLine(
      [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
      'chance',
    ),
    drawBandBetweenCurves(drawn, 'band'),
    drawPlotLine(drawn, 'curve'),
    ...drawn.map(
      ({ x, y }) => `<circle class="dot" cx="${toPlotPixelX(x)}" cy="${toPlotPixelY(y)}" r="1.8"/>`,
    ),
  ];
  return drawPlot(content.join(''), {
    title: 'Reliability diagram: the share of the genuine at each score',
    x: { label: 'score', ticks: createScoreTicks(0, 20, 40, 60, 80, 100) },
    y: { label: 'genuine at this score', ticks: FULL },
  });
}

/** Draws the number of cases at each position as vertical lines along the bottom of the chart. */
function spikes(genuine: number[], notGenuine: number[]): string {
  const [all, others] = [sum(genuine), sum(notGenuine)];
  const shares = genuine.map((count, at) => count / all + (notGenuine[at] ?? 0) / others);
  const most = Math.max(...shares);
  return shares
    .map((share, at) => {
      if (share === 0) return '';
      const [x, top] = [toPlotPixelX(at / 100), toPlotPixelY(0.16 * Math.sqrt(share / most))];
      return `<line class="spike" x1="${x}" x2="${x}" y1="${toPlotPixelY(0)}" y2="${top}"/>`;
    })
    .join('');
}

const BINS = 20;
const BANDS = [
  { from: 0, to: 40, word: 'HIGH RISK' },
  { from: 40, to: 65, word: 'SUSPICIOUS' },
  { from: 65, to: 85, word: 'LIKELY REAL' },
  { from: 85, to: 100, word: 'VERIFIED' },
];

/** Draws the scores of both classes as bars from a centre line: genuine cases upwards, non-genuine cases downwards. */
export function drawScoreHistogram({ scores }: Evaluation): string {
  const bands = BANDS.map(({ from, to, word }) => {
    const edge =
      from === 0
        ? ''
        : `<line class="edge" x1="${toPlotPixelX(from / 100)}" x2="${toPlotPixelX(from / 100)}" y1="${toPlotPixelY(1)}" y2="${toPlotPixelY(0)}"/>`;
    const middle = (from + to) / 200;
    return `${edge}<text class="word" x="${toPlotPixelX(middle)}" y="${PLOT_AREA.top - 4}" text-anchor="middle">${word}</text>`;
  });
  const content = [...bands, bars(scores.genuine, 1), bars(scores.not_genuine, -1)].join('');
  const sides = [50, 10, 1];
  const heights = [
    ...sides.map((share) => ({ at: heightOf(share / 100, 1), text: `${share} %` })),
    { at: 0.5, text: '0' },
    ...sides.map((share) => ({ at: heightOf(share / 100, -1), text: `${share} %` })),
  ];
  return drawPlot(content, {
    title: 'Histogram of the scores, the genuine upwards, the others downwards',
    x: { label: 'score', ticks: createScoreTicks(0, 20, 40, 60, 80, 100) },
    y: { label: 'share of the class', ticks: heights },
  });
}

/** Converts a share to a height by the square root, so that rare scores stay visible next to common ones. */
const heightOf = (share: number, side: 1 | -1) => 0.5 + (side * Math.sqrt(share)) / 2;

function bars(counts: number[], side: 1 | -1): string {
  const all = sum(counts);
  const style = side === 1 ? 'genuine' : 'others';
  return Array.from({ length: BINS }, (_, bin) => {
    const size = 100 / BINS;
    const last = bin === BINS - 1 ? 1 : 0;
    const share = sum(counts.slice(bin * size, (bin + 1) * size + last)) / all;
    if (share === 0) return '';
    const [edge, middle] = [Number(toPlotPixelY(heightOf(share, side))), Number(toPlotPixelY(0.5))];
    const width = PLOT_AREA.width / BINS;
    const x = (PLOT_AREA.left + bin * width + 0.75).toFixed(2);
    const top = Math.min(edge, middle).toFixed(2);
    const height = Math.max(0.8, Math.abs(edge - middle)).toFixed(2);
    return `<rect class="${style}" x="${x}" y="${top}" width="${(width - 1.5).toFixed(2)}" height="${height}"/>`;
  }).join('');
}

const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);

// Waterfall chart of one score: each piece of evidence is a step from the end of the step before.
const WIDTH = 200;
const HEIGHT = 12;

/** Draws each piece of evidence as a row: its text, its bits, and a bar from the sum before it to the sum after it. */
export function drawEvidenceWaterfallChart(steps: EvidenceStep[]): string {
  const { ends, low, high } = computeEvidenceSumsAndRange(steps);
  const span = Math.max(1, high - low);
  const at = (bits: number) => Number((((bits - low) / span) * (WIDTH - 4) + 2).toFixed(1));
  const rows = steps.map(({ bits, text }, i) => {
    const bar = barOf(at((ends[i] ?? 0) - bits), at(ends[i] ?? 0), at(0));
    return row(escapeHtml(text), formatBits(bits), bar);
  });
  const sum = ends.at(-1) ?? 0;
  return `<ul class="steps">${rows.join('')}${row('<b>sum</b>', `<b>${formatBits(sum)}</b>`, barOf(at(0), at(sum), at(0)))}</ul>`;
}

const row = (text: string, bits: string, bar: string) =>
  `<li><span>${text}</span><span class="bits">${bits}</span>${bar}</li>`;

function barOf(from: number, to: number, zero: number): string {
  const style = to >= from ? 'genuine' : 'others';
  const width = Math.max(1, Math.abs(to - from)).toFixed(1);
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">` +
    `<line class="axis" x1="${zero}" x2="${zero}" y1="0" y2="${HEIGHT}"/>` +
    `<rect class="${style}" x="${Math.min(from, to)}" y="2" width="${width}" height="${HEIGHT - 4}"/></svg>`
  );
}
