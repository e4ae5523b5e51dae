import { mkdtempSync, readdirSync, rmSync, statSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { getErrorCode } from './files.ts';

const PREFIX = '.bonafide-scratch-';
const NAME = /^\.bonafide-scratch-(\w+-\d+)-\w+$/;

/** A folder for work that is not done yet, mode 0700. */
export interface ScratchFolder {
  folder: string;
  remove(): void;
}

/**
 * Makes a scratch folder inside `folder`, so that what is made there can be renamed into it, and removes those that processes left
 * which were killed. Errors: what the file system throws.
 */
export function createScratchFolder(folder: string): ScratchFolder {
  for (const left of listAbandonedScratchFolders(folder)) tryRemove(left);
  const made = mkdtempSync(join(folder, `${PREFIX}${createOwnerMark()}-`));
  return { folder: made, remove: () => rmSync(made, { recursive: true, force: true }) };
}

/** Removes a file or folder; false where it may not. */
export function tryRemove(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Whose a scratch folder of this name is; undefined where it is none. */
export const parseScratchOwnerMark = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? (NAME.exec(name)?.[1] ?? '') : undefined;

/** Scratch folders whose process is gone. */
export const listAbandonedScratchFolders = (folder: string): string[] => listScratchFolders(folder, 'gone');

/** Is another backup or restore at work in a folder? */
export const hasScratchFolderInUse = (folder: string): boolean =>
  listScratchFolders(folder, 'alive', 'unknown').length > 0;

const listScratchFolders = (folder: string, ...of: ReturnType<typeof getOwnerState>[]): string[] =>
  readdirSync(folder).flatMap((name) => {
    const mark = parseScratchOwnerMark(name);
    const path = join(folder, name);
    return mark !== undefined && of.includes(getOwnerState(mark, path)) ? [path] : [];
  });

// Whose a file or folder is that is there only while a process works on it: told from its name, so that what a kill leaves is known.
/** A folder on a shared disk may hold another machine's, whose processes we cannot see. */
const HOST = hash('sha256', hostname()).slice(0, 8);
const DAY_MS = 86_400_000;

/** `gone`: its process has ended; `unknown`: another machine's, and not a day old. */
export type OwnerState = 'alive' | 'gone' | 'unknown';

/** What this process puts into the name of what it works on. */
export const createOwnerMark = (): string => `${HOST}-${process.pid}`;

/** @param mark as `ownMark` makes it; without one nobody can be alive on this machine */
export function getOwnerState(mark: string | undefined, path: string): OwnerState {
  const [host, number] = mark?.split('-') ?? [];
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (host !== HOST) return touched < Date.now() - DAY_MS ? 'gone' : 'unknown';
  const pid = Number(number);
  // In a container every process may have the number 1: one that was made before we began is another's.
  if (pid === process.pid) return touched < Date.now() - process.uptime() * 1000 ? 'gone' : 'alive';
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return getErrorCode(error) === 'ESRCH' ? 'gone' : 'alive';
  }
}

// What processes have in a data folder while they work, and leave there where they are killed: copies of records among it.
/** Something that is there only while it is worked on. */
interface TemporaryFile {
  /** Its way in the data folder. */
  name: string;
  path: string;
  /** Of its process. */
  owner: OwnerState;
}

/** A file that was sent to be imported, or what was written beside it: its id and its process. */
const UPLOAD = /^imp_\w+\.(\w+-\d+)(?:\.rejects)?$/;
/** A file that is written before it takes another's place, an upgrade's copy that is not whole, and a file that is nameless once it is used. */
const UNFINISHED =
  /\.(?:\d+-\d+\.tmp|version-\d+\.partial)$|^held\.json\.\d+-\d+$|^runs-[\da-f]{12}$|-room-[\da-f]{12}$/;
/** Each of them is there for a moment; an upgrade's copy for longer, and nobody else has its database open meanwhile. */
const UNFINISHED_MAX_AGE_MS = 60_000;

/** All of a folder and of the folders in it, not of those in these. */
export function listTemporaryFiles(dataDir: string): TemporaryFile[] {
  const look = (folder: string, isTop: boolean): TemporaryFile[] =>
    entriesOf(folder).flatMap((entry) => {
      const path = join(folder, entry.name);
      const owner = getTemporaryFileOwner(entry, path);
      if (owner !== null) return [{ name: relative(dataDir, path), path, owner }];
      return isTop && entry.isDirectory() ? look(path, false) : [];
    });
  return look(dataDir, true);
}

function getTemporaryFileOwner(entry: Dirent, path: string): OwnerState | null {
  const scratch = entry.isDirectory() ? parseScratchOwnerMark(entry.name) : undefined;
  if (scratch !== undefined) return getOwnerState(scratch, path);
  const upload = UPLOAD.exec(entry.name)?.[1];
  if (upload !== undefined) return getOwnerState(upload, path);
  if (!entry.isFile() || !UNFINISHED.test(entry.name)) return null;
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return touched < Date.now() - UNFINISHED_MAX_AGE_MS ? 'gone' : 'alive';
}

/** In a folder that is gone by now, or not ours to read, is nothing of ours. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Removes what processes left that were killed, as far as it may, and answers what that was. To be called where the folder's databases are
 * open: no upgrade is at work then.
 */
export function removeLeftovers(dataDir: string): string[] {
  const left = listTemporaryFiles(dataDir).filter(({ owner, path }) => owner === 'gone' && tryRemove(path));
  return left.map(({ name }) => name);
}

/** What is said of that which may have been left; null where nothing was. */
export function describeLeftovers(dataDir: string): string | null {
  const names = (of: OwnerState) =>
    listTemporaryFiles(dataDir)
      .filter(({ owner }) => owner === of)
      .map(({ name }) => name)
      .join(', ');
  const [gone, unknown] = [names('gone'), names('unknown')];
  const says = [
    ...(gone === ''
      ? []
      : [`a process that was killed left ${gone}: the next command that changes the graph removes it`]),
    ...(unknown === ''
      ? []
      : [`a process of another machine works on ${unknown}, or left it there: delete it where none does`]),
  ];
  return says.length > 0 ? `copies of records may be in what is not finished: ${says.join('; ')}` : null;
}
