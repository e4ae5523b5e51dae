// Routes of the two checks, `/v1/validate` and `/v1/validate/enhanced`: read headers, query and body, run the call by src/validate.ts,
// answer JSON text.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import {
  parseIdempotencyKey,
  hasSeveralIdempotencyKeys,
  MAX_IDEMPOTENCY_KEY_LENGTH,
} from '../../accounts/idempotency.ts';
import { replaceQuotaLimitPolicy } from '../../accounts/limits.ts';
import { getAccountOrKeyId } from '../../accounts/access.ts';
import type { Caller, QuotaUsage } from '../../accounts/model.ts';
import { MAX_CHECK_REQUEST_JSON_NODES, parseJsonObject } from '../../claim/json.ts';
import type { ValidationIssue } from '../../errors.ts';
import type { CheckEndpoint, ResponseVersion } from '../../model.ts';
import { waitForEventLoopTurn } from '../../platform/turn.ts';
import type { ValidationCall, validate as validateCall } from '../../validate.ts';
import {
  createTextResponse,
  getRequestContext,
  getVerdictHeaderPairs,
  IDEMPOTENCY_REPLAYED_HEADER_PAIR,
  GRAPH_REVISION_HEADER,
  TEST_MODE_HEADER_PAIR,
} from '../response.ts';
import { authenticate, runWithinCallerLimits, type AuthDeps } from '../auth.ts';
import { readBody } from '../body.ts';
import { findQueryParameterIssues, getUnvalidatedSearchParams } from '../input.ts';
import { REQUEST_HEADER_SCHEMAS, GRAPH_REVISION_PATTERN } from '../openapi/headers.ts';
import {
  declareRoute,
  JSON_BODY_ERROR_CODES,
  GRAPH_ERROR_CODES,
  readAnswerExamples,
  readRequestExamples,
  type Route,
} from '../openapi/operation.ts';
import { ProblemError } from '../problems.ts';
import {
  checkAnswerSchema,
  checkAnswerV2Schema,
  enhancedCheckAnswerSchema,
  enhancedCheckAnswerV2Schema,
} from '../schema/check.ts';
import { oneOf } from '../schema/builders.ts';
import { checkRequestSchema, legacyCheckRequestSchema } from '../schema/request.ts';
import { toCheckV1JsonText, toCheckV2JsonText } from './versions.ts';

export interface CheckDeps extends AuthDeps {
  validate(call: ValidationCall<string>): ReturnType<typeof validateCall<string>>;
}

const AI_VALUES = ['true', 'false', '1', '0'] as const;
const response = v.optional(
  oneOf(['v1', 'v2'], 'The version of the answer’s shape: `v1` unless it is asked for otherwise.'),
);
const ai = v.optional(
  oneOf(AI_VALUES, 'Whether to explain: `ai_insights` gets a narrative and an overview. In any letter case.'),
);

const SHARED = {
  tag: 'Checks',

  headers: REQUEST_HEADER_SCHEMAS,
  body: { schemas: [checkRequestSchema, legacyCheckRequestSchema], examples: readRequestExamples },
  errors: [
    'forbidden',
    'idempotency_in_progress',
    'idempotency_mismatch',
    ...JSON_BODY_ERROR_CODES,
    'overloaded',
    ...GRAPH_ERROR_CODES,
    'quota_exhausted',
  ],
} satisfies Partial<Route>;

