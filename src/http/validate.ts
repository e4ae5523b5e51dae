import type { H3Event } from 'h3';
import { withQuota } from '../accounts/limits/policies.ts';
import { parseJsonObject } from '../claim/json.ts';
import type { ValidationIssue } from '../errors.ts';
import type { Endpoint, ResponseVersion } from '../model.ts';
import { turnWithTime } from '../platform/turn.ts';
import type { ValidationCall, validate as validateCall } from '../validate.ts';
import { answer, exchangeOf } from './answer.ts';
import { authenticated, type AuthDeps } from './auth.ts';
import { readBytes } from './body.ts';
import { keyIn, REPLAYED } from './retry.ts';
import { v1 } from './view/v1.ts';
import { v2 } from './view/v2.ts';

export interface ValidateRouteDeps extends AuthDeps {
  /** Works on one call; see src/validate.ts. */
  validate(call: ValidationCall<string>): ReturnType<typeof validateCall<string>>;
}

const NO_BYTES = new Uint8Array();
const VIEWS = { v1, v2 };

/** The two validate operations as HTTP has them: headers, query and body in, JSON text out. What happens between is told in src/validate.ts. */
export async function validateRoute(
  event: H3Event,
  operation: 'validate' | 'enhanced',
  deps: ValidateRouteDeps,
) {
  const caller = await authenticated(event, deps, true);
  const exchange = exchangeOf(event);
  const { policies, refused, standing, leave } = await deps.limiter.enter(caller, exchange.now);
  exchange.policies = policies;
  try {
    if (refused) throw refused;
    return await answered(event, operation, { caller, quotaUsage: standing, validate: deps.validate });
  } finally {
    await leave();
  }
}

async function answered(
  event: H3Event,
  operation: 'validate' | 'enhanced',
  {
    caller,
    quotaUsage: before,
    validate,
  }: Pick<ValidateRouteDeps, 'validate'> & Pick<ValidationCall<string>, 'caller' | 'quotaUsage'>,
) {
  const exchange = exchangeOf(event);
  const { requestId, now, started, line } = exchange;
  const { responseVersion, ai, idempotencyKey, issues } = options(event);
  const endpoint: Endpoint = operation === 'validate' && ai ? 'validate_ai' : operation;
  let bytes: Uint8Array = NO_BYTES;
  const call: ValidationCall<string> = {
    requestId,
    caller,
    now,
    started,
    endpoint,
    responseVersion,
    quotaUsage: before,
    readBody: async () => {
      bytes = await readBytes(event);
      // From here to the call log nothing waits: reading a body and checking what it says is one piece of work.
      await turnWithTime();
      const { value, issues: found } = parseJsonObject(bytes);
      return { value, issues: [...issues, ...found] };
    },
    retryable:
      idempotencyKey === null
        ? null
        : { key: idempotencyKey, target: event.url.pathname + event.url.search, body: () => bytes },
    buildContent: (verdict, insights, requestId) =>
      VIEWS[responseVersion](verdict, { requestId, now, insights }),
    signal: event.req.signal,
    traceparent: exchange.traceparent,
    onStageEnd: exchange.trace?.stage,
  };
  const { verdict, content, requestId: counted, quotaUsage: standing } = await validate(call);

  Object.assign(line, { endpoint, score: verdict.score.value, band: verdict.score.band });
  const headers = [VARY, ...(caller.test ? [TEST] : []), ...(counted === requestId ? [] : [REPLAYED])];
  exchange.requestId = counted;
  if (standing) exchange.policies = withQuota(exchange.policies ?? [], standing, now);
  return answer(exchange, content, { headers });
}

const VARY: [string, string] = ['vary', 'Accept-Version'];
/** Says that the answer is about invented people. */
const TEST: [string, string] = ['bonafide-mode', 'test'];

/** In any letter case. */
const AI = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

interface Options {
  responseVersion: ResponseVersion;
  ai: boolean;
  idempotencyKey: string | null;
  issues: ValidationIssue[];
}

/**
 * What is asked for outside the body. The query wins over the header; a wrong value of either is told.
 *
 * Errors: malformed_request.
 */
function options(event: H3Event): Options {
  const header = event.req.headers.get('accept-version');
  const query = event.url.search === '' ? null : event.url.searchParams;
  const asked = query?.get('response') ?? null;
  const issues: ValidationIssue[] = [];
  const known = (value: string | null, where: string): ResponseVersion | null => {
    if (value === 'v1' || value === 'v2' || value === null) return value;
    const detail = `${where} can be \`v1\` or \`v2\`.`;
    issues.push({ pointer: '', code: 'unknown_response_version', detail });
    return null;
  };
  const byQuery = known(asked, 'The query parameter `response`');
  const byHeader = known(header, 'The header `Accept-Version`');
  const ai = aiOf(query, issues);
  const idempotencyKey = keyIn(event.req.headers, issues);
  return { responseVersion: byQuery ?? byHeader ?? 'v1', ai, idempotencyKey, issues };
}

function aiOf(query: URLSearchParams | null, issues: ValidationIssue[]): boolean {
  const ai = AI.get(query?.get('ai')?.toLowerCase() ?? 'false');
  if (ai !== undefined) return ai;
  const detail = 'The query parameter `ai` can be `true` or `false`.';
  issues.push({ pointer: '', code: 'invalid_ai', detail });
  return false;
}
