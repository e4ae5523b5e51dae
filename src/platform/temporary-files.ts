import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { resultOr } from '../errors.ts';
import { getErrorCode } from './files.ts';

const PREFIX = '.bonafide-scratch-';
const NAME = /^\.bonafide-scratch-(\w+-\d+)-\w+$/;

/** Private folder (mode 0700) for unfinished files. */
export interface ScratchFolder {
  folder: string;
  remove(): void;
}

/**
 * Creates a scratch folder inside `folder`, so that finished files can be renamed into `folder`. Also removes scratch folders of killed
 * processes. Errors: those of the file system.
 */
export function createScratchFolder(folder: string): ScratchFolder {
  for (const abandonedFolder of listAbandonedScratchFolders(folder)) tryRemoveFile(abandonedFolder);
  const scratchFolder = mkdtempSync(join(folder, `${PREFIX}${createFileOwnerMark()}-`));
  return { folder: scratchFolder, remove: () => rmSync(scratchFolder, { recursive: true, force: true }) };
}

/** Removes a file or folder. Returns false if this is not permitted. */
function tryRemoveFile(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns the owner mark (which process) in the name of a scratch folder; undefined for other names. */
const parseScratchOwnerMark = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? (NAME.exec(name)?.[1] ?? '') : undefined;

/** Lists the scratch folders of processes that have ended. */
export const listAbandonedScratchFolders = (folder: string): string[] => listScratchFolders(folder, 'gone');

/** True if another backup or restore is running in a folder. */
export const isAnyScratchFolderInUse = (folder: string): boolean =>
  listScratchFolders(folder, 'alive', 'unknown').length > 0;

const listScratchFolders = (folder: string, ...of: ReturnType<typeof getOwnerProcessState>[]): string[] =>
  readdirSync(folder).flatMap((name) => {
    const mark = parseScratchOwnerMark(name);
    const path = join(folder, name);
    return mark !== undefined && of.includes(getOwnerProcessState(mark, path)) ? [path] : [];
  });

// The name of a temporary file or folder contains the id of its process, so that files of killed processes
// can be recognised.
/** Hash of this machine's name, a part of the owner mark, because other machines may use the same disk. */
const HOST = hash('sha256', hostname()).slice(0, 8);
const DAY_MS = 86_400_000;

/**
 * State of the process that owns a temporary file. `gone`: it has ended. `unknown`: it runs on another machine, and the file was changed lately, so that
 * it may be alive.
 */
export type OwnerProcessState = 'alive' | 'gone' | 'unknown';

/** Creates the owner mark of a process of this machine, by default this process, for the names of temporary files. */
export const createFileOwnerMark = (pid = process.pid): string => `${HOST}-${pid}`;

/**
 * Returns the state of the process that owns a temporary file.
 *
 * @param mark owner mark in the file name; undefined if the name has none
 * @param goneAfterMs age of the last change (ms) from which a process of another machine counts as gone
 */
export function getOwnerProcessState(
  mark: string | undefined,
  path: string,
  goneAfterMs = DAY_MS,
): OwnerProcessState {
  const [host, number] = mark?.split('-') ?? [];
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (host !== HOST) return touched < Date.now() - goneAfterMs ? 'gone' : 'unknown';
  const pid = Number(number);
  // In containers, every process may have the id 1. A file older than this process belongs to another
  // process.
  if (pid === process.pid) return touched < Date.now() - process.uptime() * 1000 ? 'gone' : 'alive';
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    // The process exists, but belongs to another user.
    return getErrorCode(error) === 'EPERM' ? 'alive' : 'gone';
  }
}

/** Interval (ms) at which a process touches its file of `createTouchedFile`. */
const TOUCH_EVERY_MS = 60_000;

/**
 * Creates a file that contains the current time (ms since 1970), and touches it every minute while this process runs. Returns a function that removes it.
 * Errors: those of the file system.
 */
export function createTouchedFile(path: string): () => void {
  try {
    writeFileSync(path, String(Date.now()), { mode: 0o600 });
  } catch (error) {
    // A full disk leaves an empty file.
    rmSync(path, { force: true });
    throw error;
  }
  const touch = () => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The file was removed. The owner's work must not fail because of that.
    }
  };
  const timer = setInterval(touch, TOUCH_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
}

// Temporary files of a data folder. A killed process does not remove them, and they may contain copies of
// records.
interface TemporaryFile {
  name: string;
  path: string;
  owner: OwnerProcessState;
}

/** Matches the name of an uploaded import file, or of the list of its unusable records: import id, and the mark of the process that wrote it. */
export const UPLOAD_FILE_NAME = /^imp_\w+\.(\w+-\d+)(?:\.rejects)?$/;
/**
 * Matches names of temporary files that do not contain the mark of their process: files that are written before a rename, and unfinished copies of an
 * upgrade.
 */
const UNFINISHED =
  /\.(?:\d+-\d+\.tmp|version-\d+\.partial)$|^held\.json\.\d+-\d+$|^runs-[\da-f]{12}$|-room-[\da-f]{12}$/;
/** Age (ms) at which a temporary file without the mark of its process counts as abandoned. */
const UNFINISHED_MAX_AGE_MS = 60_000;

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

function getTemporaryFileOwner(entry: Dirent, path: string): OwnerProcessState | null {
  const scratch = entry.isDirectory() ? parseScratchOwnerMark(entry.name) : undefined;
  if (scratch !== undefined) return getOwnerProcessState(scratch, path);
  const upload = UPLOAD_FILE_NAME.exec(entry.name)?.[1];
  if (upload !== undefined) return getOwnerProcessState(upload, path);
  if (!entry.isFile() || !UNFINISHED.test(entry.name)) return null;
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return touched < Date.now() - UNFINISHED_MAX_AGE_MS ? 'gone' : 'alive';
}

/** Lists the entries of a folder; none if the folder does not exist or is unreadable. */
const entriesOf = (folder: string): Dirent[] =>
  resultOr(() => readdirSync(folder, { withFileTypes: true }), []);

/**
 * Removes the temporary files of killed processes, as far as permitted, and returns their names. Call it with open databases, while no upgrade
 * is running.
 */
export function removeAbandonedTemporaryFiles(dataDir: string): string[] {
  const leftovers = listTemporaryFiles(dataDir).filter(
    ({ owner, path }) => owner === 'gone' && tryRemoveFile(path),
  );
  return leftovers.map(({ name }) => name);
}

/** Describes the temporary files that killed processes may have left; null if there are none. */
export function describeLeftoverFiles(dataDir: string): string | null {
  const names = (of: OwnerProcessState) =>
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
