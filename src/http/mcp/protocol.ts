// Answers messages of the Model Context Protocol (MCP) with its SDK, one message at a time: no sessions, no streams, no state. This file is
// loaded with the first message, because loading the SDK takes 130 ms and 34 MB.
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { getPackageVersion } from '../../platform/assets.ts';
import { type toMcpToolResult, MCP_INSTRUCTIONS, MCP_TOOLS } from './tool.ts';

export interface McpMessage {
  body: Record<string, unknown>;
  headers: Headers;
  signal: AbortSignal;
  call: CallTool;
}
type CallTool = (name: string, input: Record<string, unknown>) => Promise<ReturnType<typeof toMcpToolResult>>;

/** Answer to an MCP message: the HTTP status, and the body as JSON text (empty if there is no body). */
export interface McpReply {
  status: number;
  text: string;
}

const MODERN = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.call as CallTool), {
  legacy: 'reject',
  // No client may subscribe to changes: the list of tools never changes, so a subscription would only keep a stream open.
  maxSubscriptions: 0,
});

export async function answerMcpMessage({ body, headers, signal, call }: McpMessage): Promise<McpReply> {
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

const VERSION_HEADER = 'mcp-protocol-version';
/** True if a protocol version has the form of a date. The SDK repeats the version in its error messages, so no other text is passed on. */
const isVersion = (value: string) => value.length === 10 && !Number.isNaN(Date.parse(value));
const PROTOCOL_HEADERS = [VERSION_HEADER, 'mcp-method', 'mcp-name'];

/** Returns the request headers that the SDK needs, without the API key. `Accept` is set to the only format that this server answers in. */
function toSdkHeaders(headers: Headers): Headers {
  const sdkHeaders = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of PROTOCOL_HEADERS) {
    const value = headers.get(name);
    if (value !== null)
      sdkHeaders.set(name, name === VERSION_HEADER && !isVersion(value) ? 'invalid' : value);
  }
  return sdkHeaders;
}

const toReply = async (response: Response): Promise<McpReply> => ({
  status: response.status,
  text: await response.text(),
});

function createServer(call: CallTool): Server {
  const server = new Server(
    { name: 'bonafide', title: 'Bonafide', version: getPackageVersion() },
    { capabilities: { tools: {} }, instructions: MCP_INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: MCP_TOOLS }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const names = MCP_TOOLS.map(({ name }) => name);
    if (names.includes(params.name)) return call(params.name, params.arguments ?? {});
    const text = `There is no tool with this name. The tools are ${names.join(', ')}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  });
  return server;
}
