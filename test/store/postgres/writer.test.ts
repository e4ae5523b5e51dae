import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import type { PostgresClient } from '../../../src/store/postgres/client.ts';
import { openPostgresEngine } from '../../../src/store/postgres/engine.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { createPostgresWriterConnectFunction } from '../../../src/store/postgres/writer.ts';
import { createCallRecorder } from '../../../src/store/serving/recorder.ts';
import { sampleCall } from '../../kit/call.ts';
import { HAS_POSTGRES, startPostgres } from '../../kit/programs/postgres.ts';

test('a commit that is never answered is an error, and the next commit uses another connection', async () => {
  const way = { does: 'hang', renewed: 0 };
  const unsafe = () => {
    if (way.does === 'hang') return new Promise<never>(() => undefined);
    if (way.does === 'refuse') return Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    return Promise.resolve([{ done: { before: [], charged: [], plans: [] } }]);
  };
  const client = { unsafe, renew: () => void way.renewed++ } as unknown as PostgresClient;
  const recorder = createCallRecorder(
    createPostgresWriterConnectFunction({
      client,
      notify: false,
      onSideRequest: () => undefined,
      mostMs: 0,
      longestMs: 20,
    }),
  );
  const call = sampleCall({ keyId: 'key_1' });
  const failure = (mayBeCounted: boolean) => ({ code: 'store_unavailable', details: { mayBeCounted } });
  await expect(recorder.write(call)).rejects.toMatchObject(failure(true));
  expect([way.renewed, recorder.isHealthy()]).toEqual([1, false]);
  way.does = 'refuse';
  await expect(recorder.write(call)).rejects.toMatchObject(failure(false));
  way.does = 'answer';
  expect(await recorder.write(call)).toMatchObject({ requestId: call.requestId });
});

test.skipIf(!HAS_POSTGRES)('a commit fails when a PostgreSQL that stopped counts as away', async () => {
  const postgres = await startPostgres({ fsync: 'off' });
  const url = await postgres.database();
  const store = openPostgresStore(url);
  const { recorder, close } = await openPostgresEngine({ url, notify: false });
  onTestFinished(async () => {
    await close();
    store.close();
    await postgres.close();
  });
  const { info } = createKey(store, { name: 'shop', scopes: ['validate'] }, Date.UTC(2026, 10, 20));
  const write = () => recorder.write(sampleCall({ keyId: info.id }));
  await write();
  const backends = store.raw
    .prepare<[], number>("SELECT pid FROM pg_stat_activity WHERE application_name = 'bonafide'")
    .pluck();
  const [postmaster = ''] = readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n');
  const pids = [Number(postmaster), ...backends.all()];
  const start = performance.now();
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    const details = { mayBeCounted: true };
    await expect(write()).rejects.toMatchObject({ code: 'store_unavailable', details });
    expect(performance.now() - start).toBeLessThan(20_000);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
  const again = () =>
    write().then(
      () => true,
      () => false,
    );
  await expect.poll(again, { timeout: 30_000 }).toBe(true);
});
