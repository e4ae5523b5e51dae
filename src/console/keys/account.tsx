// One account: its name, its plan, its keys, and what a month of it came to.
import { useState } from 'preact/hooks';
import { ask, MARK, post } from '../api/ask.ts';
import { useAct, useLoad, usePages } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select, TextField } from '../parts/form.tsx';
import { Bones, Time, Trouble } from '../parts/parts.tsx';
import { saveBlob } from '../parts/save.ts';
import { count } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import type { Account, Invoice, Page, Plan, UsageLine } from './types.ts';

/** The plans that can be given, for a choice. */
export function usePlans(): [string, string][] {
  const { items } = usePages<Plan>('/admin/v1/plans?limit=200');
  return [
    ['', 'None'],
    ...(items ?? []).filter(({ retired }) => retired === null).map(({ id }): [string, string] => [id, id]),
  ];
}

export function ShowAccount({ of, close }: { of: Account; close(): void }) {
  const { data, problem, again } = useLoad<Account>(`/admin/v1/accounts/${of.id}`);
  const [name, setName] = useState(of.name);
  const [plan, setPlan] = useState(of.plan ?? '');
  const [from, setFrom] = useState<'now' | 'next-month'>('now');
  const act = useAct();
  const plans = usePlans();
  const does = async (work: () => Promise<unknown>, said: string) => {
    if (!(await act.run(work))) return;
    toast(said);
    again();
  };
  return (
    <Dialog title={of.name} close={close}>
      <Trouble problem={problem ?? act.problem} />
      <form
        class="row"
        style={{ alignItems: 'flex-end' }}
        onSubmit={(event) => (
          event.preventDefault(),
          void does(
            () => ask('PATCH', `/admin/v1/accounts/${of.id}`, { name: name.trim() }),
            'The account has another name.',
          )
        )}
      >
        <div class="grow">
          <TextField label="Name" value={name} change={setName} maxLength={100} />
        </div>
        <button class="button" disabled={act.busy || name.trim() === '' || name === data?.name}>
          Rename
        </button>
      </form>
      <form
        class="row wrap"
        style={{ alignItems: 'flex-end' }}
        onSubmit={(event) => (
          event.preventDefault(),
          void does(
            () =>
              post(`/admin/v1/accounts/${of.id}/plan`, {
                plan: plan || null,
                ...(from === 'now' ? {} : { from }),
              }),
            'The plan is changed.',
          )
        )}
      >
        <div class="grow">
          <Select label="Plan" value={plan} options={plans} change={setPlan} />
        </div>
        <Select
          label="From"
          value={from}
          options={[
            ['now', 'Now'],
            ['next-month', 'Next month'],
          ]}
          change={setFrom}
        />
        <button class="button" disabled={act.busy}>
          Give it
        </button>
      </form>
      {data ? (
        <dl class="facts">
          <dt>Id</dt>
          <dd>
            <code>{data.id}</code>
          </dd>
          <dt>Keys</dt>
          <dd>
            {data.keys.length === 0
              ? 'none'
              : data.keys.map((key) => (
                  <div key={key}>
                    <code>{key}</code>
                  </div>
                ))}
          </dd>
          <dt>Plans</dt>
          <dd>
            {data.plans.length === 0
              ? 'none'
              : data.plans.map((had) => (
                  <div key={had.since}>
                    {had.plan ?? 'none'}{' '}
                    <span class="faint">
                      since <Time at={had.since} />
                    </span>
                  </div>
                ))}
          </dd>
        </dl>
      ) : (
        <Bones lines={3} />
      )}
      <Bill account={of.id} />
      <div class="dialog-end">
        <button type="button" class="button" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

const thisMonth = () => new Date().toISOString().slice(0, 7);

/** What it called in a month, and what of that is billed. */
function Bill({ account }: { account: string }) {
  const [month, setMonth] = useState(thisMonth);
  const asked = /^\d{4}-\d{2}$/.test(month) ? month : null;
  const usage = useLoad<Page<UsageLine>>(asked && `/admin/v1/usage?account=${account}&month=${asked}`);
  const invoice = useLoad<Page<Invoice>>(asked && `/admin/v1/invoices?account=${account}&month=${asked}`);
  const lines = usage.data?.items ?? [];
  const total = (of: keyof Pick<UsageLine, 'calls' | 'overage' | 'test'>) =>
    count(lines.reduce((sum, line) => sum + line[of], 0));
  const bill = invoice.data?.items[0];
  return (
    <section class="stack" aria-label="Usage and invoice">
      <Field label="Usage and invoice of">
        {(props) => (
          <input
            {...props}
            class="input"
            type="month"
            value={month}
            max={thisMonth()}
            onInput={(event) => setMonth(event.currentTarget.value)}
            style={{ maxWidth: '200px' }}
          />
        )}
      </Field>
      <Trouble problem={usage.problem ?? invoice.problem} />
      <dl class="facts number">
        <dt>Calls</dt>
        <dd>{total('calls')}</dd>
        <dt>Beyond the plan</dt>
        <dd>{total('overage')}</dd>
        <dt>Test calls</dt>
        <dd>
          {total('test')} <span class="faint">never billed</span>
        </dd>
        <dt>To pay</dt>
        <dd>
          {bill && bill.totals.length > 0
            ? bill.totals.map(({ amount, currency }) => `${amount} ${currency}`).join(', ')
            : 'nothing'}
        </dd>
      </dl>
      {asked && bill ? (
        <div>
          <a
            href={`/admin/v1/invoices?account=${account}&month=${asked}&format=html`}
            onClick={(event) => void openInvoice(event, account, asked)}
          >
            The invoice as a page
          </a>
        </div>
      ) : null}
    </section>
  );
}

/** A link alone would carry no mark of the pages, and be refused: the invoice is fetched, and shown as a file. */
async function openInvoice(event: Event, account: string, month: string): Promise<void> {
  event.preventDefault();
  const response = await fetch(`/admin/v1/invoices?account=${account}&month=${month}&format=html`, {
    headers: MARK,
  });
  saveBlob(`invoice-${account}-${month}.html`, await response.blob());
}
