// An invoice is made of what was counted and of what the plans said then; nothing in it depends on when it is made.
import type { PlanTerms, CurrentPlan, QuotaUsage } from '../model.ts';
import { computeAmount, formatAmount } from './money.ts';

/** What an account called in a month under one version of a plan; without a plan where `terms` is null. */
export interface UsageRow {
  account: string;
  /** `2026-11`, UTC. */
  month: string;
  plan: string;
  version: number;
  terms: PlanTerms | null;
  /** Live calls, and those of them beyond the included ones. */
  calls: number;
  overage: number;
  /** Calls with test keys: never billed. */
  test: number;
}

/** What is billed for one version of a plan. */
export interface InvoiceLine {
  plan: string;
  version: number;
  calls: number;
  included: number;
  overage: number;
  /** Of one call, a decimal text. */
  price: string;
  currency: string;
  /** A decimal text. */
  amount: string;
}

/** Amounts are decimal texts. */
export interface CurrencyTotal {
  currency: string;
  amount: string;
}

export interface Invoice {
  account: string;
  name: string;
  month: string;
  lines: InvoiceLine[];
  /** One for each currency of the lines. */
  totals: CurrencyTotal[];
}

/** What the rows of one account and month cost: a line for each version of a plan, rounded to the currency's smallest unit, half up. */
export const toInvoiceLines = (rows: readonly UsageRow[]): InvoiceLine[] => rows.flatMap(lineOf);

function lineOf({ plan, version, terms, calls, overage }: UsageRow): InvoiceLine[] {
  if (!terms || calls === 0) return [];
  const { price, currency, digits } = terms;
  const amount = formatAmount(computeAmount(overage, price, digits), digits);
  return [{ plan, version, calls, included: calls - overage, overage, price, currency, amount }];
}

/** What rows cost, by currency: the sums of their lines as they are shown. */
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

// What was called in a month, as it was counted, and as it is shown to whom it concerns.
/** A month as its caller may see it. */
export interface CallerUsage {
  month: string;
  /** Live calls: of the account, or of a key that stands alone. */
  calls: number;
  /** The plan as it is now; null without one. */
  plan: CurrentPlan | null;
  /** What is billed of them; a line for each version of a plan. */
  lines: InvoiceLine[];
  totals: CurrencyTotal[];
  /** Where the account stands; null without a plan, and for another month than the present one. */
  quotaUsage: QuotaUsage | null;
}

/** The month of a key that stands alone. */
export const toCallerUsageOfKey = (month: string, calls: number): CallerUsage => ({
  month,
  calls,
  plan: null,
  lines: [],
  totals: [],
  quotaUsage: null,
});

/** The month of an account. */
export function toCallerUsageOfAccount(
  rows: readonly UsageRow[],
  { month, plan, quotaUsage }: Pick<CallerUsage, 'month' | 'plan' | 'quotaUsage'>,
): CallerUsage {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return { month, calls, plan, lines: toInvoiceLines(rows), totals: sumByCurrency(rows), quotaUsage };
}
