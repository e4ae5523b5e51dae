// Logs of accepted and of refused calls: results, counts and reasons, never the submitted values.
import { appendQueryParameters } from '../app/api.ts';
import { useListItems, usePagedList } from '../app/hooks.ts';
import { setQueryParameters, useQueryParameterFieldBinder } from '../app/router.ts';
import type { Account, ApiKey, LoggedCall, RefusedCall } from '../app/types.ts';
import { Button, RefreshButton } from '../components/button.tsx';
import { CloseDialogContext } from '../components/dialog.tsx';
import { Select, TextField, toSelectOptionLabelsById, useFormValues } from '../components/form.tsx';
import { VERDICT_DISPLAYS, formatDuration, formatCount } from '../components/format.ts';
import { Badge, Card, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable } from '../components/table.tsx';
import { renderNameOrId, RequestDetails, VerdictBadge } from './request-details.tsx';

const VERDICT_OPTIONS = {
  '': 'All',
  ...Object.fromEntries(VERDICT_DISPLAYS.map(({ word, label }) => [word, label])),
};

const RESULT_OPTIONS = { '': 'Accepted', refused: 'Refused' };
const OPERATION_OPTIONS = {
  '': 'All',
  validate: 'validate',
  validate_ai: 'validate?ai=true',
  enhanced: 'validate/enhanced',
};
const ROUTE_OPTIONS = {
  '': 'All',
  '/v1/validate': 'validate',
  '/v1/validate/enhanced': 'validate/enhanced',
  '/mcp': 'mcp',
  '/v1/usage': 'usage',
  '/v1/requests/:id': 'requests/:id',
};
const STATUS_OPTIONS = {
  '': 'All',
  ...Object.fromEntries(
    ['400', '401', '403', '409', '413', '415', '422', '429', '500', '503'].map((status) => [status, status]),
  ),
};

export default function RequestsPage() {
  const field = useQueryParameterFieldBinder();
  const { value: id } = field('id');
  const isRefused = field('result').value === 'refused';
  return (
    <>
      <PageHeader
        title="Requests"
        about="Accepted calls with their results, and refused calls with the reason. Submitted values are not stored."
      />
      <FindRequest />
      {isRefused ? <RefusedCalls /> : <AcceptedCalls />}
      {id ? (
        <CloseDialogContext.Provider value={() => setQueryParameters({ id: null })}>
          <RequestDetails id={id} />
        </CloseDialogContext.Provider>
      ) : null}
    </>
  );
}

/** Filters for both accepted and refused calls: their values as API query, and their form fields. */
function useCommonFilters() {
  const field = useQueryParameterFieldBinder();
  const keys = useListItems<ApiKey>('/admin/v1/keys');
  const accounts = useListItems<Account>('/admin/v1/accounts');
  const key = field('key');
  // `keys.hint` is set if the list of keys was cut off: a name that it lacks may exist on the server.
  const isName = key.value !== '' && !key.value.startsWith('key_') && keys.hint === undefined;
  const isUnknown = isName && keys.isLoaded && keys.items.every(({ name }) => name !== key.value);
  return {
    field,
    query: {
      key: isUnknown ? '' : key.value,
      account: field('account').value,
      since: toIso(field('since').value),
      before: toIso(field('before').value),
    },
    fields: (
      <>
        <Select
          label="Account"
          options={{ '': 'All', ...toSelectOptionLabelsById(accounts.items) }}
          hint={accounts.hint}
          {...field('account')}
        />
        <TextField
          label="API key"
          {...key}
          placeholder="Name or key_…"
          suggestions={[...new Set(keys.items.map(({ name }) => name))]}
          hint={keys.hint}
          error={isUnknown ? 'No key of this name. Calls of all keys are listed.' : undefined}
          maxLength={200}
        />
        <TextField label="From" type="datetime-local" {...field('since')} />
        <TextField label="To" type="datetime-local" {...field('before')} />
      </>
    ),
  };
}

/** Filter that switches between accepted and refused calls. A switch removes filters that the other list does not have. */
function ResultFilter() {
  const { value } = useQueryParameterFieldBinder()('result');
  return (
    <Select
      label="Calls"
      options={RESULT_OPTIONS}
      value={value as keyof typeof RESULT_OPTIONS}
      onChange={(result) => setQueryParameters({ result, status: null, verdict: null, endpoint: null })}
    />
  );
}

const DETAILS = {
  nameOf: (call: { request_id: string }) => call.request_id,
  open: (call: { request_id: string }) => setQueryParameters({ id: call.request_id }),
};

