import { describe, expect, it } from 'vitest';
import {
  clearThreadInFlightCounts,
  allocateInFlightCounts,
  createSharedInFlightLimiter,
} from '../../src/accounts/in-flight.ts';

const BOUNDS = { perKey: 4, total: 6, keys: 8 };

/** Returns the limits of two threads in one shared memory. */
function twoThreads() {
  const room = allocateInFlightCounts(2, BOUNDS.keys);
  const places = [0, 1].map((thread) => ({ memory: room, thread, threads: 2 }));
  const [first, second] = places.map((place) => createSharedInFlightLimiter(place, BOUNDS));
  if (!first || !second) throw new Error('Two threads have two places.');
  return {
    first,
    second,
    forgetFirst: () => clearThreadInFlightCounts({ memory: room, thread: 0, threads: 2 }, BOUNDS.keys),
  };
}

describe('calls in flight of two threads', () => {
  it('of one key are bounded together, and reported by both threads', () => {
    const { first, second } = twoThreads();
    for (const thread of [first, second, first, second]) thread.enter('a');
    expect(() => first.enter('a')).toThrow('has 4 calls in progress');
    expect(() => second.enter('a')).toThrow('has 4 calls in progress');
    expect([first.of('a'), second.of('a'), first.count(), second.count()]).toEqual([4, 4, 2, 2]);
    second.leave('a');
    first.enter('a');
    expect([first.of('a'), first.count(), second.count()]).toEqual([4, 3, 1]);
  });

  it('of all keys are bounded together, and a refused call leaves no count', () => {
    const { first, second } = twoThreads();
    for (const key of ['a', 'b', 'c']) [first, second].map((thread) => thread.enter(key));
    expect(() => first.enter('d')).toThrow('too many calls');
    expect([first.of('d'), first.count(), second.count()]).toEqual([0, 3, 3]);
    second.leave('b');
    first.enter('d');
    expect(() => second.enter('b')).toThrow('too many calls');
  });

  it('end when their thread ends', () => {
    const { first, second, forgetFirst } = twoThreads();
    for (const thread of [first, first, second]) thread.enter('a');
    forgetFirst();
    expect([second.of('a'), second.count()]).toEqual([1, 1]);
    for (let i = 0; i < 3; i++) second.enter('a');
    expect(() => second.enter('a')).toThrow('has 4 calls in progress');
  });

  it('of keys beyond the shared memory are bounded in each thread', () => {
    const { first, second } = twoThreads();
    for (let i = 0; i < BOUNDS.keys; i++) {
      first.enter(`key ${i}`);
      first.leave(`key ${i}`);
    }
    for (let i = 0; i < 4; i++) [first, second].map((thread) => thread.enter('beyond'));
    expect(() => first.enter('beyond')).toThrow('has 4 calls in progress');
    expect([first.of('beyond'), second.of('beyond'), first.of('key 3')]).toEqual([4, 4, 0]);
    for (let i = 0; i < 4; i++) first.leave('beyond');
    expect([first.count(), second.count()]).toEqual([0, 4]);
  });
});
