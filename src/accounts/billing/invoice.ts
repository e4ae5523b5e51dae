// Invoices, which are computed from the counted usage and the terms that applied then. An invoice is a draft until it is issued; then it
// gets a number and is stored unchanged. Amounts and prices are decimal texts.
import type { CurrentPlan, QuotaUsage } from '../model.ts';
import { getMonthEnd } from '../time.ts';
import { computePriceOfCallsInMinorUnits, computePercentOfAmount, formatAmount } from './money.ts';
import type { PlanTerms } from './terms.ts';

export interface AccountUsageRow {
  account: string;
  month: string;
  /** Id of the plan; empty for calls without a plan. */
  plan: string;
  version: number;
  terms: PlanTerms | null;
  /** Number of live calls, including calls beyond the plan's quota. */
  calls: number;
  overage: number;
  /** Number of calls with test keys. They are never billed. */
  test: number;
}

export interface InvoiceLine {
  plan: string;
  version: number;
  calls: number;
  included: number;
  overage: number;
  price: string;
  currency: string;
  amount: string;
}

interface CurrencyTotal {
  currency: string;
  amount: string;
}

export interface InvoiceParty {
  name: string;
  /** Lines of the postal address; may be empty. */
  address: string[];
  tax_id: string | null;
}

/** Tax that is added to every line of an invoice. */
export interface TaxRate {
  name: string;
  /** Percentage as a decimal text, such as `8.1`. */
  rate: string;
}

/** Setting `invoice`: contents that all invoices share. */
export interface InvoiceSettings {
  /** Company that issues the invoices; null if not configured. No invoice can be issued then. */
  issuer: InvoiceParty | null;
  taxes: TaxRate[];
  dueDays: number;
  /** Text before the sequence number of an invoice number. */
  numberPrefix: string;
}

export interface TaxedInvoiceLine extends InvoiceLine {
  taxes: (TaxRate & { amount: string })[];
  tax: string;
  total: string;
}

interface InvoiceTotal extends CurrencyTotal {
  tax: string;
  /** Amount to pay, including taxes. */
  total: string;
}

interface InvoiceAmounts {
  lines: TaxedInvoiceLine[];
  taxes: (TaxRate & CurrencyTotal)[];
  totals: InvoiceTotal[];
}

export interface Invoice extends InvoiceAmounts {
  account: string;
  name: string;
  month: string;
  status: 'draft' | 'issued';
  /** True if the month is over, so that the amounts no longer change. */
  complete: boolean;
  /** Invoice number; null for a draft, like `date` and `due_date`. */
  number: string | null;
  date: string | null;
  due_date: string | null;
  issuer: InvoiceParty | null;
  customer: InvoiceParty;
}

/** Time (ms) after the end of a month in which its last calls may still be written to the store. */
const LAST_CALLS_MS = 10 * 60_000;

/** True if all calls of a month are in the store: ten minutes after its end. */
export const isMonthFullyCounted = (month: string, now: number): boolean =>
  now >= getMonthEnd(month) + LAST_CALLS_MS;

const DAY_MS = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Converts a draft to an issued invoice. `seq` is its sequence number among all invoices of the issuer. */
export const toIssuedInvoice = (
  draft: Invoice,
  { numberPrefix, dueDays }: InvoiceSettings,
  { seq, now }: { seq: number; now: number },
): Invoice => ({
  ...draft,
  status: 'issued',
  number: `${numberPrefix}${seq}`,
  date: dayOf(now),
  due_date: dayOf(now + dueDays * DAY_MS),
});

/** True if an amount must be paid in at least one currency. */
export const hasAmountDue = ({ totals }: InvoiceAmounts): boolean =>
  totals.some(({ total }) => /[1-9]/.test(total));

/** Converts the usage of one account in one month to invoice lines. Amounts are rounded half up to the smallest unit of the currency. */
export const toInvoiceLines = (rows: readonly AccountUsageRow[]): InvoiceLine[] =>
  rows.flatMap(toInvoiceLine);

function toInvoiceLine({ plan, version, terms, calls, overage }: AccountUsageRow): InvoiceLine[] {
  if (!terms || calls === 0) return [];
  const { price, currency, digits } = terms;
  const amount = formatAmount(computePriceOfCallsInMinorUnits(overage, price, digits), digits);
  return [{ plan, version, calls, included: calls - overage, overage, price, currency, amount }];
}

/** Computes lines, taxes and totals of an invoice. Each tax is rounded in each line, and totals are sums of rounded amounts. */
export function computeInvoiceAmounts(
  rows: readonly AccountUsageRow[],
  rates: readonly TaxRate[],
): InvoiceAmounts {
  const lines: TaxedInvoiceLine[] = [];
  const sums = new Map<string, { digits: number; amount: bigint; taxes: bigint[] }>();
  for (const row of rows) {
    const [line] = toInvoiceLine(row);
    if (!line || !row.terms) continue;
    const { price, currency, digits } = row.terms;
    const amount = computePriceOfCallsInMinorUnits(row.overage, price, digits);
    const shares = rates.map(({ rate }) => computePercentOfAmount(amount, rate));
    const taxes = rates.map((rate, i) => ({ ...rate, amount: formatAmount(shares[i] ?? 0n, digits) }));
    lines.push({ ...line, taxes, ...formatTotal(amount, shares, digits) });
    const sum = sums.get(currency) ?? { amount: 0n, taxes: [] };
    const taxSums = shares.map((share, i) => share + (sum.taxes[i] ?? 0n));
    sums.set(currency, { digits, amount: sum.amount + amount, taxes: taxSums });
  }
  const currencies = [...sums];
  return {
    lines,
    taxes: currencies.flatMap(([currency, { digits, taxes }]) =>
      rates.map((rate, i) => ({ ...rate, currency, amount: formatAmount(taxes[i] ?? 0n, digits) })),
    ),
    totals: currencies.map(([currency, { digits, amount, taxes }]) => ({
      currency,
      amount: formatAmount(amount, digits),
      ...formatTotal(amount, taxes, digits),
    })),
  };
}

function formatTotal(amount: bigint, taxes: readonly bigint[], digits: number) {
  const tax = taxes.reduce((sum, share) => sum + share, 0n);
  return { tax: formatAmount(tax, digits), total: formatAmount(amount + tax, digits) };
}

export interface CallerUsage {
  month: string;
  /** Number of live calls of the account, or of the API key if it has no account. */
  calls: number;
  plan: CurrentPlan | null;
  /** Invoice lines for these calls, one for each version of a plan. */
  lines: InvoiceLine[];
  totals: CurrencyTotal[];
  /** Quota usage of the account; null for an account without a plan, and for past months. */
  quotaUsage: QuotaUsage | null;
}

/** Returns the usage of a caller in one month. `rows` is the usage of the caller's account; empty for an API key without an account. */
export const toCallerUsage = (
  usage: Omit<CallerUsage, 'lines' | 'totals'>,
  rows: readonly AccountUsageRow[],
): CallerUsage => ({ ...usage, lines: toInvoiceLines(rows), totals: computeInvoiceAmounts(rows, []).totals });
