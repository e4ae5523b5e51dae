import { endOf, monthOf } from '../../accounts/billing/month.ts';
import { wrongChoice } from '../../errors.ts';

/** When a change applies, in milliseconds: a day, a time or `next-month`; undefined for now. Errors: invalid_arguments. */
export function momentOf(from: string | undefined, now: number): number | undefined {
  if (from === undefined || from === 'now') return undefined;
  if (from === 'next-month') return endOf(monthOf(now));
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(from) ? Date.parse(from) : NaN;
  if (!Number.isNaN(time)) return time;
  const must = 'must be a day such as 2026-12-01, a time such as 2026-12-01T09:00:00Z, or next-month.';
  throw wrongChoice(`--from ${must}`, 'from', `It ${must}`);
}
