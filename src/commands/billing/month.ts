import type { ArgsDef } from 'citty';
import { monthOf, readMonth } from '../../accounts/billing/month.ts';
import type { UsageQuery } from '../../store/sqlite/billing/usage.ts';

/** What the commands about a month are asked for. */
export const MONTH = {
  month: {
    type: 'string',
    description: 'The month, such as 2026-10, by UTC (default this one)',
    valueHint: 'month',
  },
  account: { type: 'string', description: 'One account alone', valueHint: 'acc_…' },
  csv: { type: 'boolean', description: 'Print CSV' },
} as const satisfies ArgsDef;

/** The month and account of a command line. Errors: invalid_arguments. */
export const queryOf = ({
  month,
  account,
}: {
  month?: string | undefined;
  account?: string | undefined;
}): UsageQuery => ({
  month: month === undefined ? monthOf(Date.now()) : readMonth(month),
  account,
});
