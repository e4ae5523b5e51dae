import { requireScope, requireFeatures, requireOperation } from './accounts/access.ts';
import { requireQuota } from './accounts/billing/quota.ts';
import type { IdempotentAttempt, IdempotentRequest, IdempotencyRecord } from './accounts/idempotency.ts';
import {
  CALL_RATE_SPANS,
  type CallRates,
  type TimeSpans,
  type CallWindow,
  getCallWindow,
} from './accounts/time.ts';
import { check } from './check.ts';
import type { ParsedBody } from './claim/json.ts';
import { parseClaim } from './claim/parse.ts';
import type { Features, NameFacts, StreamWindow } from './features/open.ts';
import type { IdentityGraph } from './graph/graph.ts';
import type { Caller, LoggedCall, QuotaUsage } from './accounts/model.ts';
import type { Awaitable, Calibration, Claim, Endpoint, ResponseVersion, Score, Verdict } from './model.ts';
import { compareNames } from './names/index.ts';

/** One call, whichever way it came in. */
export interface ValidationCall<T> {
  requestId: string;
  caller: Caller;
  /** When it arrived: milliseconds since 1970, and on the clock that measures durations. */
  now: number;
  started: number;
  endpoint: Endpoint;
  responseVersion: ResponseVersion;
  /** What was sent; read only for a caller who may validate. */
  readBody: () => ParsedBody | Promise<ParsedBody>;
  /** Makes the answer's content, for the id that the call is counted under. What it throws is not counted as a call. */
  buildContent: (verdict: Verdict, insights: object | null, requestId: string) => T;
  /** Where its account stands before it; null without a plan. */
  quotaUsage?: QuotaUsage | null;
  /** Of a call with an Idempotency-Key. */
  retryable?: IdempotentRequest | null;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** W3C trace context that goes on to whoever is asked for this call. */
  traceparent?: string | undefined;
  /** Told of a stage that has ended, where the call is traced. */
  onStageEnd?: ((stage: string, started: number) => void) | undefined;
}

/** What calls are worked on with; see `openApp`. */
export interface ValidateDeps {
  graph: Pick<IdentityGraph, 'resolve'>;
  /** ISO country in which numbers and addresses without a country are read. */
  region: string;
  /** The map of scores that the operator switched on; null for none. */
  calibration: Calibration | null;
  /** The AI features, and what they may know of an account's earlier calls; null where no call can ask for them. */
  insights: { features: Pick<Features, 'insights'>; earlierCalls: CallHistory } | null;
  /** Writes the call log; null where calls are not counted. */
  recorder: { write(call: LoggedCall, spend?: IdempotencyRecord): Promise<RecordedCall> } | null;
  /**
   * Watches how keys ask; null where calls are not counted. `enter` refuses what a plan does not allow; `add` notes a check.
   * Errors, of `enter`: rate_limited, store_unavailable.
   */
  probes: {
    enter(call: CallContext, claim: Claim): Awaitable<void>;
    add(call: CallContext, checked: { claim: Claim; verdict: Verdict }): void;
  } | null;
  /**
   * Begins a try of a call with an Idempotency-Key; null where calls are not counted.
   * Errors: idempotency_in_progress, idempotency_mismatch, store_unavailable.
   */
  retries: {
    begin(call: CallContext, asked: IdempotentRequest): Awaitable<IdempotentAttempt>;
  } | null;
}
type CallContext = Pick<ValidationCall<unknown>, 'requestId' | 'caller' | 'now'>;
/** The id that a call is counted under, and where its account stands with it. */
type RecordedCall = Pick<ValidationResult<unknown>, 'requestId' | 'quotaUsage'>;
interface CallHistory {
  within(account: string, window: CallWindow): Awaitable<StreamWindow['records']>;
  counts(account: string, spans: TimeSpans): Awaitable<number[]>;
}

/**
 * One call, top to bottom: who may, what is claimed, whether it was counted before, the check, the insights, the answer's content, the
 * call log. HTTP and the command line both come through here. When it resolves, the call is counted, on disk, under `requestId`.
 *
 * Errors: forbidden, invalid_request, quota_exhausted, idempotency_in_progress, idempotency_mismatch, those of `submitted`, of the graph,
 * and of the store.
 */
export async function validate<T>(call: ValidationCall<T>, deps: ValidateDeps): Promise<ValidationResult<T>> {
  requireScope(call.caller, 'validate');
  requireOperation(call.caller, call.endpoint);
  const claim = parseClaim(await call.readBody(), call.caller.region ?? deps.region);
  if (claim.operation === 'raw') requireScope(call.caller, 'raw');
  requireFeatures(call.caller, call.endpoint, claim.include);

  const attempt = (call.retryable && (await deps.retries?.begin(call, call.retryable))) ?? null;
  try {
    return await checkAndRecord(call, claim, { deps, attempt });
  } finally {
    attempt?.end();
  }
}

export interface ValidationResult<T> {
  verdict: Verdict;
  content: T;
  /** Its own, or that of an earlier try with its Idempotency-Key. */
  requestId: string;
  /** Where its account stands with it; null without a plan, and where nothing was counted. */
  quotaUsage: QuotaUsage | null;
}

