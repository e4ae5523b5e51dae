import { describe, expect, it } from 'vitest';
import { createRefusedRequestLimiter, type RefusedRequestLimiter } from '../../src/accounts/failures.ts';

const NOW = Date.UTC(2026, 10, 20);

function after(count: number, addresses: (i: number) => string = () => '192.0.2.1') {
  const failures = createRefusedRequestLimiter();
  for (let i = 0; i < count; i++) failures.count(addresses(i), NOW);
  return failures;
}

describe('failed authentications', () => {
  it('are refused from the 101st of a minute on, counted for each address', () => {
    const failures = after(100);
    expect(() => failures.count('192.0.2.1', NOW + 59_999)).toThrow('Try again in a minute');
    expect(() => failures.count('192.0.2.2', NOW)).not.toThrow();
    expect(() => failures.count('192.0.2.1', NOW + 60_000)).not.toThrow();
  });

  it('from before the clock was set back do not count', () => {
    const failures = after(100);
    expect(() => failures.count('192.0.2.1', NOW - 3_600_000)).not.toThrow();
  });

  it('of one IPv6 network are counted together', () => {
    const failures = after(100, (i) => `2001:db8:0:1::${i.toString(16)}`);
    expect(() => failures.count('2001:db8:0:1:9:9:9:9', NOW)).toThrow('Try again');
    expect(() => failures.count('2001:db8:0:2::1', NOW)).not.toThrow();
  });

  it('of an IPv4 address are counted together in both spellings of a socket', () => {
    const failures = after(100, (i) => (i % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'));
    expect(() => failures.count('::ffff:192.0.2.1', NOW)).toThrow('Try again');
    expect(() => failures.count('::ffff:192.0.2.2', NOW)).not.toThrow();
  });
});

describe('refused requests', () => {
  const refused = (
    limits = createRefusedRequestLimiter(),
    count = 600,
    { key = 'k1', address = '192.0.2.1' } = {},
  ) => {
    for (let i = 0; i < count; i++) limits.addRefusal({ status: 422, rule: null, key }, address, NOW);
    return limits;
  };
  const enter = (limits: RefusedRequestLimiter, key: string | null, address: string, now = NOW) =>
    limits.requireFewRefusedRequests(key, () => address, now);
  const tooMany = expect.objectContaining({ code: 'rate_limited' });

  it('of a key slow it down after 600, and admit it again one by one, from wherever it comes', () => {
    const limits = refused(createRefusedRequestLimiter(), 599);
    expect(() => enter(limits, 'k1', '192.0.2.9')).not.toThrow();
    refused(limits, 1);
    expect(() => enter(limits, 'k1', '192.0.2.9')).toThrow(tooMany);
    expect(() => enter(limits, 'k1', '192.0.2.9', NOW + 99)).toThrow(tooMany);
    expect(() => enter(limits, 'k1', '192.0.2.9', NOW + 100)).not.toThrow();
    expect(limits.countSlowed()).toEqual({ failed_authentications: 0, key: 2, address: 0 });
  });

  it('slow nobody down after the clock was set back, and do so while requests of different age pass each other', () => {
    const limits = refused();
    expect(() => enter(limits, 'k1', '192.0.2.1', NOW - 1000)).toThrow(tooMany);
    expect(() => enter(limits, null, '192.0.2.1', NOW - 1000)).toThrow(tooMany);
    expect(() => enter(limits, 'k1', '192.0.2.1', NOW - 3_600_000)).not.toThrow();
    expect(() => enter(limits, null, '192.0.2.1', NOW - 3_600_000)).not.toThrow();
    limits.addRefusal({ status: 422, rule: null, key: 'k1' }, '192.0.2.1', NOW - 3_600_000);
    expect(() => enter(limits, 'k1', '192.0.2.1', NOW - 3_600_000)).not.toThrow();
  });

  it('of an address slow down its requests without a key and its refused keys, but no other key', () => {
    const limits = createRefusedRequestLimiter();
    for (const key of ['k1', 'k2', 'k3']) refused(limits, 200, { key });
    expect(() => enter(limits, 'k1', '192.0.2.1')).toThrow(tooMany);
    expect(() => enter(limits, null, '192.0.2.1')).toThrow(tooMany);
    expect(() => enter(limits, 'k4', '192.0.2.1')).not.toThrow();
    expect(() => enter(limits, 'k1', '192.0.2.2')).not.toThrow();
    expect(() => enter(limits, null, '192.0.2.2')).not.toThrow();
    expect(() => enter(limits, 'k1', '192.0.2.1', NOW + 60_000)).not.toThrow();
    expect(limits.countSlowed()).toEqual({ failed_authentications: 0, key: 0, address: 2 });
  });

  it('count as many as they cost', () => {
    const limits = createRefusedRequestLimiter();
    limits.addRefusal({ status: 422, rule: null, key: 'k1', refusals: 599 }, '192.0.2.1', NOW);
    expect(() => enter(limits, 'k1', '192.0.2.1')).not.toThrow();
    limits.addRefusal({ status: 422, rule: null, key: 'k1', refusals: 1_000_000 }, '192.0.2.1', NOW);
    expect(() => enter(limits, 'k1', '192.0.2.1')).toThrow(tooMany);
    expect(() => enter(limits, 'k1', '192.0.2.1', NOW + 60_000)).not.toThrow();
  });

  it('are not counted if these limits refused them, and other statuses are not counted', () => {
    const limits = refused(createRefusedRequestLimiter(), 599);
    for (const rule of [
      'refusals of a key',
      'refusals of an address',
      'failed authentications of an address',
    ])
      limits.addRefusal({ status: 429, rule, key: 'k1' }, '192.0.2.1', NOW);
    for (const status of [400, 404, 409, 503])
      limits.addRefusal({ status, rule: null, key: 'k1' }, '192.0.2.1', NOW);
    expect(() => enter(limits, 'k1', '192.0.2.1')).not.toThrow();
  });

  it('of very many keys and addresses take bounded memory and little time', () => {
    const limits = createRefusedRequestLimiter();
    const began = process.threadCpuUsage();
    for (let i = 0; i < 100_000; i++)
      refused(limits, 1, { key: `k${i}`, address: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` });
    expect(process.threadCpuUsage(began).user).toBeLessThan(5_000_000);
    refused(limits);
    expect(() => enter(limits, 'k1', '192.0.2.1')).toThrow(tooMany);
  });

  it('of several threads have a share each', () => {
    const limits = refused(createRefusedRequestLimiter({ threads: 4 }), 150);
    expect(() => enter(limits, 'k1', '192.0.2.1')).toThrow(tooMany);
  });
});
