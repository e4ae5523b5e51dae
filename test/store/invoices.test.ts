import { expect, onTestFinished, test } from 'vitest';
import type { InvoiceSettings } from '../../src/accounts/billing/invoice.ts';
import { openStoreWorker } from '../../src/admin/store-worker.ts';
import { changeBillingDetails, createAccount, renameAccount } from '../../src/store/accounts.ts';
import { issueInvoices, listInvoices, listInvoicesPage } from '../../src/store/usage.ts';
import { addPlanVersion, createPlan } from '../../src/store/plans.ts';
import { createBilledStore, DAY } from './billed-store.ts';
import { getLocation, onEngines } from './engines.ts';

const OCTOBER = Date.UTC(2026, 9, 1);
const MONTH = '2026-10';
const AFTER = Date.UTC(2026, 10, 3);
const TERMS: InvoiceSettings = {
  issuer: { name: 'Bonafide Ltd', address: ['1 Bank', 'London'], tax_id: 'GB1' },
  taxes: [{ name: 'VAT', rate: '20' }],
  dueDays: 14,
  numberPrefix: 'R-',
};
const CONTEXT = { terms: TERMS, now: AFTER };

/** Returns a store in which each of some accounts made two calls in October, one of them beyond the included calls. */
function createOctoberStore(names: string[]) {
  const { store, call } = createBilledStore();
  createPlan(store, 'october', { included: 1, price: '0.5', currency: 'EUR' }, OCTOBER);
  const ids = names.map((name) => {
    const { id } = createAccount(store, { name, plan: 'october' }, OCTOBER);
    call(OCTOBER + DAY, 2, { account: id });
    return id;
  });
  return { store, call, ids };
}

onEngines(() => {
  test('two writers that issue at once give every invoice one number, without a gap', async () => {
    const { store, ids } = createOctoberStore(Array.from({ length: 12 }, (_, i) => `customer ${i}`));
    const watches = { isOn: false, recheckEveryHours: null };
    const settings = { invoiceTerms: TERMS, hasWebhook: false, watches };
    const data = { place: getLocation(store), settings };
    const writers = [openStoreWorker(data), openStoreWorker(data)];
    onTestFinished(async () => void (await Promise.all(writers.map((writer) => writer.close()))));
    const queries = ids.map((account) => ({ month: MONTH, account }));
    // Each writer issues every invoice, the second one in reverse order.
    const work = writers.flatMap((writer, i) =>
      (i === 0 ? queries : queries.toReversed()).map((query) => writer.run('invoices.issue', query, 'key_x')),
    );
    const answers = (await Promise.all(work)).flatMap(({ items }) => items);
    const numbers = new Map(answers.map(({ account, number }) => [`${account} ${number}`, number]));
    const ascending = Array.from(numbers.values(), (number) => Number(number?.slice(2))).toSorted(
      (a, b) => a - b,
    );
    expect(ascending).toEqual(ids.map((_, i) => i + 1));
    expect(answers).toHaveLength(2 * ids.length);
    expect(issueInvoices(store, { month: MONTH }, CONTEXT)).toHaveLength(ids.length);
  });

  test('an issued invoice stays as it is when prices, names, taxes and the issuer change', () => {
    const { store, ids } = createOctoberStore(['Shop']);
    const [account = ''] = ids;
    changeBillingDetails(store, account, {
      billingName: 'Shop Ltd',
      billingAddress: ['1 High Street', 'London'],
    });
    const issued = issueInvoices(store, { month: MONTH }, CONTEXT);
    expect(issued).toMatchObject([
      {
        status: 'issued',
        complete: true,
        number: 'R-1',
        date: '2026-11-03',
        due_date: '2026-11-17',
        issuer: { name: 'Bonafide Ltd', tax_id: 'GB1' },
        customer: { name: 'Shop Ltd', address: ['1 High Street', 'London'], tax_id: null },
        totals: [{ currency: 'EUR', amount: '0.50', tax: '0.10', total: '0.60' }],
      },
    ]);
    addPlanVersion(store, 'october', { terms: { price: '9' } }, AFTER);
    renameAccount(store, account, 'Shops');
    changeBillingDetails(store, account, { billingName: null, billingAddress: [], taxId: 'GB2' });
    const changed = {
      terms: {
        ...TERMS,
        issuer: { name: 'Other Ltd', address: [], tax_id: null },
        taxes: [],
        numberPrefix: 'X',
      },
      now: AFTER + DAY,
    };
    expect(issueInvoices(store, { month: MONTH }, changed)).toEqual(issued);
    expect(listInvoices(store, { month: MONTH, account }, changed)).toEqual(issued);
    expect(listInvoicesPage(store, { month: MONTH, limit: 10 }, changed)).toEqual(issued);
  });

  test('an unfinished month is a draft that is marked, has no number and cannot be issued', () => {
    const { store } = createOctoberStore(['Shop']);
    const during = { terms: TERMS, now: OCTOBER + 2 * DAY };
    expect(listInvoices(store, { month: MONTH }, during)).toMatchObject([
      { status: 'draft', complete: false, number: null, date: null, due_date: null },
    ]);
    expect(() => issueInvoices(store, { month: MONTH }, during)).toThrow(/^2026-10 is not over\./);
    expect(listInvoices(store, { month: MONTH }, CONTEXT)).toMatchObject([
      { status: 'draft', complete: true, number: null },
    ]);
  });

  test('an account that owes nothing gets no number, and each issuer counts from 1', () => {
    const { store, call, ids } = createOctoberStore(['a', 'b']);
    const free = createAccount(store, { name: 'free', plan: 'october' }, OCTOBER).id;
    call(OCTOBER + DAY, 1, { account: free });
    const other = {
      terms: { ...TERMS, issuer: { name: 'Other Ltd', address: [], tax_id: null } },
      now: AFTER,
    };
    const issue = (account: string, context = CONTEXT) =>
      issueInvoices(store, { month: MONTH, account }, context).map(({ number }) => number);
    expect([issue(ids[0] ?? ''), issue(ids[1] ?? '', other), issue(free)]).toEqual([['R-1'], ['R-1'], []]);
    expect(() =>
      issueInvoices(store, { month: MONTH }, { ...CONTEXT, terms: { ...TERMS, issuer: null } }),
    ).toThrow(/invoice\.issuer is missing/);
  });
});
