// /mcp as HTTP has it: who asks, one message in, one JSON text out. The tool is a check like any other, see src/validate.ts.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import type { Caller, QuotaUsage } from '../../accounts/model.ts';
import { parseJsonObject, type ParsedBody } from '../../claim/json.ts';
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import { turnWithTime } from '../../platform/turn.ts';
import { textResponse, contextOf, REPLAYED, TEST_MODE } from '../response.ts';
import { authenticateUnlimited, withinLimits } from '../auth.ts';
import { readBody } from '../body.ts';
import { idempotencyKeyIn, runCheck } from '../check/route.ts';
import type { CheckDeps } from '../check/route.ts';
import { toCheckJson } from '../check/v1.ts';
import { REQUEST_HEADERS } from '../openapi/headers.ts';
import { BODY_ERRORS } from '../openapi/operation.ts';
import type { Route } from '../openapi/operation.ts';
import { isFailure, problemBody, toProblem } from '../problems.ts';
import { toToolResult, TOOL_NAME } from './tool.ts';

export interface McpDeps extends CheckDeps {
  log: Log;
}

const id = v.union([v.string(), v.pipe(v.number(), v.integer())]);
const version = v.pipe(v.literal('2.0'), v.description('The version of JSON-RPC.'));

const message = v.pipe(
  v.object({
    jsonrpc: version,
    id: v.optional(v.pipe(id, v.description('Names the request in its answer; a notification has none.'))),
    method: v.pipe(v.string(), v.description('Such as `tools/list` and `tools/call`.')),
    params: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description('What the method takes.'))),
  }),
  v.title('McpMessage'),
  v.description('One message of the Model Context Protocol.'),
);

const reply = v.pipe(
  v.object({
    jsonrpc: version,
    id: v.optional(
      v.pipe(
        v.nullable(v.union([v.string(), v.number()])),
        v.description(
          'That of the request; null where it had none, and as it was sent where it is no whole number.',
        ),
      ),
    ),
    result: v.optional(
      v.pipe(v.record(v.string(), v.unknown()), v.description('What the method gives, by the protocol.')),
    ),
    error: v.optional(
      v.pipe(
        v.object({
          code: v.pipe(v.number(), v.integer(), v.description('A code of JSON-RPC.')),
          message: v.pipe(v.string(), v.description('What is wrong.')),
          data: v.optional(v.pipe(v.unknown(), v.description('More of it, by the protocol.'))),
        }),
        v.description('In place of a result, where the message is not understood.'),
      ),
    ),
  }),
  v.title('McpReply'),
  v.description('What answers one message.'),
);

export const MCP_ROUTE: Route<McpDeps> = {
  method: 'POST',
  path: '/mcp',
  id: 'mcp',
  tag: 'Agents',
  summary: 'The Model Context Protocol',
  about: `For agents: streamable HTTP without sessions, and one tool, \`${TOOL_NAME}\`, a check like that of \`/v1/validate\`: same key, limits and errors, and its answer is counted once. An error of the tool is told in its result. See the page [Agents](/docs/agents).`,
  key: true,
  headers: {
    'Idempotency-Key': v.optional(
      v.pipe(
        REQUEST_HEADERS['Idempotency-Key'].wrapped,
        v.description(
          'Makes a retry safe: a call of the tool with the same arguments and the same key counts once and has the same `request_id`. Written as for `/v1/validate`.',
        ),
      ),
    ),
  },
  body: {
    schemas: [message],
    examples: () => ({
      call: {
        summary: 'A call of the tool',
        value: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: TOOL_NAME, arguments: { name: 'Nora Ellingsworth' } },
        },
      },
    }),
  },
  answers: [
    {
      status: 200,
      about: 'The answer to a request.',
      schemas: [reply],
      headers: ['Bonafide-Mode', 'Idempotency-Replayed'],
    },
    {
      status: 202,
      about: 'A notification was taken.',
      types: ['application/json'],
      headers: ['Bonafide-Mode'],
    },
    {
      status: 400,
      about: 'It is no message of the protocol.',
      schemas: [reply],
      headers: ['Bonafide-Mode'],
    },
  ],
  errors: ['forbidden', ...BODY_ERRORS],
  handle: handleMcp,
};

async function handleMcp(event: H3Event, deps: McpDeps): Promise<Response> {
  const caller = await authenticateUnlimited(event, deps);
  refusePages(event.req.headers.get('origin'));
  const bytes = await readBody(event);
  await turnWithTime();
  const { value: body, issues } = parseJsonObject(bytes);
  const { answerMessage: reply } = await import('./protocol.ts');
  const { headers, signal } = event.req;
  const exchange = contextOf(event);
  const { requestId } = exchange;
  const call = (value: Record<string, unknown>) =>
    verify(event, { caller, submitted: { value, issues }, deps });
  const { status, text } = await reply({ body, headers, signal, call });
  const replayed = exchange.requestId === requestId ? [] : [REPLAYED];
  return textResponse(exchange, text, {
    status,
    headers: [...(caller.test ? [TEST_MODE] : []), ...replayed],
  });
}

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
  const exchange = contextOf(event);
  try {
    return toToolResult(await checked(event, asked), false);
  } catch (error) {
    const problem = toProblem(error);
    exchange.line.code = problem.code;
    if (isFailure(problem)) asked.deps.log.error('failed', error, exchange.requestId);
    return toToolResult(problemBody(problem, exchange.requestId), true);
  }
}

async function checked(event: H3Event, { caller, submitted, deps }: Asked): Promise<string> {
  const { now } = contextOf(event);
  const work = (quotaUsage: QuotaUsage | null) => {
    const issues = [...submitted.issues];
    const key = idempotencyKeyIn(event.req.headers, issues);
    return runCheck(event, deps, {
      caller,
      endpoint: 'validate',
      responseVersion: 'v1',
      quotaUsage,
      readBody: () => ({ ...submitted, issues }),
      idempotentRequest: key === null ? null : { key, target: TOOL_NAME, body: () => bytesOf(submitted) },
      buildContent: (verdict, insights, requestId) => toCheckJson(verdict, { requestId, now, insights }),
    });
  };
  return withinLimits(event, deps, { caller, work });
}

/** What a retry repeats: what the tool is given. The message around it has another number each time. */
const bytesOf = ({ value }: ParsedBody) => Buffer.from(JSON.stringify(value));
