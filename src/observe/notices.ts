// Delivery of pending messages to the operator's webhook and to endpoints of accounts: each message at least
// once, in any order.
import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Awaitable } from '../model.ts';

export interface NoticeMessage {
  /** Id of the message, the same in every attempt. */
  id: string;
  body: string;
  /** Number of attempts to deliver the message, including the current one. */
  attempts: number;
}

/** Receiver of messages: the id of a webhook endpoint, or null for the operator's webhook. */
type Receiver = string | null;

/** Address of a receiver, and how to sign messages for it. */
export interface DeliveryTarget {
  url: string;
  /** Returns the signature of a message that is sent at `seconds` (seconds since 1970). */
  sign(message: { id: string; seconds: number; body: string }): string;
  /** Returns true if connections to an IP address are allowed. Missing for the operator's webhook, where all are. */
  isAllowed?: ((address: string) => boolean) | undefined;
}

/** Queue of pending messages; implemented in src/store/serving/notices.ts. */
interface DeliveryQueue<Message extends NoticeMessage> {
  listReceivers(now: number): Awaitable<Receiver[]>;
  lease(now: number, leaseMs: number, receiver: Receiver): Awaitable<Message | null>;
  markDelivered(id: string, now: number): Awaitable<void>;
  markFailed(id: string, attempt: { next: number | null; failure: string; now: number }): Awaitable<void>;
}

