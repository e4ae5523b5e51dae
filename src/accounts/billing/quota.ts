// What becomes of one call by the terms of a plan, and what an account is told of its month.
import { BonafideError } from '../../errors.ts';
import type { CurrentPlan, PlanTerms, QuotaUsage } from '../model.ts';
import { endOfMonth } from '../time.ts';

/** What a call is, where `used` calls of the month were made under a plan before it. */
export function classifyCharge(
  used: number,
  { included, overage }: Pick<PlanTerms, 'included' | 'overage'>,
): 'included' | 'beyond' | 'refused' {
  if (used < included) return 'included';
  return overage === 'block' ? 'refused' : 'beyond';
}

/** Where an account stands in a month: `used` live calls under a plan, `beyond` of them more than were included. */
export function toQuotaUsage(
  { plan, version, terms }: CurrentPlan,
  { month, used, beyond }: { month: string; used: number; beyond: number },
): QuotaUsage {
  const { included, overage } = terms;
  const [blocks, resets] = [overage === 'block', endOfMonth(month)];
  return { month, plan, version, included, used, overage: beyond, blocksOverage: blocks, resetsAt: resets };
}

/** From so many calls on, an account is near its quota: in the last fifth of it. */
const nearFrom = (included: number) => included - Math.floor(included / 5);

/** How far an account is: `near` its quota, at its end, or beyond it. */
export function getQuotaState(used: number, included: number): 'below' | 'near' | 'reached' {
  if (used >= included) return 'reached';
  return used >= nearFrom(included) ? 'near' : 'below';
}

/** What an operator is told when the calls of a month go from `before` to `after`: each state that was entered. */
export function findQuotaNotices(before: number, after: number, included: number): ('near' | 'reached')[] {
  const near = nearFrom(included);
  const notices: ('near' | 'reached')[] = [];
  if (near < included && before < near && after >= near) notices.push('near');
  if (before < included && after >= included) notices.push('reached');
  return notices;
}

/** The refusal of a call for which no included one is left. It tells when to come back: when the next month begins. */
export function quotaExhaustedError({ included, resetsAt: resets }: QuotaUsage, now: number): BonafideError {
  const text = `All ${included} calls of this month are used, and the plan has no more. The next month begins ${new Date(resets).toISOString()}.`;
  return new BonafideError('quota_exhausted', text, { retryAfterMs: Math.max(0, resets - now) });
}

/** Refuses a call whose account has none left, so that no work is done for it. The commit refuses for good. Errors: quota_exhausted. */
export function requireQuota(quotaUsage: QuotaUsage | null, now: number): void {
  if (quotaUsage?.blocksOverage && quotaUsage.used >= quotaUsage.included)
    throw quotaExhaustedError(quotaUsage, now);
}
