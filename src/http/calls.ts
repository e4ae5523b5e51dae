// Routes about the caller's own calls: reading an earlier call, storing its outcome, reading the usage of a month.
import type { H3Event } from 'h3';
import { requireScopeForReadingOwnCalls, requireScope } from '../accounts/access.ts';
import { formatAmount } from '../accounts/billing/money.ts';
import { isMonthText } from '../accounts/time.ts';
import { getQuotaState } from '../accounts/billing/quota.ts';
import type { CallerUsage } from '../accounts/billing/invoice.ts';
import type { Caller, EarlierCall, CurrentPlan, QuotaUsage } from '../accounts/model.ts';
import { toEarlierCallJson } from '../admin/wire.ts';
import { parseJsonObject } from '../claim/json.ts';
import { invalidRequestError } from '../claim/parse.ts';
import type { ValidationIssue } from '../errors.ts';
import type { Awaitable } from '../model.ts';
import { createJsonResponse, getRequestContext } from './response.ts';
import { authenticateWithoutConsumingLimits, type AuthDeps } from './auth.ts';
import { readBody } from './body.ts';
import { declareRoute, JSON_BODY_ERROR_CODES, type Route } from './openapi/operation.ts';
import { findQueryParameterIssues, getUnvalidatedSearchParams } from './input.ts';
import { createNotFoundProblemError } from './problems.ts';
import {
  callWithOutcomeSchema,
  monthParameterSchema,
  reportedOutcomeSchema,
  reportedOutcomeInputSchema,
  usageSchema,
} from './schema/calls.ts';
import { requestIdSchema } from './schema/builders.ts';

export interface CallHistoryAndUsageRouteDeps extends AuthDeps {
  /** Returns a logged call of an account; undefined if the account has no call with this request id. */
  findCall(account: string, requestId: string): Awaitable<EarlierCall | undefined>;
  /** Stores the outcome that the caller reports for a logged call: whether the person was genuine. */
  recordOutcome(outcome: { keyId: string; requestId: string; isGenuine: boolean }): Promise<void>;
  /** Returns the usage of a caller in a month such as `2026-11`; null stands for the month of `now` (milliseconds since 1970). */
  getUsage(caller: Caller, query: { month: string | null; now: number }): Awaitable<CallerUsage>;
}

export const CALL_HISTORY_AND_USAGE_ROUTES: Route<CallHistoryAndUsageRouteDeps>[] = [
  declareRoute('GET /v1/requests/:id', 'getRequest', {
    tag: 'Your calls',
    summary: 'One of your earlier calls',
    about: 'When it came, what it asked for and how it ended; never what was submitted.',
    pathParts: { id: requestIdSchema },
    answers: [{ status: 200, about: 'The call.', schemas: [callWithOutcomeSchema] }],
    errors: ['forbidden', 'not_found'],
    async handle(event, deps) {
      const caller = await authenticateWithoutConsumingLimits(event, deps);
      requireScopeForReadingOwnCalls(caller);
      const call = await getOwnCall(event, deps, caller);
      return createJsonResponse(getRequestContext(event), toEarlierCallJson(call));
    },
  }),
  declareRoute('POST /v1/requests/:id/outcome', 'tellOutcome', {
    tag: 'Your calls',
    summary: 'Tell how a call turned out',
    about:
      'Whether the person was who they said, once you know: scores can then be held against what became of them. Told again, the last one stands. It counts against no quota.',
    pathParts: { id: requestIdSchema },
    body: {
      schemas: [reportedOutcomeInputSchema],
      examples: () => ({ genuine: { summary: 'The person was who they said', value: { genuine: true } } }),
    },
    answers: [{ status: 200, about: 'It is kept.', schemas: [reportedOutcomeSchema] }],
    errors: ['forbidden', 'not_found', ...JSON_BODY_ERROR_CODES],
    async handle(event, deps) {
      const caller = await authenticateWithoutConsumingLimits(event, deps);
      requireScope(caller, 'validate');
      const { requestId } = await getOwnCall(event, deps, caller);
      const genuine = await readOutcome(event);
      await deps.recordOutcome({ keyId: caller.keyId, requestId, isGenuine: genuine });
      return createJsonResponse(getRequestContext(event), { request_id: requestId, genuine });
    },
  }),
  declareRoute('GET /v1/usage', 'getUsage', {
    tag: 'Your calls',
    summary: 'What counted in a month',
    about:
      'The calls that counted in a calendar month (UTC), the present one where none is named, and what of them is billed.',
    query: { month: monthParameterSchema },
    answers: [{ status: 200, about: 'The month.', schemas: [usageSchema] }],
    errors: ['forbidden', 'invalid_request'],
    async handle(event, deps) {
      const context = getRequestContext(event);
      // A caller with many refused requests must still be able to read that its quota is used up.
      const caller = await authenticateWithoutConsumingLimits(event, deps, { isSlowedDown: false });
      requireScopeForReadingOwnCalls(caller);
      const month = readMonth(event.url);
      return createJsonResponse(
        context,
        toCallerUsageJson(await deps.getUsage(caller, { month, now: context.now })),
      );
    },
  }),
];

