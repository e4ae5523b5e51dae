// `bonafide doctor`: diagnoses an installation without changing it, and advises what to do.
import { existsSync, readdirSync } from 'node:fs';
import { requireEntryTypes } from '../data-files.ts';
import type { BackupSchedule } from '../schedule.ts';
import type { RelocatableDatabase } from '../sqlite/databases.ts';
import {
  checkBackups,
  checkSystemClock,
  checkLeftoverFiles,
  checkFilePermissions,
  checkDiskSpace,
} from './folder.ts';
import {
  checkDatabases,
  checkOldSecret,
  checkSecret,
  checkLinkCache,
  checkPendingErasure,
  checkUnusedGraphFiles,
  checkUnusedStoreFile,
  checkWebhookMessages,
} from './databases.ts';
import { runDoctorCheck, type DoctorCheckResult } from './finding.ts';

export interface DoctorOptions {
  dataDir: string;
  /** Secret of the graph, if the settings contain it. Default: the secret in the data folder. */
  secret?: string | undefined;
  backups?: BackupSchedule | undefined;
  hasWebhook?: boolean;
  /** Databases that the settings keep outside the data folder. */
  elsewhere?: readonly RelocatableDatabase[];
  /** Current time, in milliseconds since 1970. */
  now: number;
  /** Called after each checked table with the number of tables checked so far. */
  onSlice?: (done: number) => void;
}

/** Runs all checks and returns their findings in a fixed order. A failed check is returned as a finding and does not throw. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorCheckResult[]> {
  const { dataDir, secret, backups, hasWebhook, now, elsewhere = [], onSlice = () => undefined } = options;
  let isReadable = false;
  const modes = await runDoctorCheck('folder', () => {
    if (existsSync(dataDir)) readdirSync(dataDir);
    requireEntryTypes(dataDir);
    isReadable = existsSync(dataDir);
    return checkFilePermissions(dataDir, elsewhere.includes('graph.db'));
  });
  if (!isReadable) return modes;
  return [
    ...modes,
    ...(await runDoctorCheck('secret', () => checkSecret(dataDir, secret, elsewhere))),
    ...(await runDoctorCheck('rekey', () => checkOldSecret(dataDir, secret))),
    checkSystemClock(dataDir, now),
    checkDiskSpace(dataDir),
    ...(await checkDatabases(dataDir, elsewhere, onSlice)),
    ...(await checkUnusedGraphFiles(dataDir, elsewhere)),
    ...(await checkUnusedStoreFile(dataDir, elsewhere)),
    ...(await checkLinkCache(dataDir)),
    ...(await runDoctorCheck('backups', () => checkBackups(dataDir, { backups, elsewhere }, now))),
    ...(elsewhere.includes('store.db') ? [] : await checkPendingErasure(dataDir)),
    ...(hasWebhook && !elsewhere.includes('store.db') ? await checkWebhookMessages(dataDir, now) : []),
    checkLeftoverFiles(dataDir, backups?.to),
  ];
}
