import { postJson } from '../app/api.ts';
import { useListItems } from '../app/hooks.ts';
import type { Account, CreatedApiKey, ApiKey } from '../app/types.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Checkbox, Select, TextField, toSelectOptionLabelsById, useFormValues } from '../components/form.tsx';

type Scope = ApiKey['scopes'][number];

const SCOPES: [Scope, string][] = [
  ['validate', 'check people'],
  ['read', 'read its own calls and usage'],
  ['raw', 'read the evidence of a check'],
  ['metrics', 'read metrics'],
  ['graph', 'query the identity graph, including names'],
  ['admin', 'administer the server'],
];

const DAY_MS = 86_400_000;
const EXPIRIES = { never: 'Never', '30d': 'In 30 days', '90d': 'In 90 days', '365d': 'In 1 year' };

export function NewKeyDialog({ onDone }: { onDone(created: CreatedApiKey): void }) {
  const { values, field } = useFormValues({
    name: '',
    scopes: ['validate'] as Scope[],
    account: '',
    days: 'never',
    region: '',
    allowed_addresses: '',
    test: false,
  });
  const { items, hint } = useListItems<Account>('/admin/v1/accounts');
  const accounts = items.filter(({ closed }) => closed === null);
  const { scopes, days, ...body } = values;
  const create = () =>
    postJson<CreatedApiKey>('/admin/v1/keys', {
      name: body.name.trim(),
      scopes,
      test: body.test,
      account: body.account || null,
      region: body.region.trim() || null,
      allowed_addresses: body.allowed_addresses.trim() || null,
      expires:
        days === 'never' ? null : new Date(Date.now() + Number.parseInt(days, 10) * DAY_MS).toISOString(),
    });
  return (
    <FormDialog
      title="Create API key"
      submitLabel="Create key"
      isReady={values.name.trim() !== '' && scopes.length > 0}
      submit={create}
      onDone={onDone}
    >
      <TextField label="Name" {...field('name')} placeholder="shop" maxLength={100} required />
      <fieldset class="stack tight">
        <legend class="label">Scopes</legend>
        {SCOPES.map(([scope, about]) => (
          <Checkbox
            key={scope}
            label={
              <>
                <code>{scope}</code> <span class="soft">{about}</span>
              </>
            }
            value={scopes.includes(scope)}
            onChange={(on) =>
              field('scopes').onChange(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
        ))}
      </fieldset>
      <Select
        label="Account"
        hint={['A key without an account has no plan and no quota.', hint].filter(Boolean).join(' ')}
        options={{ '': 'None', ...toSelectOptionLabelsById(accounts) }}
        {...field('account')}
      />
      <Select label="Expires" options={EXPIRIES} {...field('days')} />
      <details>
        <summary class="soft">Advanced</summary>
        <div class="stack details-body">
          <TextField
            label="Allowed IP addresses"
            placeholder="Any, or 192.0.2.0/24, 2001:db8::/32"
            {...field('allowed_addresses')}
          />
          <TextField
            label="Default country of phone numbers"
            placeholder="Server default, or GB"
            maxLength={2}
            {...field('region')}
          />
          <Checkbox
            label="Test key"
            hint="Calls are answered from sample people and never billed."
            {...field('test')}
          />
        </div>
      </details>
    </FormDialog>
  );
}
