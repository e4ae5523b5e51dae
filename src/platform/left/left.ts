// What processes have in a data folder while they work, and leave there where they are killed: copies of records among it.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Owner, ownerOf } from './owner.ts';
import { removed, scratchMark } from './scratch.ts';

/** Something that is there only while it is worked on. */
export interface Passing {
  /** Its way in the data folder. */
  name: string;
  path: string;
  /** Of its process. */
  owner: Owner;
}

/** A file that was sent to be imported, or what was written beside it: its id and its process. */
const UPLOAD = /^imp_\w+\.(\w+-\d+)(?:\.rejects)?$/;
/** A file that is written before it takes another's place, an upgrade's copy that is not whole, and a file that is nameless once it is used. */
const UNFINISHED =
  /\.(?:\d+-\d+\.tmp|version-\d+\.partial)$|^held\.json\.\d+-\d+$|^runs-[\da-f]{12}$|-room-[\da-f]{12}$/;
/** Each of them is there for a moment; an upgrade's copy for longer, and nobody else has its database open meanwhile. */
const MOMENT_MS = 60_000;

/** All of a folder and of the folders in it, not of those in these. */
export function passingIn(dataDir: string): Passing[] {
  const look = (folder: string, isTop: boolean): Passing[] =>
    entriesOf(folder).flatMap((entry) => {
      const path = join(folder, entry.name);
      const owner = passingOwner(entry, path);
      if (owner !== null) return [{ name: relative(dataDir, path), path, owner }];
      return isTop && entry.isDirectory() ? look(path, false) : [];
    });
  return look(dataDir, true);
}

function passingOwner(entry: Dirent, path: string): Owner | null {
  const scratch = entry.isDirectory() ? scratchMark(entry.name) : undefined;
  if (scratch !== undefined) return ownerOf(scratch, path);
  const upload = UPLOAD.exec(entry.name)?.[1];
  if (upload !== undefined) return ownerOf(upload, path);
  if (!entry.isFile() || !UNFINISHED.test(entry.name)) return null;
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return touched < Date.now() - MOMENT_MS ? 'gone' : 'alive';
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
export function removeLeft(dataDir: string): string[] {
  const left = passingIn(dataDir).filter(({ owner, path }) => owner === 'gone' && removed(path));
  return left.map(({ name }) => name);
}

/** What is said of that which may have been left; null where nothing was. */
export function leftText(dataDir: string): string | null {
  const names = (of: Owner) =>
    passingIn(dataDir)
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
