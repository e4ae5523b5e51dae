import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOutageReporter } from '../../../src/app/metrics/outages.ts';
import type { ThreadMetricCounts } from '../../../src/app/metrics/thread-metrics.ts';
import { BonafideError } from '../../../src/errors.ts';
import { createCallMetrics } from '../../../src/observe/metrics/calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LINE = { time: 0, requestId: 'req_x', method: 'POST', route: '/v1/validate', status: 503, ms: 1 };

/** Returns the parts of a server, whose state a test sets, functions that refuse calls and report outages, and the lines of the log. */
function world() {
  const calls = createCallMetrics();
  const parts: Record<string, string> = { store: 'ok', graph: 'ok' };
  const lines: string[] = [];
  const put = (text: string) => void lines.push(text);
  const data = {
    engine: { getFailure: () => new BonafideError('store_unavailable', 'It does not answer.') },
    graph: { ping: () => undefined },
  };
  const tell = createOutageReporter({ log: { error: put, info: put }, data: data as never });
  const look = () =>
    tell({ families: calls.families(), state: { parts } as unknown as ThreadMetricCounts['state'] });
  const refuse = (code: string, times: number) => {
    for (let i = 0; i < times; i++) calls.request({ ...LINE, code });
  };
  return { parts, lines, look, refuse };
}

it('a part that is lost is told once with why, and once when it is back with for how long and how many it cost', () => {
  const { parts, lines, look, refuse } = world();
  refuse('store_unavailable', 2);
  look();
  refuse('store_unavailable', 1);
  parts.store = 'failed';
  look();
  for (let second = 0; second < 12; second++) {
    vi.advanceTimersByTime(1000);
    refuse('store_unavailable', 10);
    refuse('invalid_request', 1);
    look();
  }
  parts.store = 'ok';
  look();
  look();
  expect(lines).toEqual([
    'the store does not work, and calls are refused until it does: It does not answer.',
    'the store works again after 12 s; refused calls: 121',
  ]);
});

it('each part is told by itself, and each time that it is lost', () => {
  const { parts, lines, look, refuse } = world();
  for (const part of ['graph', 'store', 'graph']) {
    parts[part] = 'failed';
    look();
    refuse(part === 'graph' ? 'graph_timeout' : 'store_unavailable', 3);
    parts[part] = 'ok';
    look();
  }
  const back = lines.filter((line) => line.includes('works again after'));
  expect(back.map((line) => line.replace(/ works again after .*;/, ''))).toEqual([
    'the graph refused calls: 3',
    'the store refused calls: 3',
    'the graph refused calls: 3',
  ]);
});
