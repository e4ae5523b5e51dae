import { expect, it } from 'vitest';
import { createRequestId } from '../../../src/platform/request-id.ts';
import { createKey, revokeKey } from '../../../src/store/keys.ts';
import { findRefusedCall, listRefusedCalls } from '../../../src/store/call-log.ts';
import { createOldRowBatchRemover, saveRefusals } from '../../../src/store/serving/writer-statements.ts';
import { hashApiKeyToBytes } from '../../../src/accounts/key-text.ts';
import type { UnwrittenRefusal } from '../../../src/accounts/model.ts';
import { freshStore, onEngines } from '../engines.ts';

const refusal = (over: Partial<UnwrittenRefusal> = {}): UnwrittenRefusal => {
  const time = over.time ?? Date.now();
  return {
    requestId: createRequestId(time),
    time,
    endpoint: '/v1/validate',
    status: 401,
    code: 'invalid_api_key',
    rule: 'unknown key',
    key: null,
    account: null,
    test: false,
    keyHash: null,
    more: 0,
    ...over,
  };
};

onEngines(() => {
  it('a refused key is stored as the key and account that it belongs to, with the reason, and never as its hash', () => {
    const store = freshStore();
    const now = Date.now();
    const { key, info } = createKey(store, { name: 'shop', scopes: ['validate'] }, now - 1000);
    revokeKey(store, info.id, now - 500);
    const refused = refusal({ keyHash: new Uint8Array(hashApiKeyToBytes(key)) });
    saveRefusals(store.raw, [refused, refusal({ keyHash: new Uint8Array(32) })]);
    const { keyHash: _, ...row } = refused;
    expect(findRefusedCall(store, refused.requestId)).toEqual({
      ...row,
      key: info.id,
      rule: `${info.id} is revoked`,
    });
    expect(listRefusedCalls(store, { chain: info.id, limit: 9 })).toHaveLength(1);
    expect(listRefusedCalls(store, { limit: 9 })).toHaveLength(2);
  });

  it('counts of one row add up, and rows are removed with their age', () => {
    const store = freshStore();
    const counted = refusal({ more: 2 });
    const old = refusal({ time: Date.now() - 40 * 86_400_000, requestId: `req_${'0'.repeat(26)}` });
    saveRefusals(store.raw, [counted, old]);
    saveRefusals(store.raw, [{ ...counted, more: 3 }]);
    createOldRowBatchRemover(store.raw)({ maxAgeMs: null, now: Date.now() });
    expect(listRefusedCalls(store, { limit: 9 }).map(({ more }) => more)).toEqual([5]);
  });

  it('at most 100,000 rows stay, and a thousand more between two removals', () => {
    const store = freshStore();
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) =>
        refusal({ requestId: `req_${String(from + i).padStart(26, '0')}`, time: 1 }),
      );
    const many = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO refusals SELECT 'req_a' || i, 1, 'e', 401, 'c', NULL, NULL, NULL, 0, 0 FROM n`;
    store.raw.exec(many);
    saveRefusals(store.raw, rows(0, 1500));
    saveRefusals(store.raw, rows(1500, 10));
    const count = store.raw.prepare<[], number>('SELECT count(*) FROM refusals').pluck().get();
    expect(Number(count)).toBe(100_000);
  });
});
