import { useResource } from '../app/hooks.ts';
import type { LoggedCall, RefusedCallDetails, RefusedCall } from '../app/types.ts';
import { Dialog } from '../components/dialog.tsx';
import { LoadedResource } from '../components/feedback.tsx';
import { findVerdictDisplay, formatCount, formatDateTime, formatDuration } from '../components/format.ts';
import { Badge, DefinitionList } from '../components/layout.tsx';

export function RequestDetails({ id }: { id: string }) {
  const call = useResource<LoggedCall>(`/admin/v1/requests/${encodeURIComponent(id)}`);
  const isUnknown = call.problem?.status === 404;
  const refused = useResource<RefusedCallDetails>(
    isUnknown ? `/admin/v1/refusals/${encodeURIComponent(id)}` : null,
  );
  return (
    <Dialog title="Request details">
      {isUnknown ? (
        <LoadedResource resource={refused} lines={8}>
          {(found) => <RefusalDetails id={id} found={found} />}
        </LoadedResource>
      ) : (
        <LoadedResource resource={call} lines={8}>
          {(found) => <DefinitionList items={listFacts(found)} />}
        </LoadedResource>
      )}
    </Dialog>
  );
}

function RefusalDetails({ id, found: { refusal, counted } }: { id: string; found: RefusedCallDetails }) {
  if (refusal) return <DefinitionList items={listRefusalFacts(refusal)} />;
  return (
    <>
      <p>
        <code class="anywhere">{id}</code> has no row of its own. In its minute these refusals were counted
        together:
      </p>
      {counted.map((row) => (
        <DefinitionList key={row.request_id} items={listRefusalFacts(row)} />
      ))}
    </>
  );
}

const listRefusalFacts = (call: RefusedCall): Parameters<typeof DefinitionList>[0]['items'] => [
  ['Request ID', <code class="anywhere">{call.request_id}</code>],
  ['Time', formatDateTime(call.time)],
  ['Result', <Badge tone="bad">Refused, status {call.status}</Badge>],
  ['Error code', <code>{call.code}</code>],
  ['Rule', call.rule ?? 'the code says all'],
  ['Endpoint', <code>{call.endpoint}</code>],
  ['API key', renderNameOrId(call.key_name, call.key) ?? 'no known key'],
  ['Account', renderNameOrId(call.account_name, call.account) ?? 'none'],
  ...(call.more > 0 ? [['Further refusals', formatCount(call.more, 'call')] as [string, string]] : []),
];

const listFacts = (call: LoggedCall): Parameters<typeof DefinitionList>[0]['items'] => [
  ['Request ID', <code class="anywhere">{call.request_id}</code>],
  ['Time', formatDateTime(call.time)],
  [
    'Score',
    <span class="row wrap">
      <b>{call.trustworthiness_score}</b>
      <VerdictBadge call={call} />
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
  ['API key', renderNameOrId(call.key_name, call.key)],
  ['Account', renderNameOrId(call.account_name, call.account) ?? 'none'],
  ['Outcome', call.genuine === null ? 'not reported' : call.genuine ? 'genuine' : 'not genuine'],
  ['Scoring model', call.scoring_model ?? 'not recorded'],
];

export function VerdictBadge({ call }: { call: LoggedCall }) {
  const { tone, label } = findVerdictDisplay(call);
  return (
    <span class="row wrap">
      <Badge tone={tone}>{label}</Badge>
      {call.possible_catfish ? <Badge tone="bad">Catfish</Badge> : null}
    </span>
  );
}

export const renderNameOrId = (name: string | null, id: string | null) =>
  name === null ? id && <code>{id}</code> : <bdi>{name}</bdi>;
