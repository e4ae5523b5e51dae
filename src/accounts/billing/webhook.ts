// Webhook messages to the operator: content, signature and retries follow the Standard Webhooks specification (standardwebhooks.com).
import { createHmac, randomBytes } from 'node:crypto';
import { BonafideError } from '../../errors.ts';
import type { QuotaUsage } from '../model.ts';

export interface QuotaNotice {
  state: 'near' | 'reached';
  account: string;
  quotaUsage: QuotaUsage;
}

/** Webhook message about an event other than a quota. Only the first message about each subject (`about`) is stored. */
export interface OperatorEventMessage {
  type: 'key.expiring' | 'backup.failed' | 'harvesting.suspected' | 'test';
  about: string;
  data: Record<string, unknown>;
}

/** Returns a webhook message as JSON with type, time and data. `now` is milliseconds since 1970. */
export const formatWebhookMessage = (type: string, data: object, now: number): string =>
  JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });

export function formatQuotaNotice({ state, account, quotaUsage }: QuotaNotice, now: number): string {
  const { month, plan, included, used: calls, overage, blocksOverage: blocks } = quotaUsage;
  return formatWebhookMessage(
    `quota.${state}`,
    { account, month, plan, included, calls, overage, blocks },
    now,
  );
}

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const [LEAST_BYTES, MOST_BYTES] = [24, 64];

export const generateWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Decodes the secret that signs webhook messages: `whsec_` and 24 to 64 bytes in base64. Errors: invalid_config. */
export function parseWebhookSecret(text: string): Buffer {
  const bytes = Buffer.from(SECRET.exec(text.trim())?.[1] ?? '', 'base64');
  if (bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES) return bytes;
  throw new BonafideError(
    'invalid_config',
    `The first line of webhook.secretFile must be whsec_ and ${LEAST_BYTES} to ${MOST_BYTES} random bytes in base64.`,
  );
}

/** Returns the value of the header `webhook-signature`. `seconds` is the time of sending in seconds since 1970. */
export function signWebhookMessage(
  secret: Buffer,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
/** Pauses (ms) between the attempts to send a webhook message, about three days together. */
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
/** Longest pause (ms) between two attempts. A message that is due later than after this pause is sent at once: the clock was set back. */
export const LONGEST_WEBHOOK_PAUSE_MS = Math.max(...PAUSES);

/** Returns the time of the next attempt after `attempts` failed ones, in milliseconds since 1970; null if no further attempt is made. */
export function getNextWebhookAttemptTime(attempts: number, now: number): number | null {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? null : now + pause;
}
