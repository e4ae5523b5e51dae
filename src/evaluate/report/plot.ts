// Squares to draw in: axes, grid, lines. Coordinates of what is drawn are 0-1, from the lower left.

export const BOX = { left: 52, top: 14, width: 318, height: 236 } as const;
const VIEW = { width: 380, height: 292 } as const;

const fixed = (value: number): string => String(Number(value.toFixed(2)));
export const px = (x: number): string => fixed(BOX.left + x * BOX.width);
export const py = (y: number): string => fixed(BOX.top + (1 - y) * BOX.height);

interface Axis {
  label: string;
  ticks: { at: number; text: string }[];
}

/** A figure with its caption. `title` says what is seen to who cannot see it. */
export function plot(content: string, axes: { x: Axis; y: Axis; title: string }): string {
  const { x, y, title } = axes;
  const bottom = BOX.top + BOX.height;
  const across = y.ticks.map(
    ({ at, text }) =>
      `<line class="grid" x1="${BOX.left}" x2="${BOX.left + BOX.width}" y1="${py(at)}" y2="${py(at)}"/>` +
      `<text class="tick" x="${BOX.left - 6}" y="${fixed(Number(py(at)) + 3.5)}" text-anchor="end">${text}</text>`,
  );
  const upwards = x.ticks.map(
    ({ at, text }) =>
      `<line class="tickmark" x1="${px(at)}" x2="${px(at)}" y1="${bottom}" y2="${bottom + 4}"/>` +
      `<text class="tick" x="${px(at)}" y="${bottom + 16}" text-anchor="middle">${text}</text>`,
  );
  const middle = BOX.top + BOX.height / 2;
  return `<svg class="plot" viewBox="0 0 ${VIEW.width} ${VIEW.height}" role="img" aria-label="${title}">
${across.join('')}${upwards.join('')}
<line class="axis" x1="${BOX.left}" x2="${BOX.left + BOX.width}" y1="${bottom}" y2="${bottom}"/>
<text class="label" x="${BOX.left + BOX.width / 2}" y="${VIEW.height - 6}" text-anchor="middle">${x.label}</text>
<text class="label" transform="translate(9 ${middle}) rotate(-90)" text-anchor="middle">${y.label}</text>
${content}
</svg>`;
}

type XY = { x: number; y: number };

/** A line through points. */
export const line = (points: XY[], style: string): string =>
  points.length === 0 ? '' : `<path class="${style}" d="M${trace(points)}"/>`;

/** The area between two lines over the same places. */
export function area(points: { x: number; low: number; high: number }[], style: string): string {
  if (points.length === 0) return '';
  const over = points.map(({ x, high }) => ({ x, y: high }));
  const under = points.map(({ x, low }) => ({ x, y: low })).reverse();
  return `<path class="${style}" d="M${trace([...over, ...under])}Z"/>`;
}

const trace = (points: XY[]) => points.map(({ x, y }) => `${px(x)} ${py(y)}`).join('L');

/** A dot with a word beside it, or below it. */
export function mark({ x, y }: XY, text: string, below = false): string {
  const [dx, dy, anchor] = below ? [0, 16, 'middle'] : [7, 4, 'start'];
  return (
    `<circle class="mark" cx="${px(x)}" cy="${py(y)}" r="3.2"/>` +
    `<text class="note" x="${fixed(Number(px(x)) + dx)}" y="${fixed(Number(py(y)) + dy)}" text-anchor="${anchor}">${text}</text>`
  );
}

/** Ticks at so many percent. */
export const percents = (...values: number[]): Axis['ticks'] =>
  values.map((value) => ({ at: value / 100, text: `${value} %` }));

export const points = (...values: number[]): Axis['ticks'] =>
  values.map((value) => ({ at: value / 100, text: String(value) }));
