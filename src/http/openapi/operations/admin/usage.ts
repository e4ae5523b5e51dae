import { ofAccount } from '../../../schema/admin/keys.ts';
import * as schema from '../../../schema/admin/usage.ts';
import { administrative, PAGING } from './parts.ts';

const query = { month: schema.monthQuery, account: ofAccount, ...PAGING };
const forms = { headers: ['Vary', 'Link'] as const };

export const USAGE = administrative({
  method: 'GET',
  path: 'usage',
  id: 'listUsage',
  summary: 'What accounts called',
  about:
    'What was called in a month, the present one where none is named, by account and version of a plan. `bonafide usage` at the command line.',
  query: { ...query, format: schema.format(['json', 'csv']) },
  answers: schema.usage,
  types: ['text/csv'],
  ...forms,
});

export const OF_KEYS = administrative({
  method: 'GET',
  path: 'usage/keys',
  id: 'listUsageOfKeys',
  summary: 'What keys called',
  about:
    'What was called in a month by chain of keys, whether of an account or alone. `bonafide usage --keys`.',
  query,
  answers: schema.usageOfKeys,
});

export const INVOICES = administrative({
  method: 'GET',
  path: 'invoices',
  id: 'listInvoices',
  summary: 'What is billed',
  about:
    'The invoices of a month, the present one where none is named; of a month that is over they are the same each time. As JSON, CSV, or a page to print. `bonafide invoice`.',
  query: { ...query, format: schema.format(['json', 'csv', 'html']) },
  answers: schema.invoices,
  types: ['text/csv', 'text/html'],
  ...forms,
});
