import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ThreadPool, createThreadPool } from '../../../src/platform/threads/helpers.ts';
import { freshFolder } from '../../kit/folder.ts';

const OWN = {
  sum: ({ numbers }: { numbers: Float64Array }) => ({ sum: numbers.reduce((a, b) => a + b, 0) }),
  fail: (said: string): never => {
    throw new Error(said);
  },
  die: (given: null) => given,
};

function started(threads: number): ThreadPool {
  const pool = createThreadPool(threads);
  onTestFinished(() => pool.close());
  pool.start(1);
  return pool;
}

function writeTaskModule(): string {
  const file = join(freshFolder(), 'tasks.mjs');
  writeFileSync(
    file,
    `export const createWorkerTaskFunctions = (by) => ({
      sum: ({ numbers }) => ({ sum: by * numbers.reduce((a, b) => a + b, 0) }),
      fail(said) { throw new Error(said); },
      die() { process.exit(1); },
    });`,
  );
  return file;
}

test('threads do what they are asked, and what is alone in its memory is handed over', async () => {
  const { ask, count } = started(2).use(writeTaskModule(), 10, OWN);
  const numbers = Float64Array.of(1, 2, 3);
  expect(count).toBe(2);
  expect(await Promise.all([ask('sum', { numbers }), ask('sum', { numbers: Float64Array.of(4) })])).toEqual([
    { sum: 60 },
    { sum: 40 },
  ]);
  expect(numbers.length).toBe(0);
});

test('without threads the same is done by who asks', async () => {
  const { ask, count } = started(0).use(writeTaskModule(), 10, OWN);
  expect(count).toBe(0);
  expect(await ask('sum', { numbers: Float64Array.of(1, 2) })).toEqual({ sum: 3 });
});

test('few records are not worth a thread', () => {
  const pool = createThreadPool();
  onTestFinished(() => pool.close());
  pool.start(1000);
  expect(pool.count).toBe(0);
});

test('a piece of work that fails tells where, and nothing of what it was given', async () => {
  const { ask } = started(1).use(writeTaskModule(), 1, OWN);
  const error = await ask('fail', 'ann@example.com').catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/a thread failed at .*tasks\.mjs/);
  expect(String(error)).not.toContain('ann@');
});

test('work that cannot begin fails where it is asked, and tells why', async () => {
  const file = join(freshFolder(), 'tasks.mjs');
  writeFileSync(file, 'export const createWorkerTaskFunctions = () => { throw new Error(); };');
  const { ask } = started(1).use(file, null, OWN);
  await expect(ask('sum', { numbers: Float64Array.of(1) })).rejects.toThrow(
    /a thread failed at .*tasks\.mjs/,
  );
});

test('a thread that dies fails all that it was asked, then and later', async () => {
  const { ask } = started(1).use(writeTaskModule(), 1, OWN);
  const dying = ask('die', null);
  const waiting = ask('sum', { numbers: Float64Array.of(1) });
  await expect(dying).rejects.toMatchObject({ code: 'out_of_memory' });
  await expect(waiting).rejects.toMatchObject({ code: 'out_of_memory' });
  await expect(ask('sum', { numbers: Float64Array.of(1) })).rejects.toMatchObject({ code: 'out_of_memory' });
});

test('a program that ends its threads goes on after that, whatever answers were still on their way', () => {
  const program = join(freshFolder(), 'program.mjs');
  const helpers = new URL('../../../src/platform/threads/helpers.ts', import.meta.url).href;
  writeFileSync(
    program,
    `import { createThreadPool } from ${JSON.stringify(helpers)};
    const pool = createThreadPool(2);
    pool.start(1);
    const { ask } = pool.use(${JSON.stringify(writeTaskModule())}, 10, {});
    await ask('sum', { numbers: Float64Array.of(1) });
    for (let i = 0; i < 200; i++) ask('sum', { numbers: new Float64Array(1000) }).catch(() => undefined);
    // Meanwhile the threads answer, and no code reads the answers.
    await new Promise((done) => setTimeout(done, 3));
    const end = Date.now() + 50;
    while (Date.now() < end);
    await pool.close();
    process.stdout.write('went on');`,
  );
  for (let i = 0; i < 3; i++) {
    const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'went on' });
  }
});
