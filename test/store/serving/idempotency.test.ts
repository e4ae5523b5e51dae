import { expect, it } from 'vitest';
import { toCallLogRow, removeExpiredIdempotencyKeys } from '../../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../../kit/call.ts';
import { createBilledStore } from '../billed-store.ts';
import { prepareCommitTo, onEngines } from '../engines.ts';

const NOW = Date.UTC(2026, 10, 20);
const spend = (key: number, request = 1) => ({
  key: Buffer.alloc(16, key),
  request: Buffer.alloc(16, request),
  expires: NOW + 1000,
});

/** Returns a store whose account has one call left, and the commit of calls with Idempotency-Keys. */
function world() {
  const { store, account } = createBilledStore({ included: 1, overage: 'block' });
  const commit = prepareCommitTo(store);
  const calls = (...spends: ReturnType<typeof spend>[]) => {
    const logged = spends.map(() => sampleCall({ account, time: NOW }));
    const batch = {
      rows: logged.map(toCallLogRow),
      keys: spends.map((one, place) => [place, one] as [number, typeof one]),
    };
    return { logged, at: (time: number) => commit(batch, () => time) };
  };
  return { store, account, calls };
}
const rows = ({ store }: ReturnType<typeof world>) =>
  store.raw.prepare('SELECT count(*) FROM calls').pluck().get();

onEngines(() => {
  it('two calls of one batch with one key count once, and the second is not refused for lack of quota', () => {
    const test = world();
    const { logged, at } = test.calls(spend(1), spend(1), spend(1, 2), spend(2));
    const outcomes = at(NOW);
    expect(outcomes?.get(0)).toMatchObject({ quotaUsage: { used: 1 } });
    expect(outcomes?.get(1)).toEqual({ countedId: logged[0]?.requestId });
    expect(outcomes?.get(2)).toEqual({ countedId: null });
    expect(outcomes?.get(3)).toMatchObject({ refused: { used: 1 } });
    expect(rows(test)).toBe(1);
  });

  it('a refused call does not spend its key', () => {
    const test = world();
    test.calls(spend(1)).at(NOW);
    expect(test.calls(spend(2)).at(NOW)?.get(0)).toHaveProperty('refused');
    expect(test.store.raw.prepare('SELECT count(*) FROM idempotency').pluck().get()).toBe(1);
  });

  it('an expired key can be used again, and is removed', () => {
    const test = world();
    test.calls(spend(1)).at(NOW);
    const forget = (now: number) => removeExpiredIdempotencyKeys(test.store.raw, now);
    expect(forget(NOW + 1000)).toBe(0);
    const later = test.calls(spend(1, 2)).at(NOW + 1000);
    expect(later?.get(0)).toHaveProperty('refused');
    forget(NOW + 1001);
    expect(test.store.raw.prepare('SELECT count(*) FROM idempotency').pluck().get()).toBe(0);
  });
});
