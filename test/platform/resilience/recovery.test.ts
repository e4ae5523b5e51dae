// A changed state is reported at once, and a flickering one at most every five seconds.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStateChangeReporter } from '../../../src/platform/resilience/recovery.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function telling() {
  const told: boolean[] = [];
  return { told, changes: createStateChangeReporter(true, (state) => told.push(state)) };
}

test('a change is reported once and at once, and a later one too', () => {
  const { told, changes } = telling();
  changes.setState(true);
  for (let i = 0; i < 100; i++) changes.setState(false);
  expect(told).toEqual([false]);
  vi.advanceTimersByTime(5000);
  changes.setState(true);
  expect(told).toEqual([false, true]);
});

test('of several quick changes only the last state is reported', () => {
  const { told, changes } = telling();
  changes.setState(false);
  for (let i = 0; i < 100; i++) changes.setState(i % 2 === 0);
  changes.setState(true);
  expect(told).toEqual([false]);
  vi.advanceTimersByTime(5000);
  expect(told).toEqual([false, true]);
  vi.advanceTimersByTime(5000);
  for (let i = 0; i < 101; i++) changes.setState(i % 2 === 1);
  changes.setState(true);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([false, true, false, true]);
});
