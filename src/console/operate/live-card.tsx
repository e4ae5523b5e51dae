import { Note } from '../components/feedback.tsx';
import { formatCompact, formatTimeOfDay, type StatusTone } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import type { LiveMetricsEvent, LiveMetricsStreamState } from './live-stream.ts';
import { Plot } from './plot.tsx';
import { describeErrorCounts, listErrorRates, getRatePerSecond, sumCounters } from './rates.ts';

const CONNECTIONS: Record<LiveMetricsStreamState['connection'], [StatusTone, string]> = {
  connecting: ['none', 'Connecting'],
  open: ['good', 'Live'],
  broken: ['bad', 'Disconnected, reconnecting'],
};

export function LiveMetricsCard({ live: { connection, events, problem } }: { live: LiveMetricsStreamState }) {
  const [tone, label] = CONNECTIONS[connection];
  const isStale = connection === 'broken';
  const now = events.at(-1);
  const before = events.at(-2);
  const rate = (counter: 'checks' | 'problems') =>
    now && before && !isStale ? formatRate(getRatePerSecond(before, now, (event) => event[counter])) : '–';
  const figures = [
    ['checks per second', rate('checks')],
    ['errors per second', rate('problems')],
    ['calls in flight', now && !isStale ? now.in_flight : '–'],
    ['checks since start', now ? formatCompact(sumCounters(now.checks)) : '–'],
  ] as const;
  return (
    <Card
      title="Live traffic"
      end={
        <span role="status">
          <Badge tone={tone}>{label}</Badge>
        </span>
      }
    >
      {isStale && problem !== null ? <Note tone="care">{problem}</Note> : null}
      {isStale && now ? <StaleMetricsNote at={now.time} /> : null}
      <div class={`live ${isStale ? 'stale' : ''}`}>
        {figures.map(([text, value]) => (
          <div key={text}>
            <span class="figure">{value}</span>
            <span class="soft">{text}</span>
          </div>
        ))}
      </div>
      <ErrorPlot events={events} isStale={isStale} />
      {now ? <p class="small soft">{describeErrorCounts(now.problems)}</p> : null}
    </Card>
  );
}

const formatRate = (rate: number) => (rate < 10 ? rate.toFixed(1) : formatCompact(Math.round(rate)));

/** Note that the shown metrics are out of date, with their time. */
export const StaleMetricsNote = ({ at }: { at: string | number }) => (
  <p class="small soft">
    The dimmed figures are from {formatTimeOfDay(at)}. Newer figures are not available.
  </p>
);

/** Plot of the error rate since the page was opened. */
function ErrorPlot({ events, isStale }: { events: LiveMetricsEvent[]; isStale: boolean }) {
  const rates = listErrorRates(events);
  if (rates.every(({ rate }) => rate === 0)) return null;
  const label = 'Errors per second since this page was opened';
  return (
    <div class={isStale ? 'stale' : ''}>
      <Plot
        label={label}
        times={rates.map(({ at }) => at)}
        height={120}
        lines={[{ label, colour: '--bad-fill', isBar: true, values: rates.map(({ rate }) => rate) }]}
      />
    </div>
  );
}
