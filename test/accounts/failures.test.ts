import { describe, expect, it } from 'vitest';
import { createAuthFailureLimit } from '../../src/accounts/failures.ts';

const NOW = Date.UTC(2026, 10, 20);

function after(count: number, addresses: (i: number) => string = () => '192.0.2.1') {
  const failures = createAuthFailureLimit();
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
