// Keeps uploaded files in the data folder for at most an hour. Only the user of the server can read them.
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandomBase62 } from '../../accounts/key-text.ts';
import { listFolderEntryNames, makeFolder } from '../../platform/files.ts';
import { createFileOwnerMark, UPLOAD_FILE_NAME } from '../../platform/temporary-files.ts';

const FOLDER = 'uploads';
/** Time (ms) after which an unused uploaded file is removed. */
export const UPLOAD_LIFETIME_MS = 3_600_000;

export interface UploadLocation {
  id: string;
  file: string;
}

/** Creates the id and the path for an uploaded file. Errors: those of the file system. */
export function createUploadIdAndFilePath(dataDir: string): UploadLocation {
  const folder = join(dataDir, FOLDER);
  makeFolder(folder);
  const id = `imp_${createRandomBase62(16)}`;
  // The file name contains the process id, so that `listTemporaryFiles` can recognise files of a killed server.
  return { id, file: join(folder, `${id}.${createFileOwnerMark()}`) };
}

/** Returns the path of the file that lists the unusable records of an upload. */
export const getRejectsFilePath = (file: string) => `${file}.rejects`;

export function removeUpload(file: string): void {
  for (const path of [file, getRejectsFilePath(file)]) rmSync(path, { force: true });
}

/**
 * Removes uploaded files older than `UPLOAD_LIFETIME_MS`, except those of the imports in `ids`. A file that is newer than now was written before the
 * clock was set back. `now` is in milliseconds since 1970.
 */
export function removeStaleUploads(dataDir: string, ids: ReadonlySet<string>, now: number): void {
  for (const name of listFolderEntryNames(join(dataDir, FOLDER))) {
    const [id = ''] = name.split('.');
    const file = join(dataDir, FOLDER, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    // The folder may contain entries that this program did not create.
    if (ids.has(id) || !UPLOAD_FILE_NAME.test(name) || !stats?.isFile()) continue;
    const written = stats.mtimeMs;
    if (Math.abs(now - written) > UPLOAD_LIFETIME_MS) rmSync(file, { force: true });
  }
}
