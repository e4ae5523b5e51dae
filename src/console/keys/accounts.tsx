import { postJson } from '../app/api.ts';
import { usePagedList } from '../app/hooks.ts';
import type { Account } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { Select, TextField, useFormValues } from '../components/form.tsx';
import { formatNumber } from '../components/format.ts';
import { Badge, Card, BidiIsolatedName, NameWithId, NoneText, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';
import { AccountDialog } from './account.tsx';
import { usePlanOptions } from './plans.tsx';

const PATH = '/admin/v1/accounts';

export function AccountsTab() {
  const list = usePagedList<Account>(PATH);
  const { dialog, open } = useDialog();
  return (
    <Card
      flush
      title="Accounts"
      end={
        <Button primary icon="plus" onClick={() => open(<NewAccountDialog />)}>
          Create account
        </Button>
      }
    >
      <PagedTable
        label="Accounts"
        list={list}
        keyOf={({ id }) => id}
        empty={[
          'No accounts yet',
          'An account groups API keys. Their calls are counted, limited and billed together, by its plan.',
        ]}
        columns={[
          { head: 'Name', name: true, cell: ({ name, id }) => <NameWithId name={name} id={id} /> },
          { head: 'Plan', cell: ({ plan }) => plan ?? <NoneText /> },
          { head: 'Keys', wide: true, end: true, cell: ({ keys }) => formatNumber(keys.length) },
          { head: 'Created', wide: true, cell: ({ created }) => <RelativeTime at={created} /> },
          {
            head: 'Status',
            wide: true,
            cell: ({ closed }) =>
              closed === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Closed</Badge>,
          },
        ]}
        actions={(account) => (
          <>
            <RowButton
              text="Details"
              label={`Details of ${account.name}`}
              onClick={() => open(<AccountDialog account={account} />)}
            />
            <RowButton
              text={account.closed === null ? 'Close' : 'Reopen'}
              label={`${account.closed === null ? 'Close' : 'Reopen'} ${account.name}`}
              danger={account.closed === null}
              onClick={() => open(<CloseAccountDialog account={account} />)}
            />
          </>
        )}
      />
      {dialog}
    </Card>
  );
}

function NewAccountDialog() {
  const { values, field } = useFormValues({ name: '', plan: '' });
  const name = values.name.trim();
  return (
    <FormDialog
      title="Create account"
      submitLabel="Create account"
      isReady={name !== ''}
      submit={() => postJson(PATH, { name, plan: values.plan || null })}
    >
      <TextField label="Name" {...field('name')} maxLength={100} required placeholder="Jane’s Shop" />
      <Select label="Plan" options={usePlanOptions()} {...field('plan')} />
    </FormDialog>
  );
}

function CloseAccountDialog({ account }: { account: Account }) {
  const isOpen = account.closed === null;
  const verb = isOpen ? 'Close' : 'Reopen';
  return (
    <FormDialog
      title={`${verb} account?`}
      submitLabel={`${verb} account`}
      isDanger={isOpen}
      submit={() => postJson(`${PATH}/${account.id}/${verb.toLowerCase()}`)}
      message={isOpen ? 'Account closed.' : 'Account reopened.'}
    >
      <p>
        The keys of <BidiIsolatedName>{account.name}</BidiIsolatedName>{' '}
        {isOpen ? 'stop working immediately. You can reopen the account later.' : 'work again.'}
      </p>
    </FormDialog>
  );
}
