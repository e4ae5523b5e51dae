import { resolve } from 'node:path';
import { parseDuration } from '../config.ts';
import type { Config } from '../config.ts';
import type { BackgroundOptions } from '../maintenance/background.ts';
import type { Log } from '../observe/log.ts';

/** What a server does by itself to keep its data. */
export function keepingOf({ dataDir, secret, backup }: Config, log: Log): BackgroundOptions {
  if (!backup) return { dataDir, log };
  const { every, to, ...rest } = backup;
  return { dataDir, secret, log, backups: { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 } };
}
