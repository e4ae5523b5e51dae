import { BonafideError } from '../../errors.ts';
import type { CurrentPlan, QuotaUsage } from '../model.ts';
import { getMonthEnd } from '../time.ts';
import type { PlanTerms } from './terms.ts';

/** Returns how the next call is charged to an account with this plan that made `used` calls in this month. */
export function getNextCallChargeKind(
  used: number,
  { included, overage }: Pick<PlanTerms, 'included' | 'overage'>,
): 'included' | 'overage' | 'refused' {
  if (used < included) return 'included';
  return overage === 'block' ? 'refused' : 'overage';
}

/** Returns the quota usage of an account: `used` live calls in the month, `overage` of them beyond the quota. */
export function toQuotaUsage(
  { plan, version, terms }: CurrentPlan,
  { month, used, overage }: Pick<QuotaUsage, 'month' | 'used' | 'overage'>,
): QuotaUsage {
  const { included } = terms;
  const [blocksOverage, resetsAt] = [terms.overage === 'block', getMonthEnd(month)];
  return { month, plan, version, included, used, overage, blocksOverage, resetsAt };
}

/** Returns the number of calls from which an account is near its quota (80 %). */
const getNearQuotaCalls = (included: number) => included - Math.floor(included / 5);

/** Returns the state of a quota after `used` calls: `near` from 80 % of the quota on, `reached` if no included call is left. */
export function getQuotaState(used: number, included: number): 'below' | 'near' | 'reached' {
  if (used >= included) return 'reached';
  return used >= getNearQuotaCalls(included) ? 'near' : 'below';
}

/** Returns the notices to send when the number of calls in a month rises from `before` to `after`: one for each state that the quota enters. */
export function findQuotaNotices(before: number, after: number, included: number): ('near' | 'reached')[] {
  const near = getNearQuotaCalls(included);
  const notices: ('near' | 'reached')[] = [];
  if (near < included && before < near && after >= near) notices.push('near');
  if (before < included && after >= included) notices.push('reached');
  return notices;
}

/** Creates the error for a call beyond a quota that may not be exceeded. It permits a retry in the next month. */
export function quotaExhaustedError({ included, resetsAt }: QuotaUsage, now: number): BonafideError {
  const text = `All ${included} calls of this month are used, and the plan has no more. The next month begins ${new Date(resetsAt).toISOString()}.`;
  return new BonafideError('quota_exhausted', text, {
    retryAfterMs: Math.max(0, resetsAt - now),
    rule: 'monthly quota',
  });
}

/**
 * Throws if the account's quota is used up and its plan refuses further calls. This early check saves work; the exact check follows when the call is
 * written to the store. Errors: quota_exhausted.
 */
export function requireRemainingQuota(usage: QuotaUsage | null, now: number): void {
  if (usage?.blocksOverage && usage.used >= usage.included) throw quotaExhaustedError(usage, now);
}
