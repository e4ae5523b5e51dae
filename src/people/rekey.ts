// Changes the secret of a graph: copies the data under the new secret to new files next to the old files, and
// replaces the old files by a rename.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeInterruptedErasureAndReceipt, type WatchEraser } from './erase/forget.ts';
import { maskSourceNameIfContactData } from './erase/receipts.ts';
import { BonafideError } from '../errors.ts';
import type { RecordStoringGraph } from '../graph/graph.ts';
import { findOldSecretOfStore, findSecret } from '../graph/encryption/secret.ts';
import { wasGraphMadeWithSecret } from '../graph/sqlite/database.ts';
import { getGraphFilePath, openSqliteGraph } from '../graph/sqlite/open.ts';
import { copyGraphUnderSecret } from '../graph/sqlite/rekey.ts';
import { recomputeRecordFingerprints } from '../import/stored.ts';
import { linkAllRecords, completePendingLinking } from './linking.ts';
import { DERIVED_FILES, isFileReplacementUnfinished, SECRET_FILE } from '../maintenance/data-files.ts';
import { OLD_SECRET_FILE } from '../platform/data-folder.ts';
import type { Db } from '../platform/sqlite.ts';
import { removeAbandonedTemporaryFiles, createScratchFolder } from '../platform/temporary-files.ts';
import { listDatabases, checkpointUnusedDatabase, runWithDatabase } from '../maintenance/sqlite/databases.ts';
import { replaceDataFiles } from '../maintenance/swap.ts';
import { flushFileToDisk, flushFolderToDisk, replaceFile, requireFreeSpace } from '../platform/files.ts';

export interface RekeyOptions {
  dataDir: string;
  /** Present secret of the graph. `next` is the new one. Both are 64 hexadecimal characters. */
  secret: string;
  next: string;
  /** True if the present secret is stored in a file of the data folder. */
  ownFile: boolean;
  /** Deletes the watches and job lines of people whose erasure was interrupted. The erasure is completed before the secret is changed. */
  watchEraser?: WatchEraser;
  /**
   * Changes the secret of the store in one transaction, inside which it calls `replaceFiles`: from then on, the data folder has the new secret.
   * Undefined if there is no store.
   */
  changeStore?: ((result: RekeyResult, replaceFiles: () => void) => void) | undefined;
  onProgress?:
    | ((progress: { phase: 'linking' | 'carrying' | 'publishing'; done: number }) => void)
    | undefined;
}

export interface RekeyResult {
  records: number;
  identities: number;
}

const SPARE = 16 * 1024 * 1024;
/** Free disk space that is required, as a multiple of the size of the old files. The copy takes at most their size, and its logs take more. */
const DISK_SPACE_FACTOR = 2.3;

/**
 * Writes a copy of the graph under another secret, and replaces the graph with it. Answers and identity numbers stay the same. On success, the old
 * files and secret are removed; on failure, they are unchanged. If the process is killed between the replacement and the change of the store,
 * `findInterruptedRekey` finds both secrets. Errors: `database_busy` if a server has the files open, `invalid_arguments` if some records are stored
 * only as fingerprints, `disk_full`, `wrong_secret`, those of the graph, of `changeStore` and of the file system.
 */
export async function changeGraphSecret(options: RekeyOptions): Promise<RekeyResult> {
  const { dataDir, secret, next } = options;
  requireNotServed(dataDir);
  requireFreeSpace(dataDir, DISK_SPACE_FACTOR * getGraphSize(dataDir) + SPARE, 'Changing the secret');
  await prepareGraph(options);
  const scratch = createScratchFolder(dataDir);
  try {
    const into = join(scratch.folder, 'rekeyed');
    mkdirSync(into, { mode: 0o700 });
    const done = await copyGraphInto(into, options);
    if (options.ownFile) writeFileSync(join(into, SECRET_FILE), `${next}\n`, { mode: 0o600, flush: true });
    const names = finishCopiedDatabases(into);
    const replaceFiles = () => {
      // A server may have been started since the first check, also while the store was changed.
      requireNotServed(dataDir);
      // The old files are not kept: the old secret could still open them.
      replaceDataFiles(dataDir, into, null, [...names, ...DERIVED_FILES]);
    };
    if (options.ownFile) replaceFile(join(dataDir, OLD_SECRET_FILE), `${secret}\n`);
    try {
      if (options.changeStore) options.changeStore(done, replaceFiles);
      else replaceFiles();
    } catch (error) {
      const isUnchanged = !isFileReplacementUnfinished(dataDir) && findOldSecretOfStore(dataDir) === null;
      if (isUnchanged) removeOldSecret(dataDir);
      throw error;
    }
    removeOldSecret(dataDir);
    return done;
  } finally {
    scratch.remove();
  }

  async function prepareGraph({ onProgress }: RekeyOptions): Promise<void> {
    const graph = openSqliteGraph({ dataDir, secret, create: false });
    try {
      removeAbandonedTemporaryFiles(dataDir);
      await requireWholeRecords(graph);
      await completeInterruptedErasureAndReceipt(graph, dataDir, options.watchEraser);
      const onLinked = ({ done }: { done: number | null }) =>
        onProgress?.({ phase: 'linking', done: done ?? 0 });
      // The published identities are copied unchanged, so linking must be complete.
      await completePendingLinking(graph);
      if ((await graph.warnings()).length > 0) await linkAllRecords(graph, { onProgress: onLinked });
    } finally {
      await graph.close();
    }
  }
}

