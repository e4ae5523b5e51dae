// A store that was moved to another engine is the same store.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { ExpiringRequestFingerprint } from '../../src/accounts/idempotency.ts';
import { listAuditEntries, verifyAuditLog } from '../../src/store/audit.ts';
import { createAccount, listAccountsSortedByName } from '../../src/store/accounts.ts';
import { createCallBatchCommitter } from '../../src/store/serving/ledger.ts';
import { addPlanVersion, createPlan, listPlans } from '../../src/store/plans.ts';
import { listCalls } from '../../src/store/call-log.ts';
import { createKey, listKeys, revokeKey } from '../../src/store/keys.ts';
import {
  copyStoreBetweenEngines,
  openStoreCopyTarget,
  lockFolderForStoreMove,
} from '../../src/store/move.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { toCallLogRow } from '../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../kit/call.ts';
import { freshFolder } from '../kit/folder.ts';
import { isWithoutPostgres } from '../kit/graphs/postgres.ts';
import { startPostgres, type Postgres } from '../kit/programs/postgres.ts';
import { join } from 'node:path';
import { listDrafts } from './billed-store.ts';

const NOW = Date.UTC(2026, 10, 20);

/** Fills a store with rows in every table, and with more calls than one page of a copy. */
function fillStore(file: string): void {
  const store = openSqliteStore({ file });
  createPlan(store, 'starter', { included: 10, price: '0.03', currency: 'USD' }, NOW);
  const account = createAccount(store, { name: 'Zoë', plan: 'starter' }, NOW).id;
  addPlanVersion(store, 'starter', { terms: { price: '0.05' } }, NOW + 5);
  const { info } = createKey(store, { name: 'shop', scopes: ['validate'], account }, NOW);
  for (const id of [1, 2, 3])
    store.raw
      .prepare(
        `INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
           VALUES (?, ?, ?, 0, 1, 'band', 0, x'00', x'', x'', '', 0)`,
      )
      .run(id, id, account);
  const commit = createCallBatchCommitter(store.raw, { notify: true });
  const spend: ExpiringRequestFingerprint = {
    key: Buffer.alloc(16, 1),
    request: Buffer.alloc(16, 2),
    expires: NOW + 1000,
  };
  for (const now of [NOW, NOW + 10])
    commit(
      {
        rows: Array.from({ length: 600 }, () =>
          toCallLogRow(sampleCall({ keyId: info.id, account, time: now })),
        ),
        keys: [[0, spend]],
      },
      () => now,
    );
  store.close();
}

/** Returns all that an operator sees of a store. */
const readAll = (store: Store) => ({
  keys: listKeys(store),
  plans: listPlans(store),
  accounts: listAccountsSortedByName(store),
  invoices: listDrafts(store, { month: '2026-11' }),
  calls: listCalls(store, { limit: 2000 }),
  acts: listAuditEntries(store, { limit: 100 }),
  audit: verifyAuditLog(store),
  counters: store.raw.prepare('SELECT name, value FROM counters ORDER BY name').all(),
});

function readAllAt(open: () => Store) {
  const store = open();
  const all = readAll(store);
  store.close();
  return all;
}

function interruptAtCalls(table: string): void {
  if (table === 'calls') throw new Error('interrupted');
}

describe.skipIf(isWithoutPostgres('moving a store'))('a store', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' });
  });
  afterAll(() => postgres?.close());

  it('is the same in PostgreSQL and back in a file, and is not overwritten', async () => {
    const [file, back] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
    fillStore(file);
    const before = readAllAt(() => openSqliteStore({ file }));
    const url = await postgres.database();
    copyStoreBetweenEngines({ file }, { url });
    expect(readAllAt(() => openPostgresStore(url))).toEqual(before);
    expect(() => copyStoreBetweenEngines({ file }, { url })).toThrow('already has a store');
    copyStoreBetweenEngines({ url }, { file: back });
    expect(readAllAt(() => openSqliteStore({ file: back }))).toEqual(before);
    expect(before.calls.calls).toHaveLength(1199);
    expect(before.counters).toContainEqual({ name: expect.stringMatching(/^watch count of /), value: 3 });
  });

  it('that was copied in part is not opened, and the next copy has no row of the part', async () => {
    const file = `${freshFolder()}/store.db`;
    fillStore(file);
    const url = await postgres.database();
    const interrupted = () => copyStoreBetweenEngines({ file }, { url }, { onTable: interruptAtCalls });
    expect(interrupted).toThrow('interrupted');
    expect(() => openPostgresStore(url)).toThrow('a copy that was interrupted');
    // Millions of rows take too long to be deleted one by one.
    const part = openPostgresStore(url, 'unfinished');
    part.raw.exec(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too slow'; END $$",
    );
    part.raw.exec('CREATE TRIGGER slow BEFORE DELETE ON calls FOR EACH ROW EXECUTE FUNCTION slow()');
    part.close();
    const source = openSqliteStore({ file });
    source.raw.exec('DELETE FROM calls WHERE rowid % 2 = 0');
    source.close();
    copyStoreBetweenEngines({ file }, { url });
    expect(readAllAt(() => openPostgresStore(url))).toEqual(readAllAt(() => openSqliteStore({ file })));
  });

  it('that differs from its source is not used', async () => {
    const [file, to] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
    fillStore(file);
    const target = openStoreCopyTarget({ file: to });
    target.store.raw.exec(
      'CREATE TRIGGER lose AFTER INSERT ON keys BEGIN DELETE FROM keys WHERE id = new.id; END',
    );
    target.close();
    expect(() => copyStoreBetweenEngines({ file }, { file: to })).toThrow('differs from its source');
    expect(existsSync(to)).toBe(false);
  });
});

test('a copy after an interrupted one is that of the present source, with its revoked keys and deleted calls', () => {
  const [file, to] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
  fillStore(file);
  const interrupted = () => copyStoreBetweenEngines({ file }, { file: to }, { onTable: interruptAtCalls });
  expect(interrupted).toThrow('interrupted');
  const source = openSqliteStore({ file });
  revokeKey(source, listKeys(source)[0]?.id ?? '', NOW + 20);
  source.raw.exec('DELETE FROM calls WHERE rowid % 2 = 0');
  source.close();
  copyStoreBetweenEngines({ file }, { file: to });
  const copied = readAllAt(() => openSqliteStore({ file: to }));
  expect(copied).toEqual(readAllAt(() => openSqliteStore({ file })));
  expect(copied.keys[0]?.revoked).toBe(NOW + 20);
});

test('a data folder is locked by one copy at a time, and is free after the copy', () => {
  const folder = join(freshFolder(), 'to-be-made');
  const first = lockFolderForStoreMove(folder);
  expect(() => lockFolderForStoreMove(folder)).toThrow(
    expect.objectContaining({ code: 'database_busy', message: expect.stringContaining('this data folder') }),
  );
  first.close();
  expect(existsSync(join(folder, 'moving.lock'))).toBe(false);
  lockFolderForStoreMove(folder).close();
});
