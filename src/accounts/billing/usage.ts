// What was called in a month, as it was counted, and as it is shown to whom it concerns.
import type { PlanInForce, Standing } from '../model.ts';
import { linesOf, totalsOf } from './invoice.ts';
import type { InvoiceLine, Total, UsageRow } from './invoice.ts';

/** A month as its caller may see it. */
export interface CallersUsage {
  month: string;
  /** Live calls: of the account, or of a key that stands alone. */
  calls: number;
  /** The plan as it is now; null without one. */
  plan: PlanInForce | null;
  /** What is billed of them; a line for each version of a plan. */
  lines: InvoiceLine[];
  totals: Total[];
  /** Where the account stands; null without a plan, and for another month than the present one. */
  standing: Standing | null;
}

/** The month of a key that stands alone. */
export const usageOfKey = (month: string, calls: number): CallersUsage => ({
  month,
  calls,
  plan: null,
  lines: [],
  totals: [],
  standing: null,
});

/** The month of an account. */
export function usageOfAccount(
  rows: readonly UsageRow[],
  { month, plan, standing }: Pick<CallersUsage, 'month' | 'plan' | 'standing'>,
): CallersUsage {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return { month, calls, plan, lines: linesOf(rows), totals: totalsOf(rows), standing };
}
