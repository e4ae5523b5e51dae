import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { describeInterruptedRekey } from '../../graph/encryption/secret.ts';
import { wasGraphMadeWithSecret } from '../../graph/sqlite/database.ts';
import { hasTableRows, readGraphFileMetadata } from '../../graph/sqlite/meta.ts';
import { GRAPH_FILE_VERSION } from '../../graph/sqlite/schema.ts';
import {
  canRebuildGraph,
  createGraphFileMissingError,
  OLD_SECRET_FILE,
  requireDataFilesNotMissing,
} from '../../platform/data-folder.ts';
import { readTextFile } from '../../platform/files.ts';
import type { Db } from '../../platform/sqlite.ts';
import { readPendingErasure } from '../../store/events/events.ts';
import { countWebhookMessagesByState, type WebhookMessageCounts } from '../../store/serving/notices.ts';
import { checkIntegrity, describeDatabaseDamage, isDamageError } from '../integrity.ts';
import { SECRET_FILE, DERIVED_FILES } from '../data-files.ts';
import {
  checkTablesForDamage,
  findSchemaDifference,
  listDatabases,
  listUsedDatabases,
  runWithDatabase,
  type DatabaseFile,
  type RelocatableDatabase,
} from '../sqlite/databases.ts';
import {
  createBadCheckResult,
  createOkCheckResult,
  RESUME_MIGRATE_TO_ADVICE,
  createUnusableFileCheckResult,
  createWarningCheckResult,
  RESTORE_ADVICE,
  type DoctorCheckResult,
} from './finding.ts';
import { LINK_CACHE_FILE_TYPE_DEFINITION } from '../../graph/link-cache/link-file.ts';

/** Opens a database, and runs `work` on it. Waits only briefly if another process locks the file, because several checks open it. */
const runBriefly = <T>(
  database: Pick<DatabaseFile, 'file' | 'kind'>,
  work: (db: Db) => T | Promise<T>,
): Promise<T> => runWithDatabase(database, work, 1000);

const SETUP_ADVICE = {
  'graph.db': 'Import records, or restore a backup.',
  'store.db': 'Create a key: bonafide keys create --name NAME',
};

const REQUIRED_DATABASES: readonly RelocatableDatabase[] = ['graph.db', 'store.db'];

/**
 * Checks that the required databases exist, have the version of this program and are not damaged. `elsewhere` lists the databases outside the
 * data folder, such as those in PostgreSQL.
 */
export async function checkDatabases(
  folder: string,
  elsewhere: readonly RelocatableDatabase[],
  onSlice: (done: number) => void,
): Promise<DoctorCheckResult[]> {
  const lost = REQUIRED_DATABASES.filter((name) => !elsewhere.includes(name)).flatMap(
    (name) => findLostDatabase(folder, name) ?? [],
  );
  const isLost = (name: string) => lost.some(({ check }) => check === name);
  const usedDatabases = listUsedDatabases(folder, elsewhere).filter(({ name }) => !isLost(name));
  const missing = REQUIRED_DATABASES.filter(
    (name) => !usedDatabases.some((one) => one.name === name) && !elsewhere.includes(name) && !isLost(name),
  );
  const findings = missing.map((name) =>
    elsewhere.includes('graph.db')
      ? createOkCheckResult(name, 'none yet; only a server needs it')
      : createWarningCheckResult(name, 'The file does not exist.', SETUP_ADVICE[name]),
  );
  findings.push(...lost);
  findings.push(...(await checkRecordsFile(usedDatabases)));
  for (const usedDatabase of usedDatabases) findings.push(await checkVersion(usedDatabase));
  findings.push(...(await checkCopyFinished(usedDatabases)));
  const all = await checkIntegrity(folder, { slowly: false, onSlice });
  const isUsed = (one: Pick<DatabaseFile, 'name'>) => usedDatabases.some(({ name }) => name === one.name);
  const [damages, unchecked] = [all.damages.filter(isUsed), all.unchecked.filter(isUsed)];
  if (damages.length + unchecked.length === 0 && usedDatabases.length > 0)
    findings.push(createOkCheckResult('integrity', 'every table and index is whole'));
  // A database that cannot be opened already has a finding from `checkVersion`.
  const failedChecks = findings.filter(({ state }) => state === 'bad').map(({ check }) => check);
  for (const damage of damages)
    if (damage.table !== null || !failedChecks.includes(damage.name))
      findings.push(createBadCheckResult('integrity', describeDatabaseDamage(damage), RESTORE_ADVICE));
  for (const { name, ...error } of unchecked)
    if (!failedChecks.includes(name)) findings.push(createUnusableFileCheckResult('integrity', error));
  return findings;
}

