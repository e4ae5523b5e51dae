// Accounts: whose keys are billed together, by which plan, and what came of it.
import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, usePages } from '../api/use.ts';
import { Confirm, Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { List } from '../parts/list.tsx';
import { Badge, Card, Empty, Time } from '../parts/parts.tsx';
import { count } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import { ShowAccount, usePlans } from './account.tsx';
import type { Account } from './types.ts';

export function Accounts() {
  const pages = usePages<Account>('/admin/v1/accounts');
  const [doing, setDoing] = useState<{ what: 'new' } | { what: 'show' | 'close'; account: Account } | null>(
    null,
  );
  const done = () => {
    setDoing(null);
    pages.again();
  };
  return (
    <>
      <Card
        flush
        title="Accounts"
        end={
          <button type="button" class="button primary" onClick={() => setDoing({ what: 'new' })}>
            <Icon name="plus" /> New account
          </button>
        }
      >
        <List
          label="Accounts"
          pages={pages}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No accounts yet">
              <p>
                An account has keys and a plan: by it calls are counted, limited and billed together. Keys
                without one stand alone.
              </p>
            </Empty>
          }
          columns={[
            {
              head: 'Name',
              name: true,
              cell: ({ name, id }) => (
                <>
                  <bdi>{name}</bdi>
                  <div class="faint small mono">{id}</div>
                </>
              ),
            },
            { head: 'Plan', cell: ({ plan }) => plan ?? <span class="faint">none</span> },
            { head: 'Keys', wide: true, end: true, cell: ({ keys }) => count(keys.length) },
            { head: 'Made', wide: true, cell: ({ created }) => <Time at={created} /> },
            {
              head: 'State',
              wide: true,
              cell: ({ closed }) =>
                closed === null ? <Badge tone="good">open</Badge> : <Badge tone="bad">closed</Badge>,
            },
          ]}
          actions={(account) => (
            <>
              <button
                type="button"
                class="button quiet small"
                onClick={() => setDoing({ what: 'show', account })}
                aria-label={`Look at ${account.name}`}
              >
                Look
              </button>
              <button
                type="button"
                class={`button quiet small ${account.closed === null ? 'danger' : ''}`}
                onClick={() => setDoing({ what: 'close', account })}
                aria-label={`${account.closed === null ? 'Close' : 'Reopen'} ${account.name}`}
              >
                {account.closed === null ? 'Close' : 'Reopen'}
              </button>
            </>
          )}
        />
      </Card>
      {doing?.what === 'new' ? <NewAccount close={() => setDoing(null)} onMade={done} /> : null}
      {doing?.what === 'show' ? <ShowAccount of={doing.account} close={done} /> : null}
      {doing?.what === 'close' ? <CloseOrOpen of={doing.account} close={done} /> : null}
    </>
  );
}

function NewAccount({ close, onMade }: { close(): void; onMade(): void }) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState('');
  const act = useAct();
  const plans = usePlans();
  const make = async (event: Event) => {
    event.preventDefault();
    if (await act.run(() => post('/admin/v1/accounts', { name: name.trim(), plan: plan || null }))) onMade();
  };
  return (
    <Dialog title="New account" close={close}>
      <form class="stack" onSubmit={(event) => void make(event)}>
        <TextField
          label="Whose it is"
          value={name}
          change={setName}
          maxLength={100}
          required
          placeholder="Jane’s Shop"
        />
        <Select label="Plan" value={plan} options={plans} change={setPlan} />
        <DialogEnd yes="Make the account" act={act} ready={name.trim() !== ''} close={close} />
      </form>
    </Dialog>
  );
}

function CloseOrOpen({ of, close }: { of: Account; close(): void }) {
  const act = useAct();
  const verb = of.closed === null ? 'close' : 'reopen';
  return (
    <Confirm
      title={of.closed === null ? 'Close the account?' : 'Reopen the account?'}
      yes={of.closed === null ? 'Close it' : 'Reopen it'}
      act={act}
      close={close}
      does={async () => {
        await post(`/admin/v1/accounts/${of.id}/${verb}`);
        toast(of.closed === null ? 'The account is closed.' : 'The account is open again.');
      }}
    >
      <p>
        {of.closed === null ? (
          <>
            Its keys are refused from now on.{' '}
            <bdi>
              <b>{of.name}</b>
            </bdi>{' '}
            can be reopened.
          </>
        ) : (
          <>
            The keys of{' '}
            <bdi>
              <b>{of.name}</b>
            </bdi>{' '}
            are taken again.
          </>
        )}
      </p>
    </Confirm>
  );
}
