// Routes of events and of watches (claims that are checked again when their records change).
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { getAccountOrKeyId, requireScopeForReadingOwnCalls, requireScope } from '../../accounts/access.ts';
import type { Caller, QuotaUsage } from '../../accounts/model.ts';
import { MAX_CHECK_REQUEST_JSON_NODES, parseJsonObject, type ParsedBody } from '../../claim/json.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { createUnknownFieldIssue, REFERENCE_MESSAGE } from '../../claim/rules.ts';
import { KNOWN_FIELDS_BY_REQUEST_PART } from '../../claim/schema.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import type { Awaitable, Claim, Verdict } from '../../model.ts';
import { waitForEventLoopTurn } from '../../platform/turn.ts';
import type { ValidationCall } from '../../validate.ts';
import { authenticateWithoutConsumingLimits, runWithinCallerLimits } from '../auth.ts';
import { readBody } from '../body.ts';
import type { CallHistoryAndUsageRouteDeps } from '../calls.ts';
import { readIdempotencyKey, runCheck, type CheckDeps } from './route.ts';
import { parseQueryParameters } from '../input.ts';
import { REQUEST_HEADER_SCHEMAS } from '../openapi/headers.ts';
import {
  declareRoute,
  GRAPH_ERROR_CODES,
  JSON_BODY_ERROR_CODES,
  readRequestExamples,
  type Route,
} from '../openapi/operation.ts';
import { createNotFoundProblemError } from '../problems.ts';
import {
  createJsonResponse,
  createTextResponse,
  getRequestContext,
  IDEMPOTENCY_REPLAYED_HEADER_PAIR,
} from '../response.ts';
import { requestIdSchema } from '../schema/builders.ts';
import {
  deletedWatchSchema,
  legacyWatchRequestSchema,
  watchEventPageSchema,
  EVENT_LIST_PARAMETERS,
  watchIdSchema,
  type WatchOptions,
  watchOptionsSchema,
  watchPageSchema,
  watchRequestSchema,
  WATCH_LIST_PARAMETERS,
  watchSchema,
} from '../schema/watches.ts';

type GraphAnswer = Parameters<NonNullable<ValidationCall<unknown>['onChecked']>>[1];

/** Request to create a watch (a check that is repeated when records change), with the result of the first check. */
export interface WatchRequest {
  claim: Claim;
  answer: GraphAnswer;
  verdict: Verdict;
  options: WatchOptions;
  /** Id of the request that was counted: the first one with the same Idempotency-Key. */
  requestId: string;
  /** Id of this request, for which the place of the watch is reserved. */
  ownId: string;
  now: number;
}

type WatchJson = v.InferOutput<typeof watchSchema>;

/**
 * Stores, lists and deletes the watches of callers (checks that are repeated when records change), and lists their events. Errors of each function:
 * store_unavailable.
 */
