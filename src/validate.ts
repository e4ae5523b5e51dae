// Validation call: authorisation, check, AI features, call log. HTTP, the command line, MCP and batches all
// use this file.
import {
  getAccountOrKeyId,
  requirePlanFeatures,
  requirePlanOperation,
  requireScope,
} from './accounts/access.ts';
import { requireRemainingQuota } from './accounts/billing/quota.ts';
import type {
  ExpiringRequestFingerprint,
  CallAttemptWithIdempotencyKey,
  RequestWithIdempotencyKey,
} from './accounts/idempotency.ts';
import type { SuspiciousCheckCounts } from './accounts/harvesting.ts';
import type { Caller, LoggedCall, QuotaUsage } from './accounts/model.ts';
import { checkClaim } from './check.ts';
import type { ParsedBody } from './claim/json.ts';
import { parseClaim } from './claim/parse.ts';
import { toNameFacts } from './name-facts.ts';
import type { AiFeatures, EarlierApiCallFacts } from './features/open.ts';
import type { GraphAnswer, IdentityGraph } from './graph/graph.ts';
import type {
  Awaitable,
  Calibration,
  Claim,
  CheckEndpoint,
  ResponseVersion,
  Score,
  Verdict,
} from './model.ts';
import { getTimeOfRequestId } from './platform/request-id.ts';

/** Values of a check's answer that are not part of the verdict. In the answer to a retry, they are those of the counted call. */
export interface CheckAnswerValuesOutsideVerdict {
  requestId: string;
  /** Time of the call, in milliseconds since 1970. */
  now: number;
  /** Content of the answer's field `ai_insights`; null if it was not requested. */
  insights: object | null;
}

/** Call of a check, the same for HTTP, jobs and MCP. */
export interface ValidationCall<T> {
  requestId: string;
  caller: Caller;
  /** Time of arrival, in milliseconds since 1970. */
  now: number;
  /** Time of arrival by `performance.now()`, for measuring the latency. */
  started: number;
  endpoint: CheckEndpoint;
  responseVersion: ResponseVersion;
  /** Reads the request body. Called only if the caller's API key may make checks. */
  readBody: () => ParsedBody | Promise<ParsedBody>;
  /** Creates the content of the response. If it throws, the call is not counted. */
  buildContent: (verdict: Verdict, values: CheckAnswerValuesOutsideVerdict) => T;
  /** Quota usage of the caller's account before the call; null for an account without a plan. */
  quotaUsage?: QuotaUsage | null;
  /** Lowest revision of the graph that the check may use. */
  minRevision?: number | undefined;
  /** Idempotency-Key of the call, and the request for which it is used; null without such a header. */
  idempotentRequest?: RequestWithIdempotencyKey | null;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** W3C trace context (header `traceparent`) for requests to other services. */
  traceparent?: string | undefined;
  /**
   * Called before the check of a call that is not counted yet, if the quota allows the call. Not called for a retry under an Idempotency-Key. If it
   * throws, the call is not counted.
   */
  beforeNewCall?: (() => Awaitable<void>) | undefined;
  /** Called after the check, with the claim and the answer of the graph. */
  onChecked?: ((claim: Claim, answer: GraphAnswer) => void) | undefined;
  /** Called when a stage of the call ends. `started` is its start by `performance.now()`. Undefined if the call is not traced. */
  onStageEnd?: ((stage: string, started: number) => void) | undefined;
}

