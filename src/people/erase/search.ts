import { closeSync, openSync, readdirSync, readSync, existsSync } from 'node:fs';
import { join, basename, dirname, relative, resolve, sep } from 'node:path';
import { getErrorCode } from '../../platform/files.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { computeGraphSecretCheck } from '../../graph/encryption/keys.ts';
import { getDemoKeyFile } from '../../platform/data-folder.ts';
import { listTemporaryFiles } from '../../platform/temporary-files.ts';

const CHUNK = 4 * 1024 * 1024;

/** Returns the paths of the files, in a folder and its subfolders, that contain one of the byte strings (three bytes or more each). */
export function findFilesContaining(folder: string, wanted: readonly Buffer[]): string[] {
  if (wanted.length === 0) return [];
  const find = finder(wanted);
  return listFiles(folder)
    .filter((file) => holds(file, find))
    .toSorted();
}

/**
 * Lists the files of a folder and its subfolders. Files that other processes create or remove meanwhile may be missing. Errors: those of
 * the file system.
 */
export function listFiles(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

function unlessGone<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

interface Finder {
  longest: number;
  isIn(bytes: Buffer): boolean;
}

/**
 * Creates a search for all byte strings in one pass. The byte strings are indexed by their last three bytes, because many begin with the
 * same bytes.
 */
function finder(byteStrings: readonly Buffer[]): Finder {
  const byEnd = new Map<number, Buffer[]>();
  const ends = new Uint8Array(0x100_0000 / 8);
  for (const bytes of byteStrings) {
    const end = bytes.readUIntBE(bytes.length - 3, 3);
    ends[end >> 3] = (ends[end >> 3] ?? 0) | (1 << (end & 7));
    const same = byEnd.get(end);
    if (same) same.push(bytes);
    else byEnd.set(end, [bytes]);
  }
  const endsHere = (bytes: Buffer, after: number, one: Buffer) =>
    after >= one.length && bytes.subarray(after - one.length, after).equals(one);
  return {
    longest: Math.max(...byteStrings.map(({ length }) => length)),
    isIn(bytes) {
      let end = 0;
      for (let i = 0; i < bytes.length; i++) {
        end = ((end & 0xffff) << 8) | (bytes[i] ?? 0);
        if (((ends[end >> 3] ?? 0) & (1 << (end & 7))) === 0) continue;
        if (byEnd.get(end)?.some((one) => endsHere(bytes, i + 1, one)) === true) return true;
      }
      return false;
    },
  };
}

function holds(file: string, { longest, isIn }: Finder): boolean {
  const opened = unlessGone(() => openSync(file, 'r'));
  if (opened === null) return false;
  try {
    const bytes = Buffer.alloc(CHUNK + longest);
    let keptBytes = 0;
    for (;;) {
      const read = readSync(opened, bytes, keptBytes, CHUNK, null);
      if (read === 0) return false;
      const filled = bytes.subarray(0, keptBytes + read);
      if (isIn(filled)) return true;
      // The end of this block is kept: a match may continue in the next block.
      keptBytes = Math.min(longest, filled.length);
      filled.copy(bytes, 0, filled.length - keptBytes);
    }
  } finally {
    closeSync(opened);
  }
}

/** Names of record databases, and of the copies that upgrades keep. */
const DATABASE = /^(?:graph|records)\.db(?:\.version-\d+)?$/;
const LIVE = ['graph.db', 'records.db'];

/** First bytes of a file that is encrypted with a passphrase or a key (https://age-encryption.org/v1), such as a backup. */
const ENCRYPTED = Buffer.from('age-encryption.org/v1');

/**
 * Returns the files of a data folder that may contain erased data which a search for bytes cannot find, relative to the folder: temporary
 * files of other processes, uploaded import files, encrypted backups, and copies of the graph under another secret. Errors: those of the
 * file system.
 */
export function listUnsearchableFiles(dataDir: string, { records }: RecordGraph): string[] {
  const passing = listTemporaryFiles(dataDir).map(({ name }) => name);
  const isPassing = (way: string) => passing.some((name) => way.startsWith(join(name, sep)));
  // Every graph contains a check value of its secret, which is not encrypted.
  const ours = new Set(
    findFilesContaining(dataDir, [Buffer.from(computeGraphSecretCheck(records.fingerprints))]),
  );
  const isOther = (file: string) =>
    DATABASE.test(basename(file)) ? !ours.has(file) && !isInvented(dataDir, file) : isEncrypted(file);
  const others = listFiles(dataDir)
    .filter(isOther)
    .map((file) => relative(dataDir, file))
    .filter((way) => !LIVE.includes(way) && !isPassing(way))
    .map((way) => (way === basename(way) ? way : dirname(way)));
  return [...passing, ...new Set(others)].toSorted();
}

/** Returns the backup folder, if it contains files and is outside the data folder; otherwise an empty list. */
export function findExternalBackups(dataDir: string, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const path = resolve(folder);
  const isWithin = path === resolve(dataDir) || path.startsWith(join(resolve(dataDir), sep));
  return isWithin || listFiles(path).length === 0 ? [] : [path];
}

function isEncrypted(file: string): boolean {
  const bytes = Buffer.alloc(ENCRYPTED.length);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, bytes, 0, bytes.length, 0);
    closeSync(opened);
  } catch {
    // The file was deleted, or another message reports it as unreadable.
    return false;
  }
  return bytes.equals(ENCRYPTED);
}

/** True if a file belongs to the sample or a demo, which contain only invented people. */
const isInvented = (dataDir: string, file: string): boolean =>
  file.startsWith(join(dataDir, 'sample', sep)) || existsSync(getDemoKeyFile(dirname(file)));
