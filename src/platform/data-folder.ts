// A data folder remembers what it has held, so that a file that is gone is not taken for one that never was.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { getErrorCode, makeFolder, syncFolder } from './files.ts';

/** What a folder may hold, and the file that holds it. */
const FILES = { records: 'graph.db', keys: 'store.db' } as const;
export type DataPart = keyof typeof FILES;

/** The file of that memory. */
export const CONTENTS_FILE = 'held.json';

/** What a folder has held by its own memory; nothing where it has none, or one that is garbled. Errors: unreadable_file. */
function readRememberedParts(dataDir: string): DataPart[] {
  const file = join(dataDir, CONTENTS_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) return [];
    throw cannotUse(file, error);
  }
  try {
    const { held } = JSON.parse(text) as { held: DataPart[] };
    return held.filter((part) => Object.hasOwn(FILES, part));
  } catch {
    return [];
  }
}

/** Has the folder remember that it holds this, where it does: what lies in a database elsewhere is not its own. Errors: unreadable_file. */
export function rememberDataPart(dataDir: string, what: DataPart): void {
  const held = readRememberedParts(dataDir);
  if (held.includes(what) || !existsSync(join(dataDir, FILES[what]))) return;
  const file = join(dataDir, CONTENTS_FILE);
  // Several processes and threads may do so at once; what one of them forgets, the next start of a server adds.
  const made = `${file}.${process.pid}-${threadId}`;
  try {
    makeFolder(dataDir);
    writeFileSync(made, `${JSON.stringify({ held: [...held, what].sort() })}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(made, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(made, { force: true });
    throw cannotUse(file, error);
  }
}

const cannotUse = (file: string, error: unknown) =>
  new BonafideError(
    'unreadable_file',
    `${file} cannot be used (${getErrorCode(error) || 'unknown reason'}): it must be a file that can be read and written, on a disk with room.`,
  );

/** The records that the graph is made from. */
const RECORDS_FILE = 'records.db';

/** Is the graph gone, and can be made again of the records that are there? */
export function canRebuildGraph(dataDir: string): boolean {
  const sizeOf = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(FILES.records) === 0 && sizeOf(RECORDS_FILE) > 0;
}

/** Refuses a folder that has lost the file of what it held. Errors: data_missing, unreadable_file. */
export function requireRememberedFiles(dataDir: string, ...wanted: DataPart[]): void {
  for (const what of readRememberedParts(dataDir)) {
    const size = statSync(join(dataDir, FILES[what]), { throwIfNoEntry: false })?.size ?? 0;
    if (wanted.includes(what) && size === 0) throw dataMissingError(dataDir, what, 'is gone');
  }
}

/** Refuses a folder whose file holds nothing of what it held. Errors: data_missing, unreadable_file. */
export function requireNotEmptied(dataDir: string, what: DataPart): void {
  if (readRememberedParts(dataDir).includes(what)) throw dataMissingError(dataDir, what, 'is empty');
}

function dataMissingError(dataDir: string, what: DataPart, how: string): BonafideError {
  if (what === 'records' && canRebuildGraph(dataDir)) return graphFileMissingError(dataDir);
  return new BonafideError(
    'data_missing',
    `${join(dataDir, FILES[what])} ${how}, and it held ${what}. Put it back, or restore a backup; to begin without it, delete ${join(dataDir, CONTENTS_FILE)}.`,
  );
}

/** Of a graph that is gone and whose records are there. */
export const graphFileMissingError = (dataDir: string): BonafideError =>
  new BonafideError(
    'data_missing',
    `${join(dataDir, FILES.records)} is gone, and its records are in ${RECORDS_FILE}: bonafide graph link makes it again, with the numbers that it had.`,
  );

/** Where the demo keeps its key: a folder that has this file holds invented people, and no others. */
export const getDemoKeyFile = (dataDir: string): string => join(dataDir, 'demo-key');

/** Is there anything of Bonafide in the folder? */
export function isDataFolder(dataDir: string): boolean {
  return [...Object.values(FILES), CONTENTS_FILE, 'secret'].some((name) => existsSync(join(dataDir, name)));
}

const CHECK_EVERY_MS = 1000;

export interface DataFileWatch {
  /** The part whose file is gone, empty or another one than at the start; null where all are there. Not older than a second. */
  missing(): DataPart | null;
  close(): void;
}

/**
 * Watches the files of a folder in use. An open file that is removed, moved or replaced goes on working for whoever has it open, and what
 * is written to it is lost.
 *
 * @param parts what lies in these files: others of the folder are nobody's business
 */
export function watchDataFiles(
  dataDir: string,
  parts: DataPart[],
  onChange: (missing: DataPart | null) => void,
): DataFileWatch {
  const stamp = (what: DataPart) => {
    const stat = statSync(join(dataDir, FILES[what]), { throwIfNoEntry: false });
    return stat && stat.size > 0 ? `${stat.dev} ${stat.ino}` : 'none';
  };
  const first = parts.map(stamp);
  let missing: DataPart | null = null;
  const look = () => {
    const found = parts.find((what, i) => stamp(what) !== first[i]) ?? null;
    if (found !== missing) onChange(found);
    missing = found;
  };
  const timer = setInterval(look, CHECK_EVERY_MS).unref();
  return { missing: () => missing, close: () => clearInterval(timer) };
}
