// Messages to the operator's webhook that no call causes: about keys that expire soon, suspected harvesting, and quotas that were passed
// before the webhook was set.
import { assessApiKeysForHarvesting, getHarvestingPeriodStart } from '../../admin/keys.ts';
import type { Log } from '../../observe/log.ts';
import type { StoreEngine } from '../../store/engine.ts';

const LOOK_EVERY_MS = 600_000;

/** Queues messages about new events for the operator's webhook, at once and then every ten minutes. Returns the timer, for `clearInterval`. */
export function startOperatorMessageTimer(
  engine: Pick<StoreEngine, 'notices' | 'sumSuspiciousChecksSince'>,
  log: Pick<Log, 'error'>,
): NodeJS.Timeout {
  const look = () =>
    void queueOperatorMessages(engine, Date.now()).catch((error: unknown) =>
      log.error('messages for the webhook could not be queued', error),
    );
  look();
  return setInterval(look, LOOK_EVERY_MS).unref();
}

/** Queues a message for each API key that expires within a week, for each newly exceeded quota, and daily for each key suspected of harvesting. */
export async function queueOperatorMessages(
  { notices, sumSuspiciousChecksSince }: Pick<StoreEngine, 'notices' | 'sumSuspiciousChecksSince'>,
  now: number,
): Promise<void> {
  await notices.addExpiringKeys(now);
  await notices.addQuotaNotices(now);
  const day = new Date(now).toISOString().slice(0, 10);
  for (const { key, suspicion, why } of assessApiKeysForHarvesting(
    await sumSuspiciousChecksSince(getHarvestingPeriodStart(now)),
  ))
    if (suspicion === 'harvesting')
      await notices.addMessage(
        { type: 'harvesting.suspected', about: `${key} ${day}`, data: { key, why } },
        now,
      );
}

/** Queues a message about a failed scheduled backup, at most one a day. */
export async function queueFailedBackupMessage(
  { notices }: Pick<StoreEngine, 'notices'>,
  reason: string,
  now: number,
): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10);
  await notices.addMessage({ type: 'backup.failed', about: day, data: { reason } }, now);
}
