// /mcp as HTTP has it: who asks, one message in, one JSON text out. The tool is a check like any other, see src/validate.ts.
import type { H3Event } from 'h3';
import { withQuota } from '../../accounts/limits/policies.ts';
import type { Caller } from '../../accounts/model.ts';
import { parseJsonObject, type ParsedBody } from '../../claim/json.ts';
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import { turnWithTime } from '../../platform/turn.ts';
import { answer, exchangeOf } from '../answer.ts';
import { authenticatedFreely } from '../auth.ts';
import { readBytes } from '../body.ts';
import { isFailure, problemBody, toProblem } from '../problems.ts';
import type { ValidateRouteDeps } from '../validate.ts';
import { v1 } from '../view/v1.ts';
import { keyIn, REPLAYED } from '../retry.ts';
import { resultOf, TOOL_NAME } from './tool.ts';

export interface McpDeps extends ValidateRouteDeps {
  log: Log;
}

export async function mcpRoute(event: H3Event, deps: McpDeps) {
  const caller = await authenticatedFreely(event, deps);
  refusePages(event.req.headers.get('origin'));
  const bytes = await readBytes(event);
  await turnWithTime();
  const { value: body, issues } = parseJsonObject(bytes);
  const { reply } = await import('./protocol.ts');
  const { headers, signal } = event.req;
  const exchange = exchangeOf(event);
  const { requestId } = exchange;
  const call = (value: Record<string, unknown>) =>
    verify(event, { caller, submitted: { value, issues }, deps });
  const { status, text } = await reply({ body, headers, signal, call });
  const replayed = exchange.requestId === requestId ? [] : [REPLAYED];
  return answer(exchange, text, { status, headers: [...(caller.test ? [TEST] : []), ...replayed] });
}

const TEST: [string, string] = ['bonafide-mode', 'test'];
const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Refuses a page of another site. A browser says with every POST whose page sends it, also where that site's name was made to lead here
 * (DNS rebinding); agents are no pages and say nothing.
 *
 * Errors: forbidden.
 */
function refusePages(origin: string | null): void {
  if (origin === null || LOOPBACK.test(origin)) return;
  throw new BonafideError('forbidden', 'Pages of other sites may not call this.');
}

interface Asked {
  caller: Caller;
  submitted: ParsedBody;
  deps: McpDeps;
}

/** One call of the tool: a check, limited and counted as over HTTP; what goes wrong is the tool's answer, the problem that HTTP would show. */
async function verify(event: H3Event, asked: Asked) {
  const exchange = exchangeOf(event);
  try {
    return resultOf(await checked(event, asked), false);
  } catch (error) {
    const problem = toProblem(error);
    exchange.line.code = problem.code;
    if (isFailure(problem)) asked.deps.log.error('failed', error, exchange.requestId);
    return resultOf(problemBody(problem, exchange.requestId), true);
  }
}

async function checked(event: H3Event, { caller, submitted, deps }: Asked): Promise<string> {
  const exchange = exchangeOf(event);
  const { requestId, now, started, line, trace } = exchange;
  const { policies, refused, standing: before, leave } = await deps.limiter.enter(caller, now);
  exchange.policies = policies;
  try {
    if (refused) throw refused;
    const issues = [...submitted.issues];
    const key = keyIn(event.req.headers, issues);
    const {
      verdict,
      content,
      quotaUsage: standing,
      requestId: counted,
    } = await deps.validate({
      requestId,
      caller,
      now,
      started,
      endpoint: 'validate',
      responseVersion: 'v1',
      quotaUsage: before,
      readBody: () => ({ ...submitted, issues }),
      retryable: key === null ? null : { key, target: TOOL_NAME, body: () => bytesOf(submitted) },
      buildContent: (verdict, insights, requestId) => v1(verdict, { requestId, now, insights }),
      signal: event.req.signal,
      onStageEnd: trace?.stage,
    });
    exchange.requestId = counted;
    Object.assign(line, { endpoint: 'validate', score: verdict.score.value, band: verdict.score.band });
    if (standing) exchange.policies = withQuota(policies, standing, now);
    return content;
  } finally {
    await leave();
  }
}

/** What a retry repeats: what the tool is given. The message around it has another number each time. */
const bytesOf = ({ value }: ParsedBody) => Buffer.from(JSON.stringify(value));