/** Services that a check call needs; see `openApp`. */
export interface ValidateDeps {
  graph: Pick<IdentityGraph, 'resolve'>;
  /** ISO country code for phones and addresses that have no country. */
  region: string;
  /** Calibration of the score; null if none is configured. */
  calibration: Calibration | null;
  /** AI features and the caller's earlier calls; null if AI features are off. */
  insights: {
    features: Pick<AiFeatures, 'insights'>;
    /** Returns the calls of the caller before `now` (ms since 1970), including calls with the API keys that `keyId` replaced. */
    findEarlierCalls: (keyId: string, now: number) => Awaitable<EarlierApiCallFacts>;
    /** True if name matching may show whole names on record; see the setting `nameMatching`. */
    disclosesRecordNames: boolean;
  } | null;
  /** Writes calls to the call log. This property is null if calls are not counted. */
  recorder: { write(call: LoggedCall, record?: ExpiringRequestFingerprint): Promise<RecordedCall> } | null;
  /**
   * Limits checks that look like harvesting (enumerating who is on record). This property is null if calls are not counted. `enter` throws if a limit
   * is reached. `count` returns the numbers that a check adds to the counts of its API key; null if it adds none. `add` adds them. Errors of `enter`:
   * rate_limited, store_unavailable.
   */
  probes: {
    enter(call: CallContext, claim: Claim): Awaitable<void>;
    count(call: CallContext, checked: { claim: Claim; verdict: Verdict }): SuspiciousCheckCounts | null;
    add(call: CallContext, probes: SuspiciousCheckCounts): void;
  } | null;
  /**
   * Begins an attempt to answer a call with an Idempotency-Key. This property is null if calls are not counted. Errors: idempotency_in_progress,
   * idempotency_mismatch, store_unavailable.
   */
  idempotency: {
    begin(call: CallContext, request: RequestWithIdempotencyKey): Awaitable<CallAttemptWithIdempotencyKey>;
  } | null;
}
type CallContext = Pick<ValidationCall<unknown>, 'requestId' | 'caller' | 'now'>;
type RecordedCall = Pick<ValidationResult<unknown>, 'requestId' | 'quotaUsage'>;

/** Answer to a check call, and how the call was counted. */
export interface ValidationResult<T> {
  score: Score;
  content: T;
  /** Request id in the call log: that of this call, or of an earlier attempt with the same Idempotency-Key. */
  requestId: string;
  /** Quota usage of the account after the call; null for an account without a plan, or if the call was not counted. */
  quotaUsage: QuotaUsage | null;
}

/**
 * Answers a check call: authorises the caller, parses and checks the claim, adds AI insights, and writes the call log. The call is stored on disk
 * when the promise resolves. Errors: forbidden, invalid_request, quota_exhausted, idempotency_in_progress, idempotency_mismatch; those of `readBody`,
 * the graph and the store.
 */
export async function validate<T>(call: ValidationCall<T>, deps: ValidateDeps): Promise<ValidationResult<T>> {
  requireScope(call.caller, 'validate');
  requirePlanOperation(call.caller, call.endpoint);
  const checked = await checkBody(call, deps);
  try {
    return await recordCall(call, checked, deps);
  } finally {
    checked.attempt?.end();
  }
}

/**
 * Call whose check is done, but which is not in the call log yet. Has no claim and verdict, to save memory: hundreds of calls may wait for the disk.
 */
interface CheckedCall<T> {
  attempt: CallAttemptWithIdempotencyKey | null;
  content: T;
  score: Score;
  logged: LoggedCall;
  probes: SuspiciousCheckCounts | null;
  /** Creates the content again with another request id; null for a call without an Idempotency-Key, which keeps its request id. */
  rebuildContent: ((requestId: string) => T) | null;
}

async function checkBody<T>(call: ValidationCall<T>, deps: ValidateDeps): Promise<CheckedCall<T>> {
  const claim = parseClaim(await call.readBody(), call.caller.region ?? deps.region);
  if (claim.operation === 'raw') requireScope(call.caller, 'raw');
  requirePlanFeatures(call.caller, call.endpoint, claim.include);

  const { idempotentRequest } = call;
  const attempt = (idempotentRequest && (await deps.idempotency?.begin(call, idempotentRequest))) ?? null;
  try {
    return await runCheck(call, claim, { deps, attempt });
  } catch (error) {
    attempt?.end();
    throw error;
  }
}

