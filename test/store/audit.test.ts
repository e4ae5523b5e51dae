import { describe, expect, it } from 'vitest';
import { recordAuditEntry, listAuditEntries, verifyAuditLog } from '../../src/store/audit.ts';
import {
  addKeyChainToAccount,
  changeAccountPlan,
  closeAccount,
  createAccount,
  renameAccount,
  reopenAccount,
} from '../../src/store/accounts.ts';
import { addPlanVersion, createPlan, retirePlan } from '../../src/store/plans.ts';
import { createKey, revokeKey, rotateKey } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { getAuditSql, freshStore, onEngines } from './engines.ts';

const NOW = Date.UTC(2026, 10, 20);

const fresh = (): Store => ({ ...freshStore(), actor: 'key_admin' });

const key = (store: Store, name = 'shop') => createKey(store, { name, scopes: ['validate'] }, NOW).info.id;

/** Returns a store whose audit log was changed by SQL, without its triggers. */
function tampered(sql: string) {
  const store = fresh();
  for (let i = 0; i < 5; i++) key(store, `key ${i}`);
  store.raw.exec(getAuditSql().unlock);
  store.raw.exec(sql);
  return store;
}

onEngines(() => {
  describe('the audit log', () => {
    it('has every change of keys, plans and accounts, with actor and time, in order', () => {
      const store = fresh();
      const id = key(store);
      const { info } = rotateKey(store, { id, graceMs: 1000 }, NOW + 1);
      revokeKey(store, info.id, NOW + 2);
      createPlan(store, 'starter', { included: 5 }, NOW + 3);
      addPlanVersion(store, 'starter', { terms: { included: 6 } }, NOW + 4);
      const account = createAccount(store, { name: 'Shop', plan: 'starter' }, NOW + 5).id;
      changeAccountPlan(store, account, { plan: null }, NOW + 6);
      renameAccount(store, account, 'Shop 2');
      addKeyChainToAccount(store, account, id);
      closeAccount(store, account, NOW + 7);
      reopenAccount(store, account);
      retirePlan(store, 'starter', NOW + 8);
      const acts = listAuditEntries(store, { limit: 100 }).toReversed();
      expect(acts.map(({ act: what, target }) => [what, target])).toEqual([
        ['keys.create', id],
        ['keys.rotate', id],
        ['keys.revoke', info.id],
        ['plans.create', 'starter'],
        ['plans.change', 'starter'],
        ['accounts.create', account],
        ['accounts.plan', account],
        ['accounts.rename', account],
        ['accounts.join', account],
        ['accounts.close', account],
        ['accounts.reopen', account],
        ['plans.retire', 'starter'],
      ]);
      expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set(['key_admin']));
      expect(acts.slice(0, 3).map(({ time }) => time)).toEqual([NOW, NOW + 1, NOW + 2]);
      expect(verifyAuditLog(store)).toMatchObject({ acts: 12, broken: null, known: null });
    });

    it('has no entry of a change that failed, and no change is stored without an entry', () => {
      const store = fresh();
      expect(() => revokeKey(store, 'key_nobody', NOW)).toThrow('no key');
      expect(listAuditEntries(store, { limit: 9 })).toEqual([]);
      store.raw.exec(getAuditSql().fill);
      expect(() => key(store)).toThrow(/store\.db|PostgreSQL/);
      expect(store.raw.prepare('SELECT count(*) FROM keys').pluck().get()).toBe(0);
    });

    it('has no key and no hash of a key', () => {
      const store = fresh();
      const { key: text } = createKey(store, { name: 'shop', scopes: ['validate'] }, NOW);
      expect(JSON.stringify(listAuditEntries(store, { limit: 9 }))).not.toContain(text.slice(12));
    });

    it('names the system’s user if no actor is given', () => {
      const { actor: _, ...store } = fresh();
      recordAuditEntry(store, { act: 'graph.link', target: '', detail: {} });
      expect(listAuditEntries(store, { limit: 1 })[0]?.actor).toMatch(/^command-line \S+$/);
    });

    it('can only grow', () => {
      const store = fresh();
      key(store);
      expect(() => store.raw.exec("UPDATE audit SET actor = 'nobody'")).toThrow('only grows');
      expect(() => store.raw.exec('DELETE FROM audit')).toThrow('only grows');
    });

    it.each([
      ['who acted', "UPDATE audit SET actor = 'nobody' WHERE seq = 3", 3, 'changed'],
      ['a detail', `UPDATE audit SET detail = '{"name":"x"}' WHERE seq = 2`, 2, 'changed'],
      ['a detail, to no JSON', "UPDATE audit SET detail = '{' WHERE seq = 2", 2, 'changed'],
      ['the digest', 'UPDATE audit SET hash = previous WHERE seq = 4', 4, 'changed'],
      ['that one is gone', 'DELETE FROM audit WHERE seq = 3', 3, 'missing'],
      ['that the first is gone', 'DELETE FROM audit WHERE seq = 1', 1, 'missing'],
      ['that the last are gone', 'DELETE FROM audit WHERE seq > 3', 4, 'missing'],
      ['that all are gone', 'DELETE FROM audit', 1, 'missing'],
    ])('shows that was written past it: %s', (_, sql, seq, why) => {
      const store = tampered(sql);
      expect(verifyAuditLog(store).broken).toEqual({ seq, why });
      // A later entry does not hide the change.
      key(store);
      expect(verifyAuditLog(store).broken).toEqual({ seq, why });
    });

    it('that was rewritten as a whole does not have the head that was noted before', () => {
      const store = tampered('SELECT 1');
      const noted = verifyAuditLog(store).head;
      expect(verifyAuditLog(store, noted).known).toBe(true);
      store.raw.exec(getAuditSql().empty);
      for (let i = 0; i < 5; i++) key(store, `other ${i}`);
      expect(verifyAuditLog(store, noted)).toMatchObject({ broken: null, known: false });
    });
  });
});