/** Warns of old graph files with people in the data folder, if the settings keep the graph elsewhere. Returns no finding if there are none. */
export async function checkUnusedGraphFiles(
  folder: string,
  elsewhere: readonly RelocatableDatabase[],
): Promise<DoctorCheckResult[]> {
  if (!elsewhere.includes('graph.db')) return [];
  const files = listDatabases(folder).filter(({ name }) => name !== 'store.db');
  const states = await Promise.all(files.map(holdsPeople));
  if (!states.includes(true)) return [];
  const names = [...files.map(({ name }) => name), ...DERIVED_FILES].filter((name) =>
    existsSync(join(folder, name)),
  );
  const says = `${names.join(', ')} in ${folder}: files of the embedded graph. The settings no longer use it, but the files still contain people.`;
  const todo = `When no server uses them and the new graph has every record, delete ${names.map((name) => `${name}*`).join(' ')}. An import creates link.db again if necessary.`;
  return [createWarningCheckResult('old graph', says, todo)];
}

/** Warns of an old store.db with API keys in the data folder, if the settings keep the store elsewhere. Returns no finding if there is none. */
export async function checkUnusedStoreFile(
  folder: string,
  elsewhere: readonly RelocatableDatabase[],
): Promise<DoctorCheckResult[]> {
  const file = listDatabases(folder).find(({ name }) => name === 'store.db');
  if (file === undefined || !elsewhere.includes('store.db')) return [];
  const hasKeys = await runBriefly(file, (db) => hasTableRows(db, 'keys')).catch(() => true);
  const says = `store.db in ${folder}: the settings no longer use it, and it still has keys. A command without the setting store uses it.`;
  const todo = 'When the store in PostgreSQL has every key and call, delete store.db*.';
  return hasKeys ? [createWarningCheckResult('old store', says, todo)] : [];
}

/** True if a database of the embedded graph contains people, or if it cannot be opened. */
function holdsPeople(database: DatabaseFile): Promise<boolean> {
  const table = database.name === 'graph.db' ? 'identity' : 'record';
  return runBriefly(database, (db) => hasTableRows(db, table)).catch(() => true);
}

/** Checks that a graph with identities has its records.db. Without that file, the graph can be queried but not changed. */
async function checkRecordsFile(databases: DatabaseFile[]): Promise<DoctorCheckResult[]> {
  const graph = databases.find(({ name }) => name === 'graph.db');
  if (!graph || databases.some(({ name }) => name === 'records.db')) return [];
  // `checkVersion` reports a graph that cannot be opened.
  const isMadeOfSome = await runBriefly(
    graph,
    (db) => isOfThisVersion(db) && Number(readGraphFileMetadata(db, 'identities')) > 0,
  ).catch(() => false);
  const says = 'The file does not exist. Checks work, but records cannot be imported, linked or shown.';
  return isMadeOfSome ? [createBadCheckResult('records.db', says, `Put it back. ${RESTORE_ADVICE}`)] : [];
}

