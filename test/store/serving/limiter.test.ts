import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInFlightLimiter } from '../../../src/accounts/in-flight.ts';
import type { Caller } from '../../../src/accounts/model.ts';
import { openCallLimiter } from '../../../src/store/serving/limiter.ts';
import { getLimitsDatabaseFile, openLimitsDatabase } from '../../../src/store/sqlite/limits.ts';
import { openSharedCallLimits } from '../../../src/store/sqlite/shared-limits.ts';
import { parsePlanTerms, type PlanTerms } from '../../../src/accounts/billing/terms.ts';
import { freshFolder } from '../../kit/folder.ts';

const NOW = Date.UTC(2026, 10, 20);

function callerOf(terms: Partial<PlanTerms> | null): Caller {
  const plan = terms && { plan: 'starter', version: 1, terms: { ...parsePlanTerms({}), ...terms } };
  return { keyId: 'key_a', account: plan && 'acc_a', scopes: ['validate'], test: false, plan };
}

/** Returns a limiter, as each process of a folder has one. */
function limiter(folder: string) {
  const limits = openLimitsDatabase(folder);
  const shared = openSharedCallLimits(limits, () => null);
  const close = () => {
    shared.close();
    limits.close();
  };
  onTestFinished(close);
  return { ...openCallLimiter(createInFlightLimiter(), shared), close };
}

describe('the rate of a plan', () => {
  const caller = callerOf({ rate: { calls: 10, seconds: 1, burst: 20 } });

  it('is exact over several processes: together they admit as many calls as one process', async () => {
    const folder = freshFolder();
    const processes = [limiter(folder), limiter(folder), limiter(folder)];
    let passed = 0;
    // Each process asks ten times as often as the plan allows, for ten seconds.
    for (let ms = 0; ms < 10_000; ms += 10)
      for (const one of processes) {
        const { refused, leave } = await one.enter(caller, NOW + ms);
        if (!refused) passed++;
        await leave();
      }
    expect(passed).toBe(20 + 99);
  });

  it('reports when to retry, and what is left', async () => {
    const { enter, getPolicies: look } = limiter(freshFolder());
    expect((await look(caller, NOW))[0]).toMatchObject({
      name: 'rate',
      quota: 20,
      window: 2000,
      remaining: 20,
    });
    for (let i = 0; i < 20; i++) await (await enter(caller, NOW)).leave();
    const { refused, policies } = await enter(caller, NOW);
    expect(refused).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterMs: expect.closeTo(100, 1) },
    });
    expect(policies[0]).toMatchObject({ remaining: 0, reset: expect.closeTo(100, 1) });
    expect((await enter(caller, NOW + 101)).refused).toBeNull();
  });

  it('fills again from the time on at which the clock was set back, however far', async () => {
    const { enter } = limiter(freshFolder());
    const from = NOW - 50 * 365 * 86_400_000;
    for (let i = 0; i < 5; i++) await (await enter(caller, NOW)).leave();
    expect((await enter(caller, from)).refused).toMatchObject({ code: 'rate_limited' });
    expect((await enter(caller, from + 101)).refused).toBeNull();
    expect((await enter(caller, from + 102)).refused).toMatchObject({ code: 'rate_limited' });
  });

  it('continues after its file was damaged: nothing in it is older than minutes', async () => {
    const folder = freshFolder();
    writeFileSync(getLimitsDatabaseFile(folder), 'this is no database'.repeat(1000), { mode: 0o600 });
    expect((await limiter(folder).enter(caller, NOW)).refused).toBeNull();
  });

  it('refuses calls if its file cannot be used', async () => {
    const { enter } = limiter('/dev/null/nowhere');
    await expect(enter(caller, NOW)).rejects.toThrow(expect.objectContaining({ code: 'unreadable_file' }));
  });
});

describe('calls in flight of a plan', () => {
  const caller = callerOf({ concurrency: 3 });

  it('are counted over several processes', async () => {
    const folder = freshFolder();
    const [first, second] = [limiter(folder), limiter(folder)];
    const entered = await Promise.all([first, second, first].map(({ enter }) => enter(caller, NOW)));
    expect(entered.map(({ refused }) => refused)).toEqual([null, null, null]);
    expect((await second.enter(caller, NOW)).refused).toMatchObject({ code: 'overloaded' });
    expect((await second.getPolicies(caller, NOW))[0]).toMatchObject({
      name: 'in-flight',
      quota: 3,
      remaining: 0,
    });
    await entered[0]?.leave();
    expect((await second.enter(caller, NOW)).refused).toBeNull();
  });

  it('of a process that died count for at most ten seconds', async () => {
    const folder = freshFolder();
    const dead = limiter(folder);
    for (let i = 0; i < 3; i++) await dead.enter(caller, NOW);
    dead.close();
    const other = limiter(folder);
    expect((await other.enter(caller, NOW + 9000)).refused).toMatchObject({ code: 'overloaded' });
    expect((await other.enter(caller, NOW + 10_001)).refused).toBeNull();
  });

  it('of a process that died before the clock was set back do not count', async () => {
    const folder = freshFolder();
    const dead = limiter(folder);
    for (let i = 0; i < 3; i++) await dead.enter(caller, NOW);
    dead.close();
    expect((await limiter(folder).enter(caller, NOW - 86_400_000)).refused).toBeNull();
  });

  it('of a key without a plan are bounded in each process, and create no file', async () => {
    const { enter, getPolicies: look } = limiter('/dev/null/nowhere');
    const alone = callerOf(null);
    for (let i = 0; i < 256; i++) expect((await enter(alone, NOW)).refused).toBeNull();
    expect((await enter(alone, NOW)).refused).toMatchObject({ code: 'overloaded' });
    expect(await look(alone, NOW)).toEqual([
      { name: 'in-flight', quota: 256, unit: 'concurrent-requests', remaining: 0 },
    ]);
  });
});
