// Delivery of pending messages to the operator's webhook and to endpoints of accounts: each message at least
// once, in any order.
import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Awaitable } from '../model.ts';

export interface NoticeMessage {
  /** Message id, the same in every attempt. */
  id: string;
  body: string;
  /** Number of attempts, including the present one. */
  attempts: number;
}

export interface DeliveryTarget {
  url: string;
  /** Returns the signature of a message; `seconds` is the time of sending, in seconds since 1970. */
  sign(message: { id: string; seconds: number; body: string }): string;
  /** Returns true if a connection to the address is allowed; missing for the operator's webhook. */
  isAllowed?: ((address: string) => boolean) | undefined;
}

/** Queue of pending messages; implemented in src/store/serving/notices.ts. */
export interface DeliveryQueue<Message extends NoticeMessage> {
  lease(now: number, leaseMs: number): Awaitable<Message | null>;
  markDelivered(id: string, now: number): Awaitable<void>;
  markFailed(id: string, attempt: { next: number | null; failure: string; now: number }): Awaitable<void>;
}

export interface DeliveryOptions<Message extends NoticeMessage = NoticeMessage> {
  queue: DeliveryQueue<Message>;
  /** Returns the receiver of a message; null if it was removed. */
  findTarget(message: Message): DeliveryTarget | null;
  /** Returns the time of the next attempt in milliseconds since 1970; null to give up the message. */
  nextAttempt(attempts: number, now: number): number | null;
  log: { warn(text: string): void; error(text: string, thrown?: unknown): void };
  /** Interval between reads of the queue, in milliseconds. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 5000;
const TIMEOUT_MS = 15_000;
/**
 * Milliseconds for which a message is leased, longer than one attempt, so that no other server sends it at
 * the same time. If a server is killed, its messages are due again when the lease expires.
 */
const LEASE_MS = 60_000;

/** Starts the delivery of notices. `close` waits for the running attempt. */
export function deliverNotices<Message extends NoticeMessage>(
  options: DeliveryOptions<Message>,
): { close(): Promise<void> } {
  let running: Promise<void> | null = null;
  const look = () => {
    running ??= deliverSeveral(options)
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

/**
 * Number of messages that are sent in parallel, so that a receiver that does not answer does not delay the
 * others.
 */
const AT_ONCE = 8;

/** Delivers the due messages, several in parallel, as long as there are more. */
async function deliverSeveral<Message extends NoticeMessage>(
  options: DeliveryOptions<Message>,
): Promise<void> {
  const loops: Promise<void>[] = [];
  const start = () => {
    if (loops.length < AT_ONCE) loops.push(deliverDue(options, start));
  };
  start();
  for (let i = 0; i < loops.length; i++) await loops[i];
}

async function deliverDue<Message extends NoticeMessage>(
  options: DeliveryOptions<Message>,
  onMessage: () => void,
): Promise<void> {
  const { queue, log, nextAttempt, findTarget } = options;
  for (;;) {
    const message = await queue.lease(Date.now(), LEASE_MS);
    if (!message) return;
    onMessage();
    const { id, attempts } = message;
    const target = findTarget(message);
    if (!target) {
      await queue.markFailed(id, { next: null, failure: 'the endpoint was removed', now: Date.now() });
      continue;
    }
    const problem = await attemptDelivery(message, target);
    if (problem === null) {
      await queue.markDelivered(id, Date.now());
      continue;
    }
    const now = Date.now();
    const next = nextAttempt(attempts, now);
    await queue.markFailed(id, { next, failure: problem, now });
    if (next === null) log.error(`the notice ${id} was given up after ${attempts} attempts: ${problem}`);
    else
      log.warn(`the notice ${id} was not delivered (${problem}); it will be sent again${adviseOn(problem)}`);
  }
}

/** Problem text for a delivery to an address that is not public. */
export const INTERNAL_ADDRESS_PROBLEM = 'internal address';

/** Returns advice for the operator about a problem, as the end of a log line; empty if there is none. */
const adviseOn = (problem: string): string =>
  problem === INTERNAL_ADDRESS_PROBLEM ? '. To allow the address, add it to the setting webhookNetworks' : '';

/**
 * Sends a message once. Returns null if the webhook accepted it, otherwise a short description of the
 * problem.
 */
async function attemptDelivery(
  { id, body }: NoticeMessage,
  { url, sign, isAllowed }: DeliveryTarget,
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
    const status = isAllowed
      ? await postGuarded(url, { headers, body, signal, isAllowed })
      : await post(url, { headers, body, signal });
    return status >= 200 && status < 300 ? null : `status ${status}`;
  } catch (error) {
    if (error instanceof RefusedAddressError) return INTERNAL_ADDRESS_PROBLEM;
    return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      ? 'no answer in time'
      : 'not reached';
  }
}

interface PostedMessage {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

async function post(url: string, message: PostedMessage): Promise<number> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...message });
  await response.body?.cancel();
  return response.status;
}

/** Error for an address to which connections are not allowed. */
class RefusedAddressError extends Error {}

/**
 * Posts a message to an untrusted receiver, and returns the status of the answer. The connection goes to the
 * checked address, so that a name that later resolves to another address leads nowhere else.
 */
function postGuarded(
  url: string,
  { body, isAllowed, ...options }: PostedMessage & { isAllowed(address: string): boolean },
): Promise<number> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isAllowed(host)) return Promise.reject(new RefusedAddressError());
  const guardedLookup: LookupFunction = (name, lookupOptions, callback) =>
    lookup(name, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new RefusedAddressError(), '');
      if (lookupOptions.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      { method: 'POST', agent: false, lookup: guardedLookup, ...options },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
