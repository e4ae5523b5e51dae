import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  restorePreviousProgram,
  getPreviousProgramFile,
  replaceProgram,
  requireReplaceableProgram,
  runProgramToGetVersion,
} from '../../../src/maintenance/file/program.ts';
import { freshFolder } from '../../kit/folder.ts';

/** Writes a program that prints a text. */
function programAt(file: string, says: string): string {
  writeFileSync(file, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
  return file;
}
const said = (file: string): string => execFileSync(file, { encoding: 'utf8' }).trim();

test('another version takes the place of a program, and the earlier one comes back', () => {
  const folder = freshFolder();
  const program = programAt(join(folder, 'bonafide'), '1.0.0');
  const next = programAt(join(folder, 'next'), '2.0.0');
  expect(runProgramToGetVersion(next)).toBe('2.0.0');
  replaceProgram(program, next);
  expect([said(program), said(getPreviousProgramFile(program))]).toEqual(['2.0.0', '1.0.0']);
  restorePreviousProgram(program);
  expect(said(program)).toBe('1.0.0');
  expect(() => restorePreviousProgram(program)).toThrow(/there is no upgrade to undo/);
});

test('a file that is no Bonafide, or not the one of its checksum, is told', () => {
  const folder = freshFolder();
  expect(() => runProgramToGetVersion(join(folder, 'none'))).toThrow(/does not exist/);
  expect(() => runProgramToGetVersion(programAt(join(folder, 'other'), 'hello'))).toThrow(
    /not an executable of Bonafide/,
  );
  const summed = programAt(join(folder, 'summed'), '2.0.0');
  writeFileSync(`${summed}.sha256`, `${hash('sha256', readFileSync(summed))}  summed\n`);
  expect(runProgramToGetVersion(summed)).toBe('2.0.0');
  programAt(summed, '2.0.1');
  expect(() => runProgramToGetVersion(summed)).toThrow(/does not match its checksum in summed\.sha256/);
});

test('a previous program that does not run is not put back', () => {
  const folder = freshFolder();
  const program = programAt(join(folder, 'bonafide'), '2.0.0');
  // As left by a version up to 0.2 that was killed during the copy.
  writeFileSync(getPreviousProgramFile(program), '', { mode: 0o644 });
  expect(() => restorePreviousProgram(program)).toThrow(/previous is not an executable of Bonafide/);
  expect(said(program)).toBe('2.0.0');
});

test('a program that cannot be replaced stays as it is', () => {
  const folder = freshFolder();
  const program = programAt(join(folder, 'bonafide'), '1.0.0');
  // A folder at the path of the copy prevents the replacement, for root too.
  mkdirSync(getPreviousProgramFile(program));
  expect(() => replaceProgram(program, programAt(join(folder, 'next'), '2.0.0'))).toThrow(
    /cannot be replaced/,
  );
  expect(said(program)).toBe('1.0.0');
  expect(existsSync(`${program}.next`)).toBe(false);
});

test('a program in whose folder nothing can be written is refused before anything is done, and a test leaves no file', () => {
  const folder = freshFolder();
  const program = programAt(join(folder, 'bonafide'), '1.0.0');
  requireReplaceableProgram(program);
  expect(readdirSync(folder)).toEqual(['bonafide']);
  // A folder at the path of the new program prevents the replacement, for root too.
  mkdirSync(`${program}.next`);
  expect(() => requireReplaceableProgram(program)).toThrow(/cannot be replaced .*Run this command as a user/);
});

test.each(['missing', 'folder'])('an upgrade that fails (%s) keeps the previous version', (what) => {
  const folder = freshFolder();
  const program = programAt(join(folder, 'bonafide'), '2.0.0');
  programAt(getPreviousProgramFile(program), '1.0.0');
  mkdirSync(join(folder, 'folder'));
  expect(() => replaceProgram(program, join(folder, what))).toThrow(/cannot be replaced/);
  expect([said(program), said(getPreviousProgramFile(program))]).toEqual(['2.0.0', '1.0.0']);
  expect(readdirSync(folder).filter((name) => name.endsWith('.next'))).toEqual([]);
});
