import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../platform/files.ts';

const PREFIX = '.bonafide-scratch-';
/** A folder on a shared disk may hold another machine's, whose processes we cannot see. */
const HOST = hash('sha256', hostname()).slice(0, 8);
const DAY_MS = 86_400_000;

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
  const made = mkdtempSync(join(folder, `${PREFIX}${HOST}-${process.pid}-`));
  return { folder: made, remove: () => rmSync(made, { recursive: true, force: true }) };
}

/** Scratch folders whose process is gone. */
export function leftovers(folder: string): string[] {
  return scratchesIn(folder).filter(isLeft);
}

/** Is another backup or restore at work in a folder? */
export const isAtWork = (folder: string): boolean => scratchesIn(folder).some((one) => !isLeft(one));

const scratchesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name));

function isLeft(folder: string): boolean {
  const [, host, number] = /-(\w+)-(\d+)-\w+$/.exec(folder) ?? [];
  const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (host !== HOST) return touched < Date.now() - DAY_MS;
  const pid = Number(number);
  // In a container every process may have the number 1: one that was made before we began is another's.
  if (pid === process.pid) return touched < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
