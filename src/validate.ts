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
import { getNameAgreement } from './features/facts.ts';
import type { AiFeatures, NameFacts, EarlierApiCallFacts } from './features/open.ts';
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
import { compareNames, limitNameToSubmittedWords, findPartialNameMatch, prepareName } from './names/index.ts';

/** Call of a check, independent of its transport (HTTP, job, MCP). */
export interface ValidationCall<T> {
  requestId: string;
  caller: Caller;
  /** Time of arrival (ms since 1970). */
  now: number;
  /** Time of arrival in milliseconds by `performance.now()`. */
  started: number;
  endpoint: CheckEndpoint;
  responseVersion: ResponseVersion;
  /** Reads the request body. Called only if the caller may make checks. */
  readBody: () => ParsedBody | Promise<ParsedBody>;
  /** Creates the content of the response. If it throws, the call is not counted. */
  buildContent: (verdict: Verdict, insights: object | null, requestId: string) => T;
  /** Quota usage of the account before the call; null without a plan. */
  quotaUsage?: QuotaUsage | null;
  /** Lowest revision of the graph that the check may use. */
  minRevision?: number | undefined;
  /** Idempotency-Key of the call, and the request that it belongs to; null without such a key. */
  idempotentRequest?: RequestWithIdempotencyKey | null;
  /** Aborted if the caller disconnects. */
  signal: AbortSignal;
  /** W3C trace context for requests to other services. */
  traceparent?: string | undefined;
  /**
   * Called before the check if the quota allows it, unless the call was counted before (a retry with an Idempotency-Key). If it fails, the call is not
   * counted.
   */
  beforeNewCall?: (() => Awaitable<void>) | undefined;
  /** Called after the check, with the claim and the answer of the graph. */
  onChecked?: ((claim: Claim, answer: GraphAnswer) => void) | undefined;
  /** Called when a stage of the call ends. `started` is its start by `performance.now()`. Undefined if the call is not traced. */
  onStageEnd?: ((stage: string, started: number) => void) | undefined;
}

/** Services that the call of a check needs; see `openApp`. */
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
  /** Writes the call log; null if calls are not counted. */
  recorder: { write(call: LoggedCall, record?: ExpiringRequestFingerprint): Promise<RecordedCall> } | null;
  /**
   * Limits checks that look like harvesting (learning who is on record); null if calls are not counted. `enter` throws beyond the limit, `count`
   * returns what a check adds to the counts of its API key (null for nothing), and `add` adds it. Errors of `enter`: rate_limited,
   * store_unavailable.
   */
  probes: {
    enter(call: CallContext, claim: Claim): Awaitable<void>;
    count(call: CallContext, checked: { claim: Claim; verdict: Verdict }): SuspiciousCheckCounts | null;
    add(call: CallContext, probes: SuspiciousCheckCounts): void;
  } | null;
  /**
   * Begins an attempt of a call with an Idempotency-Key; null if calls are not counted. Errors: idempotency_in_progress, idempotency_mismatch,
   * store_unavailable.
   */
  idempotency: {
    begin(call: CallContext, request: RequestWithIdempotencyKey): Awaitable<CallAttemptWithIdempotencyKey>;
  } | null;
}
type CallContext = Pick<ValidationCall<unknown>, 'requestId' | 'caller' | 'now'>;
type RecordedCall = Pick<ValidationResult<unknown>, 'requestId' | 'quotaUsage'>;

/** Result of the call of a check. */
export interface ValidationResult<T> {
  score: Score;
  content: T;
  /** Request id in the call log: that of this call, or of an earlier attempt with the same Idempotency-Key. */
  requestId: string;
  /** Quota usage of the account after the call; null without a plan, or if the call was not counted. */
  quotaUsage: QuotaUsage | null;
}

/**
 * Runs the call of a check: authorises the caller, parses and checks the claim, adds AI insights, and writes the call log. When it resolves, the
 * call is counted on disk. Errors: forbidden, invalid_request, quota_exhausted, idempotency_in_progress, idempotency_mismatch; those of
 * `readBody`, the graph and the store.
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

/** Checked call that is not recorded yet. Claim and verdict are left out to save memory, because hundreds of calls may wait for the disk. */
interface CheckedCall<T> {
  attempt: CallAttemptWithIdempotencyKey | null;
  content: T;
  score: Score;
  logged: LoggedCall;
  probes: SuspiciousCheckCounts | null;
  /** Creates the content again for another request id; null if the id cannot change. */
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
  const insights = call.endpoint === 'validate' ? null : await insightsFor(claim, verdict, { call, deps });
  const content = call.buildContent(verdict, insights, countedId ?? call.requestId);
  return {
    attempt,
    content,
    score: verdict.score,
    logged: toLoggedCall(call, claim, verdict),
    probes: deps.probes?.count(call, { claim, verdict }) ?? null,
    rebuildContent: attempt && ((requestId) => call.buildContent(verdict, insights, requestId)),
  };
}

