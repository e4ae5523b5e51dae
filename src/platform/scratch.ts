import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './files.ts';

const PREFIX = '.bonafide-scratch-';

/** A folder for work that is not done yet, mode 0700. */
export interface Scratch {
  folder: string;
  remove(): void;
}

/**
 * Makes a scratch folder inside `folder`, so that what is made there can be renamed into it, and removes those that processes left
 * which were killed. Errors: what the file system throws.
 */
export function scratchIn(folder: string): Scratch {
  for (const left of leftovers(folder)) rmSync(left, { recursive: true, force: true });
  const made = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
  return { folder: made, remove: () => rmSync(made, { recursive: true, force: true }) };
}

/** Scratch folders whose process is gone. */
export function leftovers(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name))
    .filter(isLeft);
}

function isLeft(folder: string): boolean {
  const pid = Number(/-(\d+)-\w+$/.exec(folder)?.[1]);
  if (!Number.isInteger(pid)) return false;
  // In a container every process may have the number 1: one that was made before we began is another's.
  if (pid === process.pid) return statSync(folder).mtimeMs < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
