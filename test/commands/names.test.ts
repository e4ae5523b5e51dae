import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { formatNameComparison } from '../../src/commands/names.ts';
import { compareNames } from '../../src/names/index.ts';
import { runHere } from '../kit/cli.ts';

const run = async (...args: string[]) => (await runHere(['names', 'compare', ...args])).stdout;

test('the alignment shows each word beside the matching word', () => {
  const text = formatNameComparison(
    'Bob Miller',
    'Robert J Miller',
    compareNames('Bob Miller', 'Robert J Miller'),
  );
  expect(text).toMatch(/Bob +Robert +nickname/);
  expect(text).toMatch(/- +J +missing/);
  expect(text).toContain('Bob is a short form of Robert');
});

test('names compare prints a verdict and the concerns', async () => {
  const text = await run('John Miller Jr', 'John Miller Sr');
  expect(text).toContain('different people, judged by the names');
  expect(text).toContain('! Jr and Sr are usually parent and child.');
});

test('--json prints the whole comparison', async () => {
  const result = JSON.parse(await run('山田太郎', 'Taro Yamada', '--json'));
  expect(result).toMatchObject({ same: true, variation: 'transliteration', concerns: [] });
  expect(result.alignment).toHaveLength(2);
});

test('the operator can add names with a table', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'names-')), 'own.txt');
  writeFileSync(file, '[nicknames]\nzebulonia: bolly\n');
  expect(await run('Bolly Fenwick', 'Zebulonia Fenwick')).toContain('different people');
  expect(await run('Bolly Fenwick', 'Zebulonia Fenwick', '--tables', file)).toContain('could be one person');
});

test('a text without letters is refused, and the error says what to give', async () => {
  expect(await runHere(['names', 'compare', '123', 'John'])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Give two names in quotation marks.'),
  });
});
