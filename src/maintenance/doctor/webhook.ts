// Diagnostics of the webhook: messages that were given up, or are pending for too long.
import { listDatabases, useDatabase } from '../sqlite/databases.ts';
import { okFinding, warningFinding, type DoctorFinding } from './finding.ts';
import { countMessages, type MessageCounts } from '../../store/serving/notices.ts';

/** A pending message is late after this time: the first attempts are within minutes. */
const LATE_MS = 3_600_000;

/** Checks the messages to the webhook in the store of a data folder; no finding if the folder has no store of this version. */
export async function checkWebhook(folder: string, now: number): Promise<DoctorFinding[]> {
  const store = listDatabases(folder).find(({ name }) => name === 'store.db');
  if (!store) return [];
  return useDatabase(store, (db) => [describeMessages(countMessages(db, now), now)]).catch(() => []);
}

/** Returns the finding about the messages to the webhook. `now` is milliseconds since 1970. */
export function describeMessages(
  { pending, failed, delivered, oldestPending }: MessageCounts,
  now: number,
): DoctorFinding {
  const says = `messages: ${delivered} delivered, ${pending} pending, ${failed} given up in the last week`;
  const todo = 'See why: bonafide webhooks list. When the receiver works again: bonafide webhooks send ID';
  if (failed > 0) return warningFinding('webhook', says, todo);
  if (oldestPending === null || now - oldestPending < LATE_MS) return okFinding('webhook', says);
  return warningFinding(
    'webhook',
    `${says}; the oldest waits since ${new Date(oldestPending).toISOString()}`,
    todo,
  );
}
