// Route `/mcp` of the Model Context Protocol: one message in, one JSON text out. One tool runs a check as `/v1/validate` does; the others
// read watches, events and usage as the routes of `/v1` do.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { getAccountOrKeyId, requireScopeForReadingOwnCalls } from '../../accounts/access.ts';
import type { Caller, QuotaUsage } from '../../accounts/model.ts';
import { MAX_CHECK_REQUEST_JSON_NODES, parseJsonObject, type ParsedBody } from '../../claim/json.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import { waitForEventLoopTurn } from '../../platform/turn.ts';
import { authenticateWithoutConsumingLimits, runWithinCallerLimits } from '../auth.ts';
import { readBody } from '../body.ts';
import { toCallerUsageJson, type CallHistoryAndUsageRouteDeps } from '../calls.ts';
import { readIdempotencyKey, runCheck, type CheckDeps } from '../check/route.ts';
import { toCheckV1JsonText } from '../check/versions.ts';
import { WATCH_NOT_FOUND_MESSAGE, type WatchesDeps } from '../check/watches.ts';
import { parseObjectFields } from '../input.ts';
import { REQUEST_HEADER_SCHEMAS } from '../openapi/headers.ts';
import { declareRoute, JSON_BODY_ERROR_CODES, type Route } from '../openapi/operation.ts';
import { createNotFoundProblemError, isServerFailure, toProblemJsonText, toProblem } from '../problems.ts';
import {
  getRequestContext,
  getVerdictHeaderPairs,
  IDEMPOTENCY_REPLAYED_HEADER_PAIR,
  TEST_MODE_HEADER_PAIR,
  createTextResponse,
  toFailedRequest,
} from '../response.ts';
import { recordRefusalInContext } from '../check/refusals.ts';
import * as s from '../schema/builders.ts';
import {
  MCP_CHECK_TOOL_NAME,
  READ_ONLY_TOOL_INPUT_SCHEMAS,
  type ReadOnlyToolName,
  toMcpToolResult,
} from './tool.ts';

export interface McpDeps
  extends CheckDeps, Pick<CallHistoryAndUsageRouteDeps, 'getUsage'>, Pick<WatchesDeps, 'watches'> {
  log: Log;
}

/** Maximum length in characters of the id and the method of a message, which answers repeat. */
const MAX_NAME_LENGTH = 200;

const jsonrpc = v.pipe(v.literal('2.0'), v.description('Version of JSON-RPC.'));
const anyObject = (about: string) => s.record(v.unknown(), about);

const messageSchema = s.openApiObject('McpMessage', 'One message of the Model Context Protocol.', {
  jsonrpc,
  id: v.optional(
    v.pipe(
      v.union([v.pipe(v.string(), v.maxLength(MAX_NAME_LENGTH)), v.pipe(v.number(), v.integer())]),
      v.description('Id of the request; a notification has none.'),
    ),
  ),
  method: s.string('Such as `tools/list` and `tools/call`.', { max: MAX_NAME_LENGTH }),
  params: v.optional(anyObject('Parameters of the method.')),
});

const replySchema = s.openApiObject('McpReply', 'Answer to one message.', {
  jsonrpc,
  id: v.optional(
    s.nullable(v.union([v.string(), v.number()]), 'Id of the request as it was sent; null if it had none.'),
  ),
  result: v.optional(anyObject('Result of the method.')),
  error: v.optional(
    s.object('Error instead of a result, if the message cannot be understood.', {
      code: v.pipe(v.number(), v.integer(), v.description('Error code of JSON-RPC.')),
      message: s.string('What is wrong.'),
      data: v.optional(v.pipe(v.unknown(), v.description('Details of the error.'))),
    }),
  ),
});

const idempotencyKey = v.pipe(
  REQUEST_HEADER_SCHEMAS['Idempotency-Key'].wrapped,
  v.description(
    'Makes retries safe: a call of the tool with the same arguments and the same key counts once and has the same `request_id`. Same form as for `/v1/validate`.',
  ),
);

export const MCP_ROUTE: Route<McpDeps> = declareRoute('POST /mcp', 'mcp', {
  tag: 'Agents',
  summary: 'The Model Context Protocol',
  about: `For agents: streamable HTTP without sessions. The tool \`${MCP_CHECK_TOOL_NAME}\` is a check like \`/v1/validate\`, with the same keys, limits and errors, and its answer counts once. The tools \`watch\`, \`events\` and \`usage\` read what the key may read, and count nothing. An error of a tool is in its result. See the page [Agents](/docs/agents).`,
  headers: { 'Idempotency-Key': v.optional(idempotencyKey) },
  body: {
    schemas: [messageSchema],
    examples: () => ({
      call: {
        summary: 'A call of the tool',
        value: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: MCP_CHECK_TOOL_NAME, arguments: { name: 'Nora Ellingsworth' } },
        },
      },
    }),
  },
  answers: [
    {
      status: 200,
      about: 'Answer to a request.',
      schemas: [replySchema],
      headers: ['Bonafide-Verdict', 'Bonafide-Mode', 'Idempotency-Replayed'],
    },
    {
      status: 202,
      about: 'A notification was accepted.',
      types: ['application/json'],
      headers: ['Bonafide-Mode'],
    },
    {
      status: 400,
      about: 'Not a message of the protocol.',
      schemas: [replySchema],
      headers: ['Bonafide-Mode'],
    },
  ],
  errors: ['forbidden', ...JSON_BODY_ERROR_CODES],
  handle: handleMessage,
});

