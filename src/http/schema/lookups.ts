// The answers around a check: an earlier call, the month, and how the server is.
import * as v from 'valibot';
import { INTENTS } from '../../intents.ts';
import { band, confidence, score } from './check.ts';
import { flag, named, object, orNull, requestId, time, whole, word } from './parts.ts';

export const earlierCall = named(
  'EarlierCall',
  {
    request_id: requestId,
    time: time('When the call arrived.'),
    endpoint: word(['/v1/validate', '/v1/validate?ai=true', '/v1/validate/enhanced'], 'What was called.'),
    response_version: word(['v1', 'v2'], 'The version of the answer’s shape.'),
    intent: orNull(
      v.picklist(INTENTS),
      'The intent as it was understood; null for calls before it was kept.',
    ),
    trustworthiness_score: score,
    status: band,
    confidence_level: confidence,
    possible_catfish: flag('The flag of the answer.'),
    values: object(
      {
        emails: whole('E-mails.'),
        phones: whole('Phones.'),
        addresses: whole('Addresses.'),
      },
      'How many values were sent of each kind.',
    ),
    different_identity: whole('How many of them were other identities’.'),
    unverified: whole('How many of them had no matching record.'),
    scoring_model: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'Version of the scoring model; null for calls before it was kept.',
    ),
    latency_ms: whole('How long the call took, in milliseconds.'),
    test: flag('It was made with a test key.'),
  },
  'One of your own earlier calls: its outcome and counts, never what was submitted.',
);

export const usage = named(
  'Usage',
  {
    month: v.pipe(
      v.string(),
      v.regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/),
      v.description('The calendar month in UTC, `2026-11`.'),
    ),
    calls: whole('Calls that counted in it so far.'),
    included: orNull(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'Calls that the plan includes; null without a plan.',
    ),
    overage: whole('Calls beyond the included ones.'),
    amount: orNull(v.number(), 'What the overage costs; null without a plan.'),
  },
  'What counted in a month.',
);

export const alive = named(
  'Alive',
  { status: v.pipe(v.literal('ok'), v.description('The process lives.')) },
  'The process lives.',
);

const part = (of: string) => word(['ok', 'failed'], of);
export const readiness = named(
  'Readiness',
  {
    status: word(['ready', 'not ready'], 'Whether traffic can be sent.'),
    store: part('Calls can be counted and keys be looked up.'),
    graph: part('The identity graph answers.'),
    warm_up: word(['ok', 'starting'], 'The first calls would be as fast as later ones.'),
    log: part('Log lines arrive. Calls are served without them.'),
    log_lines_lost: whole('Log lines that were not written since the start.'),
  },
  'How the server is, part by part.',
);
