// Plans: what calls cost, and what bounds them. A plan never changes: it gets another version.
import { useState } from 'preact/hooks';
import { ask, post } from '../api/ask.ts';
import { useAct, usePages } from '../api/use.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Choice, TextField } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { List } from '../parts/list.tsx';
import { Badge, Card, Empty, Time } from '../parts/parts.tsx';
import { count } from '../parts/text.ts';
import type { Plan } from './types.ts';

const lastOf = ({ versions }: Plan) => versions.at(-1);

export function Plans() {
  const pages = usePages<Plan>('/admin/v1/plans');
  const [doing, setDoing] = useState<{ plan: Plan | null } | null>(null);
  const done = () => {
    setDoing(null);
    pages.again();
  };
  return (
    <>
      <Card
        flush
        title="Plans"
        end={
          <button type="button" class="button primary" onClick={() => setDoing({ plan: null })}>
            <Icon name="plus" /> New plan
          </button>
        }
      >
        <List
          label="Plans"
          pages={pages}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No plans yet">
              <p>
                A plan says how many calls a month are included, what one beyond costs, and how fast a key may
                call.
              </p>
            </Empty>
          }
          columns={[
            {
              head: 'Plan',
              name: true,
              cell: (plan) => (
                <>
                  {plan.id} {plan.retired === null ? null : <Badge>retired</Badge>}
                </>
              ),
            },
            { head: 'Included', end: true, cell: (plan) => count(lastOf(plan)?.included ?? 0) },
            { head: 'Beyond', wide: true, cell: (plan) => beyond(plan) },
            { head: 'Rate', wide: true, cell: (plan) => rate(plan) },
            {
              head: 'Version',
              wide: true,
              cell: (plan) => (
                <>
                  {lastOf(plan)?.version}{' '}
                  <span class="faint">
                    since <Time at={lastOf(plan)?.since} />
                  </span>
                </>
              ),
            },
          ]}
          actions={(plan) =>
            plan.retired === null ? (
              <button
                type="button"
                class="button quiet small"
                onClick={() => setDoing({ plan })}
                aria-label={`Change ${plan.id}`}
              >
                Change
              </button>
            ) : null
          }
        />
      </Card>
      {doing ? <PlanForm of={doing.plan} close={() => setDoing(null)} onDone={done} /> : null}
    </>
  );
}

function beyond(plan: Plan): string {
  const terms = lastOf(plan);
  if (!terms) return '';
  return terms.overage === 'block' ? 'refused' : `${terms.price} ${terms.currency} a call`;
}

function rate(plan: Plan): string {
  const limit = lastOf(plan)?.rate;
  return limit ? `${count(limit.calls)} in ${limit.seconds} s` : 'no limit';
}

const whole = (text: string) => (text.trim() === '' ? null : Number(text));

function PlanForm({ of, close, onDone }: { of: Plan | null; close(): void; onDone(): void }) {
  const before = of && lastOf(of);
  const [id, setId] = useState('');
  const [included, setIncluded] = useState(String(before?.included ?? 1000));
  const [price, setPrice] = useState(before?.price ?? '0.02');
  const [currency, setCurrency] = useState(before?.currency ?? 'USD');
  const [overage, setOverage] = useState<'bill' | 'block'>(before?.overage ?? 'bill');
  const [calls, setCalls] = useState(String(before?.rate?.calls ?? ''));
  const [from, setFrom] = useState<'now' | 'next-month'>('now');
  const act = useAct();
  const wrong = (field: string) => act.problem?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail;
  const save = async (event: Event) => {
    event.preventDefault();
    const perSecond = whole(calls);
    const rate =
      perSecond === null
        ? null
        : before?.rate?.calls === perSecond
          ? before.rate
          : { calls: perSecond, seconds: 1, burst: perSecond * 2 };
    const terms = {
      included: whole(included) ?? 0,
      price: price.trim(),
      currency: currency.trim(),
      overage,
      rate,
    };
    const work = () =>
      of
        ? ask('PATCH', `/admin/v1/plans/${of.id}`, { ...terms, ...(from === 'now' ? {} : { from }) })
        : post('/admin/v1/plans', { id: id.trim(), ...terms });
    if (await act.run(work)) onDone();
  };
  return (
    <Dialog title={of ? `Change ${of.id}` : 'New plan'} close={close}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        {of ? null : (
          <TextField
            label="Short name"
            value={id}
            change={setId}
            placeholder="starter"
            maxLength={40}
            required
            wrong={wrong('id')}
          />
        )}
        <TextField
          label="Included calls a month"
          value={included}
          change={setIncluded}
          wrong={wrong('included')}
        />
        <Choice
          label="Calls beyond them are"
          value={overage}
          options={[
            ['bill', 'Billed'],
            ['block', 'Refused'],
          ]}
          change={setOverage}
        />
        {overage === 'bill' ? (
          <div class="grid-2">
            <TextField label="Price of one" value={price} change={setPrice} wrong={wrong('price')} />
            <TextField
              label="Currency"
              value={currency}
              change={setCurrency}
              maxLength={3}
              wrong={wrong('currency')}
            />
          </div>
        ) : null}
        <TextField
          label="Calls a second"
          value={calls}
          change={setCalls}
          placeholder="no limit"
          wrong={wrong('rate')}
        />
        {of ? (
          <Choice
            label="From"
            value={from}
            options={[
              ['now', 'Now'],
              ['next-month', 'Next month'],
            ]}
            change={setFrom}
          />
        ) : null}
        <DialogEnd
          yes={of ? 'Add the version' : 'Make the plan'}
          act={act}
          beside={['id', 'included', 'price', 'currency', 'rate']}
          ready={Boolean(of) || id.trim() !== ''}
          close={close}
        />
      </form>
    </Dialog>
  );
}
