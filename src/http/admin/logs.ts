import * as v from 'valibot';
import { AUDIT_ACTION_NAMES } from '../../accounts/audit.ts';
import { toLoggedCallJson } from '../../admin/wire.ts';
import { parseDayOrTimestamp } from '../../accounts/time.ts';
import type { Route } from '../openapi/operation.ts';
import { callWithOutcomeSchema } from '../schema/calls.ts';
import { scoreBandSchema, verdictWordSchema } from '../schema/check.ts';
import * as s from '../schema/builders.ts';
import { accountParameterSchema } from './keys.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const act = s.openApiObject('Act', 'One entry of the audit log.', {
  seq: s.integer('Sequence number: 1, 2, 3 …', 1),
  time: s.timestamp('When it was done.'),
  actor: s.string('Who did it: the id of an admin key, or `command-line` with the name of the system user.'),
  act: s.string('What was done, such as `keys.create`.'),
  target: s.string('What it was done to: the id of a key, the name of a plan; empty if it has no target.'),
  detail: s.record(v.unknown(), 'Values that were chosen, without secrets.'),
  hash: s.string('SHA-256 over this entry and the hash of the entry before.'),
});
export const auditEntryPageSchema = s.createPageSchema('Acts', act, 'The audit log, newest first.');

export const auditVerificationSchema = s.openApiObject(
  'VerifiedAudit',
  'Result of verifying the audit log.',
  {
    acts: s.integer('Number of entries from the first on whose hashes form a chain.'),
    head: s.string('Number and hash of the last of these entries, to be noted elsewhere.'),
    broken: s.nullable(
      s.object('The first entry that breaks the chain.', {
        seq: s.integer('Sequence number.', 1),
        why: s.oneOf(['missing', 'changed'], 'What is wrong with the entry.'),
      }),
      'The first entry that breaks the chain; null if the log is complete.',
    ),
    known: s.nullable(v.boolean(), 'True if the log contains the head of the request; null without one.'),
  },
);

export const loggedCallSchema = s.openApiObject(
  'Request',
  'An accepted call: its outcome and counts, never what was submitted.',
  {
    ...callWithOutcomeSchema.entries,
    key: s.string('Id of the first key of the chain of rotations that made the call.'),
    key_name: s.nullableString('Name of the key.'),
    account: s.nullableString('Account of the key at that time; null for none.'),
    account_name: s.nullableString('Name of the account; null for none.'),
  },
);
const loggedCallPageSchema = s.createPageSchema('Requests', loggedCallSchema, 'Calls, newest first.');

const refusalSchema = s.openApiObject('RefusedCall', 'A refused call, never what was submitted.', {
  request_id: s.requestIdSchema,
  time: s.timestamp('When the call arrived.'),
  endpoint: s.string('Route of the call, such as `/v1/validate`.'),
  status: s.integer('HTTP status of the answer.', 400),
  code: s.string('Error code of the answer.'),
  rule: s.nullableString(
    'Rule that was broken: field and code for 422, missing scope for 403, limit for 429, state of the key for 401; null if the code says all.',
  ),
  key: s.nullableString('Id of the first key of the chain of rotations; null if no known key was sent.'),
  key_name: s.nullableString('Name of the key.'),
  account: s.nullableString('Account of the key at that time; null for none.'),
  account_name: s.nullableString('Name of the account; null for none.'),
  test: s.boolean('True for a call with a test key.'),
  more: s.integer(
    'Number of further refusals with the same key and code in the same minute that have no row of their own.',
  ),
});
export const refusalPageSchema = s.createPageSchema(
  'RefusedCalls',
  refusalSchema,
  'Refused calls, newest first.',
);
export const refusalDetailsSchema = s.openApiObject('FoundRefusal', 'A refused call by its request id.', {
  refusal: s.nullable(refusalSchema, 'The refused call; null if it was only counted.'),
  counted: s.list(refusalSchema, 'Rows of the same minute that count refusals without a row of their own.'),
});

const latency = (about: string) => s.nullableNumber(about);
const latencies = {
  p50_ms: latency('Median latency in milliseconds; null without calls.'),
  p95_ms: latency('95th percentile.'),
  p99_ms: latency('99th percentile.'),
};
const calls = s.integer('Live calls that were accepted.');
const catfish = s.integer('Calls with the flag `possible_catfish`.');
const step = s.object('One step of time.', {
  at: s.timestamp('Start of the step.'),
  calls,
  bands: s.object('Number of scores by band.', {
    HIGH: s.integer('85 and above.'),
    MEDIUM: s.integer('65 to 84.'),
    LOW: s.integer('40 to 64.'),
    VERY_LOW: s.integer('Below 40.'),
  }),
  verdicts: s.object('Number of checks by verdict word.', {
    verified: s.integer('85 and above.'),
    'likely-real': s.integer('65 to 84.'),
    suspicious: s.integer('40 to 64.'),
    'high-risk': s.integer('Below 40.'),
    'no-record': s.integer('No contact has a record.'),
    'name-only': s.integer('No contact was sent.'),
  }),
  catfish,
  ...latencies,
});
export const callsOverTimeSchema = s.openApiObject('Activity', 'Live calls over time, by band.', {
  step_ms: s.integer('Length of a step in milliseconds.', 1),
  since: s.timestamp('Start of the first step.'),
  whole: s.boolean('True if every call of the span was read; false if only the newest 500,000 were.'),
  steps: s.list(step, 'Oldest first; the last step is not over yet.'),
  all: s.object('All steps together.', { calls, catfish, ...latencies }),
});

