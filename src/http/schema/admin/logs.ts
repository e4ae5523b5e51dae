import * as v from 'valibot';
import { ACTS } from '../../../accounts/audit.ts';
import { band } from '../check.ts';
import { earlierCall } from '../lookups.ts';
import { flag, named, object, orNull, text, time, whole, word } from '../parts.ts';
import { moment, pageOf, shortText } from './parts.ts';

const act = named(
  'Act',
  {
    seq: whole('Its number: 1, 2, 3 …', 1),
    time: time('When.'),
    actor: text('Who: the id of an admin key, or `command-line` with the name of the system’s user.'),
    act: text('What, such as `keys.create`.'),
    target: text('To what: the id of a key, the name of a plan; empty where there is nothing to name.'),
    detail: v.pipe(v.record(v.string(), v.unknown()), v.description('What was chosen. No secret is in it.')),
    hash: text('SHA-256 over this act and the digest of the one before it.'),
  },
  'What somebody administered.',
);
export const acts = pageOf('Acts', act, 'The audit log, the newest first.');

export const verified = named(
  'VerifiedAudit',
  {
    acts: whole('How many acts follow one another from the first on.'),
    head: text('The last of these: to be noted elsewhere.'),
    broken: orNull(
      object(
        { seq: whole('Its number.', 1), why: word(['missing', 'changed'], 'What is wrong.') },
        'The first act that does not follow.',
      ),
      'The first act that does not follow from the one before; null where the log is whole.',
    ),
    known: orNull(v.boolean(), 'Whether the head that was sent is in the log; null where none was.'),
  },
  'Whether the log is whole.',
);

export const actsQuery = {
  act: v.optional(word(ACTS, 'Only acts of this kind.')),
  actor: v.optional(shortText('Only acts of this one.')),
  target: v.optional(shortText('Only acts on this one.')),
};
export const headQuery = {
  head: v.optional(shortText('A head that was noted earlier: is it in the log?')),
};

export const request = named(
  'Request',
  {
    ...earlierCall.entries,
    key: text('The first key of the chain of rotations that made it.'),
    account: orNull(v.string(), 'The account of that key; null for a key that stood alone.'),
  },
  'A call that was accepted: its outcome and counts, never what was submitted.',
);
export const requests = pageOf('Requests', request, 'Calls, the newest first.');

export const requestsQuery = {
  key: v.optional(shortText('Only calls of this key and those that it replaced.')),
  account: v.optional(shortText('Only calls of this account.')),
  status: v.optional(band),
  test: v.optional(flag('Only calls with test keys, or none of them.')),
  since: v.optional(moment('Only calls from then on, such as `2026-11-22T09:00:00Z`.')),
  before: v.optional(moment('Only calls before then.')),
};
