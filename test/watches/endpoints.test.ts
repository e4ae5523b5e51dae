import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { isPublicIpAddress, isWebhookAddressAllowed } from '../../src/accounts/addresses.ts';
import { createAccount } from '../../src/store/accounts.ts';
import {
  insertWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateStoredWebhookSecret,
} from '../../src/store/events/endpoints.ts';
import { storeEvent } from '../../src/store/events/events.ts';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import { generateWebhookSecret } from '../../src/accounts/billing/webhook.ts';
import { createWatchCodec } from '../../src/watches/watch.ts';
import { freshApp, type TestApp } from '../kit/app.ts';

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A receiver on loopback that answers with these statuses, then 200. */
async function receiver(...statuses: number[]) {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` };
}

function account({ app, folder }: TestApp, url: string) {
  const { sealText } = createWatchCodec(loadOrCreateSecret(folder));
  const secret = generateWebhookSecret();
  const { id } = createAccount(app.store, { name: 'A' }, Date.now());
  const endpoint = insertWebhookEndpoint(
    app.store,
    { account: id, url, secret: sealText(secret) },
    Date.now(),
  );
  const record = () =>
    storeEvent(
      app.store.raw,
      {
        owner: id,
        subject: 'wat_00000000000',
        type: 'watch.changed',
        body: { watch_id: 'wat_00000000000' },
      },
      Date.now(),
    );
  return { id, endpoint, secret, record, sealText };
}

const messages = ({ app }: TestApp) =>
  app.store.raw
    .prepare<[], { failure: string | null; next: number | null; delivered: number | null }>(
      'SELECT failure, next, delivered FROM webhooks ORDER BY created, id',
    )
    .all();

async function until(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 4800 && !isDone(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  expect(isDone()).toBe(true);
}

const sign = (secret: string, { headers, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`;

const ALLOWED = { settings: { watches: 'true', webhookNetworks: '127.0.0.0/8' } };

it('an event is sent to an endpoint of its account, signed with its secret, and with both after a rotation', async () => {
  const test = await freshApp(ALLOWED);
  const { got, url } = await receiver();
  const { endpoint, secret, record, sealText } = account(test, url);
  const id = record();
  await until(() => got.length === 1);
  const [first] = got as [Received];
  expect(JSON.parse(first.body)).toMatchObject({
    type: 'watch.changed',
    data: { id, watch_id: 'wat_00000000000' },
  });
  expect(first.headers['webhook-signature']).toBe(sign(secret, first));
  const next = generateWebhookSecret();
  rotateStoredWebhookSecret(test.app.store, endpoint.id, sealText(next), Date.now());
  record();
  await until(() => got.length === 2);
  const second = got[1] as Received;
  expect(second.headers['webhook-signature']).toBe(`${sign(next, second)} ${sign(secret, second)}`);
  await until(() => messages(test).every(({ delivered }) => delivered !== null));
  expect(test.everyByte()).not.toContain(secret);
});

it('an internal address is refused unless the operator allows its network, and a redirect is not followed', async () => {
  const test = await freshApp({ settings: { watches: 'true' } });
  const { got, url } = await receiver();
  const { port } = new URL(url);
  const { record } = account(test, url);
  account(test, `http://localhost:${port}/`).record();
  account(test, `http://[::ffff:127.0.0.1]:${port}/`).record();
  account(test, `http://2130706433:${port}/`).record();
  record();
  await until(() => messages(test).every(({ failure }) => failure === 'internal address'));
  expect(messages(test)).toHaveLength(4);
  expect(got).toHaveLength(0);
});

it('a redirect counts as a failure, and the message is tried again', async () => {
  const test = await freshApp(ALLOWED);
  const { got, url } = await receiver(302);
  account(test, url).record();
  await until(() => got.length === 1 && messages(test)[0]?.failure === 'status 302');
  expect(messages(test)).toMatchObject([{ next: expect.any(Number), delivered: null }]);
});

it('messages to a removed endpoint are given up', async () => {
  const test = await freshApp({ settings: { watches: 'true' } });
  const { endpoint, record } = account(test, 'http://127.0.0.1:9/');
  record();
  await until(() => messages(test).every(({ failure }) => failure !== null));
  deleteWebhookEndpoint(test.app.store, endpoint.id, Date.now());
  expect(messages(test)).toMatchObject([{ next: null, failure: 'the endpoint was removed' }]);
});

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['192.168.1.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:a00:1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['fe80::1%eth0', false],
  ['nonsense', false],
])('the address %s is public: %s', (address, isPublic) => {
  expect(isPublicIpAddress(address)).toBe(isPublic);
});

it('a public address of this machine is allowed only if the operator allows it', () => {
  const own = ['8.8.8.8', '2606:4700::1111'];
  const isAllowed = (address: string, networks: string[] = []) =>
    isWebhookAddressAllowed(address, networks, () => own);
  expect(['8.8.8.8', '2606:4700:0:0::1111', '10.0.0.1'].map((address) => isAllowed(address))).toEqual([
    false,
    false,
    false,
  ]);
  expect([isAllowed('8.8.4.4'), isAllowed('8.8.8.8', ['8.8.8.8/32'])]).toEqual([true, true]);
});
