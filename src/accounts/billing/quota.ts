import { BonafideError } from '../../errors.ts';
import type { CurrentPlan, QuotaUsage } from '../model.ts';
import { getMonthEnd } from '../time.ts';
import type { PlanTerms } from './terms.ts';

/** Returns how the next call is charged, if `used` calls were made under a plan in this month. */
export function getChargeOfNextCall(
  used: number,
  { included, overage }: Pick<PlanTerms, 'included' | 'overage'>,
): 'included' | 'overage' | 'refused' {
  if (used < included) return 'included';
  return overage === 'block' ? 'refused' : 'overage';
}

/** Returns the quota usage of an account under a plan: `used` live calls in the month, of which `overage` are beyond the included calls. */
export function toQuotaUsage(
  { plan, version, terms }: CurrentPlan,
  { month, used, overage }: Pick<QuotaUsage, 'month' | 'used' | 'overage'>,
): QuotaUsage {
  const { included } = terms;
  const [blocksOverage, resetsAt] = [terms.overage === 'block', getMonthEnd(month)];
  return { month, plan, version, included, used, overage, blocksOverage, resetsAt };
}

/** Returns the number of calls from which an account counts as near its quota (80 %). */
const getNearQuota = (included: number) => included - Math.floor(included / 5);

/** Returns the state of an account's quota: `near` from 80 % of the included calls, `reached` if no included call is left. */
export function getQuotaState(used: number, included: number): 'below' | 'near' | 'reached' {
  if (used >= included) return 'reached';
  return used >= getNearQuota(included) ? 'near' : 'below';
}

/**
 * Returns the notices that are due when the calls of a month increase from `before` to `after`: one notice for each state that is entered.
 */
export function findQuotaNotices(before: number, after: number, included: number): ('near' | 'reached')[] {
  const near = getNearQuota(included);
  const notices: ('near' | 'reached')[] = [];
  if (near < included && before < near && after >= near) notices.push('near');
  if (before < included && after >= included) notices.push('reached');
  return notices;
}

/** Returns the error for a call that exceeds a blocking quota. Its retry time is the start of the next month. */
export function quotaExhaustedError({ included, resetsAt }: QuotaUsage, now: number): BonafideError {
  const text = `All ${included} calls of this month are used, and the plan has no more. The next month begins ${new Date(resetsAt).toISOString()}.`;
  return new BonafideError('quota_exhausted', text, {
    retryAfterMs: Math.max(0, resetsAt - now),
    rule: 'monthly quota',
  });
}

/**
 * Refuses a call before any work is done, if the quota of its account is exhausted and blocks calls. The exact decision is made again when
 * the call is committed.
 *
 * Errors: quota_exhausted.
 */
export function requireRemainingQuota(usage: QuotaUsage | null, now: number): void {
  if (usage?.blocksOverage && usage.used >= usage.included) throw quotaExhaustedError(usage, now);
}
