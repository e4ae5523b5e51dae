import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresPool } from '../../../src/graph/postgres/connect.ts';
import { findUsableHost, type PostgresHostState } from '../../../src/platform/postgres/hosts.ts';
import { parsePostgresAddress } from '../../../src/platform/postgres/address.ts';
import { createPostgresClient } from '../../../src/store/postgres/client.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const NO_LOGIN = Object.assign(new Error('no'), { code: '28P01' });
const primary = (timeline = 1, system = 'one'): PostgresHostState => ({
  isStandby: false,
  isReadOnly: false,
  timeline,
  system,
});
const STANDBY: PostgresHostState = { isStandby: true, isReadOnly: true, timeline: 0, system: 'one' };
const READ_ONLY: PostgresHostState = { ...primary(), isReadOnly: true };
type Answer = PostgresHostState | Error | 'silence';

/** Returns the found host, or the code of the error. Each host answers by its place in the address. */
function find(address: string, answers: Answer[]): Promise<string> {
  const { hosts, target } = parsePostgresAddress(address);
  const ask = async (host: { host: string }): Promise<PostgresHostState> => {
    const answer = answers[hosts.findIndex((one) => one.host === host.host)] ?? 'silence';
    if (answer instanceof Error) throw answer;
    return answer === 'silence' ? new Promise(() => undefined) : answer;
  };
  return findUsableHost({ hosts, target }, ask).then(
    ({ host }) => host,
    ({ code }) => code,
  );
}

describe('of several hosts', () => {
  const address = 'postgres://a,b,c/d';
  const attrs = (target: string) => `${address}?target_session_attrs=${target}`;
  test.each<[told: string, address: string, answers: Answer[], found: string]>([
    ['the first that takes writes is used', address, [STANDBY, primary(), primary()], 'b'],
    ['one that refuses connections is passed over', address, [REFUSED, primary(), STANDBY], 'b'],
    ['one that does not answer is passed over', address, ['silence', STANDBY, primary()], 'c'],
    ['one that is read-only is passed over', attrs('read-write'), [READ_ONLY, primary(), STANDBY], 'b'],
    ['a read-only primary is used for primary', attrs('primary'), [STANDBY, READ_ONLY, primary()], 'b'],
    ['the first that answers is used for any', attrs('any'), [REFUSED, STANDBY, primary()], 'b'],
    ['standbys alone take no writes', address, [STANDBY, STANDBY, REFUSED], 'CONNECTION_NO_PRIMARY'],
    ['a refused login says more than a refused connection', address, [REFUSED, NO_LOGIN, REFUSED], '28P01'],
    [
      'the primary of the later timeline is used',
      address,
      [primary(3, 'two'), primary(4, 'two'), STANDBY],
      'b',
    ],
    [
      'an old primary that is alone is not used',
      address,
      [primary(3, 'two'), REFUSED, STANDBY],
      'CONNECTION_NO_PRIMARY',
    ],
  ])('%s', async (_, url, answers, found) => {
    expect(await find(url, answers)).toBe(found);
  });

  test('a standby that is promoted while another host hangs is found at once', { retry: 2 }, async () => {
    const { hosts, target } = parsePostgresAddress('postgres://a,b/d');
    const began = performance.now();
    const ask = async ({ host }: { host: string }): Promise<PostgresHostState> => {
      if (host === 'a') return new Promise(() => undefined);
      return performance.now() - began < 400 ? { ...STANDBY, system: 'three' } : primary(2, 'three');
    };
    expect(await findUsableHost({ hosts, target }, ask)).toMatchObject({ host: 'b' });
    expect(performance.now() - began).toBeLessThan(1500);
  });

  test('one alone is not asked, unless it must take writes', async () => {
    expect(await find('postgres://a/d', ['silence'])).toBe('a');
    const url = 'postgres://a/d?target_session_attrs=read-write';
    expect(await find(url, [STANDBY])).toBe('CONNECTION_NO_PRIMARY');
  });
});

/** A host by TCP in front of a PostgreSQL, which can be stopped and frozen. */
async function openHost(folder: string) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    if (isFrozen) return void sockets.add(client);
    const upstream = createConnection(`${folder}/.s.PGSQL.5432`);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => isFrozen || to.write(bytes));
      from.on('close', () => to.destroy());
      from.on('error', () => undefined);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return { place: `127.0.0.1:${port}`, stop, freeze: () => void (isFrozen = true) };
}

describe.skipIf(isWithoutPostgres('several hosts'))('a pool', () => {
  const server = sharedPostgres();

  async function openHosts() {
    const { folder, database } = await server();
    const url = await database();
    const hosts = [await openHost(folder), await openHost(folder)] as const;
    const address = `postgres://postgres@${hosts.map(({ place }) => place).join()}/${url.split('/').at(-1)}`;
    return { url, address, hosts };
  }

  test('goes to the next host when the first is lost, for the store and for the graph', async () => {
    const { address, hosts } = await openHosts();
    const store = createPostgresClient({ url: address, connections: 2 });
    const graph = openPostgresPool({ url: address, connections: 2 });
    onTestFinished(async () => void (await Promise.all([store.end(), graph.close()])));
    const ask = async () => [await store.unsafe('SELECT 1').values(), await graph.query('SELECT 1')];
    expect(await ask()).toEqual([[[1]], [[1]]]);
    hosts[0].stop();
    await expect.poll(ask).toEqual([[[1]], [[1]]]);
  });

  test('leaves a host that is frozen', async () => {
    const { address, hosts } = await openHosts();
    const store = createPostgresClient({ url: address, connections: 1 });
    onTestFinished(() => store.end());
    await store.unsafe('SELECT 1');
    hosts[0].freeze();
    await expect(store.unsafe('SELECT 1')).rejects.toMatchObject({ code: 'CONNECTION_DESTROYED' });
    expect(await store.unsafe('SELECT 1').values()).toEqual([[1]]);
  });

  test('drops a connection on which a statement was refused as read-only', async () => {
    const { url } = await openHosts();
    const set = async (value: string) => {
      const name = url.split('/').at(-1);
      await admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    };
    const admin = createPostgresClient({ url, connections: 1 });
    const [store, graph] = [
      createPostgresClient({ url, connections: 1 }),
      openPostgresPool({ url, connections: 1 }),
    ];
    onTestFinished(async () => void (await Promise.all([store.end(), graph.close(), admin.end()])));
    await set('on');
    const make = (name: string) => `CREATE TABLE public.${name} ()`;
    await expect(store.unsafe(make('one'))).rejects.toMatchObject({ code: '25006' });
    await expect(graph.query(make('two'))).rejects.toMatchObject({ code: 'graph_unavailable' });
    await admin.unsafe('SET default_transaction_read_only = off');
    await set('off');
    await store.unsafe(make('one'));
    await graph.query(make('two'));
  });
});
