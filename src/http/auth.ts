import type { H3Event } from 'h3';
import { requireAddress } from '../accounts/access.ts';
import type { Policy } from '../accounts/limits/fields.ts';
import { BonafideError } from '../errors.ts';
import type { Caller, Standing } from '../accounts/model.ts';
import type { AddressOf } from './address.ts';
import { exchangeOf } from './answer.ts';
import { sessionToken } from './console/session.ts';
import type { FindSession } from './console/session.ts';
import type { Awaitable } from '../model.ts';

/** `entering` says that the caller's limits are asked next. */
export type FindKey = (key: string, now: number, entering?: boolean) => Awaitable<Caller | null>;

export interface AuthDeps {
  findKey: FindKey;
  /** Whose a session of the console is, which stands in place of a key. */
  findSession: FindSession;
  /** Counts refusals by the address they came from. Errors: rate_limited. */
  failures: { count(address: string, now: number): void };
  /** Where a request came from. */
  addressOf: AddressOf;
  /** What bounds callers. Errors, of both: store_unavailable. */
  limiter: {
    /** Takes a call on, or tells why not. */
    enter(caller: Caller, now: number): Awaitable<Entered>;
    /** What a caller's limits are; it takes nothing. */
    look(caller: Caller, now: number): Awaitable<Policy[]>;
  };
}

interface Entered {
  policies: Policy[];
  refused: BonafideError | null;
  /** Where the caller's account stands; null without a plan. */
  standing: Standing | null;
  leave(): Awaitable<void>;
}

/** Who asks; the log line tells which key. Errors: those of `authenticate`; forbidden from an address that the key may not be used from; rate_limited in their place where the address had many. */
export async function authenticated(event: H3Event, deps: AuthDeps, entering = false): Promise<Caller> {
  const { failures, addressOf } = deps;
  const { now, line } = exchangeOf(event);
  try {
    const caller = await authenticate(event.req, deps, { now, entering });
    line.keyId = caller.keyId;
    requireAddress(caller, () => addressOf(event));
    return caller;
  } catch (error) {
    if (error instanceof BonafideError && REFUSALS.has(error.code)) failures.count(addressOf(event), now);
    throw error;
  }
}

/** Who asks for something that is not limited; the answer tells of the limits all the same. Errors: those of `authenticated`. */
export async function authenticatedFreely(event: H3Event, deps: AuthDeps): Promise<Caller> {
  const caller = await authenticated(event, deps);
  const exchange = exchangeOf(event);
  exchange.policies = await deps.limiter.look(caller, exchange.now);
  return caller;
}

const REFUSALS: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key']);

/**
 * The caller behind `X-API-Key: KEY` or `Authorization: Bearer KEY`; both may be sent if they agree. Without either, the one who is signed in
 * to the console.
 *
 * Errors: missing_api_key, invalid_api_key; those of the store.
 */
async function authenticate(
  req: Request,
  { findKey, findSession }: AuthDeps,
  { now, entering }: { now: number; entering: boolean },
): Promise<Caller> {
  const { headers } = req;
  const own = headers.get('x-api-key')?.trim() || null;
  const bearer = bearerOf(headers.get('authorization') ?? '');
  const key = own ?? bearer;
  if (key === null) {
    const token = sessionToken(req);
    if (token !== null) return signedIn(await findSession(token, now));
    throw new BonafideError(
      'missing_api_key',
      'Send an API key as X-API-Key: KEY or as Authorization: Bearer KEY.',
    );
  }
  if (own !== null && bearer !== null && own !== bearer)
    throw new BonafideError('invalid_api_key', 'X-API-Key and Authorization carry different keys.');
  const caller = await findKey(key, now, entering);
  if (!caller)
    throw new BonafideError('invalid_api_key', 'The API key is mistyped, unknown, revoked or expired.');
  return caller;
}

function signedIn(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new BonafideError('invalid_api_key', 'The session has ended. Sign in again.');
}

/** The key of a Bearer header. One that holds more than a key is refused: a proxy and a caller may read it differently. */
function bearerOf(header: string): string | null {
  const [, key = ''] = /^Bearer[ \t]+(.*)$/i.exec(header.trim()) ?? [];
  if (/\s/.test(key)) throw new BonafideError('invalid_api_key', 'Authorization holds more than one key.');
  return key === '' ? null : key;
}
