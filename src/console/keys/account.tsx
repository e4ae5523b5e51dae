// Details of one account: name, plan, keys, and usage with the invoice of a month.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { getBlob, patchJson, postJson } from '../app/api.ts';
import { reloadAllResources, useAction, useResource } from '../app/hooks.ts';
import type { Account, Invoice, ListPage, UsageLine } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { saveFile } from '../components/download.ts';
import { ErrorNote, Loaded, toast } from '../components/feedback.tsx';
import { Select, TextField, useForm } from '../components/form.tsx';
import { formatNumber } from '../components/format.ts';
import { Facts, RelativeTime } from '../components/layout.tsx';
import { PLAN_START_OPTIONS, usePlanOptions } from './plans.tsx';

export function AccountDialog({ account }: { account: Account }) {
  const path = `/admin/v1/accounts/${account.id}`;
  const details = useResource<Account>(path);
  const { values, field } = useForm({ name: account.name, plan: account.plan ?? '', from: 'now' });
  const { isRunning, problem, run } = useAction();
  const change = (work: () => Promise<unknown>, message: string) => (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await work();
      toast(message);
      reloadAllResources();
    });
  };
  const name = values.name.trim();
  const rename = () => patchJson(path, { name });
  const changePlan = () => {
    const start = values.from === 'now' ? {} : { from: values.from };
    return postJson(`${path}/plan`, { plan: values.plan || null, ...start });
  };
  return (
    <Dialog title={account.name}>
      <ErrorNote problem={problem} />
      <form class="row form-line" onSubmit={change(rename, 'Account renamed.')}>
        <div class="grow">
          <TextField label="Name" {...field('name')} maxLength={100} />
        </div>
        <Button disabled={isRunning || name === '' || name === details.data?.name}>Rename</Button>
      </form>
      <form class="row wrap form-line" onSubmit={change(changePlan, 'Plan changed.')}>
        <div class="grow">
          <Select label="Plan" options={usePlanOptions()} {...field('plan')} />
        </div>
        <Select label="Starts" options={PLAN_START_OPTIONS} {...field('from')} />
        <Button disabled={isRunning}>Change plan</Button>
      </form>
      <Loaded resource={details} lines={3}>
        {({ keys, plans }) => (
          <Facts
            items={[
              ['Account ID', <code>{account.id}</code>],
              ['Keys', listOrNone(keys.map((key) => <code>{key}</code>))],
              ['Plan history', listOrNone(plans.map((entry) => <PlanEntry {...entry} />))],
            ]}
          />
        )}
      </Loaded>
      <MonthlyUsage account={account.id} />
    </Dialog>
  );
}

const listOrNone = (lines: ComponentChildren[]) =>
  lines.length === 0 ? 'none' : lines.map((line, i) => <div key={i}>{line}</div>);

const PlanEntry = ({ plan, since }: Account['plans'][number]) => (
  <>
    {plan ?? 'none'}{' '}
    <span class="faint">
      since <RelativeTime at={since} />
    </span>
  </>
);

/** Returns the current month as `2026-11`. */
const currentMonth = () => new Date().toISOString().slice(0, 7);

function MonthlyUsage({ account }: { account: string }) {
  const [month, setMonth] = useState(currentMonth);
  const query = /^\d{4}-\d{2}$/.test(month) ? `?account=${account}&month=${month}` : null;
  const usage = useResource<ListPage<UsageLine>>(query && `/admin/v1/usage${query}`);
  const invoices = useResource<ListPage<Invoice>>(query && `/admin/v1/invoices${query}`);
  const { isRunning, problem, run } = useAction();
  const total = (counter: 'calls' | 'overage' | 'test') =>
    formatNumber((usage.data?.items ?? []).reduce((sum, line) => sum + (line[counter] ?? 0), 0));
  const invoice = invoices.data?.items[0];
  const amounts = (invoice?.totals ?? []).map(({ amount, currency }) => `${amount} ${currency}`);
  const saveInvoice = () =>
    run(async () => {
      const page = await getBlob(`/admin/v1/invoices${query}&format=html`);
      saveFile(`invoice-${account}-${month}.html`, page);
    });
  return (
    <section class="stack" aria-label="Usage and invoice">
      <TextField
        label="Usage and invoice"
        type="month"
        value={month}
        max={currentMonth()}
        onChange={setMonth}
      />
      <ErrorNote problem={usage.problem ?? invoices.problem ?? problem} />
      <Facts
        items={[
          ['Calls', total('calls')],
          ['Overage', total('overage')],
          ['Test calls', `${total('test')} (not billed)`],
          ['Amount due', amounts.length > 0 ? amounts.join(', ') : 'none'],
        ]}
      />
      {invoice ? (
        <div>
          <Button small disabled={isRunning} onClick={saveInvoice}>
            Save invoice
          </Button>
        </div>
      ) : null}
    </section>
  );
}
