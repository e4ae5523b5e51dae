import { endOfMonth, monthOf, parseTime } from '../../accounts/time.ts';
import { invalidArgument } from '../../errors.ts';

/** When a change applies, in milliseconds: a day, a time or `next-month`; undefined for now. Errors: invalid_arguments. */
export function momentOf(from: string | undefined, now: number): number | undefined {
  if (from === undefined || from === 'now') return undefined;
  if (from === 'next-month') return endOfMonth(monthOf(now));
  const isMeant = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(from);
  const time = isMeant ? parseTime(from) : null;
  if (time !== null) return time;
  const none = isMeant ? 'There is no such day or time. ' : '';
  const must = 'must be a day such as 2026-12-01, a time such as 2026-12-01T09:00:00Z, or next-month.';
  throw invalidArgument(`${none}--from ${must}`, 'from', `${none}It ${must}`);
}
