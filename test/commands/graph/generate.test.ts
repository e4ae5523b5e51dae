import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

const generate = (...args: string[]) => runHere(['graph', 'generate', ...args]);

test('records, truth and checks are written to their files, and can be imported', async () => {
  const folder = freshFolder();
  const [out, truth, checks] = ['p.jsonl', 't.jsonl', 'c.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const files = ['--out', out, '--truth', truth, '--checks', checks, '--cases', '20'];
  const { code, stdout } = await generate('--people', '100', '--country', 'US,GB', ...files);
  const lines = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
  const told = `${lines(out).length} records of 100 people, ${lines(checks).length} labelled checks`;
  expect([code, stdout]).toEqual([0, expect.stringContaining(told)]);
  expect(lines(truth)).toHaveLength(lines(out).length);
  expect(lines(checks).length).toBeGreaterThan(15);
  const dry = await runHere(['graph', 'import', out, '--dry-run', '--data-dir', folder]);
  expect(dry.stdout).toContain(`${lines(out).length} records read\n`);
});

test('without --out the records are printed; the same seed gives the same records', async () => {
  const [one, same, other] = [
    await generate('--people', '5', '--seed', '3'),
    await generate('--people', '5', '--seed', '3'),
    await generate('--people', '5', '--seed', '4'),
  ];
  expect(one.stdout).toMatch(/^(\{"record_id":.+\}\n)+$/);
  expect(same.stdout).toBe(one.stdout);
  expect(other.stdout).not.toBe(one.stdout);
});

test.each([
  [['--people', 'many'], '--people must be a whole number from 1 to 100000000.'],
  [['--people', '0'], '--people must be a whole number from 1 to 100000000.'],
  [
    ['--people', '5', '--country', 'US,XX'],
    '--country must be one or more of US, GB, AU, CA, DE, FR, ES, BR, IN, separated by commas.',
  ],
  [
    ['--people', '5', '--country', ''],
    '--country must be one or more of US, GB, AU, CA, DE, FR, ES, BR, IN, separated by commas.',
  ],
  [
    ['--people', '5', '--country', ' , '],
    '--country must be one or more of US, GB, AU, CA, DE, FR, ES, BR, IN, separated by commas.',
  ],
  [['--people', '5', '--cases', '3'], '--cases needs --checks FILE, the file for the labelled checks.'],
])('%j is refused with a sentence', async (args, sentence) => {
  const { code, stderr } = await generate(...args);
  expect([code, stderr]).toEqual([2, `error: ${sentence}\n`]);
});

test('a file of a data folder is never overwritten', async () => {
  const graph = join(freshFolder(), 'graph.db');
  writeFileSync(graph, 'records');
  expect(await generate('--people', '5', '--out', graph)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is a file of the data folder. Choose another path for the output.'),
  });
  expect(readFileSync(graph, 'utf8')).toBe('records');
});

test('two outputs in one file, even under different names, are refused, and nothing is written', async () => {
  const folder = freshFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('there.jsonl'), 'kept');
  linkSync(at('there.jsonl'), at('linked.jsonl'));
  symlinkSync(folder, at('again'));
  for (const [one, other] of [
    ['new.jsonl', 'new.jsonl'],
    ['new.jsonl', 'again/../again/new.jsonl'],
    ['there.jsonl', 'linked.jsonl'],
  ] as const)
    for (const option of ['--truth', '--checks'])
      expect(await generate('--people', '5', '--out', at(one), option, at(other))).toMatchObject({
        code: 2,
        stderr: 'error: --out, --truth and --checks must be different files.\n',
      });
  expect([existsSync(at('new.jsonl')), readFileSync(at('there.jsonl'), 'utf8')]).toEqual([false, 'kept']);
});

test('few people give fewer checks than requested, and the summary says so', async () => {
  const folder = freshFolder();
  const [out, checks] = [join(folder, 'p.jsonl'), join(folder, 'c.jsonl')];
  const { stdout } = await generate('--people', '3', '--out', out, '--checks', checks, '--cases', '300');
  expect(stdout).toMatch(
    / records of 3 people, \d+ labelled checks \(fewer than 300: these people have no data/,
  );
});
