// Square plots: axes, grid and lines. Coordinates are 0 to 1 from the lower left corner.

export const PLOT_AREA = { left: 52, top: 14, width: 318, height: 236 } as const;
const VIEW = { width: 380, height: 292 } as const;

const fixed = (value: number): string => String(Number(value.toFixed(2)));
export const toPlotPixelX = (x: number): string => fixed(PLOT_AREA.left + x * PLOT_AREA.width);
export const toPlotPixelY = (y: number): string => fixed(PLOT_AREA.top + (1 - y) * PLOT_AREA.height);

interface Axis {
  label: string;
  ticks: { at: number; text: string }[];
}

/** Draws a plot as an SVG image. @param axes scales, and `title` as the description for screen readers */
export function drawPlot(content: string, axes: { x: Axis; y: Axis; title: string }): string {
  const { x, y, title } = axes;
  const bottom = PLOT_AREA.top + PLOT_AREA.height;
  const across = y.ticks.map(
    ({ at, text }) =>
      `<line class="grid" x1="${PLOT_AREA.left}" x2="${PLOT_AREA.left + PLOT_AREA.width}" y1="${toPlotPixelY(at)}" y2="${toPlotPixelY(at)}"/>` +
      `<text class="tick" x="${PLOT_AREA.left - 6}" y="${fixed(Number(toPlotPixelY(at)) + 3.5)}" text-anchor="end">${text}</text>`,
  );
  const upwards = x.ticks.map(
    ({ at, text }) =>
      `<line class="tickmark" x1="${toPlotPixelX(at)}" x2="${toPlotPixelX(at)}" y1="${bottom}" y2="${bottom + 4}"/>` +
      `<text class="tick" x="${toPlotPixelX(at)}" y="${bottom + 16}" text-anchor="middle">${text}</text>`,
  );
  const middle = PLOT_AREA.top + PLOT_AREA.height / 2;
  return `<svg class="plot" viewBox="0 0 ${VIEW.width} ${VIEW.height}" role="img" aria-label="${title}">
${across.join('')}${upwards.join('')}
<line class="axis" x1="${PLOT_AREA.left}" x2="${PLOT_AREA.left + PLOT_AREA.width}" y1="${bottom}" y2="${bottom}"/>
<text class="label" x="${PLOT_AREA.left + PLOT_AREA.width / 2}" y="${VIEW.height - 6}" text-anchor="middle">${x.label}</text>
<text class="label" transform="translate(9 ${middle}) rotate(-90)" text-anchor="middle">${y.label}</text>
${content}
</svg>`;
}

type XY = { x: number; y: number };

export const drawPlotLine = (points: XY[], style: string): string =>
  points.length === 0 ? '' : `<path class="${style}" d="M${trace(points)}"/>`;

export function drawBandBetweenCurves(
  points: { x: number; low: number; high: number }[],
  style: string,
): string {
  if (points.length === 0) return '';
  const over = points.map(({ x, high }) => ({ x, y: high }));
  const under = points.map(({ x, low }) => ({ x, y: low })).reverse();
  return `<path class="${style}" d="M${trace([...over, ...under])}Z"/>`;
}

const trace = (points: XY[]) => points.map(({ x, y }) => `${toPlotPixelX(x)} ${toPlotPixelY(y)}`).join('L');

export function drawPlotMark({ x, y }: XY, text: string, below = false): string {
  const [dx, dy, anchor] = below ? [0, 16, 'middle'] : [7, 4, 'start'];
  return (
    `<circle class="mark" cx="${toPlotPixelX(x)}" cy="${toPlotPixelY(y)}" r="3.2"/>` +
    `<text class="note" x="${fixed(Number(toPlotPixelX(x)) + dx)}" y="${fixed(Number(toPlotPixelY(y)) + dy)}" text-anchor="${anchor}">${text}</text>`
  );
}

export const createPercentTicks = (...values: number[]): Axis['ticks'] =>
  values.map((value) => ({ at: value / 100, text: `${value} %` }));

export const createScoreTicks = (...values: number[]): Axis['ticks'] =>
  values.map((value) => ({ at: value / 100, text: String(value) }));
