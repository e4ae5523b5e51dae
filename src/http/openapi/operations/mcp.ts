import * as v from 'valibot';
import { TOOL_NAME } from '../../mcp/tool.ts';
import { REQUEST_HEADERS } from '../headers.ts';
import type { Operation } from '../operation.ts';

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

export const MCP: Operation = {
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
  errors: ['invalid_json', 'forbidden', 'body_too_large', 'unsupported_media_type', 'invalid_request'],
};