/** Checks that the graph is not an unfinished copy by `migrate-to`. Servers and commands refuse such a copy. */
async function checkCopyFinished(databases: DatabaseFile[]): Promise<DoctorCheckResult[]> {
  const graph = databases.find(({ name }) => name === 'graph.db');
  const isHalf =
    graph &&
    (await runBriefly(
      graph,
      (db) => isOfThisVersion(db) && readGraphFileMetadata(db, 'copied_of') !== null,
    ).catch(() => false));
  const says =
    'The graph is an incomplete copy of another graph: migrate-to was interrupted or is still running.';
  return isHalf ? [createBadCheckResult('graph.db', says, RESUME_MIGRATE_TO_ADVICE)] : [];
}

const isOfThisVersion = (db: Db) => db.pragma('user_version', { simple: true }) === GRAPH_FILE_VERSION;

/** Returns a finding, with the server's error message, if a database that had content is missing or empty; otherwise null. */
function findLostDatabase(folder: string, name: RelocatableDatabase): DoctorCheckResult | null {
  const canLink = name === 'graph.db' && canRebuildGraph(folder);
  try {
    if (canLink) throw createGraphFileMissingError(folder);
    requireDataFilesNotMissing(folder, name === 'graph.db' ? 'records' : 'keys');
    return null;
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return createBadCheckResult(name, error.message, canLink ? 'Run: bonafide graph link' : RESTORE_ADVICE);
  }
}

async function checkVersion(database: DatabaseFile): Promise<DoctorCheckResult> {
  const { version: currentVersion } = database;
  try {
    const [version, difference] = await runBriefly(database, (db) => [
      Number(db.pragma('user_version', { simple: true })),
      findSchemaDifference(db, database.getSchema),
    ]);
    if (difference !== null)
      return createBadCheckResult(
        database.name,
        `The file ${difference}. No backup can be made of it.`,
        `If another program added it, remove it with that program. Otherwise: ${RESTORE_ADVICE}`,
      );
    if (version === currentVersion) return createOkCheckResult(database.name, `version ${version}`);
    if (version > currentVersion)
      return createBadCheckResult(
        database.name,
        `The file has version ${version}; this program supports version ${currentVersion}.`,
        'Run the newer Bonafide that wrote it.',
      );
    if (database.getSchema(version) !== null)
      return createOkCheckResult(
        database.name,
        `version ${version}; the next start of a server updates it to version ${currentVersion}`,
      );
    return createBadCheckResult(
      database.name,
      `The file has version ${version}; this program reads only version ${currentVersion}.`,
      database.name === 'store.db' ? RESTORE_ADVICE : 'Move the file away and import the records again.',
    );
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return createUnusableFileCheckResult(database.name, error);
  }
}

/** Checks that the secret exists, is well-formed and belongs to the graph. */
export async function checkSecret(
  folder: string,
  configuredSecret: string | undefined,
  elsewhere: readonly RelocatableDatabase[],
): Promise<DoctorCheckResult> {
  const file = join(folder, SECRET_FILE);
  const graph = listUsedDatabases(folder, elsewhere).find(({ name }) => name === 'graph.db');
  const secret = configuredSecret ?? (existsSync(file) ? readTextFile(file).trim() : undefined);
  const from = configuredSecret === undefined ? file : 'BONAFIDE_SECRET';
  const back = `Put back the secret that the graph was made with, as ${file} or in BONAFIDE_SECRET.`;
  if (secret === undefined)
    return graph
      ? createBadCheckResult('secret', 'The secret is missing, so the graph cannot be read.', back)
      : createOkCheckResult('secret', 'none yet');
  if (!/^[0-9a-f]{64}$/i.test(secret))
    return createBadCheckResult('secret', `${from} is not 64 hexadecimal characters.`, back);
  if (!graph) return createOkCheckResult('secret', from);
  // `checkVersion` reports a graph that cannot be opened.
  const fits = await runBriefly(graph, (db) => wasGraphMadeWithSecret(db, secret)).catch(() => true);
  return fits
    ? createOkCheckResult('secret', `${from}; keep a copy of it in another place`)
    : createBadCheckResult('secret', `The graph was made with another secret than the one in ${from}.`, back);
}

