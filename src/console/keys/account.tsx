// Details of one account: name, plan, keys, and usage with the invoice of a month.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { getBlob, patchJson, postJson } from '../app/api.ts';
import { reloadAllResources, useAction, useResource } from '../app/hooks.ts';
import type { Account, Invoice, ListPage, AccountUsage } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { saveFile } from '../components/download.ts';
import { ErrorNote, LoadedResource, showToast } from '../components/feedback.tsx';
import { Select, TextField, useFormValues } from '../components/form.tsx';
import { formatNumber } from '../components/format.ts';
import { Badge, DefinitionList, RelativeTime } from '../components/layout.tsx';
import { PLAN_START_OPTIONS, usePlanOptions } from './plans.tsx';

export function AccountDialog({ account }: { account: Account }) {
  const path = `/admin/v1/accounts/${account.id}`;
  const details = useResource<Account>(path);
  const { values, field } = useFormValues({
    name: account.name,
    billingName: account.billing_name ?? '',
    billingAddress: account.billing_address.join('; '),
    taxId: account.tax_id ?? '',
    plan: account.plan ?? '',
    from: 'now',
  });
  const { isRunning, problem, run } = useAction();
  const change = (work: () => Promise<unknown>, message: string) => (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await work();
      showToast(message);
      reloadAllResources();
    });
  };
  const name = values.name.trim();
  const rename = () => patchJson(path, { name });
  const setBilling = () =>
    patchJson(path, {
      billing_name: values.billingName.trim() || null,
      billing_address: values.billingAddress
        .split(';')
        .map((line) => line.trim())
        .filter(Boolean),
      tax_id: values.taxId.trim() || null,
    });
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
      <form class="stack" onSubmit={change(setBilling, 'Invoice details saved.')}>
        <TextField label="Name on invoices" {...field('billingName')} maxLength={100} placeholder={name} />
        <TextField
          label="Address on invoices"
          {...field('billingAddress')}
          hint="Lines separated by semicolons."
          placeholder="1 High Street; London"
        />
        <div class="row wrap">
          <div class="grow">
            <TextField label="Tax number" {...field('taxId')} maxLength={100} />
          </div>
          <Button disabled={isRunning}>Save invoice details</Button>
        </div>
      </form>
      <form class="row wrap form-line" onSubmit={change(changePlan, 'Plan changed.')}>
        <div class="grow">
          <Select label="Plan" options={usePlanOptions()} {...field('plan')} />
        </div>
        <Select label="Starts" options={PLAN_START_OPTIONS} {...field('from')} />
        <Button disabled={isRunning}>Change plan</Button>
      </form>
      <LoadedResource resource={details} lines={3}>
        {({ keys, plans }) => (
          <DefinitionList
            items={[
              ['Account ID', <code>{account.id}</code>],
              ['Keys', listOrNone(keys.map((key) => <code>{key}</code>))],
              ['Plan history', listOrNone(plans.map((entry) => <PlanEntry {...entry} />))],
            ]}
          />
        )}
      </LoadedResource>
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

const currentMonth = () => new Date().toISOString().slice(0, 7);

function MonthlyUsage({ account }: { account: string }) {
  const [month, setMonth] = useState(currentMonth);
  const query = /^\d{4}-\d{2}$/.test(month) ? `?account=${account}&month=${month}` : null;
  const usage = useResource<ListPage<AccountUsage>>(query && `/admin/v1/usage${query}`);
  const invoices = useResource<ListPage<Invoice>>(query && `/admin/v1/invoices${query}`);
  const { isRunning, problem, run } = useAction();
  const total = (counter: 'calls' | 'overage' | 'test') =>
    formatNumber((usage.data?.items ?? []).reduce((sum, line) => sum + (line[counter] ?? 0), 0));
  const invoice = invoices.data?.items[0];
  const { totals = [], taxes = [] } = invoice ?? {};
  const isBilled = totals.some(({ total }) => Number(total) > 0);
  const amounts = totals.map(({ total, currency }) => `${total} ${currency}`);
  const issueInvoice = () =>
    run(async () => {
      const { items } = await postJson<{ items: Invoice[] }>('/admin/v1/invoices', { account, month });
      showToast(items.length > 0 ? 'Invoice issued.' : 'Nothing is to be paid, so no invoice was issued.');
      reloadAllResources();
    });
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
      <DefinitionList
        items={[
          ['Calls', total('calls')],
          ['Overage', total('overage')],
          ['Test calls', `${total('test')} (not billed)`],
          ['Invoice', invoice ? <InvoiceStatus invoice={invoice} /> : 'none'],
          ...taxes.map((tax): [string, string] => [
            `${tax.name} ${tax.rate} %`,
            `${tax.amount} ${tax.currency}`,
          ]),
          ['Amount due', amounts.length > 0 ? amounts.join(', ') : 'none'],
        ]}
      />
      {invoice ? (
        <div class="row wrap">
          <Button small disabled={isRunning} onClick={saveInvoice}>
            Save invoice
          </Button>
          {invoice.status === 'draft' && invoice.complete && isBilled ? (
            <Button small disabled={isRunning} onClick={issueInvoice}>
              Issue invoice
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

const InvoiceStatus = ({ invoice: { number, date, due_date: due, complete } }: { invoice: Invoice }) =>
  number === null ? (
    <Badge tone="care">{complete ? 'Draft' : 'Draft, month not over'}</Badge>
  ) : (
    <>
      {number}{' '}
      <span class="faint">
        of {date}, due {due}
      </span>
    </>
  );
