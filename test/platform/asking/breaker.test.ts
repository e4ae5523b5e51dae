import { expect, test } from 'vitest';
import { createBreaker } from '../../../src/platform/asking/breaker.ts';

function breakerAt(start = 0) {
  const clock = { now: start };
  return { clock, breaker: createBreaker({ failures: 3, pauseMs: 100, now: () => clock.now }) };
}

test('only failures in a row open it', () => {
  const { breaker } = breakerAt();
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect(breaker.state).toBe('closed');
  breaker.failed();
  expect(breaker.state).toBe('open');
  expect(breaker.allows()).toBe(false);
});

test('after the pause one question tries it; its failure opens it for another pause', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 3; i += 1) breaker.failed();
  clock.now = 100;
  expect(breaker.state).toBe('half_open');
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
  breaker.failed();
  expect(breaker.state).toBe('open');
  clock.now = 200;
  expect(breaker.allows()).toBe(true);
  breaker.succeeded();
  expect(breaker.state).toBe('closed');
});

test('a trial that ends without a verdict lets the next one try', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 3; i += 1) breaker.failed();
  clock.now = 100;
  expect(breaker.allows()).toBe(true);
  breaker.undecided();
  expect(breaker.allows()).toBe(true);
});
