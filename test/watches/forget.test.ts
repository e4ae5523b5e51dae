import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RecordStoringGraph } from '../../src/graph/graph.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import {
  addKeyChainToAccount,
  closeAccount,
  createAccount,
  getAccount,
  reopenAccount,
} from '../../src/store/accounts.ts';
import { createOldRowBatchRemover } from '../../src/store/serving/writer-statements.ts';
import { createKey, listKeys } from '../../src/store/keys.ts';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import { insertWebhookEndpoint, listAllWebhookEndpoints } from '../../src/store/events/endpoints.ts';
import { storeEvent } from '../../src/store/events/events.ts';
import { listWatchesAfter, toWatchId } from '../../src/store/events/watches.ts';
import { createWatchAndJobEraser } from '../../src/watches/forget.ts';
import { reencryptWatchesAndWebhookSecrets, createWatchCodec } from '../../src/watches/watch.ts';
import { freshApp, JANE, json, postWith } from '../kit/app.ts';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';

const ON = { settings: { watches: 'true' } };
const { addresses, emails, phones } = JANE;

it('forgetting a person deletes the watches with their values, and no others', async () => {
  const test = await freshApp(ON);
  const claims: [object, boolean][] = [
    [JANE, true],
    [{ name: 'Somebody Else', emails }, true],
    [{ name: 'Somebody Else', phones }, true],
    [{ name: 'Jane Quimby', addresses }, true],
    [{ name: 'Jane Quimby' }, true],
    [{ name: 'Nora Lodger', addresses }, false],
    [{ name: 'Jane Quimby', emails: ['other.jane@example.net'] }, false],
    [{ name: 'Robert Vandermeer', emails: ['rob.vandermeer@example.org'] }, false],
  ];
  const ids = [];
  for (const [claim] of claims) ids.push((await json(test.post('/v1/watches', claim))).watch_id);
  const forget = ['graph', 'forget', '--email', 'jane.quimby@example.com', '--yes', '--json'];
  const { code, stdout } = await runHere([...forget, '--data-dir', test.folder]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ records: 1, watches: 5, traces: [] });
  for (const [i, [, isGone]] of claims.entries())
    expect([i, (await test.send(`/v1/watches/${ids[i]}`)).status]).toEqual([i, isGone ? 404 : 200]);
});

it('forgetting a person leaves no byte of their watches and job results in the data folder, sealed or in the clear', async () => {
  const test = await freshApp({ ...ON });
  await test.post('/v1/watches', { ...JANE, reference: null });
  const job = await json(test.post('/v1/jobs', { requests: [JANE] }));
  const db = test.app.store.raw;
  const state = () => json(test.send(`/v1/jobs/${job.job_id}`)).then(({ state: text }) => text);
  await expect.poll(state).toBe('finished');
  const column = (name: string, table: string) =>
    db.prepare<[], Buffer>(`SELECT ${name} FROM ${table}`).pluck().all();
  const sealed = [...column('claim', 'watches'), ...column('sealed', 'job_parts')];
  expect(sealed.length).toBeGreaterThan(1);
  const isThere = () => {
    const bytes = readdirSync(test.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    return sealed.map((part) => bytes.some((file) => file.includes(part)));
  };
  expect(isThere()).not.toContain(false);
  const forget = ['graph', 'forget', '--email', 'jane.quimby@example.com', '--yes', '--json'];
  const { code, stdout } = await runHere([...forget, '--data-dir', test.folder]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ records: 1, watches: 1, job_lines: 1 });
  expect(isThere()).not.toContain(true);
  expect(test.everyByte()).not.toMatch(/quimby|555-?0134/i);
});

it('forgetting a person deletes watches of test keys too, and the events and messages about the watches', async () => {
  const test = await freshApp(ON);
  const { store } = test.app;
  const { id: account } = createAccount(store, { name: 'A' }, Date.now());
  const settings = { name: 'k', scopes: ['validate' as const], account };
  const [live, sample] = [false, true].map(
    (isTest) => createKey(store, { ...settings, test: isTest }, 0).key,
  );
  const watch = (key = '', reference = '') => json(postWith(test, key, { ...JANE, reference }));
  await watch(sample, 'marked-test');
  // Earlier versions stored no look-up keys of these watches.
  store.raw.exec("DELETE FROM watch_keys WHERE watch IN (SELECT id FROM watches WHERE owner LIKE '%:test')");
  const { watch_id: subject } = await watch(live, 'marked-live');
  insertWebhookEndpoint(
    store,
    { account, url: 'http://127.0.0.1:9/', secret: createWatchCodec('ab'.repeat(32)).sealText('whsec_x') },
    Date.now(),
  );
  const body = { watch_id: subject, reference: 'marked-live' };
  storeEvent(store.raw, { owner: account, subject, type: 'watch.changed', body }, Date.now());
  expect(test.everyByte()).toContain('marked-live');
  const forget = ['graph', 'forget', '--email', 'jane.quimby@example.com', '--yes', '--json'];
  const { stdout } = await runHere([...forget, '--data-dir', test.folder]);
  expect(JSON.parse(stdout)).toMatchObject({ records: 1, watches: 2 });
  expect(test.everyByte()).not.toContain('marked-');
});

