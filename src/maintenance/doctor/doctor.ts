// `bonafide doctor`: looks at everything that an installation stands on, changes nothing, and says what to do.
import { existsSync } from 'node:fs';
import type { ScheduledBackups } from '../schedule.ts';
import { checkBackups, checkSystemClock, checkLeftovers, checkFileModes, checkDiskSpace } from './folder.ts';
import { checkDatabases, checkSecret, type RequiredDatabase, checkLinkCache } from './databases.ts';
import type { DoctorFinding } from './finding.ts';
import { checkWebhook } from './webhook.ts';

export interface DoctorOptions {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret?: string | undefined;
  backups?: ScheduledBackups | undefined;
  /** True if the settings have a webhook. */
  hasWebhook?: boolean;
  /** Databases that this installation has elsewhere. */
  elsewhere?: readonly RequiredDatabase[];
  /** What time it is, in milliseconds. */
  now: number;
  /** Told how many slices of the databases were checked. */
  onSlice?: (done: number) => void;
}

/** Everything that was looked at, in order. Never rejects for what it finds. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorFinding[]> {
  const { dataDir, secret, backups, hasWebhook, now, elsewhere = [], onSlice = () => undefined } = options;
  const modes = checkFileModes(dataDir);
  if (!existsSync(dataDir)) return [modes];
  return [
    modes,
    await checkSecret(dataDir, secret),
    checkSystemClock(dataDir, now),
    checkDiskSpace(dataDir),
    ...(await checkDatabases(dataDir, elsewhere, onSlice)),
    ...(await checkLinkCache(dataDir)),
    checkBackups(backups, now),
    ...(hasWebhook && !elsewhere.includes('store.db') ? await checkWebhook(dataDir, now) : []),
    checkLeftovers(dataDir, backups?.to),
  ];
}
