// Delivery of pending notices to the operator's webhook: each notice at least once, in no particular order.
import type { Awaitable } from '../model.ts';

export interface NoticeMessage {
  /** Message id, the same in every attempt. */
  id: string;
  body: string;
  /** Number of attempts, including the present one. */
  attempts: number;
}

/** Queue of pending notices; implemented in src/store/serving/notices.ts. */
export interface DeliveryQueue {
  lease(now: number, leaseMs: number): Awaitable<NoticeMessage | null>;
  markDelivered(id: string, now: number): Awaitable<void>;
  markFailed(id: string, attempt: { next: number | null; failure: string; now: number }): Awaitable<void>;
}

export interface DeliveryOptions {
  url: string;
  queue: DeliveryQueue;
  /** Returns the signature of a message; `seconds` is the time of sending, since 1970. */
  sign(message: { id: string; seconds: number; body: string }): string;
  /** Returns the time of the next attempt in milliseconds since 1970; null if the message is given up. */
  nextAttempt(attempts: number, now: number): number | null;
  log: { warn(text: string): void; error(text: string, thrown?: unknown): void };
  /** Interval between reads of the queue, in milliseconds. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 5000;
const TIMEOUT_MS = 15_000;
/**
 * Lease of a message, longer than one attempt, so that no other server sends the message at the same time. If
 * a server is killed, its messages are due again when the lease expires.
 */
const LEASE_MS = 60_000;

/** Starts the delivery of notices. `close` waits for the running attempt. */
export function deliverNotices(options: DeliveryOptions): { close(): Promise<void> } {
  let running: Promise<void> | null = null;
  const look = () => {
    running ??= deliverDue(options)
      .catch((error: unknown) => options.log.error('notices cannot be sent', error))
      .finally(() => (running = null));
  };
  const timer = setInterval(look, options.everyMs ?? LOOK_EVERY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function deliverDue(options: DeliveryOptions): Promise<void> {
  const { queue, log, nextAttempt } = options;
  for (;;) {
    const message = await queue.lease(Date.now(), LEASE_MS);
    if (!message) return;
    const { id, attempts } = message;
    const problem = await attemptDelivery(message, options);
    if (problem === null) {
      await queue.markDelivered(id, Date.now());
      continue;
    }
    const now = Date.now();
    const next = nextAttempt(attempts, now);
    await queue.markFailed(id, { next, failure: problem, now });
    if (next === null) log.error(`the notice ${id} was given up after ${attempts} attempts: ${problem}`);
    else log.warn(`the notice ${id} was not delivered (${problem}); it will be sent again`);
  }
}

/**
 * Sends a message once. Returns null if the webhook accepted it, otherwise a short description of the
 * problem.
 */
async function attemptDelivery(
  { id, body }: NoticeMessage,
  { url, sign }: DeliveryOptions,
): Promise<string | null> {
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign({ id, seconds, body }),
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'not reached';
  }
}
