// A plot: drawn on a canvas by uPlot, told in words to who does not see it.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { CHANGED } from '../app/theme.ts';
import { alone } from './rates.ts';

export interface Line {
  label: string;
  /** A colour by its custom property. */
  colour: string;
  values: (number | null)[];
  /** As bars, each in front of the one before: what is seen of it is what it adds. */
  filled?: boolean;
  text?(value: number): string;
}

interface PlotProps {
  label: string;
  /** Seconds since 1970. */
  times: number[];
  lines: Line[];
  height?: number;
  axis?(value: number): string;
}

const BARS = uPlot.paths.bars?.({ size: [0.8, 48] });

const POINTS: uPlot.Series.Points = {
  size: 5,
  filter: (plot, line) => alone(Array.from(plot.data[line] ?? [])),
};

const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function Plot({ label, times, lines, height = 200, axis }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [times, ...lines.map(drawn)] as uPlot.AlignedData;
  const shape = lines.map(({ label, colour }) => label + colour).join();
  useEffect(() => {
    const at = box.current;
    if (!at) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf({ lines, height, axis, width: at.clientWidth }), data, at);
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: at.clientWidth, height }));
    resized.observe(at);
    addEventListener(CHANGED, draw);
    return () => {
      resized.disconnect();
      removeEventListener(CHANGED, draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(data), [times, lines]);
  return (
    <figure class="plot" role="img" aria-label={label}>
      <div ref={box} style={{ minHeight: `${height}px` }} aria-hidden="true" />
    </figure>
  );
}

/** A bar of nothing would be a dash on the axis, in its colour. */
const drawn = ({ values, filled }: Line) => (filled ? values.map((value) => value || null) : values);

interface OptionsOf extends Pick<PlotProps, 'lines' | 'axis'> {
  height: number;
  width: number;
}

function optionsOf({ lines, height, width, axis }: OptionsOf): uPlot.Options {
  const grid = { stroke: colourOf('--line'), width: 1 };
  const text = { stroke: colourOf('--faint'), font: '11px system-ui, sans-serif', ticks: { show: false } };
  return {
    width,
    height,
    legend: { show: true, live: !lines.some(({ filled }) => filled) },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      { ...text, grid: { show: false } },
      {
        ...text,
        grid,
        size: 52,
        values: (_, values) => values.map((value) => (axis ? axis(value) : String(value))),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, filled, values, text: shown }) => ({
        label,
        stroke: colourOf(colour),
        width: 1.5,
        ...(filled ? { fill: `${colourOf(colour)}` } : {}),
        ...(filled ? { ...(BARS ? { paths: BARS } : {}), points: { show: false } } : { points: POINTS }),
        // Where nobody points at a time: the newest that there is.
        value: (_: uPlot, at: number | null) => {
          const value = at ?? values.findLast((one) => one !== null) ?? null;
          return value === null ? 'none' : shown ? shown(value) : String(value);
        },
      })),
    ],
  };
}
