import * as v from 'valibot';
import { TOOL_NAME } from '../../mcp/tool.ts';
import type { Operation } from '../operation.ts';

const message = v.pipe(
  v.object({
    jsonrpc: v.pipe(v.literal('2.0'), v.description('The version of JSON-RPC.')),
    id: v.optional(
      v.pipe(
        v.union([v.string(), v.pipe(v.number(), v.integer())]),
        v.description('Names the request in its answer; a notification has none.'),
      ),
    ),
    method: v.pipe(v.string(), v.description('Such as `tools/list` and `tools/call`.')),
    params: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description('What the method takes.'))),
  }),
  v.title('McpMessage'),
  v.description('One message of the Model Context Protocol.'),
);

export const MCP: Operation = {
  method: 'POST',
  path: '/mcp',
  id: 'mcp',
  tag: 'Agents',
  summary: 'The Model Context Protocol',
  about: `For agents: streamable HTTP without sessions, and one tool, \`${TOOL_NAME}\`, a check like that of \`/v1/validate\`: same key, limits and errors, and its answer is counted once. An error of the tool is told in its result. See the page [Agents](/docs/agents).`,
  key: true,
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
      types: ['application/json'],
      headers: ['Bonafide-Mode'],
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
      types: ['application/json'],
      headers: ['Bonafide-Mode'],
    },
  ],
  errors: ['invalid_json', 'forbidden', 'body_too_large', 'unsupported_media_type', 'invalid_request'],
};
