import { describe, expect, it } from 'vitest';
import { hashApiKeyToBytes, generateApiKeyText } from '../../src/accounts/key-text.ts';
import { endOfTurn } from '../../src/platform/turn.ts';
import { createKey, createApiKeyLookup, listKeys, revokeKey, rotateKey } from '../../src/store/keys.ts';
import { freshStore, onEngines, sameStore } from './engines.ts';

const NOW = Date.UTC(2026, 10, 20);

onEngines(() => {
  describe('a key in the store', () => {
    it('is found with its scopes, and its text is not stored', () => {
      const store = freshStore();
      const { key, info } = createKey(store, { name: 'shop', scopes: ['validate', 'raw'] }, NOW);
      expect(createApiKeyLookup(store)(key, NOW)).toEqual({
        key: info.id,
        keyId: info.id,
        account: null,
        region: null,
        scopes: ['validate', 'raw'],
        test: false,
        plan: null,
      });
      const kept = JSON.stringify(store.raw.prepare('SELECT * FROM keys').all());
      expect(kept).not.toContain(key.slice(12));
      expect(listKeys(store)[0]!.prefix).toBe(key.slice(0, 12));
      expect(store.raw.prepare('SELECT hash FROM keys').pluck().get()).toEqual(hashApiKeyToBytes(key));
    });

    it('that is unknown or malformed has no caller', () => {
      const find = createApiKeyLookup(freshStore());
      expect(find(generateApiKeyText('live'), NOW)).toBeNull();
      expect(find("' OR 1=1 --", NOW)).toBeNull();
    });

    it('ends when it expires', () => {
      const store = freshStore();
      const { key } = createKey(store, { name: 'short', scopes: ['validate'], expires: NOW + 1000 }, NOW);
      expect(createApiKeyLookup(store)(key, NOW + 999)).not.toBeNull();
      expect(createApiKeyLookup(store)(key, NOW + 1000)).toBeNull();
    });

    it('that another process revokes is refused by a look-up that has found it before', async () => {
      const store = freshStore();
      const { key, info } = createKey(store, { name: 'x', scopes: ['validate'] }, NOW);
      const find = createApiKeyLookup(store);
      expect(find(key, NOW)).not.toBeNull();
      revokeKey(sameStore(store), info.id, NOW);
      await endOfTurn();
      expect(find(key, NOW)).toBeNull();
    });

    it('is replaced with a grace period, and both keys are one caller', async () => {
      const store = freshStore();
      const first = createKey(store, { name: 'x', scopes: ['validate', 'admin'], test: true }, NOW);
      const second = rotateKey(store, { id: first.info.id, graceMs: 1000 }, NOW);
      const find = createApiKeyLookup(store);
      expect(second.key).toMatch(/^bf_test_/);
      expect(find(second.key, NOW + 2000)).toEqual({
        key: second.info.id,
        keyId: first.info.id,
        account: null,
        region: null,
        scopes: ['validate', 'admin'],
        test: true,
        plan: null,
      });
      expect(find(first.key, NOW + 999)).toEqual({ ...find(second.key, NOW), key: first.info.id });
      await endOfTurn();
      expect(find(first.key, NOW + 1000)).toBeNull();
      expect(second.old).toMatchObject({ expires: NOW + 1000, rotatedTo: second.info.id });
    });

    it('keeps an expiry that comes before the end of the grace period', () => {
      const store = freshStore();
      const { info } = createKey(store, { name: 'x', scopes: ['validate'], expires: NOW + 10 }, NOW);
      expect(rotateKey(store, { id: info.id, graceMs: 1000 }, NOW).old.expires).toBe(NOW + 10);
    });

    it('is revoked together with the key that it replaced', () => {
      const store = freshStore();
      const first = createKey(store, { name: 'x', scopes: ['validate'] }, NOW);
      const second = rotateKey(store, { id: first.info.id, graceMs: 100_000 }, NOW);
      revokeKey(store, second.info.id, NOW);
      const find = createApiKeyLookup(store);
      expect([find(first.key, NOW), find(second.key, NOW)]).toEqual([null, null]);
    });

    it('is revoked together with all older keys of its rotations, and no newer one', () => {
      const store = freshStore();
      const names = [createKey(store, { name: 'x', scopes: ['validate'] }, NOW)];
      for (let i = 0; i < 4; i++)
        names.push(rotateKey(store, { id: names.at(-1)!.info.id, graceMs: 100_000 }, NOW));
      revokeKey(store, names[3]!.info.id, NOW);
      const find = createApiKeyLookup(store);
      expect(names.map(({ key }) => find(key, NOW) !== null)).toEqual([false, false, false, false, true]);
    });

    it('cannot be rotated twice, nor after its end, nor if it does not exist', () => {
      const store = freshStore();
      const { info } = createKey(store, { name: 'x', scopes: ['validate'] }, NOW);
      rotateKey(store, { id: info.id, graceMs: 0 }, NOW);
      expect(() => rotateKey(store, { id: info.id, graceMs: 0 }, NOW)).toThrow('rotated already');
      expect(() => rotateKey(store, { id: 'key_none', graceMs: 0 }, NOW)).toThrow('no key key_none');
      expect(() => revokeKey(store, 'key_none', NOW)).toThrow('no key key_none');
    });
  });
});