export interface DeliveryOptions<Message extends NoticeMessage = NoticeMessage> {
  queue: DeliveryQueue<Message>;
  /** Returns the receiver of a message; null if the receiver was removed. */
  findTarget(message: Message): DeliveryTarget | null;
  /** Returns the time of the next attempt (ms since 1970); null to give up the message. */
  nextAttempt(attempts: number, now: number): number | null;
  log: { warn(text: string): void; error(text: string, thrown?: unknown): void };
  /** Interval (ms) at which the queue is read for messages of other processes. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 5000;
const TIMEOUT_MS = 15_000;
/**
 * Lease (ms) of a message, in which no other server sends it. It is longer than one attempt. The messages of a killed server are due again when
 * the lease expires.
 */
const LEASE_MS = 60_000;

/** Maximum number of receivers that get messages at the same time. */
const MAX_RECEIVERS = 32;
/** Maximum number of slow receivers that get messages at the same time. A receiver is slow if its last attempt timed out. */
const MAX_SLOW_RECEIVERS = 8;
/** Maximum number of messages that are sent to one receiver at the same time. */
const MAX_PER_RECEIVER = 4;
/** Maximum number of interim answers (status 1xx) to a message. A receiver that sends them without end would keep the server busy. */
const MAX_INTERIM_ANSWERS = 16;
/** Pause (ms) before the next read of the queue, after a receiver got all its messages. */
const LOOK_AGAIN_MS = 50;
/** Maximum time (ms) for which a stopping server waits for running attempts. */
const CLOSE_MS = 2000;

interface Delivery<Message extends NoticeMessage> extends DeliveryOptions<Message> {
  /** Receivers whose last attempt timed out. */
  slow: Set<Receiver>;
  /** Aborts attempts that have not ended when the server stops. */
  signal: AbortSignal;
  isClosing(): boolean;
}

/**
 * Starts the delivery of notices (webhook messages). Call `look` after this process has added a message: it reads the queue at once. `close` ends
 * the delivery within two seconds; unfinished attempts are repeated after the next start.
 */
export function startNoticeDelivery<Message extends NoticeMessage>(
  options: DeliveryOptions<Message>,
): { look(): void; close(): Promise<void> } {
  const { queue, log, everyMs = LOOK_EVERY_MS } = options;
  const stop = new AbortController();
  let isClosing = false;
  const delivery = { ...options, slow: new Set<Receiver>(), signal: stop.signal, isClosing: () => isClosing };
  /** Deliveries in progress, by receiver. */
  const fast = new Map<Receiver, Promise<void>>();
  const slow = new Map<Receiver, Promise<void>>();
  let looking: Promise<void> | null = null;
  /** True if the queue must be read again, because a message may have arrived after the current read. */
  let isLookDue = false;
  let again: NodeJS.Timeout | undefined;
  const look = () => {
    clearTimeout(again);
    again = undefined;
    isLookDue = looking !== null;
    looking ??= startDeliveries()
      .catch(reportError)
      .finally(() => {
        looking = null;
        if (isLookDue && !isClosing) look();
      });
  };
  const reportError = (error: unknown) => log.error('notices could not be sent', error);
  const startDeliveries = async () => {
    for (const receiver of await queue.listReceivers(Date.now())) {
      const isSlow = delivery.slow.has(receiver);
      const places = isSlow ? slow : fast;
      const isFull = places.size >= (isSlow ? MAX_SLOW_RECEIVERS : MAX_RECEIVERS);
      if (isClosing || isFull || fast.has(receiver) || slow.has(receiver)) continue;
      const running = deliverToReceiver(receiver, delivery, reportError).finally(() => {
        places.delete(receiver);
        if (!isClosing) again ??= setTimeout(look, LOOK_AGAIN_MS).unref();
      });
      places.set(receiver, running);
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    look,
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      clearTimeout(again);
      const abortTimer = setTimeout(() => stop.abort(), CLOSE_MS);
      await looking;
      await Promise.all([...fast.values(), ...slow.values()]);
      clearTimeout(abortTimer);
    },
  };
}

/** Delivers the due messages of a receiver. The number of parallel deliveries grows while there are more messages. */
async function deliverToReceiver<Message extends NoticeMessage>(
  receiver: Receiver,
  delivery: Delivery<Message>,
  reportError: (error: unknown) => void,
): Promise<void> {
  const loops: Promise<void>[] = [];
  const start = () => {
    // Each rejection is handled at once. Node.js ends the process for one that occurs while another delivery is awaited.
    if (loops.length < MAX_PER_RECEIVER) loops.push(deliverDue(receiver, delivery, start).catch(reportError));
  };
  start();
  for (let i = 0; i < loops.length; i++) await loops[i];
}

/** Delivers the due messages of a receiver one after the other, until none is left or an attempt fails. */
async function deliverDue<Message extends NoticeMessage>(
  receiver: Receiver,
  delivery: Delivery<Message>,
  onDelivered: () => void,
): Promise<void> {
  const { queue, log, nextAttempt, findTarget, slow, signal, isClosing } = delivery;
  while (!isClosing()) {
    const message = await queue.lease(Date.now(), LEASE_MS, receiver);
    if (!message) return;
    const { id, attempts } = message;
    const target = findTarget(message);
    if (!target) {
      await queue.markFailed(id, { next: null, failure: 'the endpoint was removed', now: Date.now() });
      continue;
    }
    const problem = await attemptDelivery(message, target, signal);
    if (problem === NO_ANSWER) slow.add(receiver);
    else slow.delete(receiver);
    if (problem === null) {
      await queue.markDelivered(id, Date.now());
      onDelivered();
      continue;
    }
    const now = Date.now();
    if (signal.aborted) {
      await queue.markFailed(id, { next: now, failure: 'the server stopped', now });
      return;
    }
    const next = nextAttempt(attempts, now);
    await queue.markFailed(id, { next, failure: problem, now });
    if (next === null) log.error(`the notice ${id} was given up after ${attempts} attempts: ${problem}`);
    else
      log.warn(`the notice ${id} was not delivered (${problem}); it will be sent again${adviseOn(problem)}`);
    return;
  }
}

const NO_ANSWER = 'no answer in time';

/** Problem text of a delivery to an address that is not public. */
export const INTERNAL_ADDRESS_PROBLEM = 'internal address';

/** Returns advice about a problem as the end of a log line; empty without advice. */
const adviseOn = (problem: string): string =>
  problem === INTERNAL_ADDRESS_PROBLEM ? '. To allow the address, add it to the setting webhookNetworks' : '';

/** Sends a message once. Resolves to null if the webhook accepted it, otherwise to a short description of the problem. */
async function attemptDelivery(
  { id, body }: NoticeMessage,
  { url, sign, isAllowed }: DeliveryTarget,
  stop: AbortSignal,
): Promise<string | null> {
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign({ id, seconds, body }),
  };
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stop]);
    const status = isAllowed
      ? await postGuarded(url, { headers, body, signal, isAllowed })
      : await post(url, { headers, body, signal });
    return status >= 200 && status < 300 ? null : `status ${status}`;
  } catch (error) {
    if (error instanceof RefusedAddressError) return INTERNAL_ADDRESS_PROBLEM;
    return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      ? NO_ANSWER
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

/** Error for a receiver's IP address to which connections are not allowed. */
class RefusedAddressError extends Error {}

/** Returns the reason that a connection to one of the addresses is not allowed; null if all are allowed. Never throws, because that would end the process. */
function findAddressProblem(
  addresses: readonly LookupAddress[],
  isAllowed: (address: string) => boolean,
): Error | null {
  try {
    return addresses.every(({ address }) => isAllowed(address)) ? null : new RefusedAddressError();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Posts a message to an untrusted receiver, and returns the HTTP status. Connects to the address that was checked, so that a changed DNS entry
 * cannot redirect the message.
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
      // After an error, `addresses` is undefined, despite its type.
      if (error) return callback(error, '');
      const problem = findAddressProblem(addresses, isAllowed);
      const [first] = addresses;
      if (problem || !first) callback(problem ?? new RefusedAddressError(), '');
      else if (lookupOptions.all) callback(null, addresses);
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
    let interim = 0;
    request.on('information', () => {
      if (++interim > MAX_INTERIM_ANSWERS) request.destroy(new Error('Too many interim answers.'));
    });
    // An answer with status 101 closes the request without an error.
    request.on('close', () => reject(new Error('The connection ended without an answer.')));
    request.end(body);
  });
}