it('forgetting a person deletes job lines with national phones of the country of the key', async () => {
  const test = await freshApp();
  const { store, graph } = test.app;
  const requests = [{ name: 'Ada Quill', phones: ['(415) 555-0134'] }];
  const { job_id: job } = await json(test.post('/v1/jobs', { requests }));
  await expect.poll(async () => (await json(test.send(`/v1/jobs/${job}`))).state).toBe('finished');
  store.raw.prepare("UPDATE keys SET region = 'US'").run();
  const rows = await (graph as RecordStoringGraph).records.findByRecordId('1');
  const settings = { dataDir: test.folder, region: 'GB' };
  expect(createWatchAndJobEraser(settings).deleteRows(rows)).toEqual({ watches: 0, job_lines: 1 });
  // If the process is killed now, the next one removes the bytes.
  const isPending = () =>
    store.raw.prepare("SELECT 1 FROM counters WHERE name = 'erasure'").get() !== undefined;
  expect(isPending()).toBe(true);
  const reader = new Database(join(test.folder, 'store.db'));
  reader.exec('BEGIN');
  reader.prepare('SELECT 1 FROM jobs').get();
  store.raw.exec("UPDATE counters SET value = value + 1 WHERE name = 'erasure'");
  const compacted = await runHere(['graph', 'compact', '--data-dir', test.folder]);
  expect([compacted.code, compacted.stderr]).toEqual([1, expect.stringContaining('Another process reads ')]);
  reader.close();
  expect(createWatchAndJobEraser(settings).eraseDeletedRows()).toBe(true);
  expect(isPending()).toBe(false);
});

it('closing an account deletes its watches', async () => {
  const test = await freshApp(ON);
  const { store } = test.app;
  const { id } = createAccount(store, { name: 'A' }, Date.now());
  const made = await json(test.post('/v1/watches', JANE));
  const [key] = listKeys(store);
  addKeyChainToAccount(store, id, key?.id ?? '');
  // The watch of a key belongs to the account of the key from then on.
  expect((await test.send(`/v1/watches/${made.watch_id}`)).status).toBe(200);
  expect(store.raw.prepare('SELECT owner FROM watches').pluck().all()).toEqual([id]);
  closeAccount(store, id, Date.now());
  const count = (table: string) => store.raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('watches'), count('watch_keys')]).toEqual([0, 0]);
});

