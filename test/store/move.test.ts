// A store that is moved to another engine is the same store.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { IdempotencyRecord } from '../../src/accounts/idempotency.ts';
import { listAuditEntries, verifyAuditLog } from '../../src/store/audit.ts';
import { createAccount, listAccountsByName } from '../../src/store/accounts.ts';
import { prepareCommit } from '../../src/store/serving/ledger.ts';
import { listInvoices } from '../../src/store/usage.ts';
import { addPlanVersion, createPlan, listPlans } from '../../src/store/plans.ts';
import { listCalls } from '../../src/store/call-log.ts';
import { createKey, listKeys } from '../../src/store/keys.ts';
import { moveStore, openCopyTarget, lockFolderForMove } from '../../src/store/move.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { toCallRow } from '../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../kit/call.ts';
import { freshFolder } from '../kit/folder.ts';
import { isWithoutPostgres } from '../kit/graphs/postgres.ts';
import { startPostgres, type Postgres } from '../kit/programs/postgres.ts';
import { join } from 'node:path';

const NOW = Date.UTC(2026, 10, 20);

/** A store with something of everything, more calls than are copied at a time. */
function filled(file: string): void {
  const store = openSqliteStore({ file });
  createPlan(store, 'starter', { included: 10, price: '0.03', currency: 'USD' }, NOW);
  const account = createAccount(store, { name: 'Zoë', plan: 'starter' }, NOW).id;
  addPlanVersion(store, 'starter', { terms: { price: '0.05' } }, NOW + 5);
  const { info } = createKey(store, { name: 'shop', scopes: ['validate'], account }, NOW);
  const commit = prepareCommit(store.raw, { notify: true });
  const spend: IdempotencyRecord = {
    key: Buffer.alloc(16, 1),
    request: Buffer.alloc(16, 2),
    expires: NOW + 1000,
  };
  for (const now of [NOW, NOW + 10])
    commit(
      {
        rows: Array.from({ length: 600 }, () =>
          toCallRow(sampleCall({ keyId: info.id, account, time: now })),
        ),
        keys: [[0, spend]],
      },
      () => now,
    );
  store.close();
}

/** What an operator sees of a store. */
const seen = (store: Store) => ({
  keys: listKeys(store),
  plans: listPlans(store),
  accounts: listAccountsByName(store),
  invoices: listInvoices(store, { month: '2026-11' }),
  calls: listCalls(store, { limit: 2000 }),
  acts: listAuditEntries(store, { limit: 100 }),
  audit: verifyAuditLog(store),
});

function seenAt(open: () => Store) {
  const store = open();
  const all = seen(store);
  store.close();
  return all;
}

describe.skipIf(isWithoutPostgres('moving a store'))('a store', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' });
  });
  afterAll(() => postgres?.close());

  it('is the same in PostgreSQL, and back in a file, and refuses to be written over', async () => {
    const [file, back] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
    filled(file);
    const before = seenAt(() => openSqliteStore({ file }));
    const url = await postgres.database();
    moveStore({ file }, { url });
    expect(seenAt(() => openPostgres(url))).toEqual(before);
    expect(() => moveStore({ file }, { url })).toThrow('already has a store');
    moveStore({ url }, { file: back });
    expect(seenAt(() => openSqliteStore({ file: back }))).toEqual(before);
    expect(before.calls.calls).toHaveLength(1199);
  });

  it('that was copied in part is no store, and the copy goes on from there', async () => {
    const file = `${freshFolder()}/store.db`;
    filled(file);
    const url = await postgres.database();
    const interrupted = () =>
      moveStore({ file }, { url }, (name) => {
        if (name === 'calls') throw new Error('interrupted');
      });
    expect(interrupted).toThrow('interrupted');
    expect(() => openPostgres(url)).toThrow('a copy that was interrupted');
    moveStore({ file }, { url });
    expect(seenAt(() => openPostgres(url))).toEqual(seenAt(() => openSqliteStore({ file })));
  });

  it('that is not as what was copied does not become one', async () => {
    const [file, to] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
    filled(file);
    const target = openCopyTarget({ file: to });
    createKey(target.store, { name: 'another', scopes: ['validate'] }, NOW);
    target.close();
    expect(() => moveStore({ file }, { file: to })).toThrow('differs from the source');
    expect(existsSync(to)).toBe(false);
  });
});

test('a data folder is filled by one copy at a time, and is free when that has ended', () => {
  const folder = join(freshFolder(), 'to-be-made');
  const first = lockFolderForMove(folder);
  expect(() => lockFolderForMove(folder)).toThrow(
    expect.objectContaining({ code: 'database_busy', message: expect.stringContaining('this data folder') }),
  );
  first.close();
  expect(existsSync(join(folder, 'moving.lock'))).toBe(false);
  lockFolderForMove(folder).close();
});