export interface WatchService {
  /**
   * Runs `work`, which creates a watch. `reserveWatch` reserves one of the watches that the caller's plan allows, until `work` ends. `work` does not
   * call it for a retry, whose watch may exist already. Errors: watches_off; watch_limit, if the plan allows no more watches; errors of `work`.
   */
  runWithWatchReservation<T>(
    caller: Caller,
    requestId: string,
    work: (reserveWatch: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** Stores a watch and returns it. A repeated request returns the watch of the first request. Errors: watch_limit. */
  add(caller: Caller, request: WatchRequest): Promise<WatchJson>;
  /** Returns one page of the caller's watches. Errors: invalid_request for an invalid cursor. */
  list(
    caller: Caller,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<v.InferOutput<typeof watchPageSchema>>;
  find(caller: Caller, id: string): Promise<WatchJson | null>;
  /** Deletes a watch. Returns false if the caller has no such watch. */
  remove(caller: Caller, id: string): Promise<boolean>;
  listEvents(
    caller: Caller,
    page: { limit: number; after?: string | undefined },
  ): Awaitable<v.InferOutput<typeof watchEventPageSchema>>;
}

export interface WatchesDeps extends CheckDeps, Pick<CallHistoryAndUsageRouteDeps, 'findCall'> {
  watches: WatchService;
}

const CREATE = {
  tag: 'Watches',

  headers: REQUEST_HEADER_SCHEMAS,
  body: { schemas: [watchRequestSchema, legacyWatchRequestSchema], examples: readRequestExamples },
  answers: [
    {
      status: 201,
      about: 'The watch. Its check is counted once.',
      schemas: [watchSchema],
      headers: ['Bonafide-Mode', 'Idempotency-Replayed'],
    },
  ],
  errors: [
    'forbidden',
    'watches_off',
    'watch_limit',
    'idempotency_in_progress',
    'idempotency_mismatch',
    ...JSON_BODY_ERROR_CODES,
    'overloaded',
    ...GRAPH_ERROR_CODES,
    'quota_exhausted',
  ],
} satisfies Partial<Route>;

export const WATCH_ROUTES: Route<WatchesDeps>[] = [
  declareRoute('POST /v1/watches', 'createWatch', {
    ...CREATE,
    summary: 'Watch a person',
    about:
      'Checks a person as `/v1/validate` does, keeps the values encrypted, and checks them again whenever records behind the verdict change. If the verdict changes as you asked for, an event is recorded.',
    handle: (event, deps) => createWatch(event, deps),
  }),
  declareRoute('POST /v1/requests/:id/watch', 'watchRequest', {
    ...CREATE,
    summary: 'Watch the person of an earlier call',
    about:
      'As `POST /v1/watches`, for one of your earlier calls. Send the body again: nothing of an earlier call is kept.',
    pathParts: { id: requestIdSchema },
    errors: [...CREATE.errors, 'not_found'],
    handle: (event, deps) => createWatch(event, deps, event.context.params?.id ?? ''),
  }),
  declareRoute('GET /v1/watches', 'listWatches', {
    tag: 'Watches',
    summary: 'Your watches',
    about: 'Watches of your account, or of your key if it has no account, the oldest first.',
    query: WATCH_LIST_PARAMETERS,
    answers: [{ status: 200, about: 'One page.', schemas: [watchPageSchema] }],
    errors: ['forbidden', 'invalid_request'],
    async handle(event, { watches, ...deps }) {
      const caller = await authenticateReader(event, deps);
      const page = await watches.list(caller, parseQueryParameters(event.url, WATCH_LIST_PARAMETERS));
      return createJsonResponse(getRequestContext(event), page);
    },
  }),
  declareRoute('GET /v1/watches/:id', 'getWatch', {
    tag: 'Watches',
    summary: 'One of your watches',
    about: 'Its last verdict and its expiry; never what was submitted.',
    pathParts: { id: watchIdSchema },
    answers: [{ status: 200, about: 'The watch.', schemas: [watchSchema] }],
    errors: ['forbidden', 'not_found'],
    async handle(event, { watches, ...deps }) {
      const caller = await authenticateReader(event, deps);
      const watch = await watches.find(caller, event.context.params?.id ?? '');
      if (!watch) throw createNotFoundProblemError(WATCH_NOT_FOUND_MESSAGE);
      return createJsonResponse(getRequestContext(event), watch);
    },
  }),
  declareRoute('DELETE /v1/watches/:id', 'deleteWatch', {
    tag: 'Watches',
    summary: 'Delete a watch',
    about: 'What the server kept of the watch is deleted at once. Its events stay for 30 days.',
    pathParts: { id: watchIdSchema },
    answers: [{ status: 200, about: 'The watch is deleted.', schemas: [deletedWatchSchema] }],
    errors: ['forbidden', 'not_found'],
    async handle(event, { watches, ...deps }) {
      const caller = await authenticateWithoutConsumingLimits(event, deps);
      requireScope(caller, 'validate');
      const id = event.context.params?.id ?? '';
      if (!(await watches.remove(caller, id))) throw createNotFoundProblemError(WATCH_NOT_FOUND_MESSAGE);
      return createJsonResponse(getRequestContext(event), { watch_id: id, deleted: true });
    },
  }),
  declareRoute('GET /v1/events', 'listEvents', {
    tag: 'Watches',
    summary: 'Your events',
    about:
      'Events of your watches and jobs after a cursor, the oldest first. They are kept for 30 days. Keep `next`, and send it as `after` the next time.',
    query: EVENT_LIST_PARAMETERS,
    answers: [{ status: 200, about: 'The events.', schemas: [watchEventPageSchema] }],
    errors: ['forbidden', 'invalid_request'],
    async handle(event, { watches, ...deps }) {
      const caller = await authenticateReader(event, deps);
      const page = await watches.listEvents(caller, parseQueryParameters(event.url, EVENT_LIST_PARAMETERS));
      return createJsonResponse(getRequestContext(event), page);
    },
  }),
];

export const WATCH_NOT_FOUND_MESSAGE = 'Your account has no watch with this id.';

async function authenticateReader(event: H3Event, deps: CheckDeps): Promise<Caller> {
  const caller = await authenticateWithoutConsumingLimits(event, deps);
  requireScopeForReadingOwnCalls(caller);
  return caller;
}

/** Checks a claim and creates a watch of it. `earlierId` is the request id of an earlier check if the path has one. */
async function createWatch(event: H3Event, deps: WatchesDeps, earlierId?: string): Promise<Response> {
  // The request may be refused before the limits are tested, and the answer shows the limits all the same.
  const caller = await authenticateWithoutConsumingLimits(event, deps);
  requireScope(caller, 'validate');
  if (earlierId !== undefined && !(await deps.findCall(caller.keyId, earlierId)))
    throw createNotFoundProblemError('This key has no request with this id. Check the id and the key.');
  return deps.watches.runWithWatchReservation(caller, getRequestContext(event).requestId, (reserveWatch) => {
    const work = (quotaUsage: QuotaUsage | null) =>
      checkAndWatch(event, deps, { caller, quotaUsage, reserveWatch });
    return runWithinCallerLimits(event, deps, { caller, work });
  });
}

interface WatchCreation {
  caller: Caller;
  quotaUsage: QuotaUsage | null;
  reserveWatch(): Promise<void>;
}

async function checkAndWatch(
  event: H3Event,
  deps: WatchesDeps,
  { caller, quotaUsage, reserveWatch }: WatchCreation,
): Promise<Response> {
  const context = getRequestContext(event);
  const { now, requestId: ownId } = context;
  const issues: ValidationIssue[] = [];
  const idempotencyKey = readIdempotencyKey(event.req.headers, issues);
  let bytes: Uint8Array = new Uint8Array();
  let options: WatchOptions | undefined;
  let checked: Pick<WatchRequest, 'claim' | 'answer'> | undefined;
  let verdict: Verdict | undefined;
  const requestId = await runCheck(event, deps, {
    caller,
    endpoint: 'validate',
    responseVersion: 'v1',
    quotaUsage,
    readBody: async () => {
      bytes = await readBody(event);
      await waitForEventLoopTurn(getAccountOrKeyId(caller));
      const body = parseJsonObject(bytes, MAX_CHECK_REQUEST_JSON_NODES);
      const parts = splitBody({ value: body.value, issues: [...issues, ...body.issues] });
      options = parts.options;
      return parts.check;
    },
    idempotentRequest:
      idempotencyKey === null
        ? null
        : { key: idempotencyKey, target: event.url.pathname + event.url.search, body: () => bytes },
    // Called after the checks of the limits and of the body, so that a refused request reads no watches. Not called for a retry.
    beforeNewCall: reserveWatch,
    onChecked: (claim, answer) => (checked = { claim, answer }),
    buildContent(result, values) {
      verdict = result;
      return values.requestId;
    },
    traceparent: context.traceparent,
  });
  if (!options || !checked || !verdict)
    throw new BonafideError(
      'internal_error',
      'The watch was not created, because its check ended without a verdict. Send the request again.',
    );
  const watch = await deps.watches.add(caller, { ...checked, options, verdict, requestId, ownId, now });
  return createTextResponse(context, JSON.stringify(watch), {
    status: 201,
    headers: requestId === ownId ? [] : [IDEMPOTENCY_REPLAYED_HEADER_PAIR],
  });
}

const OPTION_NAMES = Object.keys(watchOptionsSchema.entries);
const ALL_FIELDS = [...KNOWN_FIELDS_BY_REQUEST_PART.request, ...OPTION_NAMES];

function splitBody({ value, issues }: ParsedBody): { check: ParsedBody; options: WatchOptions } {
  const entries = Object.entries(value);
  const sent = Object.fromEntries(entries.filter(([name]) => OPTION_NAMES.includes(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !OPTION_NAMES.includes(name)));
  const all = [...issues];
  const result = v.safeParse(watchOptionsSchema, sent);
  for (const name of result.success ? [] : new Set(result.issues.map(({ path }) => String(path?.[0]?.key))))
    all.push({ pointer: `/${name}`, code: `invalid_${name}`, detail: RULES[name] ?? 'This is not valid.' });
  for (const name of Object.keys(rest))
    if (!KNOWN_FIELDS_BY_REQUEST_PART.request.includes(name)) {
      all.push(createUnknownFieldIssue(name, ALL_FIELDS));
      delete rest[name];
    }
  if (!result.success) throw invalidRequestError(all);
  return { check: { value: rest, issues: all }, options: result.output };
}

const RULES: Record<string, string> = {
  expires_in_days: 'This must be a whole number of days from 1 to 400.',
  notify_on: 'This must be a list of one or more of `band`, `score` and `status`.',
  min_change: 'This must be a whole number of points from 1 to 100.',
  reference: REFERENCE_MESSAGE,
};
