// The thread of calls.test.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { BonafideError } from '../../../src/errors.ts';
import { sendEventToParentThread, serveThreadCalls } from '../../../src/platform/threads/calls.ts';

const OPERATIONS: Record<string, (input: unknown) => unknown> = {
  async slow(ms) {
    await pause(Number(ms));
    return ms;
  },
  echo: (input) => input,
  count(most) {
    for (let i = 1; i <= Number(most); i++) sendEventToParentThread(i);
  },
  fail() {
    throw new BonafideError('not_found', 'There is no such key.', { what: 'key' });
  },
  crash() {
    throw new TypeError('a submitted value');
  },
  end: () => process.exit(1),
  fill() {
    const texts: string[][] = [];
    for (;;) texts.push(Array.from({ length: 1000 }, (_, i) => `${texts.length}/${i}`));
  },
};

serveThreadCalls((name, input) => OPERATIONS[name]?.(input));
