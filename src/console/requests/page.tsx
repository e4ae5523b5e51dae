// The call log: outcomes and counts of every accepted call, never what was submitted.
import { useState } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { useLoad, usePages } from '../api/use.ts';
import { go, goQuery, useRoute } from '../app/route.ts';
import { bandOf } from '../check/answer.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select, TextField } from '../parts/form.tsx';
import { List } from '../parts/list.tsx';
import { Badge, Bones, Card, Empty, PageHead, Time, Trouble } from '../parts/parts.tsx';
import { msText, plural, timeText } from '../parts/text.ts';

interface Request {
  request_id: string;
  time: string;
  endpoint: string;
  response_version: string;
  intent: string | null;
  trustworthiness_score: number;
  status: string;
  confidence_level: string;
  possible_catfish: boolean;
  values: { emails: number; phones: number; addresses: number };
  different_identity: number;
  unverified: number;
  scoring_model: number | null;
  latency_ms: number;
  test: boolean;
  genuine: boolean | null;
  key: string;
  account: string | null;
}

const BANDS = [
  ['', 'Any'],
  ['HIGH', 'Verified'],
  ['MEDIUM', 'Likely real'],
  ['LOW', 'Suspicious'],
  ['VERY_LOW', 'High risk'],
] as const;

export function RequestsPage() {
  const { query } = useRoute();
  const id = query.get('id');
  const asked = (name: string) => query.get(name) ?? '';
  const path = withQuery('/admin/v1/requests', {
    key: asked('key').startsWith('key_') ? asked('key') : '',
    status: asked('status'),
    since: momentOf(asked('since')),
    before: momentOf(asked('before')),
  });
  const pages = usePages<Request>(path);
  return (
    <>
      <PageHead
        title="Requests"
        about="What was asked for, how it ended and whose it was. What was submitted is kept nowhere."
      />
      <LookUp />
      <Card
        flush
        title="Call log"
        end={
          <button type="button" class="button small" onClick={pages.again}>
            Refresh
          </button>
        }
      >
        <div class="filters">
          <TextField
            label="Key"
            value={asked('key')}
            change={(key) => goQuery({ key })}
            placeholder="key_…"
            mono
          />
          <Select
            label="Band"
            value={asked('status') as (typeof BANDS)[number][0]}
            options={BANDS}
            change={(status) => goQuery({ status })}
          />
          <Moment label="Since" value={asked('since')} change={(since) => goQuery({ since })} />
          <Moment label="Before" value={asked('before')} change={(before) => goQuery({ before })} />
        </div>
        <List
          label="Calls"
          pages={pages}
          keyOf={({ request_id: key }) => key}
          empty={
            <Empty title="No calls">
              <p>None that was accepted passes these filters.</p>
            </Empty>
          }
          columns={[
            { head: 'When', cell: ({ time }) => <Time at={time} /> },
            { head: 'Score', end: true, cell: ({ trustworthiness_score: score }) => <b>{score}</b> },
            { head: 'Band', cell: (call) => <BandOf of={call} /> },
            {
              head: 'Asked for',
              wide: true,
              cell: ({ endpoint, test }) => (
                <>
                  <code>{endpoint.replace('/v1/', '')}</code> {test ? <Badge>test</Badge> : null}
                </>
              ),
            },
            { head: 'Values', wide: true, cell: (call) => valuesText(call) },
            { head: 'Key', wide: true, cell: ({ key }) => <code>{key}</code> },
            { head: 'Took', wide: true, end: true, cell: ({ latency_ms: ms }) => msText(ms) },
          ]}
          actions={({ request_id: at }) => (
            <button
              type="button"
              class="button quiet small"
              aria-label={`Look at ${at}`}
              onClick={() => goQuery({ id: at })}
            >
              Look
            </button>
          )}
        />
      </Card>
      {id ? <Show id={id} close={() => goQuery({ id: null })} /> : null}
    </>
  );
}

/** A time of a field, which has no zone of its own: the reader's. */
const momentOf = (text: string): string =>
  text === '' || Number.isNaN(Date.parse(text)) ? '' : new Date(text).toISOString();

const Moment = ({ label, value, change }: { label: string; value: string; change(value: string): void }) => (
  <Field label={label}>
    {(props) => (
      <input
        {...props}
        class="input"
        type="datetime-local"
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )}
  </Field>
);

function LookUp() {
  const [id, setId] = useState('');
  return (
    <form
      class="row"
      style={{ alignItems: 'flex-end', maxWidth: '560px' }}
      onSubmit={(event) => (
        event.preventDefault(),
        go(`/console/requests?id=${encodeURIComponent(id.trim())}`)
      )}
    >
      <div class="grow">
        <TextField
          label="Look one up by its id"
          value={id}
          change={setId}
          placeholder="req_…"
          mono
          maxLength={60}
        />
      </div>
      <button class="button" disabled={id.trim() === ''}>
        Look up
      </button>
    </form>
  );
}

const BandOf = ({ of }: { of: Request }) => {
  const { tone, word } = bandOf(of.status);
  return (
    <span class="row wrap">
      <Badge tone={tone}>{word}</Badge>
      {of.possible_catfish ? <Badge tone="bad">catfish</Badge> : null}
    </span>
  );
};

function valuesText({
  values: { emails, phones, addresses },
  different_identity: other,
  unverified,
}: Request): string {
  const all = emails + phones + addresses;
  if (all === 0) return 'name alone';
  const parts = [
    plural(all, 'value'),
    other > 0 ? `${other} of others` : '',
    unverified > 0 ? `${unverified} without record` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function Show({ id, close }: { id: string; close(): void }) {
  const { data, problem } = useLoad<Request>(`/admin/v1/requests/${encodeURIComponent(id)}`);
  return (
    <Dialog title="A request" close={close}>
      <Trouble problem={problem} />
      {data ? (
        <dl class="facts">
          <dt>Id</dt>
          <dd>
            <code>{data.request_id}</code>
          </dd>
          <dt>When</dt>
          <dd>{timeText(data.time)}</dd>
          <dt>Score</dt>
          <dd class="row wrap">
            <b>{data.trustworthiness_score}</b>
            <BandOf of={data} />
          </dd>
          <dt>Evidence</dt>
          <dd>{data.confidence_level.toLowerCase()}</dd>
          <dt>Asked for</dt>
          <dd>
            <code>{data.endpoint}</code>, shape {data.response_version}
          </dd>
          <dt>Intent</dt>
          <dd>{data.intent ?? 'not kept'}</dd>
          <dt>Sent</dt>
          <dd>
            {plural(data.values.emails, 'e-mail')}, {plural(data.values.phones, 'phone')},{' '}
            {plural(data.values.addresses, 'address', 'addresses')}
          </dd>
          <dt>Of others</dt>
          <dd>{data.different_identity}</dd>
          <dt>No record</dt>
          <dd>{data.unverified}</dd>
          <dt>Took</dt>
          <dd>{msText(data.latency_ms)}</dd>
          <dt>Key</dt>
          <dd>
            <code>{data.key}</code>
          </dd>
          <dt>Account</dt>
          <dd>{data.account ?? 'none'}</dd>
          <dt>Turned out</dt>
          <dd>{data.genuine === null ? 'not told' : data.genuine ? 'genuine' : 'not genuine'}</dd>
          <dt>Scoring model</dt>
          <dd>{data.scoring_model ?? 'not kept'}</dd>
        </dl>
      ) : problem ? null : (
        <Bones lines={8} />
      )}
      <div class="dialog-end">
        <button type="button" class="button" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
