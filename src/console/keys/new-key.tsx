import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, usePages } from '../api/use.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Select, TextField, Tick } from '../parts/form.tsx';
import type { Account, Key } from './types.ts';

const SCOPES = [
  ['validate', 'Check people'],
  ['read', 'Look up what it called'],
  ['raw', 'See the evidence of a check'],
  ['metrics', 'Read the figures'],
  ['graph', 'Ask the graph itself, names of people included'],
  ['admin', 'Administer, here and over HTTP'],
] as const;
const DAY_MS = 86_400_000;
const ENDS = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

export function NewKey({ close, onMade }: { close(): void; onMade(made: Key & { key: string }): void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['validate']);
  const [account, setAccount] = useState('');
  const [test, setTest] = useState(false);
  const [ends, setEnds] = useState<(typeof ENDS)[number][0]>('never');
  const [region, setRegion] = useState('');
  const [allowed, setAllowed] = useState('');
  const accounts = usePages<Account>('/admin/v1/accounts?limit=200');
  const act = useAct();
  const wrong = (field: string) => act.problem?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail;
  const make = (event: Event) => {
    event.preventDefault();
    void act.run(async () => {
      const expires = ends === 'never' ? null : new Date(Date.now() + Number(ends) * DAY_MS).toISOString();
      const asked = {
        name: name.trim(),
        scopes,
        test,
        account: account || null,
        region: region.trim() || null,
        allowed_addresses: allowed.trim() || null,
        expires,
      };
      onMade(await post('/admin/v1/keys', asked));
    });
  };
  return (
    <Dialog title="New key" close={close}>
      <form class="stack" onSubmit={make}>
        <TextField
          label="What it is for"
          value={name}
          change={setName}
          placeholder="shop"
          maxLength={100}
          required
          wrong={wrong('name')}
        />
        <fieldset class="stack tight">
          <legend class="label" style={{ marginBottom: '6px' }}>
            What it may do
          </legend>
          {SCOPES.map(([scope, text]) => (
            <Tick
              key={scope}
              label={text}
              value={scopes.includes(scope)}
              change={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
            />
          ))}
        </fieldset>
        <Select
          label="Account"
          value={account}
          change={setAccount}
          hint="Without one it stands alone: no plan, no quota."
          wrong={wrong('account')}
          options={[
            ['', 'None'],
            ...(accounts.items ?? [])
              .filter(({ closed }) => closed === null)
              .map(({ id, name }): [string, string] => [id, name]),
          ]}
        />
        <Select label="It ends" value={ends} options={ENDS} change={setEnds} />
        <details open={Boolean(wrong('allowed_addresses') ?? wrong('region')) || undefined}>
          <summary class="soft">More</summary>
          <div class="stack" style={{ paddingTop: '12px' }}>
            <TextField
              label="Addresses that it may be used from"
              value={allowed}
              change={setAllowed}
              placeholder="any; or 192.0.2.0/24, 2001:db8::/32"
              wrong={wrong('allowed_addresses')}
            />
            <TextField
              label="Country of its numbers"
              value={region}
              change={setRegion}
              placeholder="the server’s; or GB"
              maxLength={2}
              wrong={wrong('region')}
            />
            <Tick
              label="A test key"
              value={test}
              change={setTest}
              hint="Answered from invented people, and never billed."
            />
          </div>
        </details>
        <DialogEnd
          yes="Make the key"
          act={act}
          beside={['name', 'account', 'allowed_addresses', 'region']}
          ready={name.trim() !== '' && scopes.length > 0}
          close={close}
        />
      </form>
    </Dialog>
  );
}
