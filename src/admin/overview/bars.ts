import { BOX, plot, px, py } from '../../evaluate/report/plot.ts';

export interface Bar {
  label: string;
  count: number;
}

/** Bars whose heights go by the square root, each with its count. */
export function bars(all: Bar[], { title, x, y }: { title: string; x: string; y: string }): string {
  const most = Math.max(1, ...all.map(({ count }) => count));
  const width = BOX.width / Math.max(1, all.length);
  const drawn = all.map(({ count }, i) => {
    const height = Math.sqrt(count / most) * 0.94;
    const [left, middle] = [BOX.left + i * width, px((i + 0.5) / all.length)];
    const bar =
      count === 0
        ? ''
        : `<rect class="genuine" x="${(left + width * 0.12).toFixed(2)}" y="${py(height)}" width="${(width * 0.76).toFixed(2)}" height="${Math.max(0.8, Number(py(0)) - Number(py(height))).toFixed(2)}"/>`;
    return `${bar}<text class="word" x="${middle}" y="${(Number(py(height)) - 4).toFixed(2)}" text-anchor="middle">${shortOf(count)}</text>`;
  });
  return plot(drawn.join(''), {
    title,
    x: { label: x, ticks: all.map(({ label }, i) => ({ at: (i + 0.5) / all.length, text: label })) },
    y: { label: y, ticks: [] },
  });
}

/** 12,345 as 12.3k: there is little room above a bar. */
export function shortOf(count: number): string {
  if (count >= 10_000_000) return `${Math.round(count / 1e6)}M`;
  if (count >= 1_000_000) return `${(count / 1e6).toFixed(1)}M`;
  if (count >= 100_000) return `${Math.round(count / 1000)}k`;
  return count >= 10_000 ? `${(count / 1000).toFixed(1)}k` : String(count);
}
