// How it goes: calls over time, how long they take, what they found, and whether anything wants a hand.
import { useEffect } from 'preact/hooks';
import { useLive } from '../api/live.ts';
import { withQuery } from '../api/ask.ts';
import { useLoad, usePages } from '../api/use.ts';
import { goQuery, useRoute } from '../app/route.ts';
import type { Account } from '../keys/types.ts';
import { Choice, Select } from '../parts/form.tsx';
import { Bones, Card, Empty, Note, PageHead, Trouble } from '../parts/parts.tsx';
import { compact, msText, percent, plural } from '../parts/text.ts';
import { Advice } from './advice.tsx';
import { DoctorCard } from './doctor.tsx';
import { LiveCard, Old } from './live.tsx';
import { Month } from './month.tsx';
import { Plot } from './plot.tsx';

interface Step {
  at: string;
  calls: number;
  bands: Record<'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW', number>;
  catfish: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

interface Activity {
  step_ms: number;
  whole: boolean;
  steps: Step[];
  all: {
    calls: number;
    catfish: number;
    p50_ms: number | null;
    p95_ms: number | null;
    p99_ms: number | null;
  };
}

const SPANS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;
type Span = (typeof SPANS)[number][0];
const AGAIN_MS = 30_000;

export function OverviewPage() {
  const { query } = useRoute();
  const span: Span = SPANS.find(([name]) => name === query.get('span'))?.[0] ?? 'day';
  const account = query.get('account') ?? '';
  const accounts = usePages<Account>('/admin/v1/accounts?limit=200');
  const { data, problem, oldSince, again } = useLoad<Activity>(
    withQuery('/admin/v1/activity', { span, account }),
  );
  const live = useLive();
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  // A stream breaks at once: whether the figures below are old shows then, and not only when they are due.
  useEffect(() => void (live.state === 'broken' && again()), [live.state]);
  return (
    <>
      <PageHead
        title="Overview"
        about="Live calls, what they found and how long they took. Calls with test keys are left out."
      >
        <Choice
          label="Span"
          unseen
          value={span}
          options={SPANS}
          change={(next) => goQuery({ span: next === 'day' ? null : next })}
        />
      </PageHead>
      <Advice />
      <LiveCard live={live} />
      {(accounts.items ?? []).length > 0 ? (
        <div style={{ maxWidth: '320px' }}>
          <Select
            label="Account"
            value={account}
            options={[
              ['', 'All'],
              ...(accounts.items ?? []).map(({ id, name }): [string, string] => [id, name]),
            ]}
            change={(next) => goQuery({ account: next })}
          />
        </div>
      ) : null}
      <Trouble problem={problem} again={again} />
      {oldSince === null ? null : <Old at={oldSince} />}
      {data ? (
        <div class={oldSince === null ? 'stack loose' : 'stack loose old'}>
          <Figures of={data} span={span} />
        </div>
      ) : problem ? null : (
        <Bones lines={8} />
      )}
      <Month account={account} />
      <DoctorCard />
    </>
  );
}

function Figures({ of, span }: { of: Activity; span: Span }) {
  const { all, steps, whole } = of;
  const times = steps.map(({ at }) => Date.parse(at) / 1000);
  const stack = (...bands: (keyof Step['bands'])[]) =>
    steps.map((step) => bands.reduce((sum, band) => sum + step.bands[band], 0));
  const ms = (value: number | null) => (value === null ? '–' : msText(value));
  if (all.calls === 0)
    return (
      <div class="card flat">
        <Empty title={`No calls in the last ${span}`}>
          <p>
            They show here a moment after they are answered. <a href="/console">Check somebody</a>, or give a
            service a <a href="/console/keys">key</a>.
          </p>
        </Empty>
      </div>
    );
  return (
    <>
      <div class="tiles">
        <Tile what="Calls" figure={compact(all.calls)} />
        <Tile what="Possible catfish" figure={percent(all.catfish / all.calls)} />
        <Tile what="Half within" figure={ms(all.p50_ms)} />
        <Tile what="99 of 100 within" figure={ms(all.p99_ms)} />
      </div>
      {whole ? null : (
        <Note tone="care">More calls than are looked at for a page: these are the newest 500,000.</Note>
      )}
      <Card title="Calls by band">
        <Plot
          label={`${plural(all.calls, 'call')} in the last ${span}: ${words(steps)}`}
          times={times}
          axis={compact}
          lines={[
            {
              label: 'Verified',
              colour: '--good-fill',
              filled: true,
              values: stack('HIGH', 'MEDIUM', 'LOW', 'VERY_LOW'),
            },
            {
              label: 'Likely real',
              colour: '--likely-fill',
              filled: true,
              values: stack('MEDIUM', 'LOW', 'VERY_LOW'),
            },
            {
              label: 'Suspicious',
              colour: '--care-fill',
              filled: true,
              values: stack('LOW', 'VERY_LOW'),
            },
            {
              label: 'High risk',
              colour: '--bad-fill',
              filled: true,
              values: stack('VERY_LOW'),
            },
          ]}
        />
      </Card>
      <div class="pair">
        <Card title="How long they took">
          <Plot
            label={`Half took no longer than ${ms(all.p50_ms)}, 99 of 100 no longer than ${ms(all.p99_ms)}`}
            times={times}
            axis={(value) => msText(value)}
            lines={[
              { label: 'half', colour: '--accent', values: steps.map(({ p50_ms: at }) => at), text: msText },
              {
                label: '19 of 20',
                colour: '--likely-fill',
                values: steps.map(({ p95_ms: at }) => at),
                text: msText,
              },
              {
                label: '99 of 100',
                colour: '--care-fill',
                values: steps.map(({ p99_ms: at }) => at),
                text: msText,
              },
            ]}
          />
        </Card>
        <Card title="Share of possible catfish">
          <Plot
            label={`${percent(all.catfish / all.calls)} of the calls have the flag`}
            times={times}
            axis={(value) => `${value} %`}
            lines={[
              {
                label: 'share',
                colour: '--bad-fill',
                values: steps.map(({ calls, catfish }) => (calls === 0 ? null : (catfish / calls) * 100)),
                text: (value) => `${value.toFixed(1)} %`,
              },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function words(steps: Step[]): string {
  const of = (band: keyof Step['bands']) => steps.reduce((sum, { bands }) => sum + bands[band], 0);
  return `${of('HIGH')} verified, ${of('MEDIUM')} likely real, ${of('LOW')} suspicious, ${of('VERY_LOW')} high risk`;
}

export const Tile = ({ what, figure }: { what: string; figure: string }) => (
  <div class="card tile">
    <span class="what">{what}</span>
    <span class="figure">{figure}</span>
  </div>
);
