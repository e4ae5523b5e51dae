// Draws charts for the graph survey as SVG: bar charts, and an UpSet plot of overlapping sets (Lex et al., "UpSet: Visualization of
// Intersecting Sets", IEEE TVCG 2014).
import { escapeHtml } from '../../evaluate/report/words.ts';
import type { GraphSurvey } from './survey.ts';
import { PLOT_AREA, drawPlot, toPlotPixelX, toPlotPixelY } from '../../evaluate/report/plot.ts';

const MAX_SOURCES = 10;
const MAX_COLUMNS = 16;
/** Positions (pixels) in an UpSet plot: names and totals on the left, columns on the right, bars above the dots. */
const AT = { left: 240, top: 18, bars: 150, row: 20, column: 30 } as const;
const TOTALS = 70;

export function drawUpsetPlot(
  sources: GraphSurvey['sources'],
  combinations: GraphSurvey['combinations'],
): string {
  const shown = sources.slice(0, MAX_SOURCES);
  const columns = combinations
    .filter((one) => one.sources.every((at) => at < shown.length))
    .slice(0, MAX_COLUMNS);
  const size = {
    width: AT.left + columns.length * AT.column + 10,
    height: AT.top + AT.bars + 12 + shown.length * AT.row,
  };
  const most = Math.max(1, ...columns.map(({ identities }) => identities));
  const widest = Math.max(1, ...shown.map(({ identities }) => identities));
  const rows = shown.map(({ source, identities }, i) => {
    const y = rowAt(i);
    const width = (Math.sqrt(identities / widest) * TOTALS).toFixed(1);
    const stripe =
      i % 2 === 0
        ? `<rect class="rest" opacity=".35" x="0" y="${y - AT.row / 2}" width="${size.width}" height="${AT.row}"/>`
        : '';
    return (
      `${stripe}<text class="tick" x="${AT.left - TOTALS - 44}" y="${y + 4}" text-anchor="end">${escapeHtml(cut(source))}</text>` +
      `<text class="word" x="${AT.left - TOTALS - 10}" y="${y + 3}" text-anchor="end">${toShortNumber(identities)}</text>` +
      `<rect class="others" x="${AT.left - TOTALS - 6}" y="${y - 5}" width="${width}" height="10"/>`
    );
  });
  const drawn = columns.map((column, i) =>
    columnOf(column, { x: AT.left + (i + 0.5) * AT.column, rows: shown.length, most }),
  );
  return `<svg class="plot" style="max-width:${size.width * 1.4}px" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Upset plot: identities by the sources that they have records of">
${rows.join('')}${drawn.join('')}
</svg>`;
}

const rowAt = (row: number) => AT.top + AT.bars + 12 + (row + 0.5) * AT.row;

function columnOf(
  { sources, identities }: GraphSurvey['combinations'][number],
  { x, rows, most }: { x: number; rows: number; most: number },
) {
  const height = Math.max(1, Math.sqrt(identities / most) * (AT.bars - 10));
  const top = AT.top + AT.bars - height;
  const [first = 0, last = first] = [Math.min(...sources), Math.max(...sources)];
  const dots = Array.from(
    { length: rows },
    (_, row) =>
      `<circle class="${sources.includes(row) ? 'dot' : 'rest'}" cx="${x}" cy="${rowAt(row)}" r="5"/>`,
  );
  const link =
    sources.length > 1 ? `<path class="curve" d="M${x} ${rowAt(first)}L${x} ${rowAt(last)}"/>` : '';
  return (
    `<rect class="genuine" x="${x - 9}" y="${top.toFixed(1)}" width="18" height="${height.toFixed(1)}"/>` +
    `<text class="word" x="${x}" y="${(top - 4).toFixed(1)}" text-anchor="middle">${toShortNumber(identities)}</text>${dots.join('')}${link}`
  );
}

const LONGEST = 18;
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

export interface ChartBar {
  label: string;
  count: number;
}

/** Draws a bar chart as SVG. Bar heights are proportional to the square root of the counts, so that small counts are visible. */
export function drawBarChart(
  all: ChartBar[],
  { title, x, y }: { title: string; x: string; y: string },
): string {
  const most = Math.max(1, ...all.map(({ count }) => count));
  const width = PLOT_AREA.width / Math.max(1, all.length);
  const drawn = all.map(({ count }, i) => {
    const height = Math.sqrt(count / most) * 0.94;
    const [left, middle] = [PLOT_AREA.left + i * width, toPlotPixelX((i + 0.5) / all.length)];
    const bar =
      count === 0
        ? ''
        : `<rect class="genuine" x="${(left + width * 0.12).toFixed(2)}" y="${toPlotPixelY(height)}" width="${(width * 0.76).toFixed(2)}" height="${Math.max(0.8, Number(toPlotPixelY(0)) - Number(toPlotPixelY(height))).toFixed(2)}"/>`;
    return `${bar}<text class="word" x="${middle}" y="${(Number(toPlotPixelY(height)) - 4).toFixed(2)}" text-anchor="middle">${toShortNumber(count)}</text>`;
  });
  return drawPlot(drawn.join(''), {
    title,
    x: { label: x, ticks: all.map(({ label }, i) => ({ at: (i + 0.5) / all.length, text: label })) },
    y: { label: y, ticks: [] },
  });
}

/** Formats a count as a short text (12,345 as `12.3k`) that fits above a bar. */
function toShortNumber(count: number): string {
  if (count >= 10_000_000) return `${Math.round(count / 1e6)}M`;
  if (count >= 1_000_000) return `${(count / 1e6).toFixed(1)}M`;
  if (count >= 100_000) return `${Math.round(count / 1000)}k`;
  return count >= 10_000 ? `${(count / 1000).toFixed(1)}k` : String(count);
}
