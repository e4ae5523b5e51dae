// Upgrade of the single executable: replaces the file by another version, and restores the previous one.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { flushFileToDisk, flushFolderToDisk } from '../../platform/files.ts';

const TIMEOUT_MS = 60_000;

export const getPreviousProgramFile = (program: string): string => `${program}.previous`;

/**
 * Runs an executable and returns the version that it prints. If a `.sha256` file is beside it, its checksum must match. Errors: file_not_found,
 * unreadable_file.
 */
export function runProgramToGetVersion(file: string): string {
  if (!existsSync(file))
    throw new BonafideError('file_not_found', `The executable ${file} does not exist. Check the path.`);
  const sum = `${file}.sha256`;
  if (existsSync(sum) && !readFileSync(sum, 'utf8').startsWith(hash('sha256', readFileSync(file))))
    throw new BonafideError(
      'unreadable_file',
      `${file} does not match its checksum in ${basename(sum)}. Download both files again.`,
    );
  try {
    const text = execFileSync(file, ['--version'], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (/^\d+\.\d+\.\d+\S*$/.test(text)) return text;
  } catch {
    // The file is for another machine, is another program or is not executable. The error below covers all three.
  }
  throw new BonafideError(
    'unreadable_file',
    `${file} is not an executable of Bonafide that runs on this machine. Check that it is the one for this platform, and that it has execute permission (chmod +x).`,
  );
}

/**
 * Replaces the executable `program` by `file` and keeps the old one. Both copies are complete before a file is replaced: a failure, such as a full
 * disk, changes neither the executable nor the previous version. If the process is killed, each of the two files is either the old or the new one.
 * Running processes are not affected. Errors: read_only.
 */
export function replaceProgram(program: string, file: string): void {
  const copies = [
    [program, getPreviousProgramFile(program)],
    [file, program],
  ] as const;
  withProgramErrors(program, () => {
    try {
      for (const [from, to] of copies) copyCompletely(from, getNextProgramFile(to));
      for (const [, to] of copies) renameSync(getNextProgramFile(to), to);
      flushFolderToDisk(dirname(program));
    } finally {
      for (const [, to] of copies) rmSync(getNextProgramFile(to), { force: true });
    }
  });
}

/** Throws if `replaceProgram` may not write to the folder of the executable. Errors: read_only. */
export function requireReplaceableProgram(program: string): void {
  const next = getNextProgramFile(program);
  withProgramErrors(program, () => {
    writeFileSync(next, '');
    rmSync(next);
  });
}

const getNextProgramFile = (file: string): string => `${file}.next`;

function copyCompletely(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o755);
  // Otherwise a power cut could leave an empty executable.
  flushFileToDisk(to);
}

/**
 * Replaces the executable by the previous one, which `replaceProgram` kept. Errors: file_not_found; unreadable_file if the previous one does not run;
 * read_only.
 */
export function restorePreviousProgram(program: string): void {
  const previousFile = getPreviousProgramFile(program);
  if (!existsSync(previousFile))
    throw new BonafideError(
      'file_not_found',
      `${previousFile} does not exist, so there is no upgrade to undo.`,
    );
  runProgramToGetVersion(previousFile);
  withProgramErrors(program, () => renameSync(previousFile, program));
}

function withProgramErrors(program: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    throw new BonafideError(
      'read_only',
      `${program} cannot be replaced (${(error as NodeJS.ErrnoException).code}). Run this command as a user who may write to its folder.`,
    );
  }
}
