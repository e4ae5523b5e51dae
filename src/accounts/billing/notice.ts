// What the operator's webhook is told: who is near the quota or has reached it, in numbers.
import type { Standing } from '../model.ts';

/** The JSON of a notice: type, time and data, as the Standard Webhooks specification has it (standardwebhooks.com). */
export function noticeBody(
  { what, account, standing }: { what: 'near' | 'reached'; account: string; standing: Standing },
  now: number,
): string {
  const { month, plan, included, used, beyond, blocks } = standing;
  return JSON.stringify({
    type: `quota.${what}`,
    timestamp: new Date(now).toISOString(),
    data: { account, month, plan, included, calls: used, overage: beyond, blocks },
  });
}