async function handleMessage(event: H3Event, deps: McpDeps): Promise<Response> {
  const caller = await authenticateWithoutConsumingLimits(event, deps);
  refuseForeignPages(event.req.headers.get('origin'));
  const bytes = await readBody(event);
  await waitForEventLoopTurn(getAccountOrKeyId(caller));
  const { value: body, issues } = parseJsonObject(bytes, MAX_CHECK_REQUEST_JSON_NODES);
  requireShortNames(body);
  const { answerMcpMessage } = await import('./protocol.ts');
  const { headers, signal } = event.req;
  const context = getRequestContext(event);
  const { requestId } = context;
  const call = (name: string, value: Record<string, unknown>) =>
    callTool(event, { name, caller, input: { value, issues }, deps });
  const { status, text } = await answerMcpMessage({ body, headers, signal, call });
  if (text !== '' && 'error' in JSON.parse(text)) {
    const problem = toProblem(invalidRequestError([]));
    context.line.code = problem.code;
    recordRefusalInContext(context, problem, null);
  }
  const replayed = context.requestId === requestId ? [] : [IDEMPOTENCY_REPLAYED_HEADER_PAIR];
  return createTextResponse(context, text, {
    status,
    headers: [
      ...getVerdictHeaderPairs(context),
      ...(caller.test ? [TEST_MODE_HEADER_PAIR] : []),
      ...replayed,
    ],
  });
}

/** Throws if the id or the method of a message is too long. Errors: invalid_request. */
function requireShortNames(message: Record<string, unknown>): void {
  const issues = ['id', 'method'].flatMap((field) => {
    const value = message[field];
    const detail = `This has too many characters: at most ${MAX_NAME_LENGTH}.`;
    const isTooLong = typeof value === 'string' && value.length > MAX_NAME_LENGTH;
    return isTooLong ? [{ pointer: `/${field}`, code: 'too_long', detail }] : [];
  });
  if (issues.length > 0) throw invalidRequestError(issues);
}

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Throws if a page of another site sent the request. Browsers add `Origin` to every POST; AI agents do not. Errors: forbidden. */
function refuseForeignPages(origin: string | null): void {
  if (origin === null || LOOPBACK.test(origin)) return;
  throw new BonafideError(
    'forbidden',
    'Web pages of other sites may not call this address. Call it from a program, without the header Origin.',
  );
}

interface ToolCall {
  name: string;
  caller: Caller;
  input: ParsedBody;
  deps: McpDeps;
}

/** Runs one tool call. The result of a failed call is the problem that the HTTP route would answer. */
async function callTool(event: H3Event, call: ToolCall) {
  const context = getRequestContext(event);
  try {
    const text =
      call.name === MCP_CHECK_TOOL_NAME ? await check(event, call) : await readForCaller(event, call);
    return toMcpToolResult(text, false);
  } catch (error) {
    const problem = toProblem(error, toFailedRequest(event));
    context.line.code = problem.code;
    recordRefusalInContext(context, problem, error);
    if (isServerFailure(problem)) call.deps.log.error('failed', error, context.requestId);
    return toMcpToolResult(toProblemJsonText(problem, context.requestId), true);
  }
}

/** Runs a read-only tool, and returns its answer as JSON text. Errors: forbidden, invalid_request, not_found. */
async function readForCaller(event: H3Event, { name, caller, input, deps }: ToolCall): Promise<string> {
  requireScopeForReadingOwnCalls(caller);
  const { now } = getRequestContext(event);
  const { value, issues } = input;
  const readers: Record<ReadOnlyToolName, () => Promise<object>> = {
    async watch() {
      const { watch_id: id, ...page } = parseObjectFields(value, READ_ONLY_TOOL_INPUT_SCHEMAS.watch, issues);
      if (id === undefined) return deps.watches.list(caller, page);
      const watch = await deps.watches.find(caller, id);
      if (!watch) throw createNotFoundProblemError(WATCH_NOT_FOUND_MESSAGE);
      return { watches: [watch], next: null };
    },
    events: async () =>
      deps.watches.listEvents(caller, parseObjectFields(value, READ_ONLY_TOOL_INPUT_SCHEMAS.events, issues)),
    async usage() {
      const { month = null } = parseObjectFields(value, READ_ONLY_TOOL_INPUT_SCHEMAS.usage, issues);
      return toCallerUsageJson(await deps.getUsage(caller, { month, now }));
    },
  };
  return JSON.stringify(await readers[name as ReadOnlyToolName]());
}

async function check(event: H3Event, { caller, input, deps }: ToolCall): Promise<string> {
  const work = (quotaUsage: QuotaUsage | null) => {
    const issues = [...input.issues];
    const key = readIdempotencyKey(event.req.headers, issues);
    return runCheck(event, deps, {
      caller,
      endpoint: 'validate',
      responseVersion: 'v1',
      quotaUsage,
      readBody: () => ({ ...input, issues }),
      // The idempotency key covers the input of the tool only: in a retry, the message around the input has a new id.
      idempotentRequest:
        key === null
          ? null
          : { key, target: MCP_CHECK_TOOL_NAME, body: () => Buffer.from(JSON.stringify(input.value)) },
      buildContent: toCheckV1JsonText,
    });
  };
  return runWithinCallerLimits(event, deps, { caller, work });
}
