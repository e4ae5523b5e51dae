// What a search for somebody's bytes cannot find: what is sealed under another secret, what is not finished, and what was sent as it is.
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { RecordGraph } from '../../graph/graph.ts';
import { graphSecretCheck } from '../../graph/encryption/keys.ts';
import { demoKeyFile } from '../../platform/held.ts';
import { passingIn } from '../../platform/left/left.ts';
import { filesHolding, filesIn } from './search.ts';

/** Databases of records, and what upgrades keep of them. */
const DATABASE = /^(?:graph|records)\.db(?:\.version-\d+)?$/;
const LIVE = ['graph.db', 'records.db'];

/** How a file begins that was encrypted with a passphrase or a key (https://age-encryption.org/v1), as a backup may be. */
const ENCRYPTED = Buffer.from('age-encryption.org/v1');

/**
 * What of a data folder may hold somebody whom a search for their bytes does not find, by its way in the folder: work of other processes, files
 * that were sent to be imported, encrypted backups, and copies of the graph under another secret. Errors: what the file system throws.
 */
export function unsearchedIn(dataDir: string, { records }: RecordGraph): string[] {
  const passing = passingIn(dataDir).map(({ name }) => name);
  const isPassing = (way: string) => passing.some((name) => way.startsWith(join(name, sep)));
  // A graph has what it knows its secret by in the clear.
  const ours = new Set(filesHolding(dataDir, [Buffer.from(graphSecretCheck(records.fingerprints))]));
  const isOther = (file: string) =>
    DATABASE.test(basename(file)) ? !ours.has(file) && !isInvented(dataDir, file) : isEncrypted(file);
  const others = filesIn(dataDir)
    .filter(isOther)
    .map((file) => relative(dataDir, file))
    .filter((way) => !LIVE.includes(way) && !isPassing(way))
    .map((way) => (way === basename(way) ? way : dirname(way)));
  return [...passing, ...new Set(others)].toSorted();
}

/** The folder of backups, where it has any and is no part of the data folder. */
export function backupsElsewhere(dataDir: string, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const path = resolve(folder);
  const isWithin = path === resolve(dataDir) || path.startsWith(join(resolve(dataDir), sep));
  return isWithin || filesIn(path).length === 0 ? [] : [path];
}

function isEncrypted(file: string): boolean {
  const bytes = Buffer.alloc(ENCRYPTED.length);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, bytes, 0, bytes.length, 0);
    closeSync(opened);
  } catch {
    // Gone meanwhile, or looked at and told elsewhere.
    return false;
  }
  return bytes.equals(ENCRYPTED);
}

/** Of the sample, or of a demo: nobody whom there is. */
const isInvented = (dataDir: string, file: string): boolean =>
  file.startsWith(join(dataDir, 'sample', sep)) || existsSync(demoKeyFile(dirname(file)));
