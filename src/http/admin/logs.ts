// Audit log and call log.
import * as v from 'valibot';
import { AUDIT_ACTIONS } from '../../accounts/audit.ts';
import type { EarlierCall } from '../../accounts/model.ts';
import { parseTime } from '../../accounts/time.ts';
import { toEarlierCallJson } from '../calls.ts';
import { earlierCallSchema } from '../schema/calls.ts';
import { bandSchema } from '../schema/check.ts';
import {
  boolean,
  list,
  timestampInput,
  namedObject,
  object,
  nullable,
  pageSchema,
  shortString,
  string,
  timestamp,
  integer,
  oneOf,
} from '../schema/parts.ts';
import { adminRoute, PAGING, type AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const act = namedObject(
  'Act',
  {
    seq: integer('Its number: 1, 2, 3 …', 1),
    time: timestamp('When.'),
    actor: string('Who: the id of an admin key, or `command-line` with the name of the system’s user.'),
    act: string('What, such as `keys.create`.'),
    target: string('To what: the id of a key, the name of a plan; empty where there is nothing to name.'),
    detail: v.pipe(v.record(v.string(), v.unknown()), v.description('What was chosen. No secret is in it.')),
    hash: string('SHA-256 over this act and the digest of the one before it.'),
  },
  'What somebody administered.',
);

export const actPageSchema = pageSchema('Acts', act, 'The audit log, the newest first.');

export const auditVerificationSchema = namedObject(
  'VerifiedAudit',
  {
    acts: integer('How many acts follow one another from the first on.'),
    head: string('The last of these: to be noted elsewhere.'),
    broken: nullable(
      object(
        { seq: integer('Its number.', 1), why: oneOf(['missing', 'changed'], 'What is wrong.') },
        'The first act that does not follow.',
      ),
      'The first act that does not follow from the one before; null where the log is whole.',
    ),
    known: nullable(v.boolean(), 'Whether the head that was sent is in the log; null where none was.'),
  },
  'Whether the log is whole.',
);

export const actQuery = {
  act: v.optional(oneOf(AUDIT_ACTIONS, 'Only acts of this kind.')),
  actor: v.optional(shortString('Only acts of this one.')),
  target: v.optional(shortString('Only acts on this one.')),
};

export const headQuery = {
  head: v.optional(shortString('A head that was noted earlier: is it in the log?')),
};

export const loggedCallSchema = namedObject(
  'Request',
  {
    ...earlierCallSchema.entries,
    key: string('The first key of the chain of rotations that made it.'),
    account: nullable(v.string(), 'The account of that key; null for a key that stood alone.'),
  },
  'A call that was accepted: its outcome and counts, never what was submitted.',
);

export const loggedCallPageSchema = pageSchema('Requests', loggedCallSchema, 'Calls, the newest first.');

export const loggedCallQuery = {
  key: v.optional(shortString('Only calls of this key and those that it replaced.')),
  account: v.optional(shortString('Only calls of this account.')),
  status: v.optional(bandSchema),
  test: v.optional(boolean('Only calls with test keys, or none of them.')),
  since: v.optional(timestampInput('Only calls from then on, such as `2026-11-22T09:00:00Z`.')),
  before: v.optional(timestampInput('Only calls before then.')),
};

const ms = (about: string) => nullable(v.number(), about);

const times = {
  p50_ms: ms('Half of them took no longer, in milliseconds; null where there were none.'),
  p95_ms: ms('19 of 20 took no longer.'),
  p99_ms: ms('99 of 100 took no longer.'),
};

const calls = integer('Live calls that were accepted.');

const catfish = integer('Those of them with the flag `possible_catfish`.');

const step = object(
  {
    at: timestamp('When it begins.'),
    calls,
    bands: object(
      {
        HIGH: integer('85 and above.'),
        MEDIUM: integer('65 to 84.'),
        LOW: integer('40 to 64.'),
        VERY_LOW: integer('Below 40.'),
      },
      'How many scores fell into each band.',
    ),
    catfish,
    ...times,
  },
  'One step of time.',
);

export const activitySchema = namedObject(
  'Activity',
  {
    step_ms: integer('How long a step is, in milliseconds.', 1),
    since: timestamp('When the first begins.'),
    whole: boolean('Every call of the span was looked at; else the newest 500,000 alone.'),
    steps: list(step, 'The oldest first; the last one is still going on.'),
    all: object({ calls, catfish, ...times }, 'All of them together.'),
  },
  'Live calls over time, by band.',
);

export const activityQuery = {
  span: v.optional(oneOf(['hour', 'day', 'week', 'month'], 'How far back; a day where it is not said.')),
  account: v.optional(shortString('Only calls of this account.')),
};

export const LOG_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET audit', 'listActs', {
    summary: 'Who administered what',
    about: 'The audit log, the newest first. `bonafide audit show` at the command line.',
    query: { ...actQuery, ...PAGING },
    answers: actPageSchema,
    handle: ({ query, run }) => run('audit.list', query),
  }),
  adminRoute('GET audit/verify', 'verifyAudit', {
    summary: 'Is the audit log whole?',
    about: 'Follows its chain: an act that is missing or was changed shows. `bonafide audit verify`.',
    query: headQuery,
    answers: auditVerificationSchema,
    handle: ({ query: { head }, run }) => run('audit.verify', head),
  }),
  adminRoute('GET requests', 'listRequests', {
    summary: 'The call log',
    about:
      'Accepted calls of all keys, the newest first. For a page at most 20,000 are looked at: a filter that few pass may give a page of few or none, and `next` says that there is more. There is no command for it.',
    query: { ...loggedCallQuery, ...PAGING },
    answers: loggedCallPageSchema,
    handle: async ({ query: { since, before, ...asked }, run }) => {
      const { items, next } = await run('requests.list', {
        ...asked,
        since: momentOf(since),
        before: momentOf(before),
      });
      return { items: items.map(callView), next };
    },
  }),
  adminRoute('GET activity', 'showActivity', {
    summary: 'Calls over time',
    about:
      'Live calls of the last hour, day, week or month by step of time: bands, flags, how long they took. There is no command for it.',
    query: activityQuery,
    answers: activitySchema,
    handle: ({ query: { span = 'day', account }, run }) => run('activity', { span, account }),
  }),
  adminRoute('GET requests/:id', 'showRequest', {
    of: 'request',
    summary: 'A call',
    about: 'One accepted call, whoever made it. There is no command for it.',
    answers: loggedCallSchema,
    handle: async ({ id, run }) => callView(await run('requests.show', id)),
  }),
];

/** A call as an operator sees it: as its caller does, and whose it was. */
const callView = (call: EarlierCall) => ({
  ...toEarlierCallJson(call),
  key: call.keyId,
  account: call.account,
});

/** The schema has refused what is no time. */
const momentOf = (text: string | undefined) =>
  text === undefined ? undefined : (parseTime(text) ?? undefined);
