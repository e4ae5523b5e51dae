// `/console/session`: who is signed in, signing in with a key or a link, signing out.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { requireAllowedAddress, requireAdmin } from '../../accounts/access.ts';
import type { Caller } from '../../accounts/model.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError } from '../../errors.ts';
import { textResponse, jsonResponse, contextOf } from '../response.ts';
import type { AuthDeps } from '../auth.ts';
import { readJsonBody } from '../input.ts';
import { BODY_ERRORS, openRoute } from '../openapi/operation.ts';
import type { Route } from '../openapi/operation.ts';
import { namedObject, nullable, timestamp } from '../schema/parts.ts';
import { toCookieHeader, isSameSite, CONSOLE_HEADER, readSessionToken } from './session.ts';
import type { Awaitable } from '../../model.ts';

/** A session that has begun: its token goes to the browser, and nowhere else. */
interface Begun {
  token: string;
  /** Milliseconds since 1970. */
  until: number;
}

export interface SessionDeps extends AuthDeps {
  sessions: {
    /** Begins a session of a key. Errors, of each: store_unavailable. */
    begin(key: string, now: number): Awaitable<Begun>;
    /** Begins one with a link, which is good no more; null where it was not. */
    beginWith(link: string, now: number): Awaitable<Begun | null>;
    /** When a session ends; null where it has. */
    until(token: string, now: number): Awaitable<number | null>;
    end(token: string): Awaitable<void>;
  };
}

const SESSION = '/console/session';

const signInBody = namedObject(
  'SignIn',
  {
    key: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description('A live key with the scope `admin`.')),
    ),
    link: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(200),
        v.description('What a link of `bonafide console link` has behind `#link=`.'),
      ),
    ),
  },
  'One of the two.',
);

export const sessionSchema = namedObject(
  'Session',
  {
    key: nullable(
      v.string(),
      'The id of the key that it was begun with; null for one that was begun with a link.',
    ),
    until: timestamp('When it ends.'),
  },
  'Who is signed in to the console.',
);

export const SESSION_ROUTES: Route<SessionDeps>[] = [
  openRoute({
    tag: 'Console',
    path: SESSION,
    id: 'getSession',
    summary: 'Who is signed in',
    about: 'Takes the cookie of a session, and the header `Bonafide-Console: 1` with it.',
    answers: [{ status: 200, about: 'Somebody is.', schemas: [sessionSchema] }],
    errors: ['missing_api_key', 'invalid_api_key', 'store_unavailable'],
    handle: showSession,
  }),
  openRoute({
    tag: 'Console',
    path: SESSION,
    method: 'POST',
    id: 'signIn',
    summary: 'Sign in',
    about:
      'Begins a session of twelve hours, as a cookie that no script can read; its caller is the key’s, or whoever works on the machine. Only pages of this server may ask: the header `Bonafide-Console: 1`, and `Sec-Fetch-Site` or `Origin` as browsers send them.',
    body: {
      schemas: [signInBody],
      examples: () => ({
        key: { summary: 'With a key', value: { key: 'bf_live_0000000000000000000000000000000000000' } },
      }),
    },
    answers: [{ status: 201, about: 'Signed in.', schemas: [sessionSchema], headers: ['Set-Cookie'] }],
    errors: ['forbidden', 'invalid_api_key', 'rate_limited', 'store_unavailable', ...BODY_ERRORS],
    handle: signIn,
  }),
  openRoute({
    tag: 'Console',
    path: SESSION,
    method: 'DELETE',
    id: 'signOut',
    summary: 'Sign out',
    about: 'Ends the session.',
    answers: [{ status: 204, about: 'It has ended.', types: ['text/plain'], headers: ['Set-Cookie'] }],
    errors: ['forbidden', 'store_unavailable'],
    handle: signOut,
  }),
];

/** Who is signed in. Errors: missing_api_key, invalid_api_key. */
async function showSession(event: H3Event, deps: SessionDeps): Promise<Response> {
  const exchange = contextOf(event);
  const token = readSessionToken(event.req);
  const caller = token === null ? null : await deps.findSession(token, exchange.now);
  const until = token === null ? null : await deps.sessions.until(token, exchange.now);
  if (!caller || until === null) throw new BonafideError('missing_api_key', 'Nobody is signed in.');
  return jsonResponse(exchange, viewOf(caller, until));
}

/**
 * Begins a session with `key`, a live one that may administer, or with `link`.
 *
 * Errors: forbidden, invalid_api_key, rate_limited, invalid_request, those of reading a body.
 */
async function signIn(event: H3Event, deps: SessionDeps): Promise<Response> {
  requirePage(event);
  const exchange = contextOf(event);
  const { key, link } = await readJsonBody(event, signInBody);
  if ((key === undefined) === (link === undefined))
    throw invalidRequestError([
      { pointer: '', code: 'invalid_request', detail: 'It must have `key` or `link`, one of them.' },
    ]);
  const begun = await (key === undefined
    ? withLink(link ?? '', event, deps)
    : withKey(key.trim(), event, deps));
  const caller = await deps.findSession(begun.token, exchange.now);
  if (!caller) throw wrongKey('The key may administer no more.');
  const seconds = Math.floor((begun.until - exchange.now) / 1000);
  return textResponse(exchange, JSON.stringify(viewOf(caller, begun.until)), {
    status: 201,
    headers: [toCookieHeader(event, begun.token, seconds)],
  });
}

async function withKey(key: string, event: H3Event, deps: SessionDeps): Promise<Begun> {
  const { now, line } = contextOf(event);
  const caller = await deps.findKey(key, now);
  if (!caller) {
    deps.failures.count(deps.addressOf(event), now);
    throw wrongKey('The key is mistyped, unknown, revoked or expired.');
  }
  line.keyId = caller.keyId;
  requireAllowedAddress(caller, () => deps.addressOf(event));
  requireAdmin(caller);
  return deps.sessions.begin(caller.key ?? caller.keyId, now);
}

async function withLink(
  link: string,
  event: H3Event,
  { failures, addressOf, sessions }: SessionDeps,
): Promise<Begun> {
  const { now } = contextOf(event);
  const begun = await sessions.beginWith(link, now);
  if (begun) return begun;
  failures.count(addressOf(event), now);
  throw wrongKey(
    'The link was used before, or is older than 30 minutes. Make another one: bonafide console link',
  );
}

/** Ends the session, here and wherever else it is used. */
async function signOut(event: H3Event, { sessions }: SessionDeps): Promise<Response> {
  requirePage(event);
  const token = readSessionToken(event.req);
  if (token !== null) await sessions.end(token);
  return textResponse(contextOf(event), '', {
    status: 204,
    type: 'text/plain',
    headers: [toCookieHeader(event, '', 0)],
  });
}

/** Errors: forbidden where no page of this server asks: else another site could sign somebody in, or out. */
function requirePage({ req }: H3Event): void {
  if (req.headers.get(CONSOLE_HEADER) === '1' && isSameSite(req.headers)) return;
  throw new BonafideError('forbidden', 'This is for the pages of the console, from this server.');
}

const wrongKey = (detail: string) => new BonafideError('invalid_api_key', detail);

const viewOf = ({ key }: Caller, until: number) => ({
  key: key ?? null,
  until: new Date(until).toISOString(),
});
