// The Model Context Protocol as its own SDK speaks it, one message at a time: there are no sessions, no streams, and nothing is kept.
// The SDK takes 130 ms and 34 MB to load, so this file is loaded with the first message.
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { packageVersion } from '../../platform/assets.ts';
import { type toToolResult, TOOL, TOOL_NAME } from './tool.ts';

/** One message of a client, and what a call of the tool does. */
export interface McpMessage {
  body: Record<string, unknown>;
  headers: Headers;
  signal: AbortSignal;
  call: CallTool;
}
type CallTool = (sent: Record<string, unknown>) => Promise<ReturnType<typeof toToolResult>>;

/** What is answered, as HTTP has it; the text is JSON or empty. */
export interface McpReply {
  status: number;
  text: string;
}

const MODERN = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.call as CallTool), {
  legacy: 'reject',
  // The one tool never changes: a stream of changes would only be held open.
  maxSubscriptions: 0,
});

/** Answers one message of any revision of the protocol that the SDK knows. */
export async function answerMessage({
  body: parsedBody,
  headers,
  signal,
  call,
}: McpMessage): Promise<McpReply> {
  const request = new Request('http://localhost/mcp', { method: 'POST', headers: own(headers), signal });
  if (!(await isLegacyRequest(request, parsedBody))) {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { call } };
    return replyOf(await MODERN.fetch(request, { parsedBody, authInfo }));
  }
  const server = serverFor(call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await replyOf(await transport.handleRequest(request, { parsedBody }));
  } finally {
    await server.close();
  }
}

/** The answer is one JSON text whatever a client would take, and the SDK needs to see no key. */
function own(headers: Headers): Headers {
  const kept = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of PROTOCOL_HEADERS) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const replyOf = async (response: Response): Promise<McpReply> => ({
  status: response.status,
  text: await response.text(),
});

function serverFor(call: CallTool): Server {
  const server = new Server(
    { name: 'bonafide', title: 'Bonafide', version: packageVersion() },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === TOOL_NAME) return call(params.arguments ?? {});
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is one tool: ${TOOL_NAME}.`);
  });
  return server;
}
