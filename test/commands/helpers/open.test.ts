import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

const READING = [
  ['usage'],
  ['usage', '--keys'],
  ['invoice'],
  ['plans', 'list'],
  ['plans', 'show', 'a'],
  ['plans', 'change', 'a', '--price', '1'],
  ['plans', 'retire', 'a'],
  ['accounts', 'list'],
  ['accounts', 'show', 'acc_x'],
  ['accounts', 'close', 'acc_x'],
  ['keys', 'list'],
  ['keys', 'probes'],
  ['keys', 'verify', 'text'],
  ['audit', 'show'],
  ['audit', 'verify'],
];

test.each(READING)('a missing folder is an error, and is not created: %s %s', async (...args) => {
  const folder = join(freshFolder(), 'none');
  const { code, stdout, stderr } = await runHere([...args, '--data-dir', folder]);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`There is no folder ${folder}.`)]);
  expect(existsSync(folder)).toBe(false);
});

test.each([...READING, ['keys', 'create', '--name', 'x'], ['plans', 'create', 'a']])(
  'a file in place of the folder is an error: %s %s',
  async (...args) => {
    const file = join(freshFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runHere([...args, '--data-dir', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is not a folder.`)]);
  },
);

test.each([
  [['usage'], 0, 'No calls in'],
  [['usage', '--account', 'acc_x'], 1, 'There is no account acc_x'],
  [['invoice'], 0, 'Nothing is billed for'],
  [['invoice', '--account', 'acc_x'], 1, 'There is no account acc_x'],
  [['plans', 'list'], 0, 'There are no plans'],
  [['plans', 'show', 'a'], 1, 'There is no plan a'],
  [['accounts', 'list'], 0, 'There are no accounts'],
  [['accounts', 'rename', 'acc_x', '--name', 'y'], 1, 'There is no account acc_x'],
  [['keys', 'list'], 0, 'There are no keys'],
  [['audit', 'show'], 1, 'no audit log'],
])('in a folder without a store no store is created: %j', async (args, code, says) => {
  const folder = freshFolder();
  const ran = await runHere([...args, '--data-dir', folder]);
  expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringContaining(says)]);
  expect(readdirSync(folder)).toEqual([]);
});
