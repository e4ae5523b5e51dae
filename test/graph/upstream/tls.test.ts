// An upstream server over TLS.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { freshFolder } from '../../kit/folder.ts';
import { sharedFolder } from '../../kit/graphs/graph.ts';
import { upstreamOf } from '../../kit/graphs/servers.ts';
import { standIn } from '../../kit/graphs/stand-in.ts';

const REQ = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
const folder = sharedFolder();
const at = (name: string) => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });

beforeAll(() => {
  for (const name of ['server', 'client', 'other']) {
    const { cert, key } = at(name);
    const args = [...REQ.split(' '), '-keyout', key, '-out', cert, '-subj', `/CN=${name}`];
    execFileSync('openssl', [...args, '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' });
  }
});

const pem = (name: string) => ({ cert: readFileSync(at(name).cert), key: readFileSync(at(name).key) });
const inFrontOf = (url: string, more: string) => upstreamOf(`engine=upstream,url=${url}${more}`);

test('an untrusted certificate is refused unless graph.ca names its authority', async () => {
  const server = await standIn(pem('server'));
  const away = { code: 'graph_unavailable' };
  await expect((await inFrontOf(server.url, '')).resolve(EMPTY_GRAPH_QUERY)).rejects.toMatchObject(away);
  const other = `,ca=${at('other').cert}`;
  await expect((await inFrontOf(server.url, other)).resolve(EMPTY_GRAPH_QUERY)).rejects.toMatchObject(away);
  expect(server.requests).toEqual([]);
  const graph = await inFrontOf(server.url, `,ca=${at('server').cert}`);
  expect(await graph.resolve(EMPTY_GRAPH_QUERY)).toMatchObject({ total: 0 });
});

test('the client certificate is sent to a server that requires one', async () => {
  const ours = { ca: readFileSync(at('client').cert), requestCert: true, rejectUnauthorized: true };
  const server = await standIn({ ...pem('server'), ...ours });
  const ca = `,ca=${at('server').cert}`;
  await expect((await inFrontOf(server.url, ca)).resolve(EMPTY_GRAPH_QUERY)).rejects.toMatchObject({
    code: 'graph_unavailable',
  });
  const graph = await inFrontOf(server.url, `${ca},cert=${at('client').cert},certKey=${at('client').key}`);
  expect(await graph.resolve(EMPTY_GRAPH_QUERY)).toMatchObject({ total: 0 });
});

test('the API key is sent as configured, and read again after a change', async () => {
  const server = await standIn();
  const keyFile = join(freshFolder(), 'key');
  writeFileSync(keyFile, 'first\n');
  const graph = await inFrontOf(server.url, `,keyFile=${keyFile}`);
  await graph.resolve(EMPTY_GRAPH_QUERY);
  writeFileSync(keyFile, 'second\n');
  await graph.resolve(EMPTY_GRAPH_QUERY);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first',
    'Bearer second',
  ]);
  await (await inFrontOf(server.url, `,keyFile=${keyFile},header=X-Api-Key`)).resolve(EMPTY_GRAPH_QUERY);
  expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-api-key': 'second' });
  expect(server.requests.at(-1)?.headers).not.toHaveProperty('authorization');
});

test.each([
  ['no address', '', /graph.url is missing/],
  ['an address with a query', ',url=http://127.0.0.1:1?key=b', /must have no query/],
  ['a key file that is not there', ',url=http://127.0.0.1:1,keyFile=/nowhere/key', /contains no API key/],
  [
    'a certificate without its key',
    ',url=https://127.0.0.1:1,cert=/nowhere/cert',
    /both graph.cert and graph.certKey/,
  ],
  ['certificates that are not there', ',url=https://127.0.0.1:1,ca=/nowhere/ca', /cannot be read/],
])('%s is refused at the start, with a message', async (_, more, says) => {
  const opening = upstreamOf(`engine=upstream${more}`);
  await expect(opening).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(says),
  });
});

test('an http address of another machine leads to a warning', async () => {
  const graph = await upstreamOf('engine=upstream,url=http://192.0.2.1,deadlineMs=20');
  expect((await graph.warnings()).join()).toMatch(/192\.0\.2\.1 without encryption/);
});
