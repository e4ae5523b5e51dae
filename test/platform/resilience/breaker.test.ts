import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../../src/platform/resilience/breaker.ts';

function breakerAt(start = 0) {
  const clock = { now: start };
  return { clock, breaker: createCircuitBreaker({ failures: 3, pauseMs: 100, now: () => clock.now }) };
}

test('only failures in a row open it', () => {
  const { breaker } = breakerAt();
  breaker.recordFailure();
  breaker.recordFailure();
  breaker.recordSuccess();
  breaker.recordFailure();
  breaker.recordFailure();
  expect(breaker.state).toBe('closed');
  breaker.recordFailure();
  expect(breaker.state).toBe('open');
  expect(breaker.tryBegin()).toBe(false);
});

test('after the pause one question tries it; its failure opens it for another pause', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 3; i += 1) breaker.recordFailure();
  clock.now = 100;
  expect(breaker.state).toBe('half_open');
  expect([breaker.tryBegin(), breaker.tryBegin()]).toEqual([true, false]);
  breaker.recordFailure();
  expect(breaker.state).toBe('open');
  clock.now = 200;
  expect(breaker.tryBegin()).toBe(true);
  breaker.recordSuccess();
  expect(breaker.state).toBe('closed');
});

test('a trial that ends without a verdict lets the next one try', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 3; i += 1) breaker.recordFailure();
  clock.now = 100;
  expect(breaker.tryBegin()).toBe(true);
  breaker.recordNoResult();
  expect(breaker.tryBegin()).toBe(true);
});
