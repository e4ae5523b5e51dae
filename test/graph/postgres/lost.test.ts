import postgres from 'postgres';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openPostgresPool } from '../../../src/graph/postgres/connect.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, queryOf, strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const SECRET = 'd4'.repeat(32);
const server = sharedPostgres({});
const QUERY = queryOf({ name: 'Ada Abernathy', emails: ['ada.abernathy.0@stranger.example'] });

async function graphOn(url: string, options: { deadlineMs?: number } = {}): Promise<RecordStoringGraph> {
  const graph = openPostgresGraph({ url, secret: SECRET, folder: freshFolder(), ...options });
  onTestFinished(() => graph.close());
  return graph;
}

/** Waits until something no longer throws. */
async function until<T>(ask: () => T | Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries === 400) throw error;
      await pause(25);
    }
}

/** Forwards connections to a database. After `freeze`, open connections carry no more data and stay open; new ones work. */
async function openFreezableProxy(url: string): Promise<{ url: string; freeze(): void }> {
  const { port } = new URL(url);
  const { host: folder = '' } = parseSocketFolder(url);
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const target = createConnection(join(folder, `.s.PGSQL.${port}`));
    client.pipe(target).pipe(client);
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    for (const socket of open) socket.destroy();
  });
  const address = new URL(url);
  address.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: address.href,
    freeze() {
      for (const socket of open) socket.unpipe();
    },
  };
}

const unavailable = { code: 'graph_unavailable', details: { retryAfterMs: 1000 } };

describe.skipIf(isWithoutPostgres('lost connections'))('a PostgreSQL that is lost', () => {
  test('is reported at once, is not ready, and is used again when it is back, with everything that was published', async () => {
    const database = await server();
    const graph = await graphOn(await database.database());
    await importInto(graph, [strangers(5)]);
    const before = await graph.resolve(QUERY);
    expect(before.values[0]).toHaveLength(1);
    await database.kill();
    await expect(graph.resolve(QUERY)).rejects.toMatchObject(unavailable);
    expect(() => graph.ping()).toThrow(expect.objectContaining({ code: 'graph_unavailable' }));
    await expect(graph.resolve(QUERY)).rejects.toMatchObject(unavailable);
    await expect(importInto(graph, [strangers(6)])).rejects.toMatchObject(unavailable);
    await database.start();
    await until(() => graph.ping());
    expect(await until(() => graph.resolve(QUERY))).toEqual(before);
    expect(await until(() => importInto(graph, [strangers(6)]))).toMatchObject({ added: 1, replaced: 5 });
  });

  test('ends a COPY whose rows were all sent: with the error of the server, and with that of the lost connection', async () => {
    const database = await server();
    const url = await database.database();
    const pool = openPostgresPool({ url, connections: 1 });
    const admin = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(async () => void (await Promise.all([pool.close(), admin.end()])));
    await admin.unsafe(`CREATE TABLE public.numbers (number bigint PRIMARY KEY);
      CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(NEW.number); RETURN NEW; END';
      CREATE TRIGGER wait BEFORE INSERT ON public.numbers FOR EACH ROW EXECUTE FUNCTION public.wait()`);
    const copy = async (number: number) => {
      const connection = await pool.reserve();
      try {
        await connection.copy('public.numbers (number)', [[number]]);
      } finally {
        connection.release();
      }
    };
    await copy(0);
    await expect(copy(0)).rejects.toMatchObject({ code: 'graph_unavailable' });
    const failed = copy(60).catch((error: unknown) => error);
    const end = () =>
      admin.unsafe(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE 'COPY%'",
      );
    await expect.poll(async () => (await end()).length).toBe(1);
    expect(await failed).toMatchObject({ code: 'graph_unavailable' });
  });

  test('has one connection for changes, which statements at the same time share', async () => {
    const graph = await graphOn(await (await server()).database());
    expect(await Promise.all([graph.records.count(), graph.records.maxRow()])).toEqual([0, 0]);
  });

  test('is reached by new connections, for checks and for changes, when the old ones carry no more data', async () => {
    const proxy = await openFreezableProxy(await (await server()).database());
    const graph = await graphOn(proxy.url);
    await importInto(graph, [strangers(5)]);
    // Opens all connections of the pool.
    const [before] = await Promise.all(Array.from({ length: 20 }, () => graph.resolve(QUERY)));
    proxy.freeze();
    await expect(graph.resolve(QUERY)).rejects.toMatchObject({ code: 'graph_timeout' });
    expect(await until(() => graph.resolve(QUERY))).toEqual(before);
    expect(await importInto(graph, [strangers(6)])).toMatchObject({ added: 1, replaced: 5 });
  });

  test('in the middle of an import leaves the graph unchanged', async () => {
    const database = await server();
    const url = await database.database();
    const graph = await graphOn(url);
    await importInto(graph, [strangers(5)]);
    const lost = graph.records.runAtomically(async () => {
      await graph.records.remove([{ source: 'crm', recordId: 'stranger-0' }]);
      await database.kill();
      await graph.records.remove([{ source: 'crm', recordId: 'stranger-1' }]);
    });
    await expect(lost).rejects.toMatchObject(unavailable);
    await database.start();
    expect(await until(() => graph.records.count())).toBe(5);
    await graph.records.remove([{ source: 'crm', recordId: 'stranger-1' }]);
    expect(await graph.records.count()).toBe(4);
  });

  test('a statement that takes too long is ended, and the next one is answered', async () => {
    const url = await (await server()).database();
    const graph = await graphOn(url, { deadlineMs: 300 });
    await importInto(graph, [strangers(5)]);
    const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(() => sql.end());
    await sql.begin(async (held) => {
      await held.unsafe('LOCK TABLE bonafide.posting IN ACCESS EXCLUSIVE MODE');
      const late = expect.objectContaining({ code: 'graph_timeout' });
      await expect(graph.resolve(QUERY)).rejects.toThrow(late);
      expect(() => graph.ping()).not.toThrow();
    });
    expect((await graph.resolve(QUERY)).values[0]).toHaveLength(1);
  });

  test('counts all records without the time limit of checks', async () => {
    const url = await (await server()).database();
    const graph = await graphOn(url, { deadlineMs: 300 });
    await importInto(graph, [strangers(5)]);
    const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(() => sql.end());
    let stats: unknown[] = [];
    await sql.begin(async (held) => {
      await held.unsafe('LOCK TABLE bonafide.record IN ACCESS EXCLUSIVE MODE');
      stats = [graph.stats(), graph.stats()];
      await pause(1000);
    });
    for (const one of await Promise.all(stats)) expect(one).toMatchObject({ records: 5, unlinked: 0 });
  });
});
