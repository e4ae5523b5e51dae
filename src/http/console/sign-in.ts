// Routes of `/console/session`: show who is signed in to the console, sign in with a key or a link, sign out.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { requireAdmin, requireAllowedIpAddress } from '../../accounts/access.ts';
import type { Caller } from '../../accounts/model.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable } from '../../model.ts';
import type { AuthDeps } from '../auth.ts';
import { readJsonBody } from '../input.ts';
import { JSON_BODY_ERROR_CODES, declarePublicRoute, type Route } from '../openapi/operation.ts';
import { getRequestContext, createJsonResponse, createTextResponse } from '../response.ts';
import * as s from '../schema/builders.ts';
import {
  CONSOLE_REQUEST_HEADER,
  isSameOriginRequest,
  readSessionToken,
  createSetSessionCookieHeader,
} from './session.ts';

/** New console session. Its token is a secret that is sent only to the browser. */
interface StartedSession {
  token: string;
  /** Time at which the session ends, in milliseconds since 1970. */
  until: number;
}

export interface ConsoleSessionDeps extends AuthDeps {
  /** Starts and finds console sessions. All functions can fail with store_unavailable. */
  sessions: {
    begin(key: string, now: number): Awaitable<StartedSession>;
    /** Starts a session with a one-time sign-in link. Returns null if the link is invalid, used or expired. */
    beginWith(link: string, now: number): Awaitable<StartedSession | null>;
    /** Returns the time at which a session ends, in milliseconds since 1970; null if it has already ended. */
    until(token: string, now: number): Awaitable<number | null>;
    end(token: string): Awaitable<void>;
  };
}

const signInSchema = s.openApiObject('SignIn', 'Either a key or a link.', {
  key: v.optional(s.string('A live key with the scope `admin`.', { max: 200 })),
  link: v.optional(s.string('The part of a link of `bonafide console link` behind `#link=`.', { max: 200 })),
});
export const consoleSessionSchema = s.openApiObject('Session', 'A console session.', {
  key: s.nullableString('Id of the key that started the session; null for a session by link.'),
  until: s.timestamp('When the session ends.'),
});

export const CONSOLE_SESSION_ROUTES: Route<ConsoleSessionDeps>[] = [
  declarePublicRoute('GET /console/session', 'getSession', {
    tag: 'Console',
    summary: 'Show the session',
    about: 'Needs the cookie of a session, and the header `Bonafide-Console: 1`.',
    answers: [{ status: 200, about: 'The session.', schemas: [consoleSessionSchema] }],
    errors: ['missing_api_key', 'invalid_api_key', 'store_unavailable'],
    handle: showSession,
  }),
  declarePublicRoute('POST /console/session', 'signIn', {
    tag: 'Console',
    summary: 'Sign in',
    about:
      'Starts a session of twelve hours, as a cookie that scripts cannot read. Its caller is that of the key, or the operator of the machine. Only pages of this server may call it: with the header `Bonafide-Console: 1`, and `Sec-Fetch-Site` or `Origin` as browsers send them.',
    body: {
      schemas: [signInSchema],
      examples: () => ({
        key: { summary: 'With a key', value: { key: 'bf_live_0000000000000000000000000000000000000' } },
      }),
    },
    answers: [{ status: 201, about: 'Signed in.', schemas: [consoleSessionSchema], headers: ['Set-Cookie'] }],
    errors: ['forbidden', 'invalid_api_key', 'rate_limited', 'store_unavailable', ...JSON_BODY_ERROR_CODES],
    handle: signIn,
  }),
  declarePublicRoute('DELETE /console/session', 'signOut', {
    tag: 'Console',
    summary: 'Sign out',
    about: 'Ends the session.',
    answers: [
      { status: 204, about: 'The session has ended.', types: ['text/plain'], headers: ['Set-Cookie'] },
    ],
    errors: ['forbidden', 'store_unavailable'],
    handle: signOut,
  }),
];

async function showSession(event: H3Event, deps: ConsoleSessionDeps): Promise<Response> {
  const context = getRequestContext(event);
  const token = readSessionToken(event.req);
  const caller = token === null ? null : await deps.findSession(token, context.now);
  const until = token === null ? null : await deps.sessions.until(token, context.now);
  if (!caller || until === null)
    throw new BonafideError('missing_api_key', 'There is no console session. Sign in to the console first.');
  return createJsonResponse(context, toSessionJson(caller, until));
}

async function signIn(event: H3Event, deps: ConsoleSessionDeps): Promise<Response> {
  requireConsolePage(event);
  const context = getRequestContext(event);
  deps.failures.requireFewRefusedRequests(null, () => deps.addressOf(event), context.now);
  const { key, link } = await readJsonBody(event, signInSchema);
  if ((key === undefined) === (link === undefined)) {
    const detail = 'The body must have either `key` or `link`.';
    throw invalidRequestError([{ pointer: '', code: 'invalid_request', detail }]);
  }
  const started = await (key === undefined
    ? startWithLink(link ?? '', event, deps)
    : startWithKey(key.trim(), event, deps));
  const caller = await deps.findSession(started.token, context.now);
  if (!caller) throw wrongKey('The key no longer has the scope `admin`.');
  const seconds = Math.floor((started.until - context.now) / 1000);
  return createTextResponse(context, JSON.stringify(toSessionJson(caller, started.until)), {
    status: 201,
    headers: [createSetSessionCookieHeader(event, started.token, seconds)],
  });
}

async function startWithKey(key: string, event: H3Event, deps: ConsoleSessionDeps): Promise<StartedSession> {
  const { now, line } = getRequestContext(event);
  const caller = await deps.findKey(key, now);
  if (!caller) {
    deps.failures.count(deps.addressOf(event), now);
    throw wrongKey('The key is mistyped, unknown, revoked or expired. Check the key, or create a new one.');
  }
  line.keyId = caller.keyId;
  requireAllowedIpAddress(caller, () => deps.addressOf(event));
  requireAdmin(caller);
  return deps.sessions.begin(caller.key ?? caller.keyId, now);
}

async function startWithLink(
  link: string,
  event: H3Event,
  { failures, addressOf, sessions }: ConsoleSessionDeps,
): Promise<StartedSession> {
  const { now } = getRequestContext(event);
  const started = await sessions.beginWith(link, now);
  if (started) return started;
  failures.count(addressOf(event), now);
  throw wrongKey(
    'The link was used before, or is older than 30 minutes. Create another link: bonafide console link',
  );
}

async function signOut(event: H3Event, { sessions }: ConsoleSessionDeps): Promise<Response> {
  requireConsolePage(event);
  const token = readSessionToken(event.req);
  if (token !== null) await sessions.end(token);
  const headers = [createSetSessionCookieHeader(event, '', 0)];
  return createTextResponse(getRequestContext(event), '', { status: 204, type: 'text/plain', headers });
}

/** Throws unless a console page sent the request: other sites must not sign users in or out. Errors: forbidden. */
function requireConsolePage({ req }: H3Event): void {
  if (req.headers.get(CONSOLE_REQUEST_HEADER) === '1' && isSameOriginRequest(req.headers)) return;
  throw new BonafideError('forbidden', 'Only pages of the console of this server may call this address.');
}

const wrongKey = (detail: string) => new BonafideError('invalid_api_key', detail);

const toSessionJson = ({ key }: Caller, until: number) => ({
  key: key ?? null,
  until: new Date(until).toISOString(),
});
