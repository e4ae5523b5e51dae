import { expect, it, vi } from 'vitest';
import { freshApp, JANE, json } from '../../kit/app.ts';

it('two results of a caller are sent at a time, and more are refused until one has ended', async () => {
  const { send, key } = await freshApp();
  const [own, other] = [key(), key()];
  const createJob = async (key: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ requests: [JANE] });
    const { job_id: id } = await json(send('/v1/jobs', { key, method: 'POST', headers, body }));
    return id as string;
  };
  const [ownJob, otherJob] = [await createJob(own), await createJob(other)];
  const isDone = async () => expect((await json(send(`/v1/jobs/${ownJob}`, { key: own }))).done).toBe(1);
  await vi.waitFor(isDone, 60_000);
  const read = (method = 'GET') => send(`/v1/jobs/${ownJob}/results`, { key: own, method });
  // HEAD sends no results, so it is no download.
  for (const { status } of [await read('HEAD'), await read('HEAD'), await read('HEAD')])
    expect(status).toBe(200);
  const [first, second, ...more] = await Promise.all([read(), read(), read(), read()]);
  expect([first?.status, second?.status, ...more.map(({ status }) => status)]).toEqual([200, 200, 503, 503]);
  expect(more[0]?.headers.get('retry-after')).toBe('1');
  expect((await send(`/v1/jobs/${otherJob}/results`, { key: other })).status).toBe(200);
  expect(await first?.text()).toContain('"line":1');
  expect((await read()).status).toBe(200);
  expect((await read()).status).toBe(503);
  await second?.body?.cancel();
  expect((await read()).status).toBe(200);
});
