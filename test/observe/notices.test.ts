import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { getNextAttempt } from '../../src/accounts/billing/webhook.ts';
import { deliverNotices } from '../../src/observe/notices.ts';
import { openNoticeQueue } from '../../src/store/serving/notices.ts';
import { createBilledStore, NOVEMBER } from '../store/billed-store.ts';

/** A receiver that answers these statuses in turn, and what it got. */
async function receiver(...statuses: number[]) {
  const got: { id: unknown; type: string; signature: unknown }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-signature': signature } = request.headers;
      got.push({ id, type: JSON.parse(body).type, signature });
      response.writeHead(statuses[got.length - 1] ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** A store with notices that wait, and what sends them. */
function sender(url: string) {
  const { store, call } = createBilledStore({ included: 5 });
  call(NOVEMBER, 5);
  const said: string[] = [];
  const log = { warn: (text: string) => said.push(text), error: (text: string) => said.push(text) };
  const queue = openNoticeQueue(store.raw);
  const start = () => {
    const sign = ({ body }: { body: string }) => `v1,${body.length}`;
    const sending = deliverNotices({
      url,
      queue,
      sign,
      log,
      nextAttempt: (n, now) => getNextAttempt(n, now) && now,
      everyMs: 5,
    });
    onTestFinished(() => sending.close());
    return sending;
  };
  const waiting = () =>
    store.raw.prepare('SELECT count(*) FROM webhooks WHERE next IS NOT NULL').pluck().get();
  const delivered = () =>
    store.raw.prepare('SELECT count(*) FROM webhooks WHERE delivered > 0').pluck().get();
  return { start, waiting, delivered, said, queue };
}

test('notices are sent signed, each until it is taken, with the same id', async () => {
  const { got, url } = await receiver(500, 302);
  const { start, waiting, delivered, said } = sender(url);
  start();
  await expect.poll(waiting).toBe(0);
  expect(delivered()).toBe(2);
  expect(got).toHaveLength(4);
  expect(new Set(got.map(({ id }) => id)).size).toBe(2);
  expect(new Set(got.map(({ type }) => type))).toEqual(new Set(['quota.near', 'quota.reached']));
  expect(got.every(({ signature }) => /^v1,\d+$/.test(String(signature)))).toBe(true);
  expect(said.join()).toMatch(/status 500.*status 302/s);
});

test('a notice that nobody takes is given up, and said to be', async () => {
  const { start, waiting, delivered, said } = sender('http://127.0.0.1:1/');
  start();
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  expect(delivered()).toBe(0);
  expect(said.filter((text) => text.includes('given up after 10 attempts: not reached'))).toHaveLength(2);
});

test('what one process took, another takes only when the time for it is over', () => {
  const { queue } = sender('http://127.0.0.1:1/');
  const now = NOVEMBER + 1000;
  const [first, second] = [queue.lease(now, 60_000), queue.lease(now, 60_000)];
  expect(first?.id).not.toBe(second?.id);
  expect(queue.lease(now + 59_999, 60_000)).toBeNull();
  expect(queue.lease(now + 60_000, 60_000)).toMatchObject({ attempts: 2 });
});
