// The API keys: made, replaced, revoked.
import { useState } from 'preact/hooks';
import { post, withQuery } from '../api/ask.ts';
import { useAct, usePages } from '../api/use.ts';
import { Confirm, Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Choice, Select } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { List } from '../parts/list.tsx';
import { Badge, Card, CopyButton, Empty, Note, Time } from '../parts/parts.tsx';
import { toast } from '../parts/toast.tsx';
import type { Tone } from '../parts/tone.ts';
import { NewKey } from './new-key.tsx';
import { stateOf } from './types.ts';
import type { Key, KeyState } from './types.ts';

type Made = Key & { key: string };
type Doing = { what: 'new' } | { what: 'rotate' | 'revoke'; key: Key } | { what: 'made'; made: Made } | null;

const STATES: Record<KeyState, Tone> = { valid: 'good', expired: 'none', revoked: 'bad' };

export function Keys() {
  const [state, setState] = useState<'all' | KeyState>('valid');
  const [doing, setDoing] = useState<Doing>(null);
  const pages = usePages<Key>(withQuery('/admin/v1/keys', { state: state === 'all' ? null : state }));
  const done = () => {
    setDoing(null);
    pages.again();
  };
  return (
    <>
      <Card
        flush
        title="Keys"
        end={
          <>
            <Choice
              label="State"
              unseen
              value={state}
              options={[
                ['valid', 'Valid'],
                ['expired', 'Expired'],
                ['revoked', 'Revoked'],
                ['all', 'All'],
              ]}
              change={setState}
            />
            <button type="button" class="button primary" onClick={() => setDoing({ what: 'new' })}>
              <Icon name="plus" /> New key
            </button>
          </>
        }
      >
        <List
          label="Keys"
          pages={pages}
          keyOf={({ id }) => id}
          empty={
            <Empty title={state === 'all' ? 'No keys yet' : `No ${state} keys`}>
              <p>A service needs one to call: it is shown once, when it is made.</p>
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
            { head: 'Key', wide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
            { head: 'May', wide: true, cell: ({ scopes }) => scopes.join(', ') },
            {
              head: 'Account',
              wide: true,
              cell: ({ account }) =>
                account === null ? <span class="faint">none</span> : <code>{account}</code>,
            },
            { head: 'Used', wide: true, cell: ({ last_used: at }) => <Time at={at} /> },
            { head: 'State', cell: (key) => <StateOf of={key} /> },
          ]}
          actions={(key) =>
            stateOf(key) === 'valid' ? (
              <>
                <button
                  type="button"
                  class="button quiet small"
                  disabled={key.rotated_to !== null}
                  onClick={() => setDoing({ what: 'rotate', key })}
                  aria-label={`Rotate ${key.name}`}
                >
                  Rotate
                </button>
                <button
                  type="button"
                  class="button quiet small danger"
                  onClick={() => setDoing({ what: 'revoke', key })}
                  aria-label={`Revoke ${key.name}`}
                >
                  Revoke
                </button>
              </>
            ) : null
          }
        />
      </Card>
      {doing?.what === 'new' ? (
        <NewKey
          close={() => setDoing(null)}
          onMade={(made) => (pages.again(), setDoing({ what: 'made', made }))}
        />
      ) : null}
      {doing?.what === 'made' ? <Shown made={doing.made} close={done} /> : null}
      {doing?.what === 'revoke' ? <Revoke of={doing.key} close={done} /> : null}
      {doing?.what === 'rotate' ? (
        <Rotate
          of={doing.key}
          close={() => setDoing(null)}
          onMade={(made) => (pages.again(), setDoing({ what: 'made', made }))}
        />
      ) : null}
    </>
  );
}

function StateOf({ of }: { of: Key }) {
  const state = stateOf(of);
  return (
    <span class="stack tight" style={{ gap: '2px' }}>
      <span>
        <Badge tone={STATES[state]}>{state}</Badge>
      </span>
      {state === 'valid' && of.expires !== null ? (
        <small class="faint">
          ends <Time at={of.expires} />
        </small>
      ) : null}
    </span>
  );
}

function Shown({ made, close }: { made: Made; close(): void }) {
  return (
    <Dialog title="The key" close={close} stays>
      <Note tone="care">It is shown only now: nobody, this server included, can show it again.</Note>
      <div class="secret">
        <code>{made.key}</code>
        <CopyButton text={made.key} label="Copy the key" />
      </div>
      <dl class="facts">
        <dt>Name</dt>
        <dd>
          <bdi>{made.name}</bdi>
        </dd>
        <dt>May</dt>
        <dd>{made.scopes.join(', ')}</dd>
        <dt>Id</dt>
        <dd>
          <code>{made.id}</code>
        </dd>
      </dl>
      <div class="dialog-end">
        <button type="button" class="button primary" onClick={close}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}

function Revoke({ of, close }: { of: Key; close(): void }) {
  const act = useAct();
  return (
    <Confirm
      title="Revoke the key?"
      yes="Revoke"
      act={act}
      close={close}
      does={async () => {
        await post(`/admin/v1/keys/${of.id}/revoke`);
        toast('The key is revoked.');
      }}
    >
      <p>
        <bdi>
          <b>{of.name}</b>
        </bdi>{' '}
        is refused from now on, and so is every key that it replaced. This cannot be taken back.
      </p>
    </Confirm>
  );
}

const GRACES = [
  ['0s', 'None: it ends now'],
  ['1h', 'An hour'],
  ['24h', 'A day'],
  ['7d', 'A week'],
  ['30d', '30 days'],
] as const;

function Rotate({ of, close, onMade }: { of: Key; close(): void; onMade(made: Made): void }) {
  const [grace, setGrace] = useState<(typeof GRACES)[number][0]>('24h');
  const act = useAct();
  const rotate = () =>
    void act.run(async () =>
      onMade((await post<{ made: Made }>(`/admin/v1/keys/${of.id}/rotate`, { grace })).made),
    );
  return (
    <Dialog title="Replace the key" close={close}>
      <p>
        Another key of the same name, scopes and account is made. The old one of{' '}
        <bdi>
          <b>{of.name}</b>
        </bdi>{' '}
        goes on for a time of grace, so that you can put the new one in its place.
      </p>
      <Select label="Time of grace" value={grace} options={GRACES} change={setGrace} />
      <DialogEnd yes="Replace" act={act} does={rotate} close={close} />
    </Dialog>
  );
}