export const CHECK_ROUTES: Route<CheckDeps>[] = [
  declareRoute('POST /v1/validate', 'validate', {
    ...SHARED,
    summary: 'Check a person',
    about:
      'How far a name, e-mails, phones and addresses belong together and to one person: a score from 0 to 100, a verdict for each value, and the reasons. Each value is checked on its own: more values are more evidence, not a stricter test.',
    query: { ai, response },
    answers: [
      {
        status: 200,
        about: 'The verdict. It is counted once.',
        schemas: [checkAnswerSchema, checkAnswerV2Schema],
        headers: ['Vary', 'Bonafide-Verdict', 'Bonafide-Mode', 'Idempotency-Replayed'],
        examples: () => readAnswerExamples('check'),
      },
    ],
    handle: (event, deps) => handleCheck(event, 'validate', deps),
  }),
  declareRoute('POST /v1/validate/enhanced', 'validateEnhanced', {
    ...SHARED,
    summary: 'Check a person and explain',
    about:
      'The same check, with a narrative, an analysis of fraud patterns and a comparison of the names in `ai_insights`. They explain the score and never change it; everything else is as from `/v1/validate`.',
    query: { ai: v.optional(oneOf(AI_VALUES, 'Accepted, and without effect here.')), response },
    answers: [
      {
        status: 200,
        about: 'The verdict and its explanations. It is counted once.',
        schemas: [enhancedCheckAnswerSchema, enhancedCheckAnswerV2Schema],
        headers: ['Vary', 'Bonafide-Verdict', 'Bonafide-Mode', 'Idempotency-Replayed'],
        examples: () => readAnswerExamples('enhanced'),
      },
    ],
    handle: (event, deps) => handleCheck(event, 'enhanced', deps),
  }),
];

type Operation = 'validate' | 'enhanced';

async function handleCheck(event: H3Event, operation: Operation, deps: CheckDeps): Promise<Response> {
  getRequestContext(event).vary = VARY;
  const caller = await authenticate(event, deps, { entering: true });
  const work = (quotaUsage: QuotaUsage | null) => answerCheck(event, operation, { caller, quotaUsage, deps });
  return runWithinCallerLimits(event, deps, { caller, work });
}

async function answerCheck(
  event: H3Event,
  operation: Operation,
  { caller, quotaUsage, deps }: { caller: Caller; quotaUsage: QuotaUsage | null; deps: CheckDeps },
): Promise<Response> {
  const context = getRequestContext(event);
  const { requestId } = context;
  const { responseVersion, ai, idempotencyKey, minRevision, issues } = readOptions(event);
  const endpoint: CheckEndpoint = operation === 'validate' && ai ? 'validate_ai' : operation;
  let bytes: Uint8Array = NO_BYTES;
  const content = await runCheck(event, deps, {
    caller,
    endpoint,
    responseVersion,
    quotaUsage,
    minRevision,
    readBody: async () => {
      bytes = await readBody(event);
      // The work from here until the call is logged is not interrupted. So wait for a turn of the event loop that has time for it.
      await waitForEventLoopTurn(getAccountOrKeyId(caller));
      const body = parseJsonObject(bytes, MAX_CHECK_REQUEST_JSON_NODES);
      return { value: body.value, issues: [...issues, ...body.issues] };
    },
    idempotentRequest:
      idempotencyKey === null
        ? null
        : { key: idempotencyKey, target: event.url.pathname + event.url.search, body: () => bytes },
    buildContent: (verdict, values) => joinPieces(VIEWS[responseVersion](verdict, values)),
    traceparent: context.traceparent,
  });
  const isReplay = context.requestId !== requestId;
  const headers = [VARY, ...getVerdictHeaderPairs(context)];
  if (caller.test) headers.push(TEST_MODE_HEADER_PAIR);
  if (isReplay) headers.push(IDEMPOTENCY_REPLAYED_HEADER_PAIR);
  return createTextResponse(context, content, { headers });
}

/**
 * Joins the pieces of a text into one string in memory. V8 builds long texts as trees of pieces, which every garbage collection copies while the
 * call waits. Counting the bytes joins the pieces.
 */
function joinPieces(text: string): string {
  Buffer.byteLength(text);
  return text;
}

const NO_BYTES = new Uint8Array();
const VIEWS = { v1: toCheckV1JsonText, v2: toCheckV2JsonText };
const VARY: [string, string] = ['vary', 'Accept-Version'];

