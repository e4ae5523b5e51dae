import { openAccounts } from '../../store/accounts.ts';
import type { Account } from '../../store/accounts.ts';
import { openPlans } from '../../store/plans.ts';
import type { Store } from '../../store/store.ts';
import type { Page, Paging } from '../page.ts';
import { accountView, givePlan, pageOfAccounts } from './accounts.ts';
import { invoicePage } from './invoice-page.ts';
import { invoicesCsv, pageOfInvoices } from './invoices.ts';
import { changePlan, pageOfPlans, planView } from './plans.ts';
import { monthAsked, pageOfKeyUsage, pageOfUsage, usageCsv } from './usage.ts';
import type { MonthAsked } from './usage.ts';

/** One change of an account, and what came of it. */
const changed =
  <A>(change: (store: Store, asked: A, now: number) => Account) =>
  (store: Store, asked: A, now: number) =>
    accountView(change(store, asked, now), now);

/** A month is asked for in a form: `json`, `csv`, `html`. */
type Formed = MonthAsked & { form: string };

const formed = <T>(page: Page<T>, form: (items: T[]) => string, isJson: boolean) => ({
  text: isJson ? JSON.stringify(page) : form(page.items),
  next: page.next,
});

/** What an operator may have done or looked up that has to do with bills; see src/admin/duties.ts. */
export const BILLING = {
  'plans.list': (store: Store, paging: Paging) => pageOfPlans(store, paging),
  'plans.show': (store: Store, id: string) => planView(openPlans(store).get(id)),
  'plans.create': (store: Store, { id, ...terms }: { id: string } & Record<string, unknown>, now: number) =>
    planView(openPlans(store).create(id, terms, now)),
  'plans.change': (store: Store, asked: Parameters<typeof changePlan>[1], now: number) =>
    planView(changePlan(store, asked, now)),
  'plans.retire': (store: Store, id: string, now: number) => planView(openPlans(store).retire(id, now)),
  'accounts.list': (store: Store, paging: Paging, now: number) => pageOfAccounts(store, paging, now),
  'accounts.show': changed((store, id: string) => openAccounts(store).get(id)),
  'accounts.create': changed((store, asked: { name: string; plan?: string | null | undefined }, now) =>
    openAccounts(store).create(asked, now),
  ),
  'accounts.rename': changed((store, { id, name }: { id: string; name: string }) =>
    openAccounts(store).rename(id, name),
  ),
  'accounts.plan': changed(givePlan),
  'accounts.join': changed((store, { id, key }: { id: string; key: string }) =>
    openAccounts(store).join(id, key),
  ),
  'accounts.close': changed((store, id: string, now) => openAccounts(store).close(id, now)),
  'accounts.reopen': changed((store, id: string) => openAccounts(store).reopen(id)),
  'usage.list': (store: Store, { form, ...asked }: Formed, now: number) =>
    formed(pageOfUsage(store, asked, now), usageCsv, form === 'json'),
  'usage.keys': (store: Store, asked: MonthAsked, now: number) => pageOfKeyUsage(store, asked, now),
  'invoices.list': (store: Store, { form, ...asked }: Formed, now: number) => {
    const { month } = monthAsked(asked, now);
    const text =
      form === 'csv'
        ? invoicesCsv
        : (invoices: Parameters<typeof invoicePage>[0]) => invoicePage(invoices, month);
    return formed(pageOfInvoices(store, asked, now), text, form === 'json');
  },
};
