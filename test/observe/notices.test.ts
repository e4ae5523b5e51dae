import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { getNextWebhookAttemptTime } from '../../src/accounts/billing/webhook.ts';
import { startNoticeDelivery } from '../../src/observe/notices.ts';
import { queueOperatorMessages } from '../../src/app/metrics/events.ts';
import { createKey, rotateKey } from '../../src/store/keys.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import { openWebhookMessageQueue } from '../../src/store/serving/notices.ts';
import { createBilledStore, NOVEMBER } from '../store/billed-store.ts';

/** Starts a receiver that answers with these statuses in turn, and records the messages. */
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

/** Returns a store with pending notices, and their delivery. */
function sender(url: string) {
  const { store, call } = createBilledStore({ included: 5 });
  call(NOVEMBER, 5);
  const said: string[] = [];
  const log = { warn: (text: string) => said.push(text), error: (text: string) => said.push(text) };
  const queue = openWebhookMessageQueue(store.raw);
  const start = () => {
    const sign = ({ body }: { body: string }) => `v1,${body.length}`;
    const sending = startNoticeDelivery({
      queue,
      findTarget: () => ({ url, sign }),
      log,
      nextAttempt: (n, now) => getNextWebhookAttemptTime(n, now) && now,
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

test('a message of this process is sent at once, not at the next read of the queue', async () => {
  const { got, url } = await receiver();
  let left = 0;
  const sending = startNoticeDelivery({
    queue: {
      listReceivers: async () => (left > 0 ? [null] : []),
      lease: () => (left-- > 0 ? { id: `m${left}`, body: '{}', attempts: 1 } : null),
      markDelivered: () => undefined,
      markFailed: () => undefined,
    },
    findTarget: () => ({ url, sign: () => 'v1,x' }),
    log: { warn: () => undefined, error: () => undefined },
    nextAttempt: () => null,
    everyMs: 2 ** 30,
  });
  onTestFinished(() => sending.close());
  left = 1;
  sending.look();
  await expect.poll(() => got.length).toBe(1);
  // A message that arrives during a read of the queue is not left until the next one.
  sending.look();
  left = 1;
  sending.look();
  await expect.poll(() => got.length).toBe(2);
});

test('a notice that nobody takes is given up, and said to be', async () => {
  const { start, waiting, delivered, said } = sender('http://127.0.0.1:1/');
  start();
  await expect.poll(waiting).toBe(0);
  expect(delivered()).toBe(0);
  expect(said.filter((text) => text.includes('given up after 10 attempts: not reached'))).toHaveLength(2);
});

test('a store that refuses results of parallel deliveries ends none of them, nor the process', async () => {
  const { got, url } = await receiver();
  const errors: string[] = [];
  const left = ['a', 'b', 'c', 'd', 'e', 'f'];
  let results = 0;
  const sending = startNoticeDelivery({
    queue: {
      listReceivers: () => (left.length > 0 ? [null] : []),
      lease: () => {
        const id = left.shift();
        return id === undefined ? null : { id, body: '{}', attempts: 1 };
      },
      // The first delivery succeeds, and starts a second one beside itself. Then the store fails at once for both.
      async markDelivered() {
        if (++results > 1) throw new Error('the store is busy');
      },
      markFailed: () => undefined,
    },
    findTarget: () => ({ url, sign: () => 'v1,x' }),
    log: { warn: () => undefined, error: (text) => errors.push(text) },
    nextAttempt: () => null,
    everyMs: 5,
  });
  onTestFinished(() => sending.close());
  await expect.poll(() => got.length).toBe(6);
  await expect.poll(() => errors.length).toBe(5);
});

test('what one process took, another takes only when the time for it is over', () => {
  const { queue } = sender('http://127.0.0.1:1/');
  const now = NOVEMBER + 1000;
  const [first, second] = [queue.lease(now, 60_000), queue.lease(now, 60_000)];
  expect(first?.id).not.toBe(second?.id);
  expect(queue.lease(now + 59_999, 60_000)).toBeNull();
  expect(queue.lease(now + 60_000, 60_000)).toMatchObject({ attempts: 2 });
});

/** Delivery to two endpoints: `/never` does not answer, and has nine messages; `/ready` takes its only message, which was added last. */
async function startBesideSilentReceiver() {
  const taken: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    taken.push(url);
    if (url === '/ready') response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
  const add = store.raw.prepare(
    "INSERT INTO webhooks (id, about, body, created, attempts, next, endpoint) VALUES (?, ?, '{}', 1, 0, ?, ?)",
  );
  for (let i = 0; i < 9; i++) add.run(`msg_${i}`, `about ${i}`, 1, 'never');
  add.run('msg_ready', 'about ready', 2, 'ready');
  const queue = openWebhookMessageQueue(store.raw);
  const sending = startNoticeDelivery({
    queue,
    findTarget: ({ endpointId }) => ({ url: `${url}${endpointId}`, sign: () => 'v1,x' }),
    nextAttempt: getNextWebhookAttemptTime,
    log: { warn: () => undefined, error: () => undefined },
    everyMs: 5,
  });
  onTestFinished(() => sending.close());
  return { taken, queue, sending, store };
}

test('a receiver that does not answer does not delay the messages of another', async () => {
  const { taken } = await startBesideSilentReceiver();
  await expect.poll(() => taken).toContain('/ready');
  expect(taken.filter((url) => url === '/never').length).toBeLessThanOrEqual(4);
});

test(
  'the delivery ends within seconds beside a receiver that does not answer, and its messages stay due',
  { retry: 2 },
  async () => {
    const { taken, queue, sending } = await startBesideSilentReceiver();
    await expect.poll(() => taken).toContain('/never');
    const began = performance.now();
    await sending.close();
    expect(performance.now() - began).toBeLessThan(8000);
    expect(queue.listReceivers(Date.now())).toContain('never');
    expect(queue.lease(Date.now(), 60_000, 'never')).toMatchObject({ endpointId: 'never' });
  },
);

test('an event is sent once for a subject, and its failure is kept', async () => {
  const { got, url } = await receiver(503);
  const { start, queue, waiting } = sender(url);
  const message = { type: 'backup.failed' as const, about: '2026-11-24', data: { reason: 'no room' } };
  for (let i = 0; i < 2; i++) queue.addMessage(message, Date.now());
  start();
  await expect.poll(waiting).toBe(0);
  expect(got.filter(({ type }) => type === 'backup.failed').length).toBeLessThanOrEqual(2);
  expect(queue.countMessages(Date.now())).toMatchObject({ pending: 0, failed: 0, delivered: 3 });
});

test('a key that ends within a week is an event once, and one that was replaced or ends later is none', async () => {
  const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
  const now = Date.now();
  const day = 86_400_000;
  const soon = createKey(store, { name: 'soon', scopes: ['validate'], expires: now + 3 * day }, now);
  createKey(store, { name: 'later', scopes: ['validate'], expires: now + 30 * day }, now);
  const replaced = createKey(store, { name: 'replaced', scopes: ['validate'] }, now);
  rotateKey(store, { id: replaced.info.id, graceMs: day }, now);
  const probes = { checks: 0, nameOnly: 0, oneValue: 0, withoutRecord: 0, runs: 0, fresh: 0 };
  const notices = openWebhookMessageQueue(store.raw);
  const harvester = {
    ...probes,
    key: 'key_h',
    checks: 5000,
    nameOnly: 5000,
    withoutRecord: 4900,
    fresh: 5000,
  };
  for (let i = 0; i < 2; i++)
    await queueOperatorMessages({ notices, sumSuspiciousChecksSince: () => [harvester] }, now);
  const bodies = store.raw.prepare<[], string>('SELECT body FROM webhooks ORDER BY about').pluck().all();
  const events = bodies.map((body) => JSON.parse(body));
  expect(events).toMatchObject([
    { type: 'harvesting.suspected', data: { key: 'key_h' } },
    { type: 'key.expiring', data: { key: soon.info.id, name: 'soon' } },
  ]);
});

test.each([
  ['with another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ['with interim answers only', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(20)],
])('a receiver that answers %s fails the attempt, and does not delay the end', async (_, answer) => {
  const server = createServer().on('upgrade', () => undefined);
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { queue } = sender('');
  const failures: string[] = [];
  const sending = startNoticeDelivery({
    queue: { ...queue, markFailed: (_, { failure }) => void failures.push(failure) },
    findTarget: () => ({ url: `http://127.0.0.1:${port}/`, sign: () => 'v1,x', isAllowed: () => true }),
    nextAttempt: () => null,
    log: { warn: () => undefined, error: () => undefined },
    everyMs: 5,
  });
  await expect.poll(() => failures[0]).toBe('not reached');
  await sending.close();
});

const throwUnknown = (): boolean => {
  throw new Error('the addresses of this machine are unknown');
};

test.each([
  ['127.0.0.1', 'a check of addresses that throws', throwUnknown],
  ['localhost', 'a check of addresses that throws', throwUnknown],
  ['receiver.invalid', 'a host that does not resolve', () => true],
])('%s: %s fails the attempt, and does not end the process', async (host, _, isAllowed) => {
  const { queue } = sender('');
  const failures: string[] = [];
  const sending = startNoticeDelivery({
    queue: { ...queue, markFailed: (_, { failure }) => void failures.push(failure) },
    findTarget: () => ({ url: `http://${host}:9/`, sign: () => 'v1,x', isAllowed }),
    nextAttempt: () => null,
    log: { warn: () => undefined, error: () => undefined },
    everyMs: 5,
  });
  onTestFinished(() => sending.close());
  await expect.poll(() => failures[0], { timeout: 10_000 }).toBe('not reached');
});
