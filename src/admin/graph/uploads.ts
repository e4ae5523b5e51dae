// Files that are sent to be imported: beside the databases, private, and for an hour at most.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBase62 } from '../../accounts/key-text.ts';
import { makeFolder } from '../../platform/files.ts';
import { ownMark } from '../../platform/left/owner.ts';

const FOLDER = 'uploads';
/** How long a file is kept that nobody does anything with. */
export const UPLOAD_MS = 3_600_000;

/** Room for a file: the id that it goes by, and where it is written to. */
export interface UploadSlot {
  id: string;
  file: string;
}

/** Makes room for a file. Errors: what the file system throws. */
export function createUploadSlot(dataDir: string): UploadSlot {
  const folder = join(dataDir, FOLDER);
  makeFolder(folder);
  const id = `imp_${randomBase62(16)}`;
  // Its process stands in the name, so that what a server leaves that is killed is known by `passingIn`.
  return { id, file: join(folder, `${id}.${ownMark()}`) };
}

/** Where what an import could not use of a file is written. */
export const rejectsFileOf = (file: string) => `${file}.rejects`;

/** Removes a file, and what was written beside it. */
export function removeUpload(file: string): void {
  for (const one of [file, rejectsFileOf(file)]) rmSync(one, { force: true });
}

/**
 * Removes the files that were written longer ago than they are kept, but for those of `ids`: those of a server that was killed, too. `now` is in
 * milliseconds.
 */
export function removeStaleUploads(dataDir: string, ids: ReadonlySet<string>, now: number): void {
  for (const name of namesIn(join(dataDir, FOLDER))) {
    const [id = ''] = name.split('.');
    if (ids.has(id)) continue;
    const file = join(dataDir, FOLDER, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (written < now - UPLOAD_MS) rmSync(file, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
