import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBlockingPostgresConnection } from '../../../src/store/postgres/bridge.ts';
import { createPostgresClient } from '../../../src/store/postgres/client.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { openPostgresPool } from '../../../src/graph/postgres/connect.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();
const CONNECTIONS = 4;

/** Statement that counts the sleeping backends, and ends them if told to. */
const ASLEEP = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
const ENDING = ASLEEP.replace('count(*)', 'count(pg_terminate_backend(pid))');

/** Returns the results of queries while all connections of a pool are ended during a query. */
async function afterLoss(url: string, ask: (text: string) => Promise<unknown>) {
  const operator = createPostgresClient({ url, connections: 1 });
  onTestFinished(() => operator.end());
  const count = async (text: string) => (await operator.unsafe<{ n: number }[]>(text))[0]?.n;
  const held = Array.from({ length: CONNECTIONS }, () => ask('SELECT pg_sleep(60)'));
  const ended = Promise.allSettled(held);
  await expect.poll(() => count(ASLEEP)).toBe(CONNECTIONS);
  await count(ENDING);
  const refused = (await ended).filter(({ status }) => status === 'rejected').length;
  await pause(500);
  const later = await Promise.allSettled(
    Array.from({ length: 5 * CONNECTIONS }, () => ask('SELECT pg_sleep(0.02)')),
  );
  return { refused, later: later.filter(({ status }) => status === 'rejected') };
}

describe.skipIf(isWithoutPostgres('lost connections'))('connections that are lost during a query', () => {
  it('do not fail a later query: store', async () => {
    const url = await (await server()).database();
    const client = createPostgresClient({ url, connections: CONNECTIONS });
    onTestFinished(() => client.end());
    const told = await afterLoss(url, (text) => client.unsafe(text, [], { prepare: true }));
    expect(told).toEqual({ refused: CONNECTIONS, later: [] });
  });

  it('do not fail a later query: graph', async () => {
    const url = await (await server()).database();
    const pool = await openPostgresPool({ url, connections: CONNECTIONS });
    onTestFinished(() => pool.close());
    const told = await afterLoss(url, (text) => pool.query(text));
    expect(told).toEqual({ refused: CONNECTIONS, later: [] });
  });
});

describe.skipIf(isWithoutPostgres('too many connections'))('a server without a free connection', () => {
  it('is reported as such by store and graph, with the setting to raise', async () => {
    const url = await (await server()).database();
    const operator = createPostgresClient({ url, connections: 1 });
    onTestFinished(() => operator.end());
    await operator.unsafe('CREATE ROLE refused LOGIN CONNECTION LIMIT 0');
    const refused = url.replace('postgres@', 'refused@');
    const pool = openPostgresPool({ url: refused, connections: 1 });
    onTestFinished(() => pool.close());
    const message = expect.stringMatching(/no free connection.*max_connections.*\(53300\)/);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'graph_unavailable', message });
    const store = expect.objectContaining({ code: 'store_unavailable', message });
    expect(() => openPostgresStore(refused)).toThrow(store);
  });
});

describe.skipIf(isWithoutPostgres('late transactions'))('a connection that does not answer in time', () => {
  it('is replaced, so that no later statement is in a transaction whose beginning came late', async () => {
    const url = await (await server()).database();
    const [bridge, other] = [
      openBlockingPostgresConnection(url, 3000),
      createPostgresClient({ url, connections: 1 }),
    ];
    onTestFinished(bridge.close);
    onTestFinished(() => other.end());
    bridge.exec('CREATE TABLE public.saved (number bigint)');
    const pid = bridge.prepare<[], number>('SELECT pg_backend_pid()').pluck().get() ?? 0;
    const save = (number: number) => bridge.prepare('INSERT INTO public.saved VALUES (?)').run(number);
    process.kill(pid, 'SIGSTOP');
    try {
      expect(() => bridge.transaction(() => save(1)).immediate()).toThrow(/in time/);
      save(2);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect
      .poll(async () =>
        other.unsafe(
          'SELECT pg_stat_get_backend_pid(s) FROM pg_stat_get_backend_idset() s WHERE pg_stat_get_backend_pid(s) = $1',
          [pid],
        ),
      )
      .toEqual([]);
    save(3);
    const saved = await other.unsafe('SELECT number FROM public.saved ORDER BY number').values();
    expect(saved.flat()).toEqual([2, 3]);
  });
});

describe.skipIf(isWithoutPostgres('late answers'))('a query whose caller has timed out', () => {
  it('does not answer a later query', async () => {
    const bridge = openBlockingPostgresConnection(await (await server()).database(), 400);
    onTestFinished(bridge.close);
    const ask = (text: string) => bridge.prepare<[], number>(text).pluck().get();
    /** Returns the first answer, however long the machine takes. */
    const answerTo = async (text: string) => {
      for (;;)
        try {
          return ask(text);
        } catch {
          await pause(50);
        }
    };
    expect(await answerTo('SELECT 1')).toBe(1);
    expect(() => ask('SELECT 2 FROM pg_sleep(0.8)')).toThrow(/in time/);
    await pause(800);
    expect(await answerTo('SELECT 3')).toBe(3);
  });
});
