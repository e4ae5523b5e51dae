// Addresses of PostgreSQL, by a table: each is read as libpq reads it, or refused with its problem.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { getDatabaseUrl } from '../../../src/graph/postgres/open.ts';
import { parsePostgresHostList, parsePostgresAddress } from '../../../src/platform/postgres/address.ts';
import { getStoreLocation } from '../../../src/store/open.ts';
import { freshFolder } from '../../kit/folder.ts';

/** Valid addresses, with their hosts and the servers that may be used. */
const VALID: [address: string, hosts: string, target: string][] = [
  ['postgres://db.example/d', 'db.example:5432', 'any'],
  ['postgresql://db.example:5433/d', 'db.example:5433', 'any'],
  ['postgres://u:p@db.example/d', 'db.example:5432', 'any'],
  ['postgres://u:p%40%2F%3F%23@db.example/d', 'db.example:5432', 'any'],
  ['postgres://u:p@q@db.example/d', 'db.example:5432', 'any'],
  ['postgres://db.example:/d', 'db.example:5432', 'any'],
  ['postgres:///d', 'localhost:5432', 'any'],
  ['postgres://u@/d', 'localhost:5432', 'any'],
  ['postgres://[::1]/d', '::1:5432', 'any'],
  ['postgres://[2001:db8::7]:5433/d', '2001:db8::7:5433', 'any'],
  ['postgres://%2Frun%2Fpostgresql/d', '/run/postgresql:5432', 'any'],
  ['postgres:///d?host=/run/postgresql', '/run/postgresql:5432', 'any'],
  ['postgres:///d?host=/run/postgresql&port=5433', '/run/postgresql:5433', 'any'],
  ['postgres://u@a,b/d', 'a:5432 b:5432', 'read-write'],
  ['postgres://a:1,b:2,c:3/d', 'a:1 b:2 c:3', 'read-write'],
  ['postgres://a,b:5433/d', 'a:5432 b:5433', 'read-write'],
  ['postgres://a,b/d?port=5433', 'a:5433 b:5433', 'read-write'],
  ['postgres:///d?host=a,b&port=1,2', 'a:1 b:2', 'read-write'],
  ['postgres://[::1]:1,10.0.0.2:2/d?target_session_attrs=primary', '::1:1 10.0.0.2:2', 'primary'],
  ['postgres://%2Frun%2Fone,b/d?target_session_attrs=any', '/run/one:5432 b:5432', 'any'],
  ['postgres://a/d?target_session_attrs=read-write&sslmode=verify-full', 'a:5432', 'read-write'],
];

const ESCAPE = 'Write / ? and @ of a user or password as %2F %3F and %40';

/** Refused addresses, with their problems. */
const INVALID: [address: string, problem: string][] = [
  ['db.example/d', 'it must begin with postgres://'],
  ['mysql://u:hidden@db.example/d', 'it must begin with postgres://'],
  ['postgres:/db.example/d', 'it must begin with postgres://'],
  ['postgres://u:hid#den@db.example/d', 'a # must be written as %23'],
  ['postgres://u:hid%den@db.example/d', 'a % in the password must be written as %25'],
  ['postgres://u:hid/den@db.example/d', `the part before @ has a /. ${ESCAPE}`],
  ['postgres://u:hid?den@db.example/d', `the port of the host must be a number from 1 to 65535. ${ESCAPE}`],
  ['postgres://u:hidden@db.example:0/d', 'the port of the host must be a number from 1 to 65535'],
  ['postgres://u:hidden@db.example:65536/d', 'the port of the host must be a number from 1 to 65535'],
  ['postgres://u:hidden@a,b:x/d', 'the port of host 2 must be a number from 1 to 65535'],
  ['postgres://a,,c/d', 'host 2 is empty'],
  ['postgres://a,:5432/d', 'host 2 is empty'],
  ['postgres://::1/d', 'the host has several colons: write an IPv6 address in brackets'],
  ['postgres://[::g]/d', 'the host has brackets, but is not an IPv6 address'],
  ['postgres://a,[10.0.0.1]:5432/d', 'host 2 has brackets, but is not an IPv6 address'],
  ['postgres://a b/d', 'the host has a character that no host name has'],
  ['postgres://a%,b/d', 'a % in host 1 must be written as %25'],
  ['postgres://a,b/d?port=1,2,3', 'it has 3 ports for 2 hosts'],
  ['postgres://a/d?hostaddr=10.0.0.1', 'hostaddr is not supported: write the IP address as the host'],
  ['postgres://a,b/d?target_session_attrs=master', 'target_session_attrs must be read-write, primary or any'],
  ...['standby', 'prefer-standby', 'read-only'].map((target): [string, string] => [
    `postgres://a,b/d?target_session_attrs=${target}`,
    `target_session_attrs=${target} leads to a standby, which cannot be written. Use read-write, primary or any`,
  ]),
];

