import * as v from 'valibot';
import { check1, check2, enhanced1, enhanced2 } from '../../schema/check.ts';
import { word } from '../../schema/parts.ts';
import { currentRequest, legacyRequest } from '../../schema/request.ts';
import { answerExamples, requestExamples } from '../examples.ts';
import { REQUEST_HEADERS } from '../headers.ts';
import type { Operation } from '../operation.ts';

const RESPONSE = v.optional(
  word(['v1', 'v2'], 'The version of the answer’s shape: `v1` unless it is asked for otherwise.'),
);
const AI = v.optional(
  word(
    ['true', 'false', '1', '0'],
    'Whether to explain: `ai_insights` gets a narrative and an overview. In any letter case.',
  ),
);

const ERRORS = [
  'invalid_json',
  'forbidden',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
  'overloaded',
  'graph_bad_response',
  'graph_unavailable',
  'quota_exhausted',
  'graph_timeout',
] satisfies Operation['errors'];

export const CHECK: Operation = {
  method: 'POST',
  path: '/v1/validate',
  id: 'validate',
  tag: 'Checks',
  summary: 'Check a person',
  about:
    'How far a name, e-mails, phones and addresses belong together and to one person: a score from 0 to 100, a verdict for each value, and the reasons. Each value is checked on its own: more values are more evidence, not a stricter test.',
  key: true,
  query: { ai: AI, response: RESPONSE },
  headers: REQUEST_HEADERS,
  body: { schemas: [currentRequest, legacyRequest], examples: requestExamples },
  answers: [
    {
      status: 200,
      about: 'The verdict. It is counted once.',
      schemas: [check1, check2],
      headers: ['Vary', 'Bonafide-Mode', 'Idempotency-Replayed'],
      examples: () => answerExamples('check'),
    },
  ],
  errors: ERRORS,
};

export const ENHANCED: Operation = {
  ...CHECK,
  path: '/v1/validate/enhanced',
  id: 'validateEnhanced',
  summary: 'Check a person and explain',
  about:
    'The same check, with a narrative, an analysis of fraud patterns and a comparison of the names in `ai_insights`. They explain the score and never change it; everything else is as from `/v1/validate`.',
  query: {
    ai: v.optional(word(['true', 'false', '1', '0'], 'Accepted, and without effect here.')),
    response: RESPONSE,
  },
  answers: [
    {
      status: 200,
      about: 'The verdict and its explanations. It is counted once.',
      schemas: [enhanced1, enhanced2],
      headers: ['Vary', 'Bonafide-Mode', 'Idempotency-Replayed'],
      examples: () => answerExamples('enhanced'),
    },
  ],
};