/** Removes the file with the old secret. Call it when the store has the new secret. */
export function removeOldSecret(dataDir: string): void {
  rmSync(join(dataDir, OLD_SECRET_FILE), { force: true });
  flushFolderToDisk(dataDir);
}

/** Old secret (`secret`) and new secret (`next`), 64 hexadecimal characters each. */
export type SecretChange = Pick<RekeyOptions, 'secret' | 'next'>;

/**
 * Returns both secrets if a change of the secret was interrupted after the graph got the new one, while the store may still have the old one. Null if
 * none was interrupted. Errors: those of `findSecret`, and of the graph.
 * @param given secret from the settings. Default: the secret in the data folder
 * @param next new secret from the file that the operator named; null if there is no such file
 */
export async function findInterruptedRekey(
  dataDir: string,
  given: string | undefined,
  next: string | null,
): Promise<SecretChange | null> {
  const secret = findSecret(dataDir, given);
  if (secret === null) return null;
  const old = findOldSecretOfStore(dataDir, given);
  if (old !== null) return { secret: old, next: secret };
  const graph = listDatabases(dataDir).find(({ name }) => name === 'graph.db');
  if (given === undefined || next === null || !graph) return null;
  const hasNextSecret = (db: Db) => !wasGraphMadeWithSecret(db, secret) && wasGraphMadeWithSecret(db, next);
  return (await runWithDatabase(graph, hasNextSecret)) ? { secret, next } : null;
}

/** Throws if some records are stored only as fingerprints. Without the values, no fingerprints under another secret can be computed. */
async function requireWholeRecords({ records }: RecordStoringGraph): Promise<void> {
  let [all, fingerprintOnly] = [0, 0];
  const sources = new Set<string>();
  for await (const page of records.pages())
    for (const { whole, source } of page) {
      all++;
      if (whole) continue;
      fingerprintOnly++;
      sources.add(maskSourceNameIfContactData(source));
    }
  if (fingerprintOnly === 0) return;
  const named = [...sources].slice(0, MOST_NAMED).join(', ');
  throw new BonafideError(
    'invalid_arguments',
    `${fingerprintOnly} of ${all} records (sources: ${named}${sources.size > MOST_NAMED ? ' …' : ''}) are stored only as fingerprints, which cannot be converted to another secret. Import their files again with BONAFIDE_GRAPH=keep=sealed, then run this command again. More about it: bonafide docs operating`,
  );
}

const MOST_NAMED = 5;

async function copyGraphInto(
  into: string,
  { dataDir, secret, next, onProgress }: RekeyOptions,
): Promise<RekeyResult> {
  const graph = openSqliteGraph({ dataDir, secret, create: false });
  const [all, { identities }, errorRates] = [
    await graph.records.count(),
    await graph.stats(),
    await graph.linking.errorRates(),
  ];
  await graph.close();
  const clusters = await copyGraphUnderSecret({
    from: { file: getGraphFilePath(dataDir), secret },
    to: { file: getGraphFilePath(into), secret: next },
    remake: recomputeRecordFingerprints,
    onProgress: (done) => onProgress?.({ phase: 'carrying', done: done / all }),
  });
  const newGraph = openSqliteGraph({ dataDir: into, secret: next, create: false });
  try {
    const revision = await newGraph.linking.revision();
    const onPublished = (done: number) => onProgress?.({ phase: 'publishing', done });
    const is = await newGraph.linking.publish({ clusters, revision, errorRates, onProgress: onPublished });
    const records = await newGraph.records.count();
    if (is === identities && records === all) return { records, identities };
    throw new Error(
      `the new files have ${records} records and ${is} identities instead of ${all} and ${identities}`,
    );
  } finally {
    await newGraph.close();
  }
}

/** Writes each database of the copy to disk as one complete file, and removes its log files. Returns the names of the files. */
function finishCopiedDatabases(into: string): string[] {
  for (const name of DERIVED_FILES)
    for (const end of ['', '-wal', '-shm']) rmSync(join(into, `${name}${end}`), { force: true });
  for (const { file, kind } of listDatabases(into)) {
    checkpointUnusedDatabase(file, kind);
    flushFileToDisk(file);
  }
  flushFolderToDisk(into);
  return readdirSync(into);
}

function requireNotServed(dataDir: string): void {
  for (const { name, file, kind } of listDatabases(dataDir))
    if (name !== 'store.db') checkpointUnusedDatabase(file, kind);
}

const getGraphSize = (dataDir: string): number =>
  listDatabases(dataDir).reduce(
    (sum, { name, file }) => sum + (name === 'store.db' || !existsSync(file) ? 0 : statSync(file).size),
    0,
  );
