import { useState } from 'preact/hooks';
import { postJson, appendQueryParameters } from '../app/api.ts';
import { useListItems, usePagedList } from '../app/hooks.ts';
import type { Account, CreatedApiKey, ApiKey, ApiKeyRotation } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Dialog, FormDialog, useDialog } from '../components/dialog.tsx';
import { Note } from '../components/feedback.tsx';
import { RadioGroup, Select, useFormValues } from '../components/form.tsx';
import {
  Badge,
  Card,
  CopyButton,
  DefinitionList,
  BidiIsolatedName,
  NameWithId,
  NoneText,
  PageHeader,
  PageTabs,
  RelativeTime,
} from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';
import { AccountsTab } from './accounts.tsx';
import { NewKeyDialog } from './new-key.tsx';
import { PlansTab } from './plans.tsx';

const STATES = {
  valid: ['good', 'Active'],
  expired: ['none', 'Expired'],
  revoked: ['bad', 'Revoked'],
} as const;
type KeyState = keyof typeof STATES;

function findState({ revoked, expires }: ApiKey): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= Date.now() ? 'expired' : 'valid';
}

export default function KeysPage() {
  return (
    <>
      <PageHeader
        title="Accounts & keys"
        about="API keys, the accounts that calls are billed to, and the plans that set quota and price."
      />
      <PageTabs
        label="Accounts and keys"
        tabs={[
          ['keys', 'API keys', Keys],
          ['accounts', 'Accounts', AccountsTab],
          ['plans', 'Plans', PlansTab],
        ]}
      />
    </>
  );
}

function Keys() {
  const [state, setState] = useState<KeyState | 'all'>('valid');
  const { dialog, open } = useDialog();
  const { items: accounts } = useListItems<Account>('/admin/v1/accounts');
  const list = usePagedList<ApiKey>(
    appendQueryParameters('/admin/v1/keys', { state: state === 'all' ? null : state }),
  );
  const showCreated = (created: CreatedApiKey) => open(<CreatedKeyDialog created={created} />);
  return (
    <Card
      flush
      title="API keys"
      end={
        <>
          <RadioGroup
            label="Status"
            isLabelHidden
            value={state}
            options={{ valid: 'Active', expired: 'Expired', revoked: 'Revoked', all: 'All' }}
            onChange={setState}
          />
          <Button primary icon="plus" onClick={() => open(<NewKeyDialog onDone={showCreated} />)}>
            Create key
          </Button>
        </>
      }
    >
      <PagedTable
        label="API keys"
        list={list}
        keyOf={({ id }) => id}
        empty={[
          state === 'all' ? 'No API keys yet' : `No ${STATES[state][1].toLowerCase()} API keys`,
          'Each service that calls the API needs a key. A key is shown once, when you create it.',
        ]}
        columns={[
          { head: 'Name', name: true, cell: ({ name, id }) => <NameWithId name={name} id={id} /> },
          { head: 'Key', wide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
          { head: 'Scopes', wide: true, cell: ({ scopes }) => scopes.join(', ') },
          {
            head: 'Account',
            wide: true,
            cell: ({ account }) => {
              if (account === null) return <NoneText />;
              const name = accounts.find(({ id }) => id === account)?.name;
              return name ? <NameWithId name={name} id={account} /> : <code>{account}</code>;
            },
          },
          { head: 'Last used', wide: true, cell: ({ last_used: at }) => <RelativeTime at={at} /> },
          { head: 'Status', cell: (key) => <Status apiKey={key} /> },
        ]}
        actions={(key) =>
          findState(key) === 'valid' ? (
            <>
              <RowButton
                text="Rotate"
                label={`Rotate ${key.name}`}
                disabled={key.rotated_to !== null}
                onClick={() => open(<RotateDialog apiKey={key} onDone={showCreated} />)}
              />
              <RowButton
                text="Revoke"
                label={`Revoke ${key.name}`}
                danger
                onClick={() => open(<RevokeDialog apiKey={key} />)}
              />
            </>
          ) : null
        }
      />
      {dialog}
    </Card>
  );
}

function Status({ apiKey }: { apiKey: ApiKey }) {
  const state = findState(apiKey);
  const [tone, label] = STATES[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {state === 'valid' && apiKey.expires !== null ? (
        <div class="faint small">
          expires <RelativeTime at={apiKey.expires} />
        </div>
      ) : null}
    </>
  );
}

const CreatedKeyDialog = ({ created }: { created: CreatedApiKey }) => (
  <Dialog title="API key created" isModal closeLabel="I have saved the key">
    <Note tone="care">Copy the key now. It cannot be shown again.</Note>
    <div class="secret">
      <code>{created.key}</code>
      <CopyButton text={created.key} label="Copy key" />
    </div>
    <DefinitionList
      items={[
        ['Name', <bdi>{created.name}</bdi>],
        ['Scopes', created.scopes.join(', ')],
        ['Key ID', <code>{created.id}</code>],
      ]}
    />
  </Dialog>
);

const RevokeDialog = ({ apiKey }: { apiKey: ApiKey }) => (
  <FormDialog
    title="Revoke API key?"
    submitLabel="Revoke key"
    isDanger
    submit={() => postJson(`/admin/v1/keys/${apiKey.id}/revoke`)}
    message="API key revoked."
  >
    <p>
      <BidiIsolatedName>{apiKey.name}</BidiIsolatedName> and all keys that it replaced stop working
      immediately. This cannot be undone.
    </p>
  </FormDialog>
);

const GRACE_PERIODS = {
  '0s': 'None, the old key stops working now',
  '1h': '1 hour',
  '24h': '1 day',
  '7d': '1 week',
  '30d': '30 days',
};

function RotateDialog({ apiKey, onDone }: { apiKey: ApiKey; onDone(created: CreatedApiKey): void }) {
  const { values, field } = useFormValues({ grace: '24h' });
  return (
    <FormDialog
      title="Rotate API key"
      submitLabel="Rotate key"
      submit={() => postJson<ApiKeyRotation>(`/admin/v1/keys/${apiKey.id}/rotate`, values)}
      onDone={({ made }) => onDone(made)}
    >
      <p>
        A new key with the same name, scopes and account replaces{' '}
        <BidiIsolatedName>{apiKey.name}</BidiIsolatedName>. The old key works until the grace period ends.
      </p>
      <Select label="Grace period" options={GRACE_PERIODS} {...field('grace')} />
    </FormDialog>
  );
}
