import { describe, expect, it } from 'vitest';
import { createInFlightLimiter } from '../../src/accounts/in-flight.ts';

const many = (count: number, work: (i: number) => void) => Array.from({ length: count }, (_, i) => work(i));

describe('calls in flight', () => {
  it('of one key are at most 256, independent of other keys', () => {
    const calls = createInFlightLimiter();
    many(256, () => calls.enter('a'));
    expect(() => calls.enter('a')).toThrow('This key has 256 calls in progress');
    calls.enter('b');
    calls.leave('a');
    calls.enter('a');
    expect(() => calls.enter('a')).toThrow('has 256 calls in progress');
  });

  it('are at most 1,024 in total, and new calls enter when others end', () => {
    const calls = createInFlightLimiter();
    many(1024, (i) => calls.enter(`key_${i % 8}`));
    expect(() => calls.enter('another')).toThrow('too many calls');
    many(1024, (i) => calls.leave(`key_${i % 8}`));
    many(1024, (i) => calls.enter(`key_${i}`));
    expect(() => calls.enter('another')).toThrow('too many calls');
  });
});
