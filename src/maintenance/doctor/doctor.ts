// `bonafide doctor`: looks at everything that an installation stands on, changes nothing, and says what to do.
import { existsSync } from 'node:fs';
import type { ScheduledBackups } from '../schedule.ts';
import { checkBackups, checkClock, checkLeftovers, checkModes, checkSpace } from './folder.ts';
import { checkDatabases, checkSecret, type DatabaseName, checkLinks } from './databases.ts';
import type { Finding } from './finding.ts';
import { checkWebhook } from './webhook.ts';

export interface DoctorOptions {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret?: string | undefined;
  backups?: ScheduledBackups | undefined;
  /** True if the settings have a webhook. */
  hasWebhook?: boolean;
  /** Databases that this installation has elsewhere. */
  elsewhere?: readonly DatabaseName[];
  /** What time it is, in milliseconds. */
  now: number;
  /** Told how many slices of the databases were checked. */
  onSlice?: (done: number) => void;
}

/** Everything that was looked at, in order. Never rejects for what it finds. */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const { dataDir, secret, backups, hasWebhook, now, elsewhere = [], onSlice = () => undefined } = options;
  const modes = checkModes(dataDir);
  if (!existsSync(dataDir)) return [modes];
  return [
    modes,
    await checkSecret(dataDir, secret),
    checkClock(dataDir, now),
    checkSpace(dataDir),
    ...(await checkDatabases(dataDir, elsewhere, onSlice)),
    ...(await checkLinks(dataDir)),
    checkBackups(backups, now),
    ...(hasWebhook && !elsewhere.includes('store.db') ? await checkWebhook(dataDir, now) : []),
    checkLeftovers(dataDir, backups?.to),
  ];
}