const SAMPLE = 'an address such as postgres://bonafide@db.example/bonafide';

test.each(VALID)('%s is valid', async (address, hosts, target) => {
  const parsed = parsePostgresAddress(address);
  expect(parsed.hosts.map(({ host, port }) => `${host}:${port}`).join(' ')).toBe(hosts);
  expect([parsed.target, parsed.database]).toEqual([target, 'd']);
  const env = {
    BONAFIDE_STORE: `url=${address}`,
    BONAFIDE_GRAPH: `engine=postgres,database=${address},pieces=4`,
  };
  const { store, graph } = await loadConfig({ env, cwd: freshFolder() });
  expect([store, graph]).toMatchObject([{ url: address }, { database: address, pieces: 4 }]);
});

test.each(INVALID)('%s is refused: %s', async (address, problem) => {
  const folder = freshFolder();
  const file = join(folder, 'address');
  writeFileSync(file, `${address}\n`);
  const settings = JSON.stringify({
    store: { url: address },
    graph: { engine: 'postgres', database: address },
  });
  writeFileSync(join(folder, 'bonafide.config.json'), settings);
  const messages = [
    await loadConfig({ env: {}, cwd: folder }).then(String, ({ message }) => message),
    messageOf(() => getStoreLocation({ dataDir: folder, store: { urlFile: file } })),
    messageOf(() => getDatabaseUrl({ databaseFile: file })),
  ];
  const told = problem === 'it must begin with postgres://' ? SAMPLE : `${SAMPLE}: ${problem}`;
  expect(messages).toEqual([
    `graph.database (from bonafide.config.json) must be ${told}.\nstore.url (from bonafide.config.json) must be ${told}.`,
    `The first line of store.urlFile is not ${SAMPLE}: ${problem}. Correct the line.`,
    `The first line of the file in graph.databaseFile is not ${SAMPLE}: ${problem}. Correct the line.`,
  ]);
  expect(messages.join()).not.toMatch(/hid|den/);
});

test('standbys for look-ups are a text with commas or a list', async () => {
  const load = (graph: string) => loadConfig({ env: { BONAFIDE_GRAPH: graph }, cwd: freshFolder() });
  const { graph } = await load('engine=postgres,readers=a,[::1]:5433,maxLagSeconds=7,pieces=4');
  expect(graph).toMatchObject({ readers: 'a,[::1]:5433', maxLagSeconds: 7, pieces: 4 });
  expect(parsePostgresHostList(['a', ' b:5433'])).toEqual([
    { host: 'a', port: 5432 },
    { host: 'b', port: 5433 },
  ]);
  await expect(load('engine=postgres,readers=a,b:x')).rejects.toThrow(
    'graph.readers (from BONAFIDE_GRAPH) must be a list of hosts such as b.internal:5432,c.internal: the port of host 2 must be a number from 1 to 65535.',
  );
});

function messageOf(work: () => unknown): string {
  try {
    return String(work());
  } catch (error) {
    return (error as Error).message;
  }
}

test('user, password and database are unescaped; other parameters stay', () => {
  const address = 'postgres://u%40x:p%3A%25@h/my%20db?sslmode=require&application_name=shop';
  const { user, password, database, parameters } = parsePostgresAddress(address);
  expect([user, password, database]).toEqual(['u@x', 'p:%', 'my db']);
  expect(String(parameters)).toBe('sslmode=require&application_name=shop');
});
