import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf, ownMark } from './owner.ts';

const PREFIX = '.bonafide-scratch-';
const NAME = /^\.bonafide-scratch-(\w+-\d+)-\w+$/;

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
  for (const left of leftovers(folder)) removed(left);
  const made = mkdtempSync(join(folder, `${PREFIX}${ownMark()}-`));
  return { folder: made, remove: () => rmSync(made, { recursive: true, force: true }) };
}

/** Removes a file or folder; false where it may not. */
export function removed(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Whose a scratch folder of this name is; undefined where it is none. */
export const scratchMark = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? (NAME.exec(name)?.[1] ?? '') : undefined;

/** Scratch folders whose process is gone. */
export const leftovers = (folder: string): string[] => scratchesIn(folder, 'gone');

/** Is another backup or restore at work in a folder? */
export const isAtWork = (folder: string): boolean => scratchesIn(folder, 'alive', 'unknown').length > 0;

const scratchesIn = (folder: string, ...of: ReturnType<typeof ownerOf>[]): string[] =>
  readdirSync(folder).flatMap((name) => {
    const mark = scratchMark(name);
    const path = join(folder, name);
    return mark !== undefined && of.includes(ownerOf(mark, path)) ? [path] : [];
  });
