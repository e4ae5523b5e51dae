import { expect, it } from 'vitest';
import { formatIsoTime, formatTimeForFileName } from '../../src/platform/iso-time.ts';

it('a time is formatted as by Date', () => {
  const times = [0, 1, -1, 59_999, 86_399_999, 86_400_000, -86_400_001, 951_782_400_000, 253_402_300_800_000];
  for (let time = -6e12; time < 8e12; time += 7_777_777_777) times.push(time);
  for (const time of times) expect(formatIsoTime(time)).toBe(new Date(time).toISOString());
  expect(formatTimeForFileName(Date.UTC(2026, 10, 24, 9, 5, 7, 8))).toBe('2026-11-24T09-05-07Z');
});
