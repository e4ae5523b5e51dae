// The Model Context Protocol by its SDK, one message at a time: without sessions, without streams, without state.
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
import { type toToolResult, MCP_TOOL, MCP_TOOL_NAME } from './tool.ts';

/** One message of a client, and the function that runs a tool call. */
export interface McpMessage {
  body: Record<string, unknown>;
  headers: Headers;
  signal: AbortSignal;
  call: CallTool;
}
type CallTool = (input: Record<string, unknown>) => Promise<ReturnType<typeof toToolResult>>;

/** Answer to a message: HTTP status, and JSON text or an empty text. */
export interface McpReply {
  status: number;
  text: string;
}

const MODERN = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.call as CallTool), {
  legacy: 'reject',
  // The one tool never changes: a stream of changes would only be held open.
  maxSubscriptions: 0,
});

/** Answers one message of any revision of the protocol that the SDK knows. */
export async function answerMessage({ body, headers, signal, call }: McpMessage): Promise<McpReply> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: toSdkHeaders(headers),
    signal,
  });
  if (!(await isLegacyRequest(request, body))) {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { call } };
    return toReply(await MODERN.fetch(request, { parsedBody: body, authInfo }));
  }
  const server = createServer(call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await toReply(await transport.handleRequest(request, { parsedBody: body }));
  } finally {
    await server.close();
  }
}

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Returns the headers that the SDK needs, without the key. The answer is one JSON text, whatever the client accepts. */
function toSdkHeaders(headers: Headers): Headers {
  const sdkHeaders = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of PROTOCOL_HEADERS) {
    const value = headers.get(name);
    if (value !== null) sdkHeaders.set(name, value);
  }
  return sdkHeaders;
}

const toReply = async (response: Response): Promise<McpReply> => ({
  status: response.status,
  text: await response.text(),
});

function createServer(call: CallTool): Server {
  const server = new Server(
    { name: 'bonafide', title: 'Bonafide', version: packageVersion() },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [MCP_TOOL] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === MCP_TOOL_NAME) return call(params.arguments ?? {});
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is one tool: ${MCP_TOOL_NAME}.`);
  });
  return server;
}
