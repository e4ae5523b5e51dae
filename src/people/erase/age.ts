import { BonafideError } from '../../errors.ts';

const DAY_MS = 86_400_000;
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30.4375, y: 365.25 };

/** `5y`, `18m`, `90d` as milliseconds. Errors: `invalid_arguments`. */
export function ageOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([dwmy])$/.exec(text) ?? [];
  const days = DAYS[unit];
  if (days !== undefined && Number(count) > 0) return Number(count) * days * DAY_MS;
  throw new BonafideError('invalid_arguments', 'An age is written such as 5y, 18m (months), 8w or 90d.');
}
