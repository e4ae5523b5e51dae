// What is going on now, and whether that is really so.
import type { Live, State, Told } from '../api/live.ts';
import { Badge, Card } from '../parts/parts.tsx';
import { clock, compact } from '../parts/text.ts';
import { Plot } from './plot.tsx';
import { errorRates, sum } from './rates.ts';
import type { Tone } from '../parts/tone.ts';

const STATES: Record<State, [Tone, string]> = {
  connecting: ['none', 'connecting'],
  live: ['good', 'live'],
  broken: ['bad', 'not live: the stream broke, trying again'],
};

export function LiveCard({ live: { state, told, before, trail } }: { live: Live }) {
  const [tone, word] = STATES[state];
  const aged = state === 'broken' ? ' old' : '';
  const seconds =
    told && before ? Math.max(1, (Date.parse(told.time) - Date.parse(before.time)) / 1000) : null;
  const rate = (name: 'checks' | 'problems') =>
    told && before && seconds !== null ? Math.max(0, sum(told[name]) - sum(before[name])) / seconds : null;
  const worst = Object.entries(told?.problems ?? {})
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3);
  const figure = (value: number | null) =>
    value === null || state === 'broken' ? '–' : value < 10 ? value.toFixed(1) : compact(Math.round(value));
  return (
    <Card
      title="Now"
      end={
        <span role="status">
          <Badge tone={tone}>{word}</Badge>
        </span>
      }
    >
      {state === 'broken' && told ? <Old at={told.time} /> : null}
      <div class={`now${aged}`}>
        <div>
          <span class="figure">{figure(rate('checks'))}</span>
          <span class="soft">checks a second</span>
        </div>
        <div>
          <span class="figure">{figure(rate('problems'))}</span>
          <span class="soft">errors a second</span>
        </div>
        <div>
          <span class="figure">{state === 'broken' || !told ? '–' : told.in_flight}</span>
          <span class="soft">in flight</span>
        </div>
        <div>
          <span class="figure">{told ? compact(sum(told.checks)) : '–'}</span>
          <span class="soft">checks since the start</span>
        </div>
      </div>
      <Errors trail={trail} aged={aged} />
      {worst.length === 0 ? null : (
        <p class={`small soft${aged}`}>
          Errors since the start:{' '}
          {worst.map(([code, many]) => `${compact(many)} ${code.replaceAll('_', ' ')}`).join(', ')}.
        </p>
      )}
    </Card>
  );
}

/** Of when the figures are that are dimmed. */
export const Old = ({ at }: { at: string | number }) => (
  <p class="small soft">What is dimmed is of {clock(at)}; what came since is not known.</p>
);

/** Errors over time, as long as the page is open: the call log has accepted calls alone. */
function Errors({ trail, aged }: { trail: Told[]; aged: string }) {
  const rates = errorRates(trail);
  if (rates.every(({ rate }) => rate === 0)) return null;
  return (
    <div class={aged}>
      <Plot
        label="Errors a second since the page was opened"
        times={rates.map(({ at }) => at)}
        height={120}
        lines={[
          {
            label: 'Errors a second, since the page was opened',
            colour: '--bad-fill',
            filled: true,
            values: rates.map(({ rate }) => rate),
          },
        ]}
      />
    </div>
  );
}
