// A store that is moved to another engine is the same store.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Spending } from '../../../src/accounts/idempotency.ts';
import { listActs, verifyAudit } from '../../../src/store/audit.ts';
import { openAccounts } from '../../../src/store/billing/accounts.ts';
import { committer } from '../../../src/store/billing/commit.ts';
import { openInvoices } from '../../../src/store/billing/invoices.ts';
import { openPlans } from '../../../src/store/billing/plans.ts';
import { listCalls } from '../../../src/store/calls.ts';
import { createKey, listKeys } from '../../../src/store/keys/keys.ts';
import { moveStore } from '../../../src/store/move/move.ts';
import { openTarget } from '../../../src/store/move/target.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { openStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { toRow } from '../../../src/store/write.ts';
import { sampleCall } from '../../kit/call.ts';
import { freshFolder } from '../../kit/folder.ts';
import { isWithoutPostgres } from '../../kit/graphs/postgres.ts';
import { startPostgres } from '../../kit/programs/postgres.ts';
import type { Postgres } from '../../kit/programs/postgres.ts';

const NOW = Date.UTC(2026, 10, 20);

/** A store with something of everything, more calls than are copied at a time. */
function filled(file: string): void {
  const store = openStore({ file });
  openPlans(store).create('starter', { included: 10, price: '0.03', currency: 'USD' }, NOW);
  const account = openAccounts(store).create({ name: 'Zoë', plan: 'starter' }, NOW).id;
  openPlans(store).change('starter', { terms: { price: '0.05' } }, NOW + 5);
  const { info } = createKey(store, { name: 'shop', scopes: ['validate'], account }, NOW);
  const commit = committer(store.raw, { notify: true });
  const spend: Spending = { key: Buffer.alloc(16, 1), request: Buffer.alloc(16, 2), expires: NOW + 1000 };
  for (const now of [NOW, NOW + 10])
    commit(
      {
        rows: Array.from({ length: 600 }, () => toRow(sampleCall({ keyId: info.id, account, time: now }))),
        spends: [[0, spend]],
      },
      () => now,
    );
  store.close();
}

/** What an operator sees of a store. */
const seen = (store: Store) => ({
  keys: listKeys(store),
  plans: openPlans(store).list(),
  accounts: openAccounts(store).list(),
  invoices: openInvoices(store).of({ month: '2026-11' }),
  calls: listCalls(store, { limit: 2000 }),
  acts: listActs(store, { limit: 100 }),
  audit: verifyAudit(store),
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
    const before = seenAt(() => openStore({ file }));
    const url = await postgres.database();
    moveStore({ file }, { url });
    expect(seenAt(() => openPostgres(url))).toEqual(before);
    expect(() => moveStore({ file }, { url })).toThrow('holds a store already');
    moveStore({ url }, { file: back });
    expect(seenAt(() => openStore({ file: back }))).toEqual(before);
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
    expect(seenAt(() => openPostgres(url))).toEqual(seenAt(() => openStore({ file })));
  });

  it('that is not as what was copied does not become one', async () => {
    const [file, to] = [`${freshFolder()}/store.db`, `${freshFolder()}/store.db`];
    filled(file);
    const target = openTarget({ file: to });
    createKey(target.store, { name: 'another', scopes: ['validate'] }, NOW);
    target.close();
    expect(() => moveStore({ file }, { file: to })).toThrow('not as what was copied');
    expect(existsSync(to)).toBe(false);
  });
});
