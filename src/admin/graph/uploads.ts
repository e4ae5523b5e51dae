// Uploaded files: in the data folder, readable by the server only, for an hour at most.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBase62 } from '../../accounts/key-text.ts';
import { makeFolder } from '../../platform/files.ts';
import { ownMark } from '../../platform/left/owner.ts';

const FOLDER = 'uploads';
/** How long an unused file is kept. */
export const UPLOAD_LIFETIME_MS = 3_600_000;

/** Id and path of a file that is going to be uploaded. */
export interface UploadSlot {
  id: string;
  file: string;
}

/** Returns a new id and path for an upload. Errors: those of the file system. */
export function createUploadSlot(dataDir: string): UploadSlot {
  const folder = join(dataDir, FOLDER);
  makeFolder(folder);
  const id = `imp_${randomBase62(16)}`;
  // The name contains the process, so that files of a killed server can be recognised by `passingIn`.
  return { id, file: join(folder, `${id}.${ownMark()}`) };
}

/** Returns the path of the file with the records of an upload that could not be used. */
export const toRejectsPath = (file: string) => `${file}.rejects`;

/** Removes an uploaded file and its rejects file. */
export function removeUpload(file: string): void {
  for (const path of [file, toRejectsPath(file)]) rmSync(path, { force: true });
}

/** Removes files that are older than `UPLOAD_LIFETIME_MS`, also those of a killed server, except for the imports in `ids`. `now` is in milliseconds. */
export function removeStaleUploads(dataDir: string, ids: ReadonlySet<string>, now: number): void {
  for (const name of namesIn(join(dataDir, FOLDER))) {
    const [id = ''] = name.split('.');
    if (ids.has(id)) continue;
    const file = join(dataDir, FOLDER, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (written < now - UPLOAD_LIFETIME_MS) rmSync(file, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
