import { rankAccountsByQuotaUsage, type AccountQuotaRow, type QuotaState } from './quota.ts';
import { useEffect } from 'preact/hooks';
import { appendQueryParameters } from '../app/api.ts';
import { useListItems, useInterval, useResource } from '../app/hooks.ts';
import { useQueryParameterFieldBinder } from '../app/router.ts';
import type { Account, CallsOverTime, ListPage, Plan, AccountUsage } from '../app/types.ts';
import { EmptyState, LoadedResource, Note } from '../components/feedback.tsx';
import { RadioGroup, Select, toSelectOptionLabelsById } from '../components/form.tsx';
import {
  VERDICT_DISPLAYS,
  formatCompact,
  formatDuration,
  formatNumber,
  formatPercent,
  formatCount,
  type StatusTone,
} from '../components/format.ts';
import { Card, ProportionBar, PageHeader, MetricTile } from '../components/layout.tsx';
import { HealthAlerts, DiagnosticsCard } from './health.tsx';
import { LiveMetricsCard, StaleMetricsNote } from './live-card.tsx';
import { useLiveMetricsStream } from './live-stream.ts';
import { Plot } from './plot.tsx';

const SPANS = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' };
const REFRESH_MS = 30_000;

export default function OverviewPage() {
  const field = useQueryParameterFieldBinder();
  const span = field('span').value || 'day';
  const { value: account } = field('account');
  const { items: accounts, hint } = useListItems<Account>('/admin/v1/accounts');
  const activity = useResource<CallsOverTime>(appendQueryParameters('/admin/v1/activity', { span, account }));
  const live = useLiveMetricsStream();
  useInterval(activity.poll, REFRESH_MS);
  // After the stream breaks, the other metrics on the page may be out of date too.
  useEffect(() => void (live.connection === 'broken' && activity.reload()), [live.connection]);
  const isStale = activity.staleSince !== null;
  return (
    <>
      <PageHeader
        title="Overview"
        about="Live traffic, results and latency. Calls with test keys are not included."
      >
        <RadioGroup label="Time range" isLabelHidden options={SPANS} {...field('span')} value={span} />
      </PageHeader>
      <HealthAlerts />
      <LiveMetricsCard live={live} />
      {accounts.length > 0 ? (
        <div style={{ maxWidth: '320px' }}>
          <Select
            label="Account"
            options={{ '': 'All accounts', ...toSelectOptionLabelsById(accounts) }}
            hint={hint}
            {...field('account')}
          />
        </div>
      ) : null}
      {activity.staleSince === null ? null : <StaleMetricsNote at={activity.staleSince} />}
      <LoadedResource resource={activity} lines={8}>
        {(data) => (
          <div class={isStale ? 'stack loose stale' : 'stack loose'}>
            <Figures activity={data} span={span} />
          </div>
        )}
      </LoadedResource>
      <PlanUsage accounts={accounts} account={account} />
      <DiagnosticsCard />
    </>
  );
}

const formatMs = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