it('closing an account with many watches and jobs deletes them in short transactions, and goes on after a kill', () => {
  const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
  onTestFinished(() => store.close());
  const { raw } = store;
  const { id } = createAccount(store, { name: 'A' }, Date.now());
  const count = (table: string) => Number(raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const left = () => [count('watches'), count('watch_keys'), count('jobs'), count('job_parts')];
  const fill = () =>
    raw.transaction(() => {
      const watch = raw.prepare(
        `INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
           VALUES (@i, @i, @owner, 0, 9e15, 'band', 5, x'00', x'010000000000', x'00', '50 LOW u///', 0)`,
      );
      for (let i = 1; i <= 900; i++) {
        watch.run({ i, owner: i % 3 === 0 ? `${id}:test` : id });
        raw.prepare('INSERT INTO watch_keys (key, watch) VALUES (1, ?)').run(i);
      }
      for (let i = 1; i <= 6; i++) {
        raw
          .prepare(
            `INSERT INTO jobs (id, owner, endpoint, state, details, total, done, failed, created, expires)
               VALUES (?, ?, 'validate', 'finished', x'00', 1, 1, 0, 0, 9e15)`,
          )
          .run(`job_${i}`, id);
        const part =
          "INSERT INTO job_parts (job, kind, first, lines, sealed) VALUES (?, 'result', ?, 1, x'00')";
        for (let first = 0; first < 200; first++) raw.prepare(part).run(`job_${i}`, first);
      }
    })();
  const deletions: number[] = [];
  const begin = raw.transaction.bind(raw);
  const transactions = vi.spyOn(raw, 'transaction').mockImplementation((work) => {
    const before = left();
    const rows = () => left().reduce((sum, many, i) => sum + (before[i] ?? 0) - many, 0);
    const counted = (...args: unknown[]) => {
      const result: unknown = work(...args);
      deletions.push(rows());
      return result;
    };
    return begin(counted) as never;
  });
  fill();
  deletions.length = 0;
  closeAccount(store, id, Date.now());
  expect(left()).toEqual([0, 0, 0, 0]);
  expect(Math.max(...deletions)).toBeLessThanOrEqual(500);

  fill();
  deletions.length = 0;
  transactions.mockImplementation((work) => {
    if (deletions.push(0) > 3) throw new Error('killed');
    return begin(work) as never;
  });
  expect(() => closeAccount(store, id, Date.now())).toThrow('killed');
  transactions.mockRestore();
  expect(left()[0]).toBeGreaterThan(0);
  expect(getAccount(store, id).closed).not.toBeNull();
  const removeSome = createOldRowBatchRemover(raw);
  while (removeSome({ maxAgeMs: null, now: Date.now() }));
  expect(left()).toEqual([0, 0, 0, 0]);

  // An account is reopened without what is left.
  fill();
  reopenAccount(store, id);
  expect(left()).toEqual([0, 0, 0, 0]);
  // The watches of an open account stay.
  fill();
  expect(removeSome({ maxAgeMs: null, now: Date.now() })).toBe(false);
  expect(left()).toEqual([900, 900, 6, 1200]);
});

it('an expired watch is deleted, with an event, also when watches are off', async () => {
  const test = await freshApp(ON);
  const made = await json(test.post('/v1/watches', { ...JANE, reference: 'r' }));
  await test.app.close();
  const store = openSqliteStore({ file: `${test.folder}/store.db` });
  onTestFinished(() => store.close());
  store.raw.prepare('UPDATE watches SET expires = 1').run();
  createOldRowBatchRemover(store.raw)({ maxAgeMs: null, now: Date.now() });
  expect(store.raw.prepare('SELECT count(*) FROM watches').pluck().get()).toBe(0);
  const events = store.raw.prepare('SELECT type, subject FROM events').all();
  expect(events).toEqual([{ type: 'watch.expired', subject: made.watch_id }]);
});

it('an expired watch is deleted, with an event', async () => {
  const test = await freshApp(ON);
  const made = await json(test.post('/v1/watches', { ...JANE, reference: 'r' }));
  test.app.store.raw.prepare('UPDATE watches SET expires = 1').run();
  for (let i = 0; i < 2400 && (await test.send(`/v1/watches/${made.watch_id}`)).status === 200; i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await json(test.send('/v1/events'))).events).toMatchObject([
    { type: 'watch.expired', watch_id: made.watch_id, reference: 'r' },
  ]);
});

it('watches and endpoints go on under a new secret', async () => {
  const test = await freshApp(ON);
  const made = await json(test.post('/v1/watches', JANE));
  await test.app.close();
  const store = openSqliteStore({ file: `${test.folder}/store.db` });
  onTestFinished(() => store.close());
  const { id } = createAccount(store, { name: 'A' }, Date.now());
  const [present, next] = [loadOrCreateSecret(test.folder), 'ab'.repeat(32)];
  const [old, future] = [createWatchCodec(present), createWatchCodec(next)];
  insertWebhookEndpoint(
    store,
    { account: id, url: 'http://127.0.0.1:9/', secret: old.sealText('whsec_x') },
    Date.now(),
  );
  expect(reencryptWatchesAndWebhookSecrets(store.raw, { secret: present, next }, Date.now())).toBe(1);
  const [watch] = listWatchesAfter(store.raw, -1, 10);
  const claim = watch && future.openClaim(watch.claim);
  expect(claim?.name).toBe('Jane Quimby');
  const keys = store.raw.prepare('SELECT key FROM watch_keys').pluck().all();
  expect(keys.toSorted()).toEqual((claim ? future.listKeys(claim) : []).toSorted());
  expect(future.openText(listAllWebhookEndpoints(store.raw)[0]?.secret ?? Buffer.alloc(0))).toBe('whsec_x');
  expect(toWatchId(watch?.number ?? 0)).toBe(made.watch_id);
});
