import { expect, onTestFinished, test } from 'vitest';
import { BonafideError } from '../../../src/errors.ts';
import { createLazyWorkerThread, withDeadline } from '../../../src/platform/threads/calls.ts';

type Calls = {
  slow: (ms: number) => number;
  echo: (input: string) => string;
  count: (most: number) => void;
  fail: (input: null) => void;
  crash: (input: null) => void;
  end: (input: null) => void;
  fill: (input: null) => void;
};

const ended = () => new BonafideError('graph_unavailable', 'The thread ended.');

function open(events: number[] = []) {
  const thread = createLazyWorkerThread<Calls>({
    file: '../test/platform/threads/calls-thread',
    workerData: null,
    maxPending: { calls: 3, toError: () => new BonafideError('overloaded', 'Too many calls are pending.') },
    toEndedError: ended,
    onEvent: (event: number) => void events.push(event),
  });
  onTestFinished(() => thread.close());
  return thread;
}

test('calls run one after the other, and events arrive before their result', async () => {
  const events: number[] = [];
  const { call } = open(events);
  const order: unknown[] = [];
  await Promise.all([
    call('slow', 50).then((result) => order.push(result)),
    call('echo', 'a').then((result) => order.push(result)),
    call('count', 3).then(() => order.push([...events])),
  ]);
  expect(order).toEqual([50, 'a', [1, 2, 3]]);
});

test('an error keeps code, message and details; of a foreign error only its class is known', async () => {
  const { call } = open();
  await expect(call('fail', null)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no such key.',
    details: { what: 'key' },
  });
  await expect(call('crash', null)).rejects.toThrow('The thread failed with TypeError.');
});

test('beyond the bound of pending calls a call is refused', async () => {
  const { call } = open();
  const pending = [call('slow', 50), call('slow', 1), call('slow', 1)];
  await expect(call('echo', 'x')).rejects.toMatchObject({ code: 'overloaded' });
  await Promise.all(pending);
  expect(await call('echo', 'x')).toBe('x');
});

test('if the thread ends, pending calls fail, and the next call starts another thread', async () => {
  const { call } = open();
  const pending = [call('end', null), call('echo', 'x')];
  for (const result of await Promise.allSettled(pending))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'graph_unavailable' } });
  expect(await call('echo', 'y')).toBe('y');
});

test('closing the thread makes pending calls fail', async () => {
  const { call, close } = open();
  const [result] = await Promise.allSettled([call('slow', 10_000), close()]);
  expect(result).toMatchObject({ status: 'rejected', reason: { code: 'graph_unavailable' } });
});

test('a deadline ends the wait, not the work', async () => {
  const { call } = open();
  const work = call('slow', 100);
  await expect(withDeadline(work, 10, ended)).rejects.toMatchObject({ code: 'graph_unavailable' });
  expect(await work).toBe(100);
  expect(await withDeadline(call('echo', 'in time'), 1000, ended)).toBe('in time');
});

test('a thread beyond its memory ends with an error of its own, and the process and the next call go on', async () => {
  const { call, close } = createLazyWorkerThread<Calls>({
    file: '../test/platform/threads/calls-thread',
    workerData: null,
    memoryMb: 64,
    toEndedError: (isOutOfMemory) =>
      new BonafideError(isOutOfMemory ? 'out_of_memory' : 'graph_unavailable', 'The thread ended.'),
  });
  onTestFinished(close);
  await expect(call('fill', null)).rejects.toMatchObject({ code: 'out_of_memory' });
  expect(await call('echo', 'x')).toBe('x');
});
