import { expect, test } from 'vitest';
import { formatProcessMetrics } from '../../src/observe/metrics/process.ts';

test('two requests for the metrics at one moment get no value of an event loop that was not sampled between them', async () => {
  await formatProcessMetrics();
  const [, second] = await Promise.all([formatProcessMetrics(), formatProcessMetrics()]);
  expect(second).toContain('process_cpu_seconds_total');
  expect(second).not.toMatch(/ nan$/im);
  expect(second).not.toContain('9223372036');
});
