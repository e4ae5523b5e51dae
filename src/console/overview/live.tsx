// What is going on now, and whether that is really so.
import type { useLive } from '../api/live.ts';
import { Badge, Card } from '../parts/parts.tsx';
import { compact } from '../parts/text.ts';
import type { Tone } from '../parts/tone.ts';

const STATES: Record<ReturnType<typeof useLive>['state'], [Tone, string]> = {
  connecting: ['none', 'connecting'],
  live: ['good', 'live'],
  broken: ['bad', 'not live: the stream broke, trying again'],
};

const sum = (of: Record<string, number>) => Object.values(of).reduce((all, one) => all + one, 0);

export function LiveCard({ live: { state, told, before } }: { live: ReturnType<typeof useLive> }) {
  const [tone, word] = STATES[state];
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
      <div class="now">
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
      {worst.length === 0 ? null : (
        <p class="small soft">
          Errors since the start:{' '}
          {worst.map(([code, many]) => `${compact(many)} ${code.replaceAll('_', ' ')}`).join(', ')}.
        </p>
      )}
    </Card>
  );
}
