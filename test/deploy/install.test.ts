import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/pages.ts';

const SCRIPT = join(ROOT, 'data/deploy/install.sh');
const install = (...args: string[]) => spawnSync('sh', [SCRIPT, ...args], { encoding: 'utf8' });

/** Writes a program that prints a version, and the file with its checksum. */
function programIn(folder: string, says = 'echo 9.9.9'): string {
  const file = join(folder, 'bonafide');
  const text = `#!/bin/sh\n${says}\n`;
  writeFileSync(file, text, { mode: 0o755 });
  writeFileSync(`${file}.sha256`, `${hash('sha256', text)}  bonafide\n`);
  return file;
}

test('a file that is whole and runs is installed, over an earlier one', () => {
  const to = freshFolder();
  writeFileSync(join(to, 'bonafide'), 'the earlier one');
  const { status, stdout } = install(programIn(freshFolder()), to);
  expect([status, stdout]).toEqual([0, expect.stringContaining('bonafide 9.9.9 is installed in')]);
  expect(execFileSync(join(to, 'bonafide'), { encoding: 'utf8' })).toBe('9.9.9\n');
  expect(readdirSync(to)).toEqual(['bonafide']);
});

test.each([
  [
    'another checksum',
    (file: string) => writeFileSync(file, 'changed on the way'),
    'does not match its checksum',
  ],
  [
    'a program of another machine',
    (file: string) => programIn(join(file, '..'), 'exit 126'),
    'does not run on this machine',
  ],
])('%s: nothing is installed, and what was there stays', (_, spoil, told) => {
  const to = freshFolder();
  writeFileSync(join(to, 'bonafide'), 'the earlier one');
  const file = programIn(freshFolder());
  spoil(file);
  const { status, stderr } = install(file, to);
  expect([status, stderr]).toEqual([1, expect.stringContaining(told)]);
  expect(readFileSync(join(to, 'bonafide'), 'utf8')).toBe('the earlier one');
  expect(readdirSync(to)).toEqual(['bonafide']);
});

test('without a file, or without its checksum, it says what it needs', () => {
  const to = freshFolder();
  expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('sh install.sh FILE') });
  const file = join(to, 'lonely');
  writeFileSync(file, '');
  expect(install(file, to).stderr).toContain('lonely.sha256 does not exist');
  expect(existsSync(join(to, 'bonafide'))).toBe(false);
});

test.runIf(spawnSync('shellcheck', ['--version']).status === 0)('shellcheck finds nothing in it', () => {
  expect(spawnSync('shellcheck', [SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
});
