// One watch: its verdict, its events over time, and their deliveries to the addresses of its account.
import { postJson, sendDelete, appendQueryParameters } from '../app/api.ts';
import { reloadAllResources, useAction, useListItems, usePagedList, useResource } from '../app/hooks.ts';
import { setQueryParameters } from '../app/router.ts';
import type { Watch, WatchEvent, WebhookEndpoint, WebhookMessage } from '../app/types.ts';
import { Button, RefreshButton } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote, LoadedResource, showToast } from '../components/feedback.tsx';
import { findVerdictDisplay, findVerdictWithoutRecord, formatDateTime } from '../components/format.ts';
import { Badge, Card, DefinitionList, NoneText, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';
import { Plot } from '../operate/plot.tsx';
import { WebhookMessageStateBadge } from '../operate/webhook.tsx';

export function WatchDetails({ id }: { id: string }) {
  const watch = useResource<Watch>(`/admin/v1/watches/${encodeURIComponent(id)}`);
  const events = usePagedList<WatchEvent>(appendQueryParameters('/admin/v1/events', { subject: id }));
  const { dialog, open } = useDialog();
  const { data: loaded } = watch;
  const isDeleted = watch.problem?.status === 404;
  return (
    <>
      <PageHeader
        title="Watch"
        about={
          <>
            <code class="anywhere">{id}</code> · <a href="/console/watches">All watches</a>
          </>
        }
      >
        {loaded ? <Button onClick={() => open(<DeleteWatch watch={loaded} />)}>Delete watch</Button> : null}
      </PageHeader>
      {isDeleted ? (
        <Card>
          <p>This watch has expired or was deleted. Its events are kept for 30 days.</p>
        </Card>
      ) : (
        <Card title="Verdict">
          <LoadedResource resource={watch} lines={6}>
            {(shown) => <DefinitionList items={listFacts(shown)} />}
          </LoadedResource>
        </Card>
      )}
      <Card flush title="Events" end={<RefreshButton onClick={reloadAllResources} />}>
        <ScorePlot watch={watch.data} events={events.data ?? []} />
        <PagedTable
          label="Events"
          list={events}
          keyOf={(event) => event.id}
          empty={['No events', 'The verdict has not changed in the last 30 days as this watch reports it.']}
          columns={[
            { head: 'Time', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
            { head: 'Event', cell: (event) => <Change event={event} /> },
            {
              head: 'Reasons that changed',
              wide: true,
              name: true,
              cell: ({ reasons }) =>
                reasons?.length ? <span class="small soft">{reasons.join(', ')}</span> : <NoneText />,
            },
            { head: 'Event ID', wide: true, cell: ({ id }) => <code class="anywhere small">{id}</code> },
          ]}
        />
      </Card>
      <Deliveries subject={id} />
      {dialog}
    </>
  );
}

const DeleteWatch = ({ watch: { watch_id: id, reference } }: { watch: Watch }) => (
  <FormDialog
    title="Delete watch"
    submitLabel="Delete"
    isDanger
    submit={() => sendDelete(`/admin/v1/watches/${id}`)}
    message="Watch deleted."
    onDone={() => setQueryParameters({ id: null })}
  >
    <p>
      The stored claim of {reference === null ? <code>{id}</code> : <bdi>{reference}</bdi>} is deleted. The
      caller gets no event for it.
    </p>
  </FormDialog>
);

const listFacts = (watch: Watch): Parameters<typeof DefinitionList>[0]['items'] => [
  ['Reference', watch.reference === null ? <NoneText /> : <bdi>{watch.reference}</bdi>],
  ['Account or key', <code class="anywhere">{watch.owner}</code>],
  ['Score', <WatchedScore state={watch} />],
  ['Name', watch.statuses.name],
  ...(
    [
      ['E-mails', watch.statuses.emails],
      ['Phones', watch.statuses.phones],
      ['Addresses', watch.statuses.addresses],
    ] as const
  ).flatMap(([label, statuses]): [string, string][] =>
    statuses.length > 0 ? [[label, statuses.join(', ')]] : [],
  ),
  [
    'Reports',
    watch.notify_on
      .map((change) => (change === 'score' ? `score by ${watch.min_change} points or more` : change))
      .join(', '),
  ],
  ['Created', formatDateTime(watch.created_at)],
  ['Expires', formatDateTime(watch.expires_at)],
  [
    'Re-check',
    watch.due_since === null ? (
      watch.recheck_every_hours === null ? (
        'when records change'
      ) : (
        `every ${watch.recheck_every_hours} hours`
      )
    ) : (
      <>
        waits since <RelativeTime at={watch.due_since} />
      </>
    ),
  ],
];

type State = Pick<Watch, 'score' | 'status' | 'statuses'>;

export function WatchedScore({ state: { score, status, statuses } }: { state: State }) {
  const { tone, label } = findVerdictDisplay({ verdict: findVerdictWithoutRecord(statuses), status });
  return (
    <span class="row wrap">
      <b>{score}</b>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}

const Change = ({ event: { type, before, after } }: { event: WatchEvent }) =>
  before && after ? (
    <span class="row wrap">
      <WatchedScore state={before} />
      <span aria-label="became">→</span>
      <WatchedScore state={after} />
    </span>
  ) : (
    <code>{type}</code>
  );

/** Plot of the scores that the events report, since the watch was created; nothing without such an event. */
function ScorePlot({ watch, events }: { watch: Watch | null; events: WatchEvent[] }) {
  const changes = events.filter(({ after }) => after).toReversed();
  const [first] = changes;
  if (!first?.before) return null;
  const points: [string, number][] = [
    ...(watch ? [[watch.created_at, first.before.score] as [string, number]] : []),
    // A score is valid until the next event, so the line stays level until then.
    ...changes.flatMap(({ created_at: at, before, after }): [string, number][] => [
      [at, before?.score ?? 0],
      [at, after?.score ?? 0],
    ]),
    [new Date().toISOString(), changes.at(-1)?.after?.score ?? 0],
  ];
  const values = points.map(([, score]) => score);
  return (
    <div class="below-table">
      <Plot
        label={`Score over time: ${values.filter((score, i) => score !== values[i - 1]).join(', then ')}`}
        times={points.map(([at], i) => Date.parse(at) / 1000 + i / 1000)}
        lines={[{ label: 'Score', colour: '--accent', values }]}
        height={140}
      />
    </div>
  );
}

function Deliveries({ subject }: { subject: string }) {
  const list = usePagedList<WebhookMessage>(appendQueryParameters('/admin/v1/webhooks', { subject }));
  const { items: endpoints } = useListItems<WebhookEndpoint>('/admin/v1/webhooks/endpoints');
  const action = useAction();
  const sendAgain = async (id: string) => {
    if (!(await action.run(() => postJson(`/admin/v1/webhooks/${encodeURIComponent(id)}/send`)))) return;
    showToast('Queued. The server sends it within five seconds.');
    reloadAllResources();
  };
  return (
    <Card flush title="Deliveries">
      {action.problem ? (
        <div class="below-table">
          <ErrorNote problem={action.problem} />
        </div>
      ) : null}
      <PagedTable
        label="Deliveries"
        list={list}
        keyOf={({ id }) => id}
        empty={[
          'No deliveries',
          'Events are sent to the addresses of an account: bonafide webhooks add ACCOUNT URL.',
        ]}
        columns={[
          { head: 'Time', cell: ({ created }) => <RelativeTime at={created} /> },
          { head: 'State', cell: (message) => <WebhookMessageStateBadge message={message} /> },
          {
            head: 'Address',
            wide: true,
            name: true,
            cell: ({ endpoint }) => (
              <code class="small">{endpoints.find(({ id }) => id === endpoint)?.url ?? endpoint}</code>
            ),
          },
          { head: 'Attempts', wide: true, end: true, cell: ({ attempts }) => attempts },
          {
            head: 'Last failure',
            wide: true,
            name: true,
            cell: ({ failure }) => failure,
          },
          {
            head: 'Next attempt',
            wide: true,
            cell: ({ next_attempt: at }) => (at === null ? null : formatDateTime(at)),
          },
        ]}
        actions={({ id }) => (
          <RowButton
            text="Send again"
            label={`Send again ${id}`}
            disabled={action.isRunning}
            onClick={() => void sendAgain(id)}
          />
        )}
      />
    </Card>
  );
}