/** Runs one check, and returns its answer. Adds the verdict to the log line and to the headers of the response. */
export async function runCheck(
  event: H3Event,
  { validate }: Pick<CheckDeps, 'validate'>,
  call: Omit<ValidationCall<string>, 'requestId' | 'now' | 'started' | 'signal' | 'onStageEnd'>,
): Promise<string> {
  const context = getRequestContext(event);
  const { requestId, now, started, line, trace } = context;
  const { signal } = event.req;
  const result = await validate({ ...call, requestId, now, started, signal, onStageEnd: trace?.stage });
  context.isCounted = true;
  const { content, quotaUsage } = result;
  const { value: score, band, verdict } = result.score;
  line.endpoint = call.endpoint;
  line.score = score;
  line.band = band;
  line.verdict = verdict;
  if (call.caller.test) line.test = true;
  if (result.requestId !== requestId) line.replay = true;
  context.verdict = verdict;
  context.requestId = result.requestId;
  if (quotaUsage) context.policies = replaceQuotaLimitPolicy(context.policies ?? [], quotaUsage, now);
  return content;
}

const PARAMETERS = ['ai', 'response'];

interface CheckOptions {
  responseVersion: ResponseVersion;
  ai: boolean;
  idempotencyKey: string | null;
  /** Lowest revision (state) of the graph that the check may use, from the request header; undefined without the header. */
  minRevision: number | undefined;
  issues: ValidationIssue[];
}

/**
 * Reads the options of a check from its query and headers; the query has priority. An invalid option becomes an issue. Errors:
 * malformed_request.
 */
function readOptions(event: H3Event): CheckOptions {
  const header = event.req.headers.get('accept-version');
  const query = event.url.search === '' ? null : getUnvalidatedSearchParams(event.url);
  const issues = query === null ? [] : findQueryParameterIssues(query, PARAMETERS);
  const parseVersion = (value: string | null, where: string): ResponseVersion | null => {
    if (value === 'v1' || value === 'v2' || value === null) return value;
    const detail = `${where} can be \`v1\` or \`v2\`.`;
    issues.push({ pointer: '', code: 'unknown_response_version', detail });
    return null;
  };
  const byQuery = parseVersion(query?.get('response') ?? null, 'The query parameter `response`');
  const byHeader = parseVersion(header, 'The header `Accept-Version`');
  const ai = readAi(query, issues);
  const idempotencyKey = readIdempotencyKey(event.req.headers, issues);
  const minRevision = readRevision(event.req.headers, issues);
  return { responseVersion: byQuery ?? byHeader ?? 'v1', ai, idempotencyKey, minRevision, issues };
}

const AI = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function readAi(query: URLSearchParams | null, issues: ValidationIssue[]): boolean {
  const ai = AI.get(query?.get('ai')?.toLowerCase() ?? 'false');
  if (ai !== undefined) return ai;
  const detail = 'The query parameter `ai` can be `true` or `false`.';
  issues.push({ pointer: '', code: 'invalid_ai', detail });
  return false;
}

/**
 * Returns the value of the header Idempotency-Key; null without the header. Adds an issue to `issues` if the value is not valid. Errors:
 * malformed_request for several values.
 */
export function readIdempotencyKey(headers: Headers, issues: ValidationIssue[]): string | null {
  const value = headers.get('idempotency-key');
  if (value === null) return null;
  if (hasSeveralIdempotencyKeys(value))
    throw new ProblemError({ code: 'malformed_request', detail: SEVERAL_KEYS });
  const key = parseIdempotencyKey(value);
  if (key === null) issues.push({ pointer: '', code: 'invalid_idempotency_key', detail: WRONG_KEY });
  return key;
}

function readRevision(headers: Headers, issues: ValidationIssue[]): number | undefined {
  const value = headers.get(GRAPH_REVISION_HEADER);
  if (value === null) return undefined;
  if (GRAPH_REVISION_PATTERN.test(value)) return Number(value);
  const detail = 'The header `Bonafide-Revision` is a number from an answer of `POST /admin/v1/records`.';
  issues.push({ pointer: '', code: 'invalid_revision', detail });
  return undefined;
}

const SEVERAL_KEYS =
  'The request carries several values of `Idempotency-Key`. Send one; a key that holds a comma goes in double quotes.';
const WRONG_KEY = `The header \`Idempotency-Key\` has 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters, bare or in double quotes.`;
