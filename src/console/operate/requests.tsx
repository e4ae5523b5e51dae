// Log of accepted calls: results and counts, never the submitted values.
import { useState } from 'preact/hooks';
import { withQuery } from '../app/api.ts';
import { usePagedList, useResource } from '../app/hooks.ts';
import { setQueryParameters, useQueryForm } from '../app/router.ts';
import type { CallRecord } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { CloseDialog, Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/feedback.tsx';
import { Select, TextField } from '../components/form.tsx';
import {
  SCORE_BANDS,
  findScoreBand,
  formatDateTime,
  formatDuration,
  formatCount,
} from '../components/format.ts';
import { Badge, Card, Facts, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';

const BAND_OPTIONS = {
  '': 'All',
  ...Object.fromEntries(SCORE_BANDS.map(({ band, label }) => [band, label])),
};

export default function RequestsPage() {
  const field = useQueryForm();
  const { value: id } = field('id');
  const { value: key } = field('key');
  const path = withQuery('/admin/v1/requests', {
    key: key.startsWith('key_') ? key : '',
    status: field('status').value,
    since: toIso(field('since').value),
    before: toIso(field('before').value),
  });
  const list = usePagedList<CallRecord>(path);
  return (
    <>
      <PageHeader
        title="Requests"
        about="Accepted calls with their results. Submitted values are not stored."
      />
      <FindRequest />
      <Card
        flush
        title="Call log"
        end={
          <Button small icon="reload" onClick={list.reload}>
            Refresh
          </Button>
        }
      >
        <div class="filters">
          <TextField label="API key" {...field('key')} placeholder="key_…" isMono />
          <Select label="Verdict" options={BAND_OPTIONS} {...field('status')} />
          <TextField label="From" type="datetime-local" {...field('since')} />
          <TextField label="To" type="datetime-local" {...field('before')} />
        </div>
        <PagedTable
          label="Calls"
          list={list}
          keyOf={(call) => call.request_id}
          empty={['No calls', 'No accepted call matches these filters.']}
          columns={[
            { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
            { head: 'Score', end: true, cell: (call) => <b>{call.trustworthiness_score}</b> },
            { head: 'Verdict', cell: (call) => <Verdict call={call} /> },
            {
              head: 'Endpoint',
              wide: true,
              cell: ({ endpoint, test }) => (
                <>
                  <code>{endpoint.replace('/v1/', '')}</code> {test ? <Badge>test</Badge> : null}
                </>
              ),
            },
            { head: 'Values', wide: true, cell: describeValues },
            { head: 'API key', wide: true, cell: ({ key }) => <code>{key}</code> },
            { head: 'Latency', wide: true, end: true, cell: (call) => formatDuration(call.latency_ms) },
          ]}
          actions={(call) => (
            <RowButton
              text="Details"
              label={`Details of ${call.request_id}`}
              onClick={() => setQueryParameters({ id: call.request_id })}
            />
          )}
        />
      </Card>
      {id ? (
        <CloseDialog.Provider value={() => setQueryParameters({ id: null })}>
          <RequestDetails id={id} />
        </CloseDialog.Provider>
      ) : null}
    </>
  );
}

/** Returns the local time of a form field in ISO 8601. Returns an empty string if the field is incomplete. */
const toIso = (local: string): string =>
  Number.isNaN(Date.parse(local)) ? '' : new Date(local).toISOString();

function FindRequest() {
  const [id, setId] = useState('');
  return (
    <form
      class="row form-line"
      style={{ maxWidth: '560px' }}
      onSubmit={(event) => (event.preventDefault(), setQueryParameters({ id: id.trim() }))}
    >
      <div class="grow">
        <TextField
          label="Find by request ID"
          value={id}
          onChange={setId}
          placeholder="req_…"
          isMono
          maxLength={60}
        />
      </div>
      <Button disabled={id.trim() === ''}>Find</Button>
    </form>
  );
}

function Verdict({ call }: { call: CallRecord }) {
  const { tone, label } = findScoreBand(call.status);
  return (
    <span class="row wrap">
      <Badge tone={tone}>{label}</Badge>
      {call.possible_catfish ? <Badge tone="bad">Catfish</Badge> : null}
    </span>
  );
}

function describeValues({ values, different_identity: different, unverified }: CallRecord): string {
  const count = values.emails + values.phones + values.addresses;
  if (count === 0) return 'name only';
  const parts = [
    formatCount(count, 'value'),
    different > 0 ? `${different} of another identity` : '',
    unverified > 0 ? `${unverified} without a record` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

const RequestDetails = ({ id }: { id: string }) => (
  <Dialog title="Request details">
    <Loaded resource={useResource<CallRecord>(`/admin/v1/requests/${encodeURIComponent(id)}`)} lines={8}>
      {(call) => <Facts items={listFacts(call)} />}
    </Loaded>
  </Dialog>
);

const listFacts = (call: CallRecord): Parameters<typeof Facts>[0]['items'] => [
  ['Request ID', <code>{call.request_id}</code>],
  ['Time', formatDateTime(call.time)],
  [
    'Score',
    <span class="row wrap">
      <b>{call.trustworthiness_score}</b>
      <Verdict call={call} />
    </span>,
  ],
  ['Confidence', call.confidence_level.toLowerCase()],
  [
    'Endpoint',
    <>
      <code>{call.endpoint}</code>, response {call.response_version}
    </>,
  ],
  ['Intent', call.intent ?? 'not recorded'],
  [
    'Submitted',
    [
      formatCount(call.values.emails, 'e-mail'),
      formatCount(call.values.phones, 'phone'),
      formatCount(call.values.addresses, 'address', 'addresses'),
    ].join(', '),
  ],
  ['Of another identity', call.different_identity],
  ['Without a record', call.unverified],
  ['Latency', formatDuration(call.latency_ms)],
  ['API key', <code>{call.key}</code>],
  ['Account', call.account ?? 'none'],
  ['Outcome', call.genuine === null ? 'not reported' : call.genuine ? 'genuine' : 'not genuine'],
  ['Scoring model', call.scoring_model ?? 'not recorded'],
];
