// Health of the installation: alerts, and the diagnostics that `bonafide doctor` prints.
import { postJson } from '../app/api.ts';
import { type ApiResource, useAction, useInterval, useResource } from '../app/hooks.ts';
import type { Diagnostics, GraphStatistics, HarvestingAssessments, Readiness } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote, Note, Skeleton } from '../components/feedback.tsx';
import { capitalize, codeToWords } from '../components/format.ts';
import { Badge, Card, RelativeTime } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';

/** Notes on failed server parts, warnings of the graph, and API keys that may be harvesting. */
export function HealthAlerts() {
  const readiness = useResource<Readiness>('/readyz');
  const { data: graph } = useResource<GraphStatistics>('/admin/v1/graph');
  const { data: probes } = useResource<HarvestingAssessments>('/admin/v1/probes');
  const state = getReadiness(readiness);
  const failed = Object.entries(state ?? {}).filter(([, state]) => state === 'failed');
  const suspicious = (probes?.items ?? []).filter(({ suspicion }) => suspicion !== 'quiet');
  return (
    <>
      {readiness.problem && failed.length === 0 ? (
        <Note tone="bad">The server is not ready: {readiness.problem.message}</Note>
      ) : null}
      {failed.map(([part]) => (
        <Note key={part} tone="bad">
          {capitalize(codeToWords(part))} failed. Run <code>bonafide doctor</code> on the server.
        </Note>
      ))}
      {Object.keys(state?.features ?? {}).map((feature) => (
        <Note key={feature} tone="bad">
          {capitalize(codeToWords(feature))} is off: its plugin is missing. See{' '}
          <a href="/console/features">AI features</a>.
        </Note>
      ))}
      {graph?.records === 0 ? (
        <Note tone="care">
          The graph is empty, so checks find no record. Import records under{' '}
          <a href="/console/graph">Identity graph</a> or run <code>bonafide graph import FILE</code>.
        </Note>
      ) : null}
      {(graph?.warnings ?? []).map((text) => (
        <Note key={text} tone="care">
          {text}
        </Note>
      ))}
      {suspicious.map(({ key, suspicion, why }) => (
        <Note key={key} tone={suspicion === 'harvesting' ? 'bad' : 'care'}>
          <code>{key}</code> may be probing who is on record: {why.join('; ')}.
        </Note>
      ))}
    </>
  );
}

/** Returns the state of the server's parts. A server that is not ready sends it as the body of a 503. */
const getReadiness = ({ data, problem }: ApiResource<Readiness>): Partial<Readiness> | null =>
  problem?.status === 503 ? (problem.body as Partial<Readiness>) : data;

const DOCTOR = '/admin/v1/doctor';
const POLL_MS = 800;
const STATES = { ok: ['good', 'OK'], warning: ['care', 'Warning'], bad: ['bad', 'Failed'] } as const;

/** Results of the last diagnostics, with a button that runs them again. */
export function DiagnosticsCard() {
  const { data, problem, reload, poll } = useResource<Diagnostics>(DOCTOR);
  const action = useAction();
  const isRunning = data?.at_work ?? false;
  useInterval(poll, isRunning ? POLL_MS : null);
  const start = () => action.run(async () => (await postJson(DOCTOR), reload()));
  const last = data?.last;
  return (
    <Card
      title="Diagnostics"
      about={
        last ? (
          <>
            Last run <RelativeTime at={last.time} />.
          </>
        ) : (
          'Checks the data folder, the secret, the databases and the backups. Not run since the server started.'
        )
      }
      flush={Boolean(last)}
      end={
        <Button small disabled={action.isRunning || isRunning} onClick={start}>
          {isRunning ? 'Running…' : 'Run diagnostics'}
        </Button>
      }
    >
      <ErrorNote problem={problem ?? action.problem} retry={reload} />
      {last ? (
        <Table
          label="Diagnostics"
          rows={last.items}
          columns={[
            { head: 'Check', cell: ({ check }) => check },
            {
              head: 'Status',
              cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
            },
            {
              head: 'Result',
              name: true,
              cell: ({ says, todo }) => (
                <>
                  {says}
                  {todo === null ? null : <div class="small soft">{todo}</div>}
                </>
              ),
            },
          ]}
        />
      ) : isRunning ? (
        <Skeleton lines={3} />
      ) : null}
    </Card>
  );
}