async function getOwnCall(
  event: H3Event,
  { findCall }: CallHistoryAndUsageRouteDeps,
  { keyId }: Caller,
): Promise<EarlierCall> {
  const call = await findCall(keyId, event.context.params?.id ?? '');
  if (call) return call;
  throw createNotFoundProblemError('This key has no request with this id. Check the id and the key.');
}

/**
 * Reads a body such as `{ "genuine": true }`, and returns its boolean. Errors: invalid_request, invalid_json, body_too_large,
 * unsupported_media_type.
 */
async function readOutcome(event: H3Event): Promise<boolean> {
  const { value, issues } = parseJsonObject(await readBody(event));
  const { genuine, ...more } = value;
  const all: ValidationIssue[] = [...issues];
  if (typeof genuine !== 'boolean')
    all.push({
      pointer: '/genuine',
      code: 'invalid_genuine',
      detail: 'The field `genuine` must be true or false.',
    });
  if (Object.keys(more).length > 0)
    all.push({ pointer: '', code: 'unknown_field', detail: 'The only field here is `genuine`.' });
  if (typeof genuine === 'boolean' && all.length === 0) return genuine;
  throw invalidRequestError(all);
}

/** Returns the query parameter `month`; null if it is missing. Errors: invalid_request. */
function readMonth(url: URL): string | null {
  const searchParams = getUnvalidatedSearchParams(url);
  const issues = findQueryParameterIssues(searchParams, ['month']);
  if (issues.length > 0) throw invalidRequestError(issues);
  const text = searchParams.get('month');
  if (text === null || isMonthText(text)) return text;
  const detail = 'The query parameter `month` is a month such as `2026-11`.';
  throw invalidRequestError([{ pointer: '', code: 'invalid_month', detail }]);
}

/**
 * Converts the usage of a caller in a month to JSON. Amounts of money are decimal texts. The total amount is null if the month has two
 * currencies.
 */
export function toCallerUsageJson({ month, calls, plan, lines, totals, quotaUsage }: CallerUsage) {
  const overage = lines.reduce((sum, line) => sum + line.overage, 0);
  if (!plan) return { month, calls, included: null, overage, amount: null, limits: null };
  const { terms } = plan;
  const [
    { amount, currency } = { amount: formatAmount(0n, terms.digits), currency: terms.currency },
    ...others
  ] = totals;
  const total = others.length === 0 ? { amount, currency } : { amount: null, currency: null };
  const limits = toLimitsJson(plan, quotaUsage);
  return { month, calls, included: terms.included, overage, ...total, lines, limits };
}

/** Converts the limits of a caller's plan to JSON, with the number of calls that the account made in the present month. */
function toLimitsJson({ plan, version, terms }: CurrentPlan, quotaUsage: QuotaUsage | null) {
  const { overage, rate, concurrency, probes, operations, features, price } = terms;
  const quota = quotaUsage && {
    state: getQuotaState(quotaUsage.used, quotaUsage.included),
    remaining: Math.max(0, quotaUsage.included - quotaUsage.used),
    resets: new Date(quotaUsage.resetsAt).toISOString(),
  };
  return { plan, version, price, overage, quota, rate, concurrency, probes, operations, features };
}
