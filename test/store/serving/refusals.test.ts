import { expect, onTestFinished, test, vi } from 'vitest';
import type { UnwrittenRefusal } from '../../../src/accounts/model.ts';
import {
  createRefusalCollector,
  MAX_REFUSAL_ROWS_PER_KEY_AND_CODE,
} from '../../../src/store/serving/refusals.ts';

const NOW = Date.UTC(2026, 10, 24, 14, 2);
let made = 0;
const refusal = (over: Partial<UnwrittenRefusal> = {}): UnwrittenRefusal => ({
  requestId: `req_${String(++made).padStart(8, '0')}`,
  time: NOW,
  endpoint: '/v1/validate',
  status: 429,
  code: 'rate_limited',
  rule: 'rate limit',
  key: 'key_a',
  account: null,
  test: false,
  keyHash: null,
  more: 0,
  ...over,
});

/** Collects refusals, as the store would have them after each flush: one row for each request id. */
function collected() {
  const rows = new Map<string, UnwrittenRefusal>();
  const collector = createRefusalCollector((refusals) => {
    for (const row of refusals) {
      const known = rows.get(row.requestId);
      rows.set(row.requestId, known ? { ...known, more: known.more + row.more } : row);
    }
  });
  return { ...collector, rows, count: () => [...rows.values()].reduce((sum, { more }) => sum + 1 + more, 0) };
}

test('of a flood of one key and code ten calls of a minute have a row each, and one row counts the rest', () => {
  const it = collected();
  for (let i = 0; i < 5000; i++) {
    it.add(refusal());
    if (i % 700 === 0) it.flush();
  }
  it.add(refusal({ code: 'invalid_request', status: 422 }));
  it.add(refusal({ time: NOW + 60_000 }));
  it.flush();
  expect([it.rows.size, it.count()]).toEqual([MAX_REFUSAL_ROWS_PER_KEY_AND_CODE + 1 + 2, 5002]);
});

test('a flood of ever new keys has at most 801 rows a minute, and none of its calls is left out of the counts', () => {
  const it = collected();
  for (let i = 0; i < 20_000; i++)
    it.add(refusal({ key: null, code: 'invalid_api_key', keyHash: Buffer.from(String(i)) }));
  it.flush();
  expect(it.rows.size).toBeLessThanOrEqual(801);
  expect(it.count()).toBe(20_000);
});

test('refusals are saved together a second after the first one', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const saved: number[] = [];
  const collector = createRefusalCollector((refusals) => saved.push(refusals.length));
  for (let i = 0; i < 3; i++) collector.add(refusal());
  vi.advanceTimersByTime(1000);
  expect(saved).toEqual([3]);
});
