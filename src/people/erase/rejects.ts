// Rejects files of imports. They contain record ids in plain text, which the search for encrypted bytes does
// not find.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resultOr } from '../../errors.ts';
import { getErrorCode, replaceFile, readTextFile } from '../../platform/files.ts';

const ownFile = (dataDir: string) => join(dataDir, 'rejects.jsonl');
const memory = (dataDir: string) => join(dataDir, 'rejects.json');
/** Maximum number of rejects files in the register. The oldest ones are dropped. */
const MAX_REGISTERED_FILES = 100;

/** Removes lines with these record ids from the rejects file of the last import: writes a new file, and overwrites the old one with zeros. */
export function removeRecordsFromRejects(dataDir: string, recordIds: ReadonlySet<string>): void {
  const file = ownFile(dataDir);
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const remainingLines = lines.filter((line) => !recordIds.has(recordIdOf(line)));
  if (remainingLines.length === lines.length) return;
  overwrite(file);
  replaceFile(file, remainingLines.join('\n'));
}

/** Adds the path of a rejects file outside the data folder to the register of files that later erasures search. Errors: `read_only`. */
export function registerRejectsFile(dataDir: string, file: string): void {
  const path = resolve(file);
  if (path === resolve(ownFile(dataDir))) return;
  const others = remembered(dataDir).filter((one) => one !== path && existsSync(one));
  replaceFile(
    memory(dataDir),
    `${JSON.stringify([...others, path].slice(-MAX_REGISTERED_FILES), null, 2)}\n`,
  );
}

function remembered(dataDir: string): string[] {
  try {
    const files: unknown = JSON.parse(readTextFile(memory(dataDir)));
    return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Searches the files that `registerRejectsFile` registered, without changing them. Returns the paths of files that contain one of the record ids
 * (`holding`), and of unreadable files (`unread`).
 */
export function findRejectsFilesContainingRecords(
  dataDir: string,
  recordIds: ReadonlySet<string>,
): { holding: string[]; unread: string[] } {
  const rejectsFiles = { holding: [] as string[], unread: [] as string[] };
  for (const file of remembered(dataDir)) {
    try {
      if (!statSync(file).isFile()) continue;
      const lines = readFileSync(file, 'utf8').split('\n');
      if (lines.some((line) => recordIds.has(recordIdOf(line)))) rejectsFiles.holding.push(file);
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') rejectsFiles.unread.push(file);
    }
  }
  return rejectsFiles;
}

const recordIdOf = (line: string): string =>
  resultOr(() => String((JSON.parse(line) as { record_id?: unknown }).record_id ?? ''), '');

function overwrite(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(statSync(file).size), 0);
  fsyncSync(opened);
  closeSync(opened);
}