/** Checks the file of the old secret, which an interrupted `graph rekey` leaves. Returns no finding if there is none. */
export function checkOldSecret(folder: string, configuredSecret: string | undefined): DoctorCheckResult[] {
  const file = join(folder, OLD_SECRET_FILE);
  if (!existsSync(file)) return [];
  const problem = describeInterruptedRekey(folder, configuredSecret);
  const copy = `An interrupted graph rekey left ${file}, a copy of the secret.`;
  return problem === null
    ? [createWarningCheckResult('rekey', copy, 'Delete it.')]
    : [createBadCheckResult('rekey', problem, 'Run: bonafide graph rekey')];
}

/** Checks the linking cache (link.db) for damage. A damaged cache can be rebuilt without loss. Returns no finding if the file does not exist. */
export async function checkLinkCache(folder: string): Promise<DoctorCheckResult[]> {
  const findings: DoctorCheckResult[] = [];
  for (const name of DERIVED_FILES) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const damaged = createWarningCheckResult(
      name,
      'The file is damaged. Checks do not need it.',
      'Delete the file while no import runs. The next import creates it again from the records.',
    );
    const check = (db: Db) =>
      [...checkTablesForDamage(db)].every(({ problems }) => problems.length === 0)
        ? createOkCheckResult(name, 'whole')
        : damaged;
    const finding = runBriefly({ file, kind: LINK_CACHE_FILE_TYPE_DEFINITION }, check);
    findings.push(
      await finding.catch((error: unknown) => {
        if (!(error instanceof BonafideError)) throw error;
        return isDamageError(error) ? damaged : createUnusableFileCheckResult(name, error);
      }),
    );
  }
  return findings;
}

/**
 * Opens the store in a data folder, and returns the findings of `check`. Returns none if there is no store, or if it cannot be opened, which
 * `checkDatabases` reports.
 */
async function checkStore(
  folder: string,
  check: (db: Db) => DoctorCheckResult[],
): Promise<DoctorCheckResult[]> {
  const store = listDatabases(folder).find(({ name }) => name === 'store.db');
  try {
    return store ? await runBriefly(store, check) : [];
  } catch (error) {
    if (error instanceof BonafideError) return [];
    throw error;
  }
}

/** Checks the pending erasure in the store of a data folder. */
export const checkPendingErasure = (folder: string): Promise<DoctorCheckResult[]> =>
  checkStore(folder, (db) => createErasureCheckResults(readPendingErasure(db) !== null));

/** Returns the finding about a pending erasure of a store; none if nothing is pending. */
export const createErasureCheckResults = (isPending: boolean): DoctorCheckResult[] =>
  isPending ? [createWarningCheckResult('erasure', ERASURE_PENDING, 'Run: bonafide graph compact')] : [];

const ERASURE_PENDING = 'Bytes of deleted watches or job lines may still be in the store.';

/** Age in milliseconds from which a pending webhook message is late. */
const LATE_MS = 3_600_000;

/** Checks the pending webhook messages in the store of a data folder. */
export const checkWebhookMessages = (folder: string, now: number): Promise<DoctorCheckResult[]> =>
  checkStore(folder, (db) => [createWebhookCheckResult(countWebhookMessagesByState(db, now), now)]);

/** Returns the finding about pending webhook messages. `now` is milliseconds since 1970. */
export function createWebhookCheckResult(
  { pending, failed, delivered, oldestPending }: WebhookMessageCounts,
  now: number,
): DoctorCheckResult {
  const says = `messages: ${delivered} delivered, ${pending} pending, ${failed} given up in the last week`;
  const todo = 'See why: bonafide webhooks list. When the receiver works again: bonafide webhooks send ID';
  if (failed > 0) return createWarningCheckResult('webhook', says, todo);
  if (oldestPending === null || now - oldestPending < LATE_MS) return createOkCheckResult('webhook', says);
  return createWarningCheckResult(
    'webhook',
    `${says}; the oldest waits since ${new Date(oldestPending).toISOString()}`,
    todo,
  );
}
