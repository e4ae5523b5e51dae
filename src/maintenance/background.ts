// Background maintenance of a server's data folder: scheduled backups, and a slow integrity check once a day.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { getModuleFile } from '../platform/assets.ts';
import { toThreadHeapLimit, watchThreadMemory } from '../platform/threads/calls.ts';
import { makeFolder, formatBytes, readTextFile } from '../platform/files.ts';
import { convertStorageErrorToBonafideError, isStorageError } from '../platform/sqlite.ts';
import { describeOmittedDatabases, type BackupOptions, type BackupSummary } from './backup.ts';
import { describeDatabaseDamage, type DatabaseDamage, type IntegrityCheckResult } from './integrity.ts';
import {
  readPassphrase,
  listBackupFiles,
  createBackupFileName,
  isNextBackupDue,
  removeAndCountOldBackups,
  type BackupSchedule,
} from './schedule.ts';
import { isAnyScratchFolderInUse } from '../platform/temporary-files.ts';
import { SECRET_FILE } from './data-files.ts';
import type { MaintenanceTaskOutcome, MaintenanceTask } from './worker.ts';

export interface BackgroundMaintenanceOptions {
  dataDir: string;
  /** Secret of the graph, if the settings contain it. Default: the secret in the data folder. */
  secret?: string | undefined;
  backups?: BackupSchedule | undefined;
  /** Databases that the settings keep outside the data folder; see `BackupOptions`. */
  elsewhere?: BackupOptions['elsewhere'];
  log: { info(text: string): void; error(text: string): void };
  /** Called after each integrity check with all known damage. Includes earlier damage of databases that this check could not read. */
  onChecked?: (damages: DatabaseDamage[]) => void;
  /** Called with the reason after a scheduled backup failed. */
  onBackupFailed?: (reason: string) => void;
  /** Runs a task. Default: in a separate thread. Tests replace this function. */
  run?: (task: MaintenanceTask) => RunningMaintenanceTask;
}

export interface RunningMaintenanceTask {
  outcome: Promise<MaintenanceTaskOutcome>;
  stop(): Promise<unknown>;
}

/** Interval between two checks whether a task is due, in milliseconds. The first check waits one interval, because a starting server is busy. */
const CHECK_DUE_EVERY_MS = 60_000;
const INTEGRITY_EVERY_MS = 86_400_000;
const RETRY_MS = 600_000;
/** Memory limit in MiB of the thread of a maintenance task. */
const MAX_MEMORY_MB = 1024;

/** Starts the schedule of backups and integrity checks. `close` stops the schedule and the running task. */
export function startBackgroundMaintenance(options: BackgroundMaintenanceOptions): {
  close(): Promise<void>;
} {
  const { run = runMaintenanceTaskInThread } = options;
  let running: RunningMaintenanceTask | undefined;
  const start = async (task: MaintenanceTask) => {
    running = run(task);
    const outcome = await running.outcome;
    running = undefined;
    return outcome;
  };
  const next = { check: 0, backup: 0 };
  let wasBackupLast = false;
  let reported: DatabaseDamage[] = [];
  const runDueTask = async () => {
    if (running) return;
    // A steady time, so that no wait grows if the clock is set back.
    const now = performance.now();
    const isCheckDue = now >= next.check;
    // A due check runs after one backup at most: if the interval of backups is short, a backup is always due.
    if (options.backups && now >= next.backup && !(isCheckDue && wasBackupLast)) {
      const state = await runBackupIfDue(options, options.backups, start);
      // Only a failed backup waits for its next attempt: the interval of the settings may be shorter than this wait.
      next.backup = state === 'failed' ? now + RETRY_MS : 0;
      wasBackupLast = state !== 'not due';
      if (wasBackupLast) return;
    }
    if (!isCheckDue) return;
    wasBackupLast = false;
    next.check = now + INTEGRITY_EVERY_MS;
    const result = await runIntegrityCheck(options, start);
    if (!result) return;
    const wasUnchecked = (name: string) => result.unchecked.some((one) => one.name === name);
    // Damage of a database that could not be checked stays reported until a check can read the database.
    reported = [...result.damages, ...reported.filter(({ name }) => wasUnchecked(name))];
    options.onChecked?.(reported);
  };
  const timer = setInterval(() => {
    runDueTask().catch((error: unknown) =>
      options.log.error(
        `background maintenance failed: ${error instanceof Error ? error.message : 'no reason given'}`,
      ),
    );
  }, CHECK_DUE_EVERY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await running?.stop();
    },
  };
}

type Start = (task: MaintenanceTask) => Promise<MaintenanceTaskOutcome>;

function isBackupDue({ to, everyMs }: BackupSchedule, now: number): boolean {
  makeFolder(to);
  return isNextBackupDue(listBackupFiles(to), everyMs, now) && !isAnyScratchFolderInUse(to);
}

