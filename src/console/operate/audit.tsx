// Log of administrative actions. The digest of each entry covers the entry before it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { getJson, appendQueryParameters } from '../app/api.ts';
import { useAction, usePagedList } from '../app/hooks.ts';
import type { AuditEntry, AuditVerification } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Dialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote, Note } from '../components/feedback.tsx';
import { TextField, useFormValues } from '../components/form.tsx';
import { formatCount, formatDateTime } from '../components/format.ts';
import { Card, DefinitionList, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable } from '../components/table.tsx';

export default function AuditPage() {
  const { values, field } = useFormValues({ actor: '', target: '' });
  const [verification, setVerification] = useState<AuditVerification | null>(null);
  const action = useAction();
  const { dialog, open } = useDialog();
  const query = { actor: values.actor.trim(), target: values.target.trim() };
  const list = usePagedList<AuditEntry>(appendQueryParameters('/admin/v1/audit', query));
  const verify = () => action.run(async () => setVerification(await getJson('/admin/v1/audit/verify')));
  return (
    <>
      <PageHeader
        title="Audit log"
        about="Administrative actions in the console, at the command line and over HTTP. Verifying reveals any change of an entry."
      >
        <Button disabled={action.isRunning} onClick={verify}>
          {action.isRunning ? 'Verifying…' : 'Verify log'}
        </Button>
      </PageHeader>
      <ErrorNote problem={action.problem} />
      {verification ? <VerificationNote {...verification} /> : null}
      <Card flush>
        <div class="filters">
          <TextField
            label="Actor"
            {...field('actor')}
            placeholder="key_… or console"
            isMono
            maxLength={200}
          />
          <TextField label="Target" {...field('target')} placeholder="key_…, acc_…" isMono maxLength={200} />
        </div>
        <PagedTable
          label="Audit log"
          list={list}
          keyOf={({ seq }) => seq}
          empty={['No entries', 'No entry matches these filters.']}
          details={{
            nameOf: ({ seq }) => `entry ${seq}`,
            open: (entry) => open(<EntryDetails entry={entry} />),
          }}
          columns={[
            { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
            { head: 'Action', cell: ({ act }) => <code>{act}</code> },
            { head: 'Target', cell: ({ target: id }) => <code class="anywhere">{id}</code> },
            { head: 'Actor', wide: true, cell: ({ actor: id }) => <code>{id}</code> },
            { head: 'Details', wide: true, name: true, cell: ({ detail }) => <Details detail={detail} /> },
            { head: 'No.', wide: true, end: true, cell: ({ seq }) => seq },
          ]}
        />
      </Card>
      {dialog}
    </>
  );
}

const VerificationNote = ({ acts, head, broken }: AuditVerification) =>
  broken ? (
    <Note tone="bad">
      Verification failed: entry {broken.seq} is {broken.why}. Do not trust the entries from there on.
    </Note>
  ) : (
    <Note tone="good">
      Log verified: {formatCount(acts, 'entry', 'entries')} without a gap or a change. Store the newest digest
      elsewhere: <code class="anywhere">{head}</code>
    </Note>
  );

/** Names of those details of an audit entry that are times. */
const TIMES: ReadonlySet<string> = new Set(['since', 'expires']);

const formatDetail = (name: string, value: unknown): string =>
  TIMES.has(name) ? formatDateTime(String(value)) : formatValue(name === 'terms' ? parseTerms(value) : value);

/** Formats a value without the marks of JSON: `validate, raw`, `included 12; price 0.10`. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${name} ${formatValue(part)}`)
    .join('; ');
}

/** Parses the terms of a plan, which an audit entry has as JSON. Text that is not JSON is returned unchanged. */
function parseTerms(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

const EntryDetails = ({ entry }: { entry: AuditEntry }) => (
  <Dialog title={`Entry ${entry.seq}`}>
    <DefinitionList
      items={[
        ['Time', formatDateTime(entry.time)],
        ['Action', <code>{entry.act}</code>],
        ['Target', <code class="anywhere">{entry.target || 'none'}</code>],
        ['Actor', <code class="anywhere">{entry.actor}</code>],
        ...Object.entries(entry.detail)
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]): [string, ComponentChildren] => [
            name,
            <bdi class="anywhere">{formatDetail(name, value)}</bdi>,
          ]),
        ['Digest', <code class="anywhere">{entry.hash}</code>],
      ]}
    />
  </Dialog>
);

const Details = ({ detail }: { detail: AuditEntry['detail'] }) => (
  <span class="small soft">
    {Object.entries(detail)
      .filter(([, value]) => value !== null && value !== false && value !== '')
      .map(([name, value], i) => (
        <>
          {i === 0 ? '' : ', '}
          <bdi key={name}>
            {name}: {formatDetail(name, value)}
          </bdi>
        </>
      ))}
  </span>
);
