// PostgreSQL by TCP is as fast as by its socket.
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresPool } from '../../../src/graph/postgres/connect.ts';
import { HAS_POSTGRES, startPostgres, toTcpAddress } from '../../kit/programs/postgres.ts';

/** A statement that waits for a delayed acknowledgement takes 40 ms or more. */
const DELAYED_MS = 30;

test.skipIf(!HAS_POSTGRES)(
  'small COPYs and statements sent together by TCP do not wait for acknowledgements',
  async () => {
    const postgres = await startPostgres({ listen_addresses: '127.0.0.1', fsync: 'off' });
    const pool = openPostgresPool({ url: toTcpAddress(await postgres.database()), connections: 2 });
    onTestFinished(async () => {
      await pool.close();
      await postgres.close();
    });
    await pool.query('CREATE TABLE numbers (number bigint)');
    const connection = await pool.reserve();
    const copies: number[] = [];
    const statements: number[] = [];
    for (let i = 0; i < 15; i++) {
      copies.push(await measure(() => connection.copy('numbers (number)', [[i]])));
      const text = 'SELECT count(*) FROM numbers WHERE number > $1';
      statements.push(
        await measure(() => Promise.all([1, 2, 3].map((least) => connection.query(text, [least])))),
      );
    }
    connection.release();
    expect(await pool.query('SELECT count(*) FROM numbers')).toEqual([[15]]);
    expect(median(copies)).toBeLessThan(DELAYED_MS);
    expect(median(statements)).toBeLessThan(DELAYED_MS);
  },
);

async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
