// Authenticates requests, finds client addresses, and applies the limits of callers.
import { isIP } from 'node:net';
import type { H3Event } from 'h3';
import { IP_NOT_ALLOWED_REFUSAL_RULE, requireAdmin, requireAllowedIpAddress } from '../accounts/access.ts';
import { isIpAddressInNetworks } from '../accounts/addresses.ts';
import { hashApiKeyToBytes, isApiKeyText } from '../accounts/key-text.ts';
import type { RefusedRequestLimiter } from '../accounts/failures.ts';
import type { LimitPolicy } from '../accounts/limits.ts';
import type { Caller, QuotaUsage } from '../accounts/model.ts';
import { BonafideError } from '../errors.ts';
import type { Awaitable } from '../model.ts';
import { getRequestContext, type RequestContext } from './response.ts';
import { readSessionToken, type FindCallerBySession } from './console/session.ts';

/**
 * Returns the caller of an API key; null if the key is not valid. `entering` is true for a call that counts towards the limits: `limiter.enter` or
 * `limiter.abandon` must follow.
 */
type FindCallerByKey = (key: string, now: number, entering?: boolean) => Awaitable<Caller | null>;

export type FindClientIpAddress = (event: H3Event) => string;

export interface AuthDeps {
  findKey: FindCallerByKey;
  findSession: FindCallerBySession;
  failures: RefusedRequestLimiter;
  addressOf: FindClientIpAddress;
  /** Rate limits and quotas of callers. Both functions can fail with store_unavailable. */
  limiter: {
    /** Starts a call of the caller, or returns the problem if the caller has reached a limit. */
    enter(caller: Caller, now: number): Awaitable<Entry>;
    getPolicies(caller: Caller, now: number): Awaitable<LimitPolicy[]>;
    /** Tells the limiter that a call was refused without `enter`, although its API key was looked up with `entering`. */
    abandon(caller: Caller): void;
  };
}

interface Entry {
  policies: LimitPolicy[];
  refused: BonafideError | null;
  /** Quota usage of the caller's account; null if it has no plan. */
  quotaUsage: QuotaUsage | null;
  /** Ends the call: it no longer counts towards the caller's limit of concurrent calls. */
  leave(): Awaitable<void>;
}

interface AuthOptions {
  /** True if the request is a call, whose caller's limits are tested after the authentication. */
  entering?: boolean;
  /** True (the default) to refuse a client that sent too many refused requests. */
  isSlowedDown?: boolean;
}

/**
 * Returns the caller of a request, and adds the API key id to the log line. Counts failed authentications by client address. Errors:
 * missing_api_key, invalid_api_key, rate_limited, forbidden if the key may not be used from this address, and errors of the store.
 */
export async function authenticate(
  event: H3Event,
  deps: AuthDeps,
  { entering = false, isSlowedDown = true }: AuthOptions = {},
): Promise<Caller> {
  const { failures, addressOf } = deps;
  const context = getRequestContext(event);
  const { now, line } = context;
  let caller: Caller | undefined;
  try {
    caller = await findCaller(event.req, deps, { context, entering });
    line.keyId = caller.keyId;
    context.sender = { key: caller.keyId, account: caller.account, test: caller.test, keyHash: null };
    requireAllowedIpAddress(caller, () => addressOf(event));
    if (isSlowedDown) failures.requireFewRefusedRequests(caller.keyId, () => addressOf(event), now);
    return caller;
  } catch (error) {
    if (entering && caller) deps.limiter.abandon(caller);
    if (error instanceof BonafideError && COUNTED.has(error.code)) failures.count(addressOf(event), now);
    throw error;
  }
}

/**
 * Resolves to true while a long answer may continue: the session has not ended, and the API key is valid and has the scope `admin`. Resolves to
 * false if the store cannot be read.
 */
export async function isCallerStillAdmin(event: H3Event, deps: AuthDeps): Promise<boolean> {
  try {
    const caller = await findCaller(event.req, deps, { context: { now: Date.now() }, entering: false });
    requireAllowedIpAddress(caller, () => deps.addressOf(event));
    requireAdmin(caller);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the caller of a request. The request does not count towards the caller's limits, but its answer shows them. Errors: those of
 * `authenticate`.
 */
export async function authenticateWithoutConsumingLimits(
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
 * Runs `work` as one call within the limits of its caller, and adds the limits to the answer's headers. Errors: rate_limited, quota_exhausted,
 * overloaded, and errors of `work`.
 */
export async function runWithinCallerLimits<T>(
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

/** Counts a refused request for its API key and for its client address. The key is not counted if it may not be used from this address. */
export function countRefusedRequest(
  event: H3Event,
  { failures, addressOf }: Pick<AuthDeps, 'failures' | 'addressOf'>,
): void {
  const { refusal, refusals, sender, now } = getRequestContext(event);
  if (!refusal) return;
  const { status, rule } = refusal;
  const key = rule === IP_NOT_ALLOWED_REFUSAL_RULE ? null : (sender?.key ?? null);
  failures.addRefusal({ status, rule, key, refusals }, addressOf(event), now);
}

const COUNTED: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key']);

/**
 * Returns the caller of a request by its API key in `X-API-Key: KEY` or `Authorization: Bearer KEY`. Two headers with the same key are accepted.
 * Without a key, returns the operator of the console session. Errors: missing_api_key, invalid_api_key, and errors of the store.
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
  if (isWellFormed)
    context.sender = { key: null, account: null, test: false, keyHash: hashApiKeyToBytes(key) };
  throw new BonafideError(
    'invalid_api_key',
    'The API key is mistyped, unknown, revoked or expired. Check the key, or create a new one.',
    {
      rule: isWellFormed ? 'unknown key' : 'malformed key',
    },
  );
}

function requireSession(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new BonafideError('invalid_api_key', 'The console session has ended. Sign in again.');
}

/**
 * Returns the API key in a header `Authorization: Bearer KEY`; null for any other header. A header with more text than one key is refused: a
 * proxy and its client may read it differently.
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

/** Client address of requests over a socket file: its clients are processes of this machine and have no network address. */
const LOCAL = '127.0.0.1';

/**
 * Returns a function that finds the client address of a request. Without trusted proxies, this is the address of the connection. With trusted
 * proxies (such as `10.0.0.0/8`), it is the right-most entry of X-Forwarded-For that is not a trusted proxy; clients can forge the entries
 * further left.
 */
export function createClientIpAddressFinder(trustedProxies: readonly string[]): FindClientIpAddress {
  return (event) => {
    const peer = toIPv4(event.runtime?.node?.req.socket.remoteAddress ?? LOCAL);
    if (trustedProxies.length === 0 || !isIpAddressInNetworks(trustedProxies, peer)) return peer;
    return findForwardedAddress(event.req.headers.get('x-forwarded-for') ?? '', trustedProxies) ?? peer;
  };
}

/**
 * Returns the right-most address of an X-Forwarded-For header that is not a trusted proxy. If all are trusted, returns the left-most; undefined
 * without an address.
 */
function findForwardedAddress(header: string, trusted: readonly string[]): string | undefined {
  let last: string | undefined;
  for (const entry of header.split(',').toReversed()) {
    const address = toIPv4(entry.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'));
    if (isIP(address) === 0) return last;
    last = address;
    if (!isIpAddressInNetworks(trusted, address)) return last;
  }
  return last;
}

const toIPv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