async function runCheck<T>(
  call: ValidationCall<T>,
  claim: Claim,
  { deps, attempt }: { deps: ValidateDeps; attempt: CallAttemptWithIdempotencyKey | null },
): Promise<CheckedCall<T>> {
  const countedId = attempt?.countedId ?? null;
  if (countedId === null) {
    requireRemainingQuota(call.quotaUsage ?? null, call.now);
    await call.beforeNewCall?.();
    await deps.probes?.enter(call, claim);
  }

  const { minRevision } = call;
  const graph: ValidateDeps['graph'] =
    minRevision === undefined
      ? deps.graph
      : { resolve: (query) => deps.graph.resolve({ ...query, minRevision }) };
  const verdict = await checkClaim(claim, reportAnswer(graph, claim, call.onChecked), deps.calibration);
  const requestId = countedId ?? call.requestId;
  // A retry has the time of the counted call. That is the time of its id, which is later than `now` if the system's clock was set back.
  const timeOf = (id: string) => (attempt && getTimeOfRequestId(id)) ?? call.now;
  const now = timeOf(requestId);
  const insights = await insightsFor(claim, verdict, { call, now, deps });
  const buildContent = (requestId: string) =>
    call.buildContent(verdict, { requestId, now: timeOf(requestId), insights });
  return {
    attempt,
    content: buildContent(requestId),
    score: verdict.score,
    logged: toLoggedCall(call, claim, verdict),
    probes: deps.probes?.count(call, { claim, verdict }) ?? null,
    rebuildContent: attempt && buildContent,
  };
}

/** Writes the call to the call log, unless an earlier attempt of the same call was counted. */
async function recordCall<T>(
  call: ValidationCall<T>,
  { attempt, content, score, logged, probes, rebuildContent }: CheckedCall<T>,
  deps: ValidateDeps,
): Promise<ValidationResult<T>> {
  const countedId = attempt?.countedId ?? null;
  const recorder = countedId === null ? deps.recorder : null;
  if (!recorder) return { score, content, requestId: countedId ?? call.requestId, quotaUsage: null };
  const { requestId, quotaUsage } = await recorder.write(logged, attempt?.record);
  if (probes) deps.probes?.add(call, probes);
  // Another process may have recorded a call with the same Idempotency-Key first.
  const isReplay = requestId !== call.requestId && rebuildContent !== null;
  return { score, content: isReplay ? rebuildContent(requestId) : content, requestId, quotaUsage };
}

/** Returns a graph that also passes each answer to `onChecked`; without `onChecked`, the graph itself. */
function reportAnswer(
  graph: ValidateDeps['graph'],
  claim: Claim,
  onChecked: ValidationCall<unknown>['onChecked'],
): ValidateDeps['graph'] {
  if (!onChecked) return graph;
  return {
    async resolve(query) {
      const answer = await graph.resolve(query);
      onChecked(claim, answer);
      return answer;
    },
  };
}

/** Creates the AI insights. Features receive only the verdict, the two names, and the caller's own earlier calls. */
async function insightsFor(
  { name, intent, include }: Claim,
  verdict: Verdict,
  { call, now, deps }: { call: ValidationCall<unknown>; now: number; deps: ValidateDeps },
): Promise<object | null> {
  const { endpoint, caller, signal, requestId, traceparent } = call;
  if (deps.insights === null || endpoint === 'validate') return null;
  const { features, findEarlierCalls } = deps.insights;
  return features.insights({
    endpoint,
    intent,
    include,
    group: getAccountOrKeyId(caller),
    verdict,
    names: () => toNameFacts(name, verdict, deps.insights?.disclosesRecordNames ?? false),
    stream: () => findEarlierCalls(caller.keyId, now),
    now,
    signal,
    requestId,
    traceparent,
  });
}

/** Creates the call log's row for a call: counts and results, without submitted values. */
function toLoggedCall(
  call: ValidationCall<unknown>,
  { intent }: Claim,
  { contacts, score }: Verdict,
): LoggedCall {
  const { requestId, caller, now, started, endpoint, responseVersion } = call;
  const kinds = { email: 0, phone: 0, address: 0 };
  const statuses = { primary: 0, secondary: 0, different: 0, unverified: 0 };
  for (const { kind, status } of contacts) {
    kinds[kind]++;
    statuses[status]++;
  }
  return {
    requestId,
    keyId: caller.keyId,
    account: caller.account,
    time: now,
    endpoint,
    responseVersion,
    intent,
    emails: kinds.email,
    phones: kinds.phone,
    addresses: kinds.address,
    score: score.value,
    band: score.band,
    verdict: score.verdict,
    confidence: score.confidence,
    catfish: score.isPossibleCatfish,
    different: statuses.different,
    unverified: statuses.unverified,
    scoringModel: score.scoringModel,
    latencyMs: Math.round(performance.now() - started),
    test: caller.test,
  };
}
