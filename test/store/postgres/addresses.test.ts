// Addresses without a PostgreSQL server.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresPool } from '../../../src/graph/postgres/connect.ts';
import { convertPostgresErrorToBonafideError } from '../../../src/store/postgres/errors.ts';
import { createPostgresClient } from '../../../src/store/postgres/client.ts';

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `postgres://bonafide:hidden@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

/** Returns the messages of the errors at an address. */
async function endOf(url: string): Promise<{ store: string; graph: string }> {
  const client = createPostgresClient({ url, connections: 1 });
  const pool = await openPostgresPool({ url, connections: 1 });
  onTestFinished(async () => void (await Promise.all([client.end(), pool.close()])));
  const [store, graph] = await Promise.all([
    client.unsafe('SELECT 1').then(String, convertPostgresErrorToBonafideError),
    pool.query('SELECT 1').then(String, (error: unknown) => error),
  ]);
  return { store: String(store), graph: String(graph) };
}

test('are reported when they are an HTTP server, a silent port or a closed port, without repeating the address', async () => {
  const [http, silent, closed] = [createHttpServer(), createServer(), createServer()];
  onTestFinished(() => {
    http.close();
    silent.close();
  });
  const urls = await Promise.all([http, silent, closed].map(addressOf));
  await new Promise((resolve) => closed.close(resolve));
  const told = await Promise.all(urls.map(endOf));
  const [ofHttp, ofSilent, ofClosed] = told;
  for (const one of [ofHttp, ofSilent])
    expect(one).toEqual({
      store: expect.stringMatching(/sends no answer, or is not a PostgreSQL server/),
      graph: expect.stringMatching(/does not answer as a PostgreSQL server does/),
    });
  expect(ofClosed).toEqual({
    store: expect.stringMatching(/check that it runs, and its address/),
    graph: expect.stringMatching(/Check that it runs, and graph\.database/),
  });
  expect(JSON.stringify(told)).not.toMatch(/hidden|127\.0|:\d{4}/);
});