/** Writes the call to the call log, unless an earlier attempt was counted. */
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

/** Returns a graph that also passes its answer to `listener`, if there is one. */
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
  { call, deps }: { call: ValidationCall<unknown>; deps: ValidateDeps },
): Promise<object | null> {
  const { endpoint, caller, now, signal, requestId, traceparent } = call;
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
    signal,
    requestId,
    traceparent,
  });
}

/** Number of contacts of the identity with the submitted name from which its whole name may be shown. */
const MIN_DISCLOSING_CONTACTS = 2;

/** Counts the contacts of the identity whose name was matched. Of a couple, those of the partner do not count. */
const countDisclosingContacts = ({ name, contacts, score }: Verdict): number =>
  score.nonPerson === 'couple'
    ? contacts.filter(({ identity }) => identity === name.identity).length
    : score.nameHolderContacts;

/**
 * Compares the submitted with the matched name. Unless enough contacts belong to the identity, words on record that were not submitted are left
 * out.
 */
function toNameFacts(provided: string, verdict: Verdict, disclosesAll: boolean): NameFacts {
  const { matchedName: record, nameConfidence, nameVariation } = verdict.score;
  if (record === null || nameConfidence === null) return { provided, matched: null, comparison: null };
  const isDisclosed = disclosesAll || countDisclosingContacts(verdict) >= MIN_DISCLOSING_CONTACTS;
  const matched = isDisclosed ? record : limitNameToSubmittedWords(provided, record);
  const { confidence, variation, same } = compareNames(provided, record);
  const shown = compareNames(provided, matched);
  const differences =
    shown.variation === 'exact' && matched !== record ? [] : [nameTheSides(shown.explanation)];
  const owner = describeNameOwner(verdict);
  const notShown = matched === record ? [] : [NOT_DISCLOSED];
  const explanation = [...differences, ...notShown, ...owner].join(' ');
  const concerns = [...shown.concerns, ...listContactConcerns(verdict)];
  // Initials alone, or a name with another one in brackets, are not surely the same to the name engine.
  if (provided === matched)
    return {
      provided,
      matched,
      comparison: {
        confidence: 100,
        variation: 'exact',
        same: true,
        concerns: listContactConcerns(verdict),
        explanation,
      },
    };
  if (same) return { provided, matched, comparison: { confidence, variation, same, concerns, explanation } };
  const isPart = findPartialNameMatch(prepareName(provided), prepareName(record)) !== null;
  const isSupported = getNameAgreement(verdict.score) === 'similar';
  // Two words without a counterpart, such as a middle name and half of a double family name, do not contradict each other.
  const { explanation: unmatched } =
    isPart || isSupported ? shown : compareNames(provided, limitNameToSubmittedWords(provided, record));
  const support = isSupported ? [SUPPORTED_BY_CONTACTS] : owner;
  return {
    provided,
    matched,
    comparison: {
      variation: (isPart ? 'partial' : nameVariation) as NameVariation,
      same: true,
      explanation: [nameTheSides(unmatched), ...notShown, ...support].join(' '),
      concerns: listContactConcerns(verdict),
      confidence: nameConfidence,
    },
  };
}

/** Returns a sentence about whose name was compared; none if only a name was sent, or if no contact is on record. */
function describeNameOwner({ contacts, score }: Verdict): string[] {
  if (contacts.every(({ identity }) => identity === null)) return [];
  return [
    score.nameHolderContacts > 0
      ? 'The name on record is that of an identity with submitted contacts.'
      : 'The name on record is that of an identity that has none of the submitted contacts.',
  ];
}

/** Lists concerns about a matching name next to contacts that belong to other people. */
function listContactConcerns({ score }: Verdict): string[] {
  if (score.verdict !== 'high-risk') return [];
  return [
    score.nameHolderContacts > 0
      ? 'Some of the submitted contacts belong to somebody else.'
      : 'The submitted contacts belong to somebody else.',
  ];
}

const NOT_DISCLOSED =
  'The name on record is longer; its other words are shown if two of its contacts are submitted.';

/** Replaces "first name" and "second name" in an explanation by "submitted name" and "name on record". */
const nameTheSides = (explanation: string): string =>
  explanation
    .replaceAll('missing in the first name', 'missing in the submitted name')
    .replaceAll('missing in the second name', 'missing in the name on record')
    .replace('he first name repeats', 'he submitted name repeats')
    .replace('he second name repeats', 'he name on record repeats')
    .replace('he first name is that of two people', 'he submitted name is that of two people')
    .replace('he second name is that of two people', 'he name on record is that of two people');

type NameVariation = NonNullable<NameFacts['comparison']>['variation'];

const SUPPORTED_BY_CONTACTS =
  'The names alone do not show that they are the same, but submitted contacts belong to the same identity.';

/** Creates the row of the call log: counts and results, without submitted values. */
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
