// Authenticates requests, finds client addresses, and applies the limits of callers.
import { isIP } from 'node:net';
import type { H3Event } from 'h3';
import { ALLOWED_ADDRESSES_RULE, requireAdmin, requireAllowedAddress } from '../accounts/access.ts';
import { isInNetworks } from '../accounts/addresses.ts';
import { hashApiKey, isApiKeyText } from '../accounts/key-text.ts';
import type { RefusalLimits } from '../accounts/failures.ts';
import type { LimitPolicy } from '../accounts/limits.ts';
import type { Caller, QuotaUsage } from '../accounts/model.ts';
import { BonafideError } from '../errors.ts';
import type { Awaitable } from '../model.ts';
import { getRequestContext, type RequestContext } from './response.ts';
import { readSessionToken, type FindCallerBySession } from './console/session.ts';

/**
 * Returns the caller to whom an API key belongs; null if the key is not valid. `entering` is true if the caller's limits are checked next.
 */
export type FindCallerByKey = (key: string, now: number, entering?: boolean) => Awaitable<Caller | null>;

export type FindClientAddress = (event: H3Event) => string;

export interface AuthDeps {
  findKey: FindCallerByKey;
  findSession: FindCallerBySession;
  failures: RefusalLimits;
  addressOf: FindClientAddress;
  /** Rate limits and quotas of callers. Errors of `enter` and `getPolicies`: store_unavailable. */
  limiter: {
    /** Starts a call of the caller, or returns the problem with which the caller's limits refuse the call. */
    enter(caller: Caller, now: number): Awaitable<Entry>;
    getPolicies(caller: Caller, now: number): Awaitable<LimitPolicy[]>;
  };
}

interface Entry {
  policies: LimitPolicy[];
  refused: BonafideError | null;
  /** Quota usage of the caller's account; null without a plan. */
  quotaUsage: QuotaUsage | null;
  /** Ends the call, so that the caller can start another one within the limit of concurrent calls. */
  leave(): Awaitable<void>;
}

interface AuthOptions {
  /** True if the limits of the caller are checked next. */
  entering?: boolean;
  /** False: a caller with too many refused requests still gets an answer. */
  isSlowedDown?: boolean;
}

/**
 * Returns the caller of a request, and adds the key id to the log line. Failed authentications are counted by client address.
 *
 * Errors: missing_api_key, invalid_api_key, forbidden if the key may not be used from the client address, rate_limited, those of the store.
 */
export async function authenticate(
  event: H3Event,
  deps: AuthDeps,
  { entering = false, isSlowedDown = true }: AuthOptions = {},
): Promise<Caller> {
  const { failures, addressOf } = deps;
  const context = getRequestContext(event);
  const { now, line } = context;
  try {
    const caller = await findCaller(event.req, deps, { context, entering });
    line.keyId = caller.keyId;
    context.sender = { key: caller.keyId, account: caller.account, test: caller.test, keyHash: null };
    requireAllowedAddress(caller, () => addressOf(event));
    if (isSlowedDown) failures.requireFewRefusals(caller.keyId, () => addressOf(event), now);
    return caller;
  } catch (error) {
    if (error instanceof BonafideError && COUNTED.has(error.code)) failures.count(addressOf(event), now);
    throw error;
  }
}

/**
 * Resolves to true if the caller may continue to receive a long answer: the session has not ended, and the key is valid with the scope
 * `admin`. Resolves to false also if the store cannot be read.
 */
