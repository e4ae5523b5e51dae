// Forgets records after the retention time in the setting `graph`, once a day.
import type { OperatorService } from '../../admin/operator-service.ts';
import { parseRecordEncryptionAndRetention, DEFAULT_GRAPH_SETTINGS, type Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';

interface RetentionDeps {
  config: Pick<Config, 'graph'>;
  log: Pick<Log, 'info' | 'error'>;
  people: OperatorService['runOnPeople'];
}

/** Actor in the audit log for records that the server forgets itself. */
const ACTOR = 'server';
/**
 * Interval (ms) at which the server checks if old records must be removed. The first check is delayed so that it does not slow down the start.
 */
const CHECK_EVERY_MS = 60_000;
const EVERY_MS = 86_400_000;
const RETRY_MS = 3_600_000;

/** Starts the daily removal of records older than the retention time in the settings, if there is one. `close` stops it. */
export function startOldGraphRecordRemoval({ config, log, people }: RetentionDeps): { close(): void } {
  const { age } = parseRecordEncryptionAndRetention(config.graph ?? DEFAULT_GRAPH_SETTINGS);
  if (age === null) return { close: () => undefined };
  let next = 0;
  const forgetOldRecords = async () => {
    // A steady time, so that no wait grows if the clock is set back.
    const steadyNow = performance.now();
    if (steadyNow < next) return;
    next = steadyNow + EVERY_MS;
    try {
      const { records } = await people(
        'retain',
        { olderThan: age },
        { actor: ACTOR, now: Date.now(), maxWaitMs: EVERY_MS },
      );
      if (records > 0)
        log.info(
          `removed old records (setting graph.keep): ${records} records were last seen more than ${age} ago`,
        );
    } catch (error) {
      next = performance.now() + RETRY_MS;
      const why = error instanceof Error ? error.message : 'no reason given';
      log.error(
        `old records (setting graph.keep) could not be removed; the next attempt is in an hour: ${why}`,
      );
    }
  };
  const timer = setInterval(() => void forgetOldRecords(), CHECK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
