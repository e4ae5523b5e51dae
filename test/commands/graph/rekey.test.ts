import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateWebhookSecret } from '../../../src/accounts/billing/webhook.ts';
import { openApp } from '../../../src/app.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import { loadConfig } from '../../../src/config.ts';
import { describeInterruptedRekey, loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { createJobCipher } from '../../../src/jobs/job.ts';
import { openLog } from '../../../src/observe/log.ts';
import { changeGraphSecret } from '../../../src/people/rekey.ts';
import { createAccount } from '../../../src/store/accounts.ts';
import { listAuditEntries } from '../../../src/store/audit.ts';
import { insertWebhookEndpoint, listAllWebhookEndpoints } from '../../../src/store/events/endpoints.ts';
import { listWatchesAfter, openWatchStore } from '../../../src/store/events/watches.ts';
import { createJob } from '../../../src/store/serving/jobs.ts';
import { getStoreFile, openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/open.ts';
import { createWatchCodec } from '../../../src/watches/watch.ts';
import { JANE } from '../../kit/app.ts';
import { bonafide, runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { sharedFolder, strangers } from '../../kit/graphs/graph.ts';

const NOW = Date.UTC(2026, 0, 2);
const [OLD, NEW] = ['a1'.repeat(32), 'b2'.repeat(32)];
const WEBHOOK_SECRET = generateWebhookSecret();
const sharedData = sharedFolder();

function withStore<T>(folder: string, work: (store: SqliteStore) => T): T {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

let created: Promise<string> | undefined;

/** Returns a copy of one data folder whose secret is in the folder. */
async function copyDataFolder(): Promise<string> {
  const folder = freshFolder();
  cpSync(await (created ??= createDataFolder(sharedData)), folder, { recursive: true });
  return folder;
}

/** A graph of whole records, and a store with a watch, a webhook and a job. `secret` comes from the environment; by default from the folder. */
async function createDataFolder(folder: string, secret?: string): Promise<string> {
  const file = join(freshFolder(), 'people.jsonl');
  writeFileSync(
    file,
    strangers(20)
      .map((row) => JSON.stringify({ source: 'crm', ...row }))
      .join('\n'),
  );
  const env = { BONAFIDE_GRAPH: 'keep=sealed', ...(secret && { BONAFIDE_SECRET: secret }) };
  expect(await bonafide(['graph', 'import', file, '--data-dir', folder], env)).toMatchObject({ code: 0 });
  const own = secret ?? loadOrCreateSecret(folder);
  const { sealClaim, sealText, listKeys } = createWatchCodec(own);
  const { seal } = createJobCipher(own);
  const claim = parseClaim({ value: JANE, issues: [] }, 'US');
  withStore(folder, (store) => {
    const { id: account } = createAccount(store, { name: 'Shop' }, NOW);
    const watch = {
      number: 1,
      owner: account,
      reference: null,
      created: NOW,
      expires: NOW * 2,
      notifyOn: 'band' as const,
    };
    const content = { claim: sealClaim(claim), keys: listKeys(claim), digest: Buffer.alloc(12), state: '' };
    openWatchStore(store).addWatch({ ...watch, minChange: 0, ...content }, null, { actor: '', now: NOW });
    const url = 'https://hooks.example/';
    insertWebhookEndpoint(store, { account, url, secret: sealText(WEBHOOK_SECRET) }, NOW);
    const requests = [{ first: 0, lines: 1, sealed: seal([JANE]) }];
    const job = {
      id: 'job_1',
      owner: account,
      key: null,
      endpoint: 'validate' as const,
      total: 1,
      print: null,
    };
    createJob(store, { ...job, details: seal({ name: 'jane.csv', columns: [] }), requests }, NOW);
  });
  return folder;
}

/** Expects that the whole content of the store is encrypted under the secret. */
const expectStoreUnder = (folder: string, secret: string) =>
  withStore(folder, ({ raw }) => {
    const { openClaim, openText, listKeys } = createWatchCodec(secret);
    const { open } = createJobCipher(secret);
    const [watch] = listWatchesAfter(raw, -1, 2);
    const claim = openClaim(watch!.claim);
    expect(claim).toEqual(parseClaim({ value: JANE, issues: [] }, 'US'));
    const keys = raw.prepare('SELECT key FROM watch_keys WHERE watch = ?').pluck().all(watch!.id);
    expect(new Set(keys)).toEqual(new Set(listKeys(claim)));
    expect(listAllWebhookEndpoints(raw).map((endpoint) => openText(endpoint.secret))).toEqual([
      WEBHOOK_SECRET,
    ]);
    expect(open(raw.prepare<[], Buffer>('SELECT details FROM jobs').pluck().get()!)).toMatchObject({
      name: 'jane.csv',
    });
    expect(open(raw.prepare<[], Buffer>('SELECT sealed FROM job_parts').pluck().get()!)).toEqual([JANE]);
  });

const countChanges = (folder: string) =>
  withStore(folder, (store) => listAuditEntries(store, { limit: 9, act: 'graph.rekey' }).length);

/** Changes the secret of the graph as a process does that ends before it commits the change of the store. */
async function interrupt(folder: string, ownFile: boolean, isBefore = false): Promise<void> {
  const secret = ownFile ? loadOrCreateSecret(folder) : OLD;
  const changeStore = (_: unknown, replaceFiles: () => void) => {
    if (!isBefore) replaceFiles();
    throw new Error('ended');
  };
  const change = changeGraphSecret({ dataDir: folder, secret, next: NEW, ownFile, changeStore });
  await expect(change).rejects.toThrow('ended');
}

const run = (folder: string, ...args: string[]) => runHere([...args, '--data-dir', folder]);

test('graph rekey encrypts the content of the store under the new secret, and leaves no copy of the old one', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  expect(await run(folder, 'graph', 'rekey', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(loadOrCreateSecret(folder)).not.toBe(secret);
  expectStoreUnder(folder, loadOrCreateSecret(folder));
  expect([existsSync(join(folder, 'secret.old')), countChanges(folder)]).toEqual([false, 1]);
});

test('a change that ended between the graph and the store is reported by doctor and completed by its repeat', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  await interrupt(folder, true);
  const old = join(folder, 'secret.old');
  expect([readFileSync(old, 'utf8'), statSync(old).mode & 0o777]).toEqual([`${secret}\n`, 0o600]);
  expectStoreUnder(folder, secret);
  expect((await run(folder, 'doctor')).stdout).toMatch(
    /rekey was interrupted.*secret\.old.*bonafide graph rekey/s,
  );
  const forgotten = await run(folder, 'graph', 'forget', '--record', 'crm:stranger-1', '--yes');
  expect([forgotten.code, forgotten.stderr]).toEqual([
    1,
    expect.stringContaining('Run bonafide graph rekey'),
  ]);
  const { code, stderr } = await run(folder, 'graph', 'rekey');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Completed a change of the secret')]);
  expect(loadOrCreateSecret(folder)).toBe(NEW);
  expectStoreUnder(folder, NEW);
  expect([existsSync(old), countChanges(folder)]).toEqual([false, 1]);
  expect((await run(folder, 'doctor')).stdout).not.toContain('rekey');
});

test('until an interrupted change is completed, no server starts and no backup is made, so no watch is lost', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  await interrupt(folder, true);
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
  const refusal = { code: 'wrong_secret', message: expect.stringContaining('Run bonafide graph rekey') };
  await expect(openApp(config, openLog('silent'))).rejects.toMatchObject(refusal);
  const archive = join(freshFolder(), 'all.backup');
  const backup = await run(folder, 'backup', archive);
  expect([backup.code, backup.stderr]).toEqual([1, expect.stringContaining('Run bonafide graph rekey')]);
  expect(existsSync(archive)).toBe(false);
  expectStoreUnder(folder, secret);
  expect(await run(folder, 'graph', 'rekey')).toMatchObject({ code: 0 });
  const app = await openApp(config, openLog('silent'));
  await app.close();
  expectStoreUnder(folder, NEW);
});

test('an interrupted change is completed if the new secret was moved from the folder to BONAFIDE_SECRET', async () => {
  const folder = await copyDataFolder();
  await interrupt(folder, true);
  rmSync(join(folder, 'secret'));
  const env = { BONAFIDE_SECRET: NEW };
  expect((await bonafide(['doctor', '--data-dir', folder], env)).stdout).toContain('rekey was interrupted');
  const completed = await bonafide(['graph', 'rekey', '--data-dir', folder], env);
  expect(completed).toMatchObject({ code: 0, stdout: expect.not.stringContaining('BONAFIDE_SECRET') });
  expectStoreUnder(folder, NEW);
  expect(existsSync(join(folder, 'secret.old'))).toBe(false);
});

test('the old secret counts as the present one also if the secret was stored without a final newline', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  writeFileSync(join(folder, 'secret'), secret);
  writeFileSync(join(folder, 'secret.old'), `${secret}\n`);
  expect(describeInterruptedRekey(folder)).toBeNull();
  expect((await run(folder, 'doctor')).stdout).toContain('Delete it.');
});

test('a change that ended between the store and the removal of the old secret is completed by its repeat', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  await run(folder, 'graph', 'rekey', '--yes');
  writeFileSync(join(folder, 'secret.old'), `${secret}\n`);
  expect(await run(folder, 'graph', 'rekey')).toMatchObject({ code: 0 });
  expectStoreUnder(folder, loadOrCreateSecret(folder));
  expect(existsSync(join(folder, 'secret.old'))).toBe(false);
});

test('a change whose store cannot be changed leaves the graph and the secret as they are', async () => {
  const folder = await copyDataFolder();
  const secret = loadOrCreateSecret(folder);
  await interrupt(folder, true, true);
  expect([loadOrCreateSecret(folder), existsSync(join(folder, 'secret.old'))]).toEqual([secret, false]);
  withStore(folder, ({ raw }) => raw.prepare('UPDATE endpoints SET secret = ?').run(Buffer.alloc(40)));
  const { code, stderr } = await run(folder, 'graph', 'rekey', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot decrypt')]);
  expect([loadOrCreateSecret(folder), existsSync(join(folder, 'secret.old'))]).toEqual([secret, false]);
  expect(countChanges(folder)).toBe(0);
});

test('a change of BONAFIDE_SECRET that was interrupted is completed with the old secret and the same file', async () => {
  const folder = await createDataFolder(freshFolder(), OLD);
  const file = join(freshFolder(), 'secret.new');
  writeFileSync(file, `${NEW}\n`);
  await interrupt(folder, false);
  const rekey = (secret: string) =>
    bonafide(['graph', 'rekey', '--to', file, '--yes', '--data-dir', folder], { BONAFIDE_SECRET: secret });
  expect(await rekey(NEW)).toMatchObject({ code: 2, stderr: expect.stringContaining('to the old secret') });
  expectStoreUnder(folder, OLD);
  expect(await rekey(OLD)).toMatchObject({ code: 0, stdout: expect.stringContaining('Set BONAFIDE_SECRET') });
  expectStoreUnder(folder, NEW);
  expect(existsSync(join(folder, 'secret.old'))).toBe(false);
});