export async function isCallerStillAdmin(event: H3Event, deps: AuthDeps): Promise<boolean> {
  try {
    const caller = await findCaller(event.req, deps, { context: { now: Date.now() }, entering: false });
    requireAllowedAddress(caller, () => deps.addressOf(event));
    requireAdmin(caller);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the caller of a request without counting it against the limits. The answer still shows the limits. Errors: those of
 * `authenticate`.
 */
export async function authenticateWithoutLimits(
  event: H3Event,
  deps: AuthDeps,
  options: Pick<AuthOptions, 'isSlowedDown'> = {},
): Promise<Caller> {
  const caller = await authenticate(event, deps, options);
  const context = getRequestContext(event);
  context.policies = await deps.limiter.getPolicies(caller, context.now);
  return caller;
}

/**
 * Runs `work` as one call within the limits of its caller, and shows the limits in the answer. Errors: rate_limited, quota_exhausted,
 * overloaded, those of `work`.
 */
export async function runWithinLimits<T>(
  event: H3Event,
  { limiter }: AuthDeps,
  { caller, work }: { caller: Caller; work: (quotaUsage: QuotaUsage | null) => Promise<T> },
): Promise<T> {
  const context = getRequestContext(event);
  const { policies, refused, quotaUsage, leave } = await limiter.enter(caller, context.now);
  context.policies = policies;
  try {
    if (refused) throw refused;
    return await work(quotaUsage);
  } finally {
    await leave();
  }
}

/**
 * Counts a refused request for its key and its client address. A request from an address that may not use the key does not count for the
 * key.
 */
export function countRefusal(
  event: H3Event,
  { failures, addressOf }: Pick<AuthDeps, 'failures' | 'addressOf'>,
): void {
  const { refusal, sender, now } = getRequestContext(event);
  if (!refusal) return;
  const { status, rule } = refusal;
  const key = rule === ALLOWED_ADDRESSES_RULE ? null : (sender?.key ?? null);
  failures.addRefusal({ status, rule, key }, addressOf(event), now);
}

const COUNTED: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key']);

/**
 * Returns the caller of a request by its key (`X-API-Key: KEY` or `Authorization: Bearer KEY`; both may be sent if they agree). Without a
 * key, returns the operator of the console session.
 *
 * Errors: missing_api_key, invalid_api_key; those of the store.
 */
async function findCaller(
  req: Request,
  { findKey, findSession }: AuthDeps,
  { context, entering }: { context: Pick<RequestContext, 'now' | 'sender'>; entering: boolean },
): Promise<Caller> {
  const { headers } = req;
  const { now } = context;
  const own = headers.get('x-api-key')?.trim() || null;
  const bearer = readBearer(headers.get('authorization') ?? '');
  const key = own ?? bearer;
  if (key === null) {
    const token = readSessionToken(req);
    if (token !== null) return requireSession(await findSession(token, now));
    throw new BonafideError(
      'missing_api_key',
      'Send an API key as X-API-Key: KEY or as Authorization: Bearer KEY.',
    );
  }
  if (own !== null && bearer !== null && own !== bearer)
    throw new BonafideError(
      'invalid_api_key',
      'The headers X-API-Key and Authorization have different keys. Send only one of them.',
      { rule: 'two keys' },
    );
  const caller = await findKey(key, now, entering);
  if (caller) return caller;
  const isWellFormed = isApiKeyText(key);
  if (isWellFormed) context.sender = { key: null, account: null, test: false, keyHash: hashApiKey(key) };
  throw new BonafideError('invalid_api_key', 'The API key is mistyped, unknown, revoked or expired.', {
    rule: isWellFormed ? 'unknown key' : 'malformed key',
  });
}

function requireSession(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new BonafideError('invalid_api_key', 'The console session has ended. Sign in again.');
}

/**
 * Returns the key of an Authorization header of the type Bearer; null for any other header. A header that contains more than a key is
 * refused, because a proxy and its client may read such a header differently.
 */
function readBearer(header: string): string | null {
  const [, key = ''] = /^Bearer[ \t]+([^ \t].*)$/is.exec(header.trim()) ?? [];
  if (/\s/.test(key))
    throw new BonafideError(
      'invalid_api_key',
      'The header Authorization contains more than one API key. Send one key.',
    );
  return key === '' ? null : key;
}

/** Client address of requests over a socket file, whose clients have no network address: they are processes of this machine. */
const LOCAL = '127.0.0.1';

/**
 * Returns a function that finds the client address of a request. Without trusted proxies, it is the address of the connection. With trusted
 * proxies (addresses and networks such as `10.0.0.0/8`), it is the right-most entry of X-Forwarded-For that is not a trusted proxy: entries
 * further left are set by the client and are not trusted.
 */
export function createClientAddressFinder(trustedProxies: readonly string[]): FindClientAddress {
  return (event) => {
    const peer = toIPv4(event.runtime?.node?.req.socket.remoteAddress ?? LOCAL);
    if (trustedProxies.length === 0 || !isInNetworks(trustedProxies, peer)) return peer;
    return findForwardedAddress(event.req.headers.get('x-forwarded-for') ?? '', trustedProxies) ?? peer;
  };
}

/**
 * Returns the right-most address of an X-Forwarded-For header that is not a trusted proxy. If all are trusted, returns the left-most; if
 * the header has no address, returns undefined.
 */
function findForwardedAddress(header: string, trusted: readonly string[]): string | undefined {
  let last: string | undefined;
  for (const entry of header.split(',').toReversed()) {
    const address = toIPv4(entry.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'));
    if (isIP(address) === 0) return last;
    last = address;
    if (!isInNetworks(trusted, address)) return last;
  }
  return last;
}

const toIPv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