function AcceptedCalls() {
  const { field, query, fields } = useCommonFilters();
  const list = usePagedList<LoggedCall>(
    appendQueryParameters('/admin/v1/requests', {
      ...query,
      endpoint: field('endpoint').value,
      verdict: field('verdict').value,
    }),
  );
  return (
    <Card flush title="Call log" end={<RefreshButton onClick={list.reload} />}>
      <div class="filters">
        <ResultFilter />
        <Select label="Verdict" options={VERDICT_OPTIONS} {...field('verdict')} />
        <Select label="Endpoint" options={OPERATION_OPTIONS} {...field('endpoint')} />
        {fields}
      </div>
      <PagedTable
        label="Calls"
        list={list}
        keyOf={(call) => call.request_id}
        empty={['No calls', 'No accepted call matches these filters.']}
        details={DETAILS}
        columns={[
          { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
          { head: 'Score', end: true, cell: (call) => <b>{call.trustworthiness_score}</b> },
          { head: 'Verdict', cell: (call) => <VerdictBadge call={call} /> },
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
          { head: 'API key', wide: true, cell: (call) => renderNameOrId(call.key_name, call.key) },
          { head: 'Account', wide: true, cell: (call) => renderNameOrId(call.account_name, call.account) },
          { head: 'Latency', wide: true, end: true, cell: (call) => formatDuration(call.latency_ms) },
        ]}
      />
    </Card>
  );
}

function RefusedCalls() {
  const { field, query, fields } = useCommonFilters();
  const list = usePagedList<RefusedCall>(
    appendQueryParameters('/admin/v1/refusals', {
      ...query,
      endpoint: field('endpoint').value,
      status: field('status').value,
    }),
  );
  return (
    <Card
      flush
      title="Refused calls"
      about="They are not billed. Of many refusals of one key with one code in a minute, ten have a row each, and one row counts the rest."
      end={<RefreshButton onClick={list.reload} />}
    >
      <div class="filters">
        <ResultFilter />
        <Select label="Status" options={STATUS_OPTIONS} {...field('status')} />
        <Select label="Endpoint" options={ROUTE_OPTIONS} {...field('endpoint')} />
        {fields}
      </div>
      <PagedTable
        label="Refused calls"
        list={list}
        keyOf={(call) => call.request_id}
        empty={['No refused calls', 'No refused call matches these filters.']}
        details={DETAILS}
        columns={[
          { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
          { head: 'Status', end: true, cell: ({ status }) => <b>{status}</b> },
          { head: 'Reason', name: true, cell: (call) => <Reason call={call} /> },
          {
            head: 'Endpoint',
            wide: true,
            cell: ({ endpoint }) => <code>{endpoint.replace('/v1/', '')}</code>,
          },
          { head: 'API key', wide: true, cell: (call) => renderNameOrId(call.key_name, call.key) },
          { head: 'Account', wide: true, cell: (call) => renderNameOrId(call.account_name, call.account) },
        ]}
      />
    </Card>
  );
}

/** Error code and broken rule of a refused call, and the number of further refusals in its row. */
const Reason = ({ call: { code, rule, more } }: { call: RefusedCall }) => (
  <>
    <code>{code}</code>
    {more > 0 ? <Badge tone="care">+{formatCount(more, 'call')}</Badge> : null}
    {rule === null ? null : <div class="soft small">{rule}</div>}
  </>
);

/** Converts the local time of a form field to ISO 8601; empty if the field is incomplete. */
const toIso = (local: string): string =>
  Number.isNaN(Date.parse(local)) ? '' : new Date(local).toISOString();

function FindRequest() {
  const { values, field } = useFormValues({ id: '' });
  const id = values.id.trim();
  return (
    <form
      class="row form-line"
      style={{ maxWidth: '560px' }}
      onSubmit={(event) => (event.preventDefault(), setQueryParameters({ id }))}
    >
      <div class="grow">
        <TextField label="Find by request ID" {...field('id')} placeholder="req_…" isMono maxLength={60} />
      </div>
      <Button disabled={id === ''}>Find</Button>
    </form>
  );
}

function describeValues({ values, different_identity: different, unverified }: LoggedCall): string {
  const count = values.emails + values.phones + values.addresses;
  if (count === 0) return 'name only';
  const parts = [
    formatCount(count, 'value'),
    different > 0 ? `${different} of another identity` : '',
    unverified > 0 ? `${unverified} without a record` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