function Figures({ activity: { all, steps, whole }, span }: { activity: CallsOverTime; span: string }) {
  const times = steps.map(({ at }) => Date.parse(at) / 1000);
  if (all.calls === 0)
    return (
      <Card flat>
        <EmptyState title={`No calls in the last ${span}`}>
          <p>
            Calls appear here right after they are answered. <a href="/console">Check a person</a>, or create
            an <a href="/console/keys">API key</a> for a service.
          </p>
        </EmptyState>
      </Card>
    );
  return (
    <>
      <div class="tiles">
        <MetricTile label="Calls" value={formatCompact(all.calls)} />
        <MetricTile label="Possible catfish" value={formatPercent(all.catfish / all.calls)} />
        <MetricTile label="p50 latency" value={formatMs(all.p50_ms)} />
        <MetricTile label="p99 latency" value={formatMs(all.p99_ms)} />
      </div>
      {whole ? null : <Note tone="care">Only the newest 500,000 calls are included.</Note>}
      <Card title="Calls by verdict">
        <Plot
          label={`${formatCount(all.calls, 'call')} in the last ${span}: ${countVerdicts(steps)}`}
          times={times}
          formatAxis={(value) => formatCompact(value)}
          lines={VERDICT_DISPLAYS.map(({ label, colour }, i) => ({
            label,
            colour,
            isBar: true,
            values: steps.map((step) => sumVerdicts([step], VERDICT_DISPLAYS.slice(i))),
          }))}
        />
      </Card>
      <div class="pair">
        <Card title="Latency">
          <Plot
            label={`p50 ${formatMs(all.p50_ms)}, p95 ${formatMs(all.p95_ms)}, p99 ${formatMs(all.p99_ms)}`}
            times={times}
            formatAxis={formatDuration}
            lines={(['p50', 'p95', 'p99'] as const).map((label, i) => ({
              label,
              colour: ['--accent', '--likely-fill', '--care-fill'][i] ?? '',
              values: steps.map((step) => step[`${label}_ms`]),
              format: formatDuration,
            }))}
          />
        </Card>
        <Card title="Possible catfish rate">
          <Plot
            label={`${formatPercent(all.catfish / all.calls)} of the calls`}
            times={times}
            formatAxis={(value) => `${value} %`}
            lines={[
              {
                label: 'rate',
                colour: '--bad-fill',
                values: steps.map(({ calls, catfish }) => (calls === 0 ? null : (catfish / calls) * 100)),
                format: (value) => `${value.toFixed(1)} %`,
              },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

type Step = CallsOverTime['steps'][number];

const sumVerdicts = (steps: Step[], verdicts: readonly { word: keyof Step['verdicts'] }[]) =>
  steps.reduce((sum, step) => verdicts.reduce((all, { word }) => all + step.verdicts[word], sum), 0);

const countVerdicts = (steps: Step[]): string =>
  VERDICT_DISPLAYS.map((verdict) => `${sumVerdicts(steps, [verdict])} ${verdict.label.toLowerCase()}`).join(
    ', ',
  );

const QUOTA_NOTES: Record<QuotaState, (row: AccountQuotaRow) => string> = {
  'cut-off': () => ', cut off: further calls are rejected',
  over: ({ overage }) => `, ${formatNumber(overage)} billed as overage`,
  near: () => ', near its quota',
  below: () => '',
};

/** Plan usage of this month: number of calls of each account compared with its quota, exhausted quotas first. */
function PlanUsage({ account, accounts }: { account: string; accounts: readonly Account[] }) {
  const usage = useResource<ListPage<AccountUsage>>(
    appendQueryParameters('/admin/v1/usage', { account, limit: 200 }),
  );
  const { items: plans } = useListItems<Plan>('/admin/v1/plans');
  const rows = rankAccountsByQuotaUsage(usage.data?.items ?? [], { accounts, plans }, Date.now());
  if (rows.length === 0) return null;
  return (
    <Card
      title="Plan usage this month"
      about="Calendar month in UTC. Calls over the quota are billed or rejected, depending on the plan."
    >
      <ul class="quota">
        {rows.map((row) => (
          <li key={`${row.account} ${row.plan}`}>
            <span class="row apart wrap">
              <bdi class="cut">{row.name}</bdi>
              <span class={`small number ${row.state === 'cut-off' ? 'bad-text' : 'soft'}`}>
                {formatNumber(row.calls)} used, {formatNumber(row.included)} included
                {QUOTA_NOTES[row.state](row)}
              </span>
            </span>
            <ProportionBar
              share={row.included === 0 ? 1 : Math.min(1, row.calls / row.included)}
              tone={METER_TONES[row.state]}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const METER_TONES: Record<QuotaState, StatusTone> = {
  'cut-off': 'bad',
  over: 'care',
  near: 'care',
  below: 'none',
};
