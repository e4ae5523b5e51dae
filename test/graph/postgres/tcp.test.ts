// PostgreSQL by TCP is as fast as by its socket, and notices lost machines.
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresPool, type ReservedPostgresConnection } from '../../../src/graph/postgres/connect.ts';
import { createPostgresClient } from '../../../src/store/postgres/client.ts';
import { HAS_POSTGRES, startPostgres, toTcpAddress } from '../../kit/programs/postgres.ts';

/** A statement that waits for a delayed acknowledgement takes 40 ms longer than others. */
const DELAYED_MS = 30;

test.skipIf(!HAS_POSTGRES)(
  'small COPYs and statements sent together by TCP do not wait for acknowledgements',
  { retry: 2 },
  async () => {
    const postgres = await startPostgres({ listen_addresses: '127.0.0.1', fsync: 'off' });
    const bySocket = await postgres.database();
    const pools = [toTcpAddress(bySocket), bySocket].map((url) => openPostgresPool({ url, connections: 2 }));
    onTestFinished(async () => {
      for (const pool of pools) await pool.close();
      await postgres.close();
    });
    await pools[0]!.query('CREATE TABLE numbers (number bigint)');
    const connections = await Promise.all(pools.map((pool) => pool.reserve()));
    // Each pair is measured at the same time: a busy machine delays both.
    const copies: number[] = [];
    const statements: number[] = [];
    for (let i = 0; i < 15; i++) {
      copies.push(
        await measureDelay(connections, (connection) => connection.copy('numbers (number)', [[i]])),
      );
      const text = 'SELECT count(*) FROM numbers WHERE number > $1';
      statements.push(
        await measureDelay(connections, (connection) =>
          Promise.all([1, 2, 3].map((least) => connection.query(text, [least]))),
        ),
      );
    }
    for (const connection of connections) connection.release();
    expect(await pools[0]!.query('SELECT count(*) FROM numbers')).toEqual([[30]]);
    expect(median(copies)).toBeLessThan(DELAYED_MS);
    expect(median(statements)).toBeLessThan(DELAYED_MS);
  },
);

type Work = (connection: ReservedPostgresConnection) => Promise<unknown>;

/** Returns how much longer work takes by TCP than by the socket, in milliseconds. */
async function measureDelay(connections: ReservedPostgresConnection[], work: Work): Promise<number> {
  const times: number[] = [];
  for (const connection of connections) {
    const start = performance.now();
    await work(connection);
    times.push(performance.now() - start);
  }
  return times[0]! - times[1]!;
}

const median = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

test.skipIf(!HAS_POSTGRES)(
  'the server ends the session of a lost machine within about a minute',
  async () => {
    const postgres = await startPostgres({ listen_addresses: '127.0.0.1', fsync: 'off' });
    const url = toTcpAddress(await postgres.database());
    const [graph, store] = [
      openPostgresPool({ url, connections: 1 }),
      createPostgresClient({ url, connections: 1 }),
    ];
    onTestFinished(async () => {
      await Promise.all([graph.close(), store.end()]);
      await postgres.close();
    });
    const text = `SELECT ${['keepalives_idle', 'keepalives_interval', 'keepalives_count', 'user_timeout']
      .map((name) => `current_setting('tcp_${name}')`)
      .join()}`;
    const expected = [['30', '10', '3', '60000']];
    expect(await graph.query(text)).toEqual(expected);
    expect([...(await store.unsafe(text).values())]).toEqual(expected);
  },
);
