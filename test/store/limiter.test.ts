import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInFlightLimit } from '../../src/accounts/in-flight.ts';
import type { Caller, PlanTerms } from '../../src/accounts/model.ts';
import { openLimiter } from '../../src/store/serving/limiter.ts';
import { limitsFile, openLimits } from '../../src/store/sqlite/limits.ts';
import { parsePlanTerms } from '../../src/accounts/billing/terms.ts';
import { freshFolder } from '../kit/folder.ts';

const NOW = Date.UTC(2026, 10, 20);

function callerOf(terms: Partial<PlanTerms> | null): Caller {
  const plan = terms && { plan: 'starter', version: 1, terms: { ...parsePlanTerms({}), ...terms } };
  return { keyId: 'key_a', account: plan && 'acc_a', scopes: ['validate'], test: false, plan };
}

/** A limiter as each process of a folder has one. */
function limiter(folder: string) {
  const limits = openLimits(folder);
  const opened = openLimiter({ limits, flights: createInFlightLimit(), quotaUsage: () => null });
  onTestFinished(() => {
    opened.close();
    limits.close();
  });
  return opened;
}

describe('the rate of a plan', () => {
  const caller = callerOf({ rate: { calls: 10, seconds: 1, burst: 20 } });

  it('is exact over several processes: together they let through what one would', () => {
    const folder = freshFolder();
    const processes = [limiter(folder), limiter(folder), limiter(folder)];
    let passed = 0;
    // Each asks ten times as often as is allowed, for ten seconds.
    for (let ms = 0; ms < 10_000; ms += 10)
      for (const one of processes) {
        const { refused, leave } = one.enter(caller, NOW + ms);
        if (!refused) passed++;
        leave();
      }
    expect(passed).toBe(20 + 99);
  });

  it('tells when to come back, and what is left', () => {
    const { enter, getPolicies: look } = limiter(freshFolder());
    expect(look(caller, NOW)[0]).toMatchObject({ name: 'rate', quota: 20, window: 2000, remaining: 20 });
    for (let i = 0; i < 20; i++) enter(caller, NOW).leave();
    const { refused, policies } = enter(caller, NOW);
    expect(refused).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterMs: expect.closeTo(100, 1) },
    });
    expect(policies[0]).toMatchObject({ remaining: 0, reset: expect.closeTo(100, 1) });
    expect(enter(caller, NOW + 101).refused).toBeNull();
  });

  it('fills again from the moment on that the clock was set back, by however much', () => {
    const { enter } = limiter(freshFolder());
    const from = NOW - 50 * 365 * 86_400_000;
    for (let i = 0; i < 5; i++) enter(caller, NOW).leave();
    expect(enter(caller, from).refused).toMatchObject({ code: 'rate_limited' });
    expect(enter(caller, from + 101).refused).toBeNull();
    expect(enter(caller, from + 102).refused).toMatchObject({ code: 'rate_limited' });
  });

  it('goes on where the file was damaged: nothing in it is older than minutes', () => {
    const folder = freshFolder();
    writeFileSync(limitsFile(folder), 'this is no database'.repeat(1000), { mode: 0o600 });
    expect(limiter(folder).enter(caller, NOW).refused).toBeNull();
  });

  it('is refused, not let through, where its file cannot be used', () => {
    const { enter } = limiter('/dev/null/nowhere');
    expect(() => enter(caller, NOW)).toThrow(expect.objectContaining({ code: 'unreadable_file' }));
  });
});

describe('calls in flight of a plan', () => {
  const caller = callerOf({ concurrency: 3 });

  it('are counted over several processes', () => {
    const folder = freshFolder();
    const [first, second] = [limiter(folder), limiter(folder)];
    const entered = [first, second, first].map(({ enter }) => enter(caller, NOW));
    expect(entered.map(({ refused }) => refused)).toEqual([null, null, null]);
    expect(second.enter(caller, NOW).refused).toMatchObject({ code: 'overloaded' });
    expect(second.getPolicies(caller, NOW)[0]).toMatchObject({ name: 'in-flight', quota: 3, remaining: 0 });
    entered[0]?.leave();
    expect(second.enter(caller, NOW).refused).toBeNull();
  });

  it('of a process that died count for ten seconds at most', () => {
    const folder = freshFolder();
    const dead = limiter(folder);
    for (let i = 0; i < 3; i++) dead.enter(caller, NOW);
    dead.close();
    const other = limiter(folder);
    expect(other.enter(caller, NOW + 9000).refused).toMatchObject({ code: 'overloaded' });
    expect(other.enter(caller, NOW + 10_001).refused).toBeNull();
  });

  it('of a key without a plan are bounded in its process alone, and make no file', () => {
    const { enter, getPolicies: look } = limiter('/dev/null/nowhere');
    const alone = callerOf(null);
    for (let i = 0; i < 256; i++) expect(enter(alone, NOW).refused).toBeNull();
    expect(enter(alone, NOW).refused).toMatchObject({ code: 'overloaded' });
    expect(look(alone, NOW)).toEqual([
      { name: 'in-flight', quota: 256, unit: 'concurrent-requests', remaining: 0 },
    ]);
  });
});
