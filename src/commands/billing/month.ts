import type { ArgsDef } from 'citty';

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
