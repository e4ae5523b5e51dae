import { expect, test } from 'vitest';
import type { PostgresClient } from '../../../src/store/postgres/client.ts';
import { createPostgresWriterConnector } from '../../../src/store/postgres/writer.ts';
import { createCallRecorder } from '../../../src/store/serving/recorder.ts';
import { sampleCall } from '../../kit/call.ts';

test('a commit that is never answered is an error, and the next commit uses another connection', async () => {
  const way = { does: 'hang', renewed: 0 };
  const unsafe = () => {
    if (way.does === 'hang') return new Promise<never>(() => undefined);
    if (way.does === 'refuse') return Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    return Promise.resolve([{ done: { before: [], charged: [], plans: [] } }]);
  };
  const client = { unsafe, renew: () => void way.renewed++ } as unknown as PostgresClient;
  const recorder = createCallRecorder(
    createPostgresWriterConnector({
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
