// Look-ups on standbys: fake hosts with a version each show which host answers.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deriveGraphCiphersAndFingerprints } from '../../../src/graph/encryption/keys.ts';
import type { PostgresPool } from '../../../src/graph/postgres/connect.ts';
import {
  createStandbyQueryRouter,
  createPublishedVersionHistory,
} from '../../../src/graph/postgres/readers.ts';
import { queryOf } from '../../kit/graphs/graph.ts';

const QUERY = queryOf({ name: 'Ada Abernathy' });
const MAX_LAG_MS = 5000;

interface FakeHost {
  revision: number;
  stamp: string;
  isStandby: boolean;
  /** A host that is 'frozen' answers no statement. */
  state: 'well' | 'gone' | 'frozen';
  renewed: number;
}

const fakeHost = (isStandby: boolean): FakeHost => ({
  revision: 1,
  stamp: 'a',
  isStandby,
  state: 'well',
  renewed: 0,
});

/** Pool of a host. The total of an answer is the revision of the host. */
function poolOf(name: string, host: FakeHost): PostgresPool {
  const query = async (text: string): Promise<never> => {
    if (host.state === 'frozen') return new Promise(() => undefined);
    if (host.state === 'gone') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const { revision, stamp, isStandby } = host;
    const row = text.includes('pg_is_in_recovery')
      ? [revision, stamp, isStandby]
      : [revision, null, stamp, null, null, null, revision];
    return [row] as never;
  };
  const renew = () => void host.renewed++;
  return { query, renew, getHost: () => name, close: async () => undefined } as unknown as PostgresPool;
}

async function openHosts() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [primary, b, c] = [fakeHost(false), fakeHost(true), fakeHost(true)];
  const history = createPublishedVersionHistory(MAX_LAG_MS);
  const readers = createStandbyQueryRouter({
    readers: [poolOf('b:1', b), poolOf('c:1', c)],
    primary: poolOf('a:1', primary),
    keys: deriveGraphCiphersAndFingerprints('d4'.repeat(32)),
    history,
    maxLagMs: MAX_LAG_MS,
  });
  onTestFinished(() => readers.close());
  /** Advances the clock; the primary is polled twice a second, as by the health monitor. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      history.note(primary, performance.now());
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  await pass(500);
  /** Makes look-ups, and returns the number that each host answered. */
  const ask = async (times = 4, minRevision?: number) => {
    const before = readers.states();
    const totals: number[] = [];
    for (let i = 0; i < times; i++) {
      const answer = readers.resolve({ ...QUERY, minRevision });
      await vi.advanceTimersByTimeAsync(600);
      totals.push((await answer).total);
    }
    const counts = readers.states().map(({ lookups }, i) => lookups - (before[i]?.lookups ?? 0));
    return { counts: counts.join(' '), totals: [...new Set(totals)] };
  };
  const publish = (...hosts: FakeHost[]) => {
    for (const host of hosts) Object.assign(host, { revision: host.revision + 1, stamp: `${host.stamp}+` });
  };
  return { primary, b, c, readers, pass, ask, publish };
}

describe('look-ups', () => {
  test('go to the standbys in turn, and none to the primary', async () => {
    const { ask, readers } = await openHosts();
    expect(await ask()).toMatchObject({ counts: '0 2 2' });
    expect(readers.states()).toMatchObject([
      { host: 'a:1', role: 'primary' },
      { host: 'b:1', role: 'standby' },
      { host: 'c:1', role: 'standby' },
    ]);
  });

  test('leave out a standby whose version the primary has replaced longer ago than the bound', async () => {
    const { primary, b, c, pass, ask, publish, readers } = await openHosts();
    publish(primary, b);
    await pass(4000);
    expect(await ask(1)).toMatchObject({ counts: expect.stringMatching(/^0/) });
    await pass(2000);
    expect(await ask()).toEqual({ counts: '0 4 0', totals: [2] });
    expect(readers.states()[2]).toMatchObject({ role: 'standby', lagSeconds: null });
    publish(c);
    await pass(500);
    c.stamp = b.stamp;
    await pass(500);
    expect(await ask()).toMatchObject({ counts: '0 2 2' });
  });

  test('go to the primary while no standby is fresh, gone and frozen ones included', async () => {
    const { b, c, ask, pass } = await openHosts();
    [b.state, c.state] = ['gone', 'frozen'];
    expect(await ask()).toMatchObject({ counts: '4 0 0' });
    [b.state, c.state] = ['well', 'well'];
    await pass(1000);
    expect(await ask()).toMatchObject({ counts: '0 2 2' });
  });

  test('wait half a second for a frozen standby, once', async () => {
    const { b, c, readers } = await openHosts();
    b.state = 'gone';
    await vi.advanceTimersByTimeAsync(500);
    c.state = 'frozen';
    let isAnswered = false;
    const first = readers.resolve(QUERY).then(() => (isAnswered = true));
    await vi.advanceTimersByTimeAsync(490);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    await first;
    await readers.resolve(QUERY);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(c.renewed).toBeGreaterThan(0);
  });

  test('that must see a revision go to a host that has it', async () => {
    const { primary, b, publish, ask, pass } = await openHosts();
    publish(primary);
    expect(await ask(2, 2)).toEqual({ counts: '2 0 0', totals: [2] });
    publish(b);
    await pass(500);
    expect(await ask(2, 2)).toEqual({ counts: '0 2 0', totals: [2] });
  });

  test('do not go to a reader that was promoted', async () => {
    const { b, ask, pass } = await openHosts();
    b.isStandby = false;
    await pass(1000);
    expect(await ask()).toMatchObject({ counts: '0 0 4' });
  });
});

test('the age of a version is the time since the primary last had it, or an earlier one', () => {
  let now = 0;
  const history = createPublishedVersionHistory(5000, () => now);
  expect(history.ageOf({ revision: 1, stamp: 'a' })).toBe(Infinity);
  history.note({ revision: 1, stamp: 'a' }, 0);
  history.note({ revision: 2, stamp: 'b' }, 1000);
  history.note({ revision: 1, stamp: 'a' }, 500);
  now = 2000;
  const ages = [
    { revision: 1, stamp: 'a' },
    { revision: 2, stamp: 'b' },
    { revision: 2, stamp: 'linked again' },
    { revision: 3, stamp: 'c' },
  ].map(history.ageOf);
  expect(ages).toEqual([1500, 1000, 1500, 1000]);
  now = 9000;
  expect(history.ageOf({ revision: 1, stamp: 'a' })).toBe(8500);
  history.note({ revision: 2, stamp: 'b' }, 9000);
  expect(history.ageOf({ revision: 1, stamp: 'a' })).toBe(Infinity);
});