type BackupTask = Extract<MaintenanceTask, { task: 'backup' }>;

/**
 * Returns the task for a backup at the time `now`, with folder, passphrase and secret from the settings. Errors: file_not_found,
 * invalid_arguments.
 */
export function createBackupTask(
  {
    dataDir,
    elsewhere,
    secret: configuredSecret,
  }: Pick<BackgroundMaintenanceOptions, 'dataDir' | 'secret' | 'elsewhere'>,
  { to, passphraseFile, withSecret }: BackupSchedule,
  now: number,
): BackupTask {
  const passphrase = readPassphrase(passphraseFile);
  const secret = withSecret
    ? (configuredSecret ?? readTextFile(join(dataDir, SECRET_FILE)).trim())
    : undefined;
  const file = join(to, createBackupFileName(now, passphrase !== undefined));
  const options = { dataDir, file, configuredSecret, secret, passphrase, elsewhere, now };
  return { task: 'backup', options };
}

/** Makes the scheduled backup if it is due, and removes old backups. Reports and logs a failed backup. */
async function runBackupIfDue(
  options: BackgroundMaintenanceOptions,
  backups: BackupSchedule,
  start: Start,
): Promise<'not due' | 'made' | 'failed'> {
  const { log } = options;
  const { to, keep } = backups;
  const outcome = await startBackupIfDue(options, backups, start);
  if (outcome === null) return 'not due';
  if ('failed' in outcome) {
    options.onBackupFailed?.(outcome.failed);
    log.error(`the scheduled backup failed, and is tried again: ${outcome.failed}`);
    return 'failed';
  }
  const { file, bytes } = outcome.result as BackupSummary;
  const removed = removeAndCountOldBackups(to, keep, Date.now());
  const leftOut = describeOmittedDatabases(options.elsewhere ?? []);
  log.info(
    `backup made: ${file}, ${formatBytes(bytes)}, read back and compared; ${removed} older removed${leftOut && `. ${leftOut}`}`,
  );
  return 'made';
}

/** Runs a backup if one is due. Returns its outcome; null if none is due. If the folder or the passphrase cannot be used, the outcome is a failure. */
async function startBackupIfDue(
  options: BackgroundMaintenanceOptions,
  backups: BackupSchedule,
  start: Start,
): Promise<MaintenanceTaskOutcome | null> {
  try {
    if (!isBackupDue(backups, Date.now())) return null;
    return await start(createBackupTask(options, backups, Date.now()));
  } catch (thrown) {
    const { path = backups.to } = thrown as NodeJS.ErrnoException;
    const error = isStorageError(thrown)
      ? convertStorageErrorToBonafideError(thrown, path, { name: 'backup folder' })
      : thrown;
    if (!(error instanceof BonafideError)) throw error;
    return { failed: error.message };
  }
}

/** Checks the databases and logs the result. Returns null if the check failed. */
async function runIntegrityCheck(
  { dataDir, log }: BackgroundMaintenanceOptions,
  start: Start,
): Promise<IntegrityCheckResult | null> {
  const outcome = await start({ task: 'integrity', dataDir });
  if ('failed' in outcome) {
    log.error(`the databases could not be checked: ${outcome.failed}`);
    return null;
  }
  const result = outcome.result as IntegrityCheckResult;
  const { damages, unchecked } = result;
  for (const { name, message } of unchecked) log.error(`${name} could not be checked: ${message}`);
  for (const damage of damages)
    log.error(
      `${describeDatabaseDamage(damage)} Stop the server and restore a backup: bonafide restore FILE --force`,
    );
  if (damages.length === 0 && unchecked.length === 0)
    log.info('the databases were checked and are not damaged');
  return result;
}

export function runMaintenanceTaskInThread(task: MaintenanceTask): RunningMaintenanceTask {
  const worker = new Worker(getModuleFile('maintenance/worker'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: toThreadHeapLimit(MAX_MEMORY_MB) },
  });
  let isOutOfMemory = false;
  const watch = watchThreadMemory(worker, MAX_MEMORY_MB, () => {
    isOutOfMemory = true;
    void worker.terminate();
  });
  const outcome = new Promise<MaintenanceTaskOutcome>((resolve) => {
    const reason = () =>
      isOutOfMemory
        ? `the maintenance thread took more than ${MAX_MEMORY_MB} MiB of memory`
        : 'the maintenance thread was stopped';
    worker.on('message', resolve);
    worker.on('error', (error) => resolve({ failed: `the maintenance thread failed with ${error.name}` }));
    worker.on('exit', () => {
      clearInterval(watch);
      resolve({ failed: reason() });
    });
  });
  return { outcome, stop: () => worker.terminate() };
}
