// A client of the protocol over a real connection.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { json, type TestApp } from '../../kit/app.ts';

/** Returns a client that is connected with a key, and the address of the server. */
export async function connected(app: TestApp, key: string, revision?: 'legacy') {
  const { url } = await app.app.listen();
  const client = new Client(
    { name: 'test', version: '1' },
    revision ? {} : { versionNegotiation: { mode: 'auto' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, url };
}

/** Returns the calls of a key that counted in this month. */
export const callsOf = async (app: TestApp, key: string) =>
  (await json(app.send('/v1/usage', { key }))).calls;
