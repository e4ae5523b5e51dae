import { expect, it } from 'vitest';
import {
  CALL_RATE_PERIODS,
  createApiKeyRecentCallsFinder,
  getTimeRangeOfEarlierCalls,
} from '../../src/accounts/time.ts';
import {
  findCallOfApiKeyChain,
  listRecentCallsOfKeyChain,
  countKeyChainCallsBySpan,
} from '../../src/store/call-log.ts';
import { countCallsOfApiKeyChain } from '../../src/store/usage.ts';
import { toCallLogRow } from '../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../kit/call.ts';
import { prepareCommitTo, freshStore, onEngines } from './engines.ts';

function storeWith(calls: Parameters<typeof sampleCall>[0][]) {
  const store = freshStore();
  const rows = calls.map((call) => toCallLogRow(sampleCall(call)));
  prepareCommitTo(store)({ rows, keys: [] }, Date.now);
  return store;
}

onEngines(() => {
  it('a window has the calls of one key in a time: the newest ones, in order of time', () => {
    const store = storeWith([
      ...[10, 30, 20, 40].map((time) => ({ keyId: 'a', time })),
      { keyId: 'b', time: 25 },
    ]);
    const times = (since: number, before: number, limit: number) =>
      listRecentCallsOfKeyChain(store, 'a', { since, before, limit }).map(({ time }) => time);
    expect(times(0, 100, 10)).toEqual([10, 20, 30, 40]);
    expect(times(20, 40, 10)).toEqual([20, 30]);
    expect(times(0, 100, 2)).toEqual([30, 40]);
    expect(listRecentCallsOfKeyChain(store, 'nobody', { since: 0, before: 100, limit: 9 })).toEqual([]);
  });

  it('calls are counted in spans, the newest first, and each span only up to its limit', () => {
    const store = storeWith([
      ...[99, 95, 90, 89, 71, 70, 69, 5].map((time) => ({ keyId: 'a', time })),
      { keyId: 'b', time: 95 },
    ]);
    const spans = { before: 100, width: 10, spans: 4, most: 2 };
    expect(countKeyChainCallsBySpan(store, 'a', spans)).toEqual([2, 1, 2, 1]);
    expect(countKeyChainCallsBySpan(store, 'a', { ...spans, most: 9 })).toEqual([3, 1, 2, 1]);
    expect(countKeyChainCallsBySpan(store, 'a', { ...spans, before: 99 })).toEqual([2, 0, 2, 0]);
    expect(countKeyChainCallsBySpan(store, 'nobody', spans)).toEqual([0, 0, 0, 0]);
  });

  it('earlier calls of a key are found as the call log counts them, however busy the key is', async () => {
    for (const [calls, gapMs] of [
      [60, 40_000_000 / 60],
      [900, 90_000],
      [3_000, 7],
      [3_000, 20_000],
    ] as const) {
      const store = storeWith(
        Array.from({ length: calls }, (_, i) => ({ keyId: 'a', time: Math.floor(i * gapMs) })),
      );
      const find = createApiKeyRecentCallsFinder({
        within: (keyId, window) => listRecentCallsOfKeyChain(store, keyId, window),
        counts: (keyId, periods) => countKeyChainCallsBySpan(store, keyId, periods),
      });
      const end = Math.floor(calls * gapMs);
      // The second time comes within the time for which calls of the first are used again, the third after it.
      for (const now of [end - 20, end, end + 5_000]) {
        const { records, pace } = await find('a', now);
        expect(records).toEqual(listRecentCallsOfKeyChain(store, 'a', getTimeRangeOfEarlierCalls(now)));
        const exact = Object.entries(CALL_RATE_PERIODS).map(([name, periods]) => [
          name,
          countKeyChainCallsBySpan(store, 'a', { ...periods, before: now }),
        ]);
        const isReused = now === end && records.length === 1_000;
        const compared = exact.filter(([name]) => !isReused || name === 'second');
        expect(pace).toMatchObject(Object.fromEntries(compared));
      }
    }
  });

  it('a call that was written after its time counts for the next call', async () => {
    const store = storeWith([{ keyId: 'a', time: 1_000 }]);
    const find = createApiKeyRecentCallsFinder({
      within: (keyId, window) => listRecentCallsOfKeyChain(store, keyId, window),
      counts: (keyId, periods) => countKeyChainCallsBySpan(store, keyId, periods),
    });
    expect((await find('a', 2_000)).pace.minute).toEqual([1]);
    const commit = prepareCommitTo(store);
    commit(
      { rows: [{ keyId: 'a', time: 1_950 }].map((call) => toCallLogRow(sampleCall(call))), keys: [] },
      Date.now,
    );
    expect((await find('a', 2_010)).pace.minute).toEqual([2]);
    commit(
      { rows: [{ keyId: 'a', time: 1_500 }].map((call) => toCallLogRow(sampleCall(call))), keys: [] },
      Date.now,
    );
    expect((await find('a', 3_500)).pace.minute).toEqual([3]);
  });

  it('a call is returned as it was recorded, to its own key only', () => {
    const call = sampleCall({ keyId: 'a', catfish: true, endpoint: 'enhanced', responseVersion: 'v2' });
    const store = storeWith([call]);
    expect(findCallOfApiKeyChain(store, 'a', call.requestId)).toEqual({ ...call, outcome: null });
    expect(findCallOfApiKeyChain(store, 'b', call.requestId)).toBeUndefined();
  });

  it('usage is counted by key and by the month of the commit, in UTC', () => {
    const store = freshStore();
    const commit = prepareCommitTo(store);
    const november = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
    for (const [keyId, time] of [
      ['a', november],
      ['a', november + 1],
      ['a', november - 5],
      ['b', november],
    ] as const)
      commit({ rows: [toCallLogRow(sampleCall({ keyId, time: november - 60_000 }))], keys: [] }, () => time);
    expect([
      countCallsOfApiKeyChain(store, 'a', '2026-11'),
      countCallsOfApiKeyChain(store, 'a', '2026-12'),
      countCallsOfApiKeyChain(store, 'b', '2026-11'),
    ]).toEqual([2, 1, 1]);
  });
});