async function checkAndRecord<T>(
  call: ValidationCall<T>,
  claim: Claim,
  { deps, attempt }: { deps: ValidateDeps; attempt: IdempotentAttempt | null },
): Promise<ValidationResult<T>> {
  const { countedId: counted = null, record: spend } = attempt ?? {};
  if (counted === null) requireQuota(call.quotaUsage ?? null, call.now);
  if (counted === null) await deps.probes?.enter(call, claim);

  const verdict = await check(claim, deps.graph, deps.calibration);
  const insights = call.endpoint === 'validate' ? null : await insightsFor(claim, verdict, { call, deps });
  const expected = counted ?? call.requestId;
  const content = call.buildContent(verdict, insights, expected);

  const log = counted === null ? deps.recorder : null;
  if (!log) return { verdict, content, requestId: expected, quotaUsage: null };
  const { requestId, quotaUsage } = await log.write(toLoggedCall(call, claim, verdict), spend);
  deps.probes?.add(call, { claim, verdict });
  // Another process may have been faster with the same Idempotency-Key.
  if (requestId === expected) return { verdict, content, requestId, quotaUsage };
  return {
    verdict,
    content: call.buildContent(verdict, insights, requestId),
    requestId,
    quotaUsage,
  };
}

/** The features' door to what they may know of a call: two names, and the caller's own earlier calls. */
async function insightsFor(
  { name, intent, include }: Claim,
  verdict: Verdict,
  { call, deps }: { call: ValidationCall<unknown>; deps: ValidateDeps },
): Promise<object | null> {
  const { endpoint, caller, now, signal, requestId, traceparent } = call;
  if (deps.insights === null || endpoint === 'validate') return null;
  const { features, earlierCalls } = deps.insights;
  return features.insights({
    endpoint,
    intent,
    include,
    verdict,
    names: () => nameFacts(name, verdict.score),
    stream: async () => ({
      records: await earlierCalls.within(caller.keyId, getCallWindow(now)),
      pace: await callRateOf(earlierCalls, caller.keyId, now),
    }),
    signal,
    requestId,
    traceparent,
  });
}

async function callRateOf(earlier: CallHistory, account: string, before: number): Promise<CallRates> {
  const counted = Object.entries(CALL_RATE_SPANS).map(async ([name, spans]) => [
    name,
    await earlier.counts(account, { ...spans, before }),
  ]);
  return Object.fromEntries(await Promise.all(counted)) as CallRates;
}

/** Two names that the engine alone takes for two people's are one where contacts vouched for it: one verdict has one story. */
function nameFacts(
  provided: string,
  { matchedName: matched, nameConfidence, nameVariation }: Score,
): NameFacts {
  if (matched === null || nameConfidence === null) return { provided, matched: null, comparison: null };
  const { confidence, variation, same, concerns, explanation: engines } = compareNames(provided, matched);
  const explanation = withSubmittedAndRecordNames(engines);
  if (same) return { provided, matched, comparison: { confidence, variation, same, concerns, explanation } };
  const vouched = nameVariation === 'partial' ? SPELT_BY_EMAIL_MATCH : TYPO_MATCH;
  return { provided, matched, comparison: { ...vouched, confidence: nameConfidence } };
}

/** The engine speaks of a first and a second name; who reads this knows them as the submitted one and the one on record. */
const withSubmittedAndRecordNames = (explanation: string): string =>
  explanation
    .replaceAll('missing in the first name', 'missing in the submitted name')
    .replaceAll('missing in the second name', 'missing in the name on record');

const TYPO_MATCH = {
  variation: 'typo',
  same: true,
  concerns: [],
  explanation:
    'The names resemble each other but for typing errors, and contacts of several kinds belong to the same identity.',
} as const satisfies Partial<NameFacts['comparison']>;

const SPELT_BY_EMAIL_MATCH = {
  variation: 'partial',
  same: true,
  concerns: [],
  explanation:
    'A part of the name differs, but an e-mail on record spells the submitted one, and contacts of several kinds belong to the same identity.',
} as const satisfies Partial<NameFacts['comparison']>;

/** What the call log keeps: counts and outcomes, never a submitted value. */
function toLoggedCall(
  call: ValidationCall<unknown>,
  { intent }: Claim,
  { contacts, score }: Verdict,
): LoggedCall {
  const { requestId, caller, now, started, endpoint, responseVersion } = call;
  const ofKind = (wanted: string) => contacts.filter(({ kind }) => kind === wanted).length;
  const ofStatus = (wanted: string) => contacts.filter(({ status }) => status === wanted).length;
  return {
    requestId,
    keyId: caller.keyId,
    account: caller.account,
    time: now,
    endpoint,
    responseVersion,
    intent,
    emails: ofKind('email'),
    phones: ofKind('phone'),
    addresses: ofKind('address'),
    score: score.value,
    band: score.band,
    confidence: score.confidence,
    catfish: score.isPossibleCatfish,
    different: ofStatus('different'),
    unverified: ofStatus('unverified'),
    scoringModel: score.scoringModel,
    latencyMs: Math.round(performance.now() - started),
    test: caller.test,
  };
}
