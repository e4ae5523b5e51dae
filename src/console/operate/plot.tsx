import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { THEME_CHANGED_EVENT } from '../app/theme.ts';
import { findIsolatedPointIndexes, findLastNumber } from './rates.ts';

interface PlotLine {
  label: string;
  colour: string;
  values: (number | null)[];
  /** True to draw bars in front of the bars of the previous line. For stacked bars, pass cumulative values. */
  isBar?: boolean;
  format?(value: number): string;
}

interface PlotProps {
  label: string;
  times: number[];
  lines: PlotLine[];
  height?: number;
  formatAxis?(value: number): string;
}

const BARS = uPlot.paths.bars?.({ size: [0.8, 48] });

const POINTS: uPlot.Series.Points = {
  size: 5,
  filter: (plot, line) => findIsolatedPointIndexes(Array.from(plot.data[line] ?? [])),
};

const readColour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Plot of lines or bars over time, drawn by uPlot on a canvas. */
export function Plot({ label, times, lines, height = 200, formatAxis = String }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [times, ...lines.map(toSeries)] as uPlot.AlignedData;
  const latest = useRef({ lines, data });
  latest.current = { lines, data };
  const series = lines.map((line) => line.label + line.colour).join();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const draw = () => {
      plot.current?.destroy();
      const now = latest.current;
      const options = { ...toOptions(now.lines, formatAxis), width: element.clientWidth, height };
      plot.current = new uPlot(options, now.data, element);
    };
    draw();
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    addEventListener(THEME_CHANGED_EVENT, draw);
    return () => {
      observer.disconnect();
      removeEventListener(THEME_CHANGED_EVENT, draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [series]);
  useEffect(() => plot.current?.setData(data), [times, lines]);
  return (
    <figure class="plot" role="img" aria-label={label}>
      <div ref={box} style={{ minHeight: `${height}px` }} aria-hidden="true" />
    </figure>
  );
}

/** Converts a line to values for uPlot. Bars of height zero are left out, because they would be drawn as a dash. */
const toSeries = ({ values, isBar }: PlotLine) => (isBar ? values.map((value) => value || null) : values);

function toOptions(
  lines: PlotLine[],
  formatAxis: (value: number) => string,
): Omit<uPlot.Options, 'width' | 'height'> {
  const text = {
    stroke: readColour('--faint'),
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
  };
  return {
    legend: { show: true, live: !lines.some(({ isBar }) => isBar) },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      { ...text, grid: { show: false } },
      {
        ...text,
        grid: { stroke: readColour('--line'), width: 1 },
        size: 52,
        values: (_, values) => values.map(formatAxis),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, isBar, format = String }): uPlot.Series => {
        const stroke = readColour(colour);
        return {
          label,
          stroke,
          width: 1.5,
          ...(isBar ? { fill: stroke, points: { show: false } } : { points: POINTS }),
          ...(isBar && BARS ? { paths: BARS } : {}),
          // Without a pointer on the plot, the legend shows the newest value.
          value: ({ data }: Pick<uPlot, 'data'>, pointed, line) => {
            const value = pointed ?? findLastNumber(data?.[line] ?? []);
            return value === null ? 'none' : format(value);
          },
        };
      }),
    ],
  };
}
