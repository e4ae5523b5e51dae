// Manual links: the list, and the dialogs that split and join records. A manual link overrides linking until it is undone.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { postJson } from '../app/api.ts';
import { useResource } from '../app/hooks.ts';
import type { IdentityDetails, ManualLink, CreatedManualLink, IdentityRecord } from '../app/types.ts';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/feedback.tsx';
import { TextField, useFormValues } from '../components/form.tsx';
import { formatCount } from '../components/format.ts';
import { Badge, Card, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';
import { PersonNames, toIdentityNumber, formatRecordReference } from './search.tsx';

const PATH = '/admin/v1/graph/judgements';

export function ManualLinksTab() {
  const links = useResource<{ items: ManualLink[] }>(PATH);
  const { dialog, open } = useDialog();
  return (
    <Card
      flush
      title="Manual links"
      about="Decisions of operators on which records belong to one person. They override linking until they are undone."
    >
      <PagedTable
        label="Manual links"
        list={{ ...links, data: links.data?.items.toReversed() ?? null, loadMore: null }}
        keyOf={({ id }) => id}
        empty={['No manual links yet', 'Open an identity under People to split or join records.']}
        columns={[
          { head: 'No.', end: true, cell: ({ id }) => id },
          {
            head: 'Decision',
            cell: ({ kind, undone }) => (
              <Badge tone={undone ? 'none' : 'accent'}>{undone ? `${kind}, undone` : kind}</Badge>
            ),
          },
          { head: 'Records', wide: true, end: true, cell: ({ records }) => records.join(' from ') },
          { head: 'Reason', name: true, cell: ({ why }) => <bdi>{why || '–'}</bdi> },
          { head: 'Operator', wide: true, name: true, cell: ({ who }) => <bdi>{who}</bdi> },
          { head: 'Time', wide: true, cell: ({ time }) => <RelativeTime at={time} /> },
        ]}
        actions={({ id, undone }) =>
          undone ? null : (
            <RowButton
              text="Undo"
              label={`Undo manual link ${id}`}
              onClick={() => open(<UndoDialog id={id} />)}
            />
          )
        }
      />
      {dialog}
    </Card>
  );
}

const UndoDialog = ({ id }: { id: number }) => (
  <FormDialog
    title={`Undo manual link ${id}?`}
    submitLabel="Undo manual link"
    isDanger
    submit={() => postJson(`${PATH}/${id}/undo`)}
    message="Manual link undone."
  >
    <p>Linking decides again about these records, with the other manual links.</p>
  </FormDialog>
);

/** Called after a manual link was saved. */
type OnLinked = (link: CreatedManualLink) => void;

export const SplitIdentityDialog = ({ records, onDone }: { records: IdentityRecord[]; onDone: OnLinked }) => (
  <ManualLinkDialog
    title={`Split off ${formatCount(records.length, 'record')}?`}
    submitLabel="Split off"
    path="/admin/v1/graph/split"
    body={{ records: records.map(formatRecordReference) }}
    onDone={onDone}
  >
    <p>These records belong to another person than the other records of this identity:</p>
    <ul class="bullets">
      {records.map((record) => (
        <li key={formatRecordReference(record)} class="name">
          <bdi>{record.source}</bdi>: <bdi>{record.record_id}</bdi>
        </li>
      ))}
    </ul>
  </ManualLinkDialog>
);

/** Dialog that joins two identities. It shows the names of the other identity first. */
export function JoinIdentitiesDialog({ identity, onDone }: { identity: number; onDone: OnLinked }) {
  const [text, setText] = useState('');
  const number = toIdentityNumber(text);
  const isSame = number === identity;
  const path = number === null || isSame ? null : `/admin/v1/graph/identities/${number}`;
  const { data, problem, isLoading } = useResource<IdentityDetails>(path);
  const other = path === null || isLoading || problem || data?.identity === identity ? null : data;
  return (
    <ManualLinkDialog
      title={`Join identity ${identity} with another?`}
      submitLabel="Join"
      path="/admin/v1/graph/join"
      body={{ identities: [identity, number] }}
      isReady={other !== null}
      onDone={onDone}
    >
      <TextField
        label="Number of the other identity"
        value={text}
        onChange={setText}
        error={isSame ? 'This is the same identity.' : undefined}
      />
      <ErrorNote problem={path === null ? null : problem} />
      {other ? (
        <div class="name">
          <PersonNames names={other.names} />
          <span class="small soft">{formatCount(other.records.length, 'record')}</span>
        </div>
      ) : null}
    </ManualLinkDialog>
  );
}

interface ManualLinkDialogProps {
  title: string;
  submitLabel: string;
  path: string;
  body: object;
  isReady?: boolean;
  onDone: OnLinked;
  children: ComponentChildren;
}

function ManualLinkDialog({ path, body, isReady = true, children, ...dialog }: ManualLinkDialogProps) {
  const { values, field } = useFormValues({ why: '' });
  const why = values.why.trim();
  return (
    <FormDialog
      {...dialog}
      isReady={isReady && why !== ''}
      submit={() => postJson<CreatedManualLink>(path, { ...body, why })}
    >
      {children}
      <TextField
        label="Reason"
        {...field('why')}
        maxLength={500}
        hint="Do not enter a name, e-mail or phone. The reason is stored encrypted until one of the people is forgotten."
      />
    </FormDialog>
  );
}