const keyQuery = v.optional(
  s.shortString('Only calls of the key with this id or name, and of the keys that it replaced.'),
);
const callsOfAccountQuery = v.optional(s.shortString('Only calls of this account.'));
const TIME_QUERY = {
  since: v.optional(s.requestTimestamp('Only calls from this time on, such as `2026-11-22T09:00:00Z`.')),
  before: v.optional(s.requestTimestamp('Only calls before this time.')),
};

export const LOG_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET audit', 'listActs', {
    summary: 'List the audit log',
    about: 'Who administered what, newest first.',
    command: 'audit show',
    query: {
      act: v.optional(s.oneOf(AUDIT_ACTION_NAMES, 'Only entries of this kind.')),
      actor: v.optional(s.shortString('Only entries of this actor.')),
      target: v.optional(s.shortString('Only entries with this target.')),
      ...s.PAGING_PARAMETERS,
    },
    answers: auditEntryPageSchema,
    handle: ({ query, run }) => run('audit.list', query),
  }),
  declareAdminRoute('GET audit/verify', 'verifyAudit', {
    summary: 'Verify the audit log',
    about: 'Follows the chain of hashes: it shows whether an entry is missing or was changed.',
    command: 'audit verify',
    query: { head: v.optional(s.shortString('A head that was noted earlier: is it in the log?')) },
    answers: auditVerificationSchema,
    handle: ({ query: { head }, run }) => run('audit.verify', head),
  }),
  declareAdminRoute('GET requests', 'listRequests', {
    summary: 'List the call log',
    about:
      'Accepted calls of all keys, newest first. At most 20,000 calls are read for a page: with a rare filter a page may be short or empty while `next` says that there is more. There is no command for it.',
    query: {
      key: keyQuery,
      account: callsOfAccountQuery,
      endpoint: v.optional(s.oneOf(['validate', 'validate_ai', 'enhanced'], 'Only calls of this operation.')),
      status: v.optional(scoreBandSchema),
      verdict: v.optional(verdictWordSchema),
      test: v.optional(s.boolean('Only calls with test keys, or only calls without.')),
      ...TIME_QUERY,
      ...s.PAGING_PARAMETERS,
    },
    answers: loggedCallPageSchema,
    async handle({ query: { since, before, ...filters }, run }) {
      const times = { since: toMilliseconds(since), before: toMilliseconds(before) };
      const { items, next } = await run('requests.list', { ...filters, ...times });
      return { items: items.map(toLoggedCallJson), next };
    },
  }),
  declareAdminRoute('GET refusals', 'listRefusals', {
    summary: 'List refused calls',
    about:
      'Calls of all keys that were answered with an error (401, 403, 422, 429, 5xx …), newest first. They are apart from the call log and from billing. Of many refusals with one key and code in a minute, ten have a row each; the rest share one row, whose `more` counts them.',
    command: 'requests refused',
    query: {
      key: keyQuery,
      account: callsOfAccountQuery,
      endpoint: v.optional(s.shortString('Only calls of this route, such as `/v1/validate`.')),
      status: v.optional(s.integerBetween(400, 599, 'Only calls with this HTTP status.')),
      ...TIME_QUERY,
      ...s.PAGING_PARAMETERS,
    },
    answers: refusalPageSchema,
    handle({ query: { since, before, ...filters }, run }) {
      const times = { since: toMilliseconds(since), before: toMilliseconds(before) };
      return run('refusals.list', { ...filters, ...times });
    },
  }),
  declareAdminRoute('GET refusals/:id', 'showRefusal', {
    noun: 'request',
    summary: 'Show a refused call',
    about: 'When, with which key and by which rule a call was refused, by its request id.',
    command: 'requests show',
    answers: refusalDetailsSchema,
    handle: ({ id, run }) => run('refusals.show', id),
  }),
  declareAdminRoute('GET activity', 'showActivity', {
    summary: 'Show calls over time',
    about:
      'Live calls of the last hour, day, week or month by step of time: bands, flags, latencies. There is no command for it.',
    query: {
      span: v.optional(s.oneOf(['hour', 'day', 'week', 'month'], 'Period that ends now; a day by default.')),
      account: accountParameterSchema,
    },
    answers: callsOverTimeSchema,
    handle: ({ query: { span = 'day', account }, run }) => run('activity', { span, account }),
  }),
  declareAdminRoute('GET requests/:id', 'showRequest', {
    noun: 'request',
    summary: 'Show a call',
    about: 'One accepted call of any key.',
    command: 'requests show',
    answers: loggedCallSchema,
    handle: async ({ id, run }) => toLoggedCallJson(await run('requests.show', id)),
  }),
];

/** Converts an ISO 8601 time to milliseconds since 1970; undefined stays undefined. */
const toMilliseconds = (text: string | undefined) =>
  text === undefined ? undefined : (parseDayOrTimestamp(text) ?? undefined);
