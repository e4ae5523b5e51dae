import { earlierCall, monthAsked, outcome, outcomeTold, usage } from '../../schema/lookups.ts';
import { requestId } from '../../schema/parts.ts';
import type { Operation } from '../operation.ts';

export const EARLIER_CALL: Operation = {
  method: 'GET',
  path: '/v1/requests/:id',
  id: 'getRequest',
  tag: 'Your calls',
  summary: 'One of your earlier calls',
  about: 'When it came, what it asked for and how it ended; never what was submitted.',
  key: true,
  pathParts: { id: requestId },
  answers: [{ status: 200, about: 'The call.', schemas: [earlierCall] }],
  errors: ['forbidden', 'not_found'],
};

export const OUTCOME: Operation = {
  method: 'POST',
  path: '/v1/requests/:id/outcome',
  id: 'tellOutcome',
  tag: 'Your calls',
  summary: 'Tell how a call turned out',
  about:
    'Whether the person was who they said, once you know: scores can then be held against what became of them. Told again, the last one stands. It counts against no quota.',
  key: true,
  pathParts: { id: requestId },
  body: {
    schemas: [outcomeTold],
    examples: () => ({ genuine: { summary: 'The person was who they said', value: { genuine: true } } }),
  },
  answers: [{ status: 200, about: 'It is kept.', schemas: [outcome] }],
  errors: [
    'forbidden',
    'not_found',
    'invalid_json',
    'body_too_large',
    'unsupported_media_type',
    'invalid_request',
  ],
};

export const USAGE: Operation = {
  method: 'GET',
  path: '/v1/usage',
  id: 'getUsage',
  tag: 'Your calls',
  summary: 'What counted in a month',
  about:
    'The calls that counted in a calendar month (UTC), the present one where none is named, and what of them is billed.',
  key: true,
  query: { month: monthAsked },
  answers: [{ status: 200, about: 'The month.', schemas: [usage] }],
  errors: ['forbidden', 'invalid_request'],
};
