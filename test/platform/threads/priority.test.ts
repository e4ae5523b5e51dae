import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lowerThreadPriority } from '../../../src/platform/threads/priority.ts';

const MODULE = new URL('../../../src/platform/threads/priority.ts', import.meta.url).href;

/** The nineteenth field of a thread's `stat` is its nice value; the second one, in brackets, may contain spaces. */
const PROGRAM = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { lowerThreadPriority } from ${JSON.stringify(MODULE)};
  lowerThreadPriority();
  const stat = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ').at(-1);
  process.stdout.write(JSON.stringify(readdirSync('/proc/self/task').map((thread) => Number(stat(thread).split(' ')[16]))));
`;

test.skipIf(process.platform !== 'linux')(
  'a program that gives way does so with all its threads, those that collect garbage among them',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      PROGRAM,
    ]);
    const nice = JSON.parse(stdout) as number[];
    expect(nice.length).toBeGreaterThan(1);
    expect(Math.min(...nice)).toBeGreaterThanOrEqual(10);
  },
);

test('the process of trials keeps its priority, which the servers inherit that it starts', async () => {
  const [kit, os] = [new URL('../../trials/kit/children.ts', import.meta.url).href, 'node:os'];
  const program = `await import('${kit}');
    const { lowerThreadPriority } = await import('${MODULE}');
    lowerThreadPriority();
    process.stdout.write(String((await import('${os}')).getPriority()));`;
  const args = ['--input-type=module', '--eval', program];
  expect((await promisify(execFile)(process.execPath, args)).stdout).toBe(String(getPriority()));
});

test('a command that gives way in the process of tests does not slow down the tests that follow', () => {
  const before = getPriority();
  lowerThreadPriority();
  expect(getPriority()).toBe(before);
});
