// Invoices: made of the usage that was counted and of the terms that applied then, so an invoice is the same whenever it is made. Amounts
// and prices are decimal texts.
import type { CurrentPlan, QuotaUsage } from '../model.ts';
import { computeAmount, formatAmount } from './money.ts';
import type { PlanTerms } from './terms.ts';

/** Usage of an account in a month under one version of a plan. */
export interface UsageRow {
  account: string;
  /** Month such as `2026-11`, UTC. */
  month: string;
  /** Id of the plan; empty for calls without a plan. */
  plan: string;
  version: number;
  /** Terms of the plan; null without a plan. */
  terms: PlanTerms | null;
  /** Live calls, including those beyond the included calls. */
  calls: number;
  /** Live calls beyond the included calls. */
  overage: number;
  /** Calls with test keys: never billed. */
  test: number;
}

/** Line of an invoice: the calls under one version of a plan. */
export interface InvoiceLine {
  plan: string;
  version: number;
  calls: number;
  /** Calls that the plan includes without extra cost. */
  included: number;
  overage: number;
  /** Price of one call beyond the included calls. */
  price: string;
  currency: string;
  amount: string;
}

/** Sum of the amounts in one currency. */
export interface CurrencyTotal {
  currency: string;
  amount: string;
}

/** Invoice of one account and month. */
export interface Invoice {
  account: string;
  name: string;
  month: string;
  lines: InvoiceLine[];
  /** Totals by currency. */
  totals: CurrencyTotal[];
}

/** Returns the invoice lines of one account and month. Amounts are rounded half up to the smallest unit of the currency. */
export const toInvoiceLines = (rows: readonly UsageRow[]): InvoiceLine[] => rows.flatMap(toInvoiceLine);

function toInvoiceLine({ plan, version, terms, calls, overage }: UsageRow): InvoiceLine[] {
  if (!terms || calls === 0) return [];
  const { price, currency, digits } = terms;
  const amount = formatAmount(computeAmount(overage, price, digits), digits);
  return [{ plan, version, calls, included: calls - overage, overage, price, currency, amount }];
}

/** Returns the total of each currency: the sum of the rounded amounts of its lines. */
export function sumByCurrency(rows: readonly UsageRow[]): CurrencyTotal[] {
  const sums = new Map<string, { digits: number; sum: bigint }>();
  for (const { terms, overage, calls } of rows) {
    if (!terms || calls === 0) continue;
    const { price, currency, digits } = terms;
    const sum = (sums.get(currency)?.sum ?? 0n) + computeAmount(overage, price, digits);
    sums.set(currency, { digits, sum });
  }
  return Array.from(sums, ([currency, { digits, sum }]) => ({ currency, amount: formatAmount(sum, digits) }));
}

/** Usage of a caller in one month, as the caller may see it. */
export interface CallerUsage {
  month: string;
  /** Live calls of the account, or of a key without an account. */
  calls: number;
  /** Current plan; null without one. */
  plan: CurrentPlan | null;
  /** Invoice lines; each version of a plan has its own. */
  lines: InvoiceLine[];
  totals: CurrencyTotal[];
  /** Null without a plan, and for another month than the current one. */
  quotaUsage: QuotaUsage | null;
}

/** Returns the usage of a caller; `rows` are those of its account, empty for a key without an account. */
export const toCallerUsage = (
  usage: Omit<CallerUsage, 'lines' | 'totals'>,
  rows: readonly UsageRow[],
): CallerUsage => ({ ...usage, lines: toInvoiceLines(rows), totals: sumByCurrency(rows) });
