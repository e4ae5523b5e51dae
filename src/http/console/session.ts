// Console sessions: a cookie, which scripts cannot read, replaces the key. It is accepted only from pages of the console.
import type { H3Event } from 'h3';
import type { Caller } from '../../accounts/model.ts';
import type { Awaitable } from '../../model.ts';

const COOKIE = 'bonafide_console';

/**
 * Returns the name of the session cookie, which contains the port. Browsers share cookies between the ports of a host, so two servers on one
 * host need different names.
 */
function cookieName(headers: Headers): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.get('host') ?? '') ?? [];
  return port === undefined ? COOKIE : `${COOKIE}_${port}`;
}

/**
 * Request header that the console's pages send with every request. Pages of other sites cannot send it, so it proves that a request is not
 * forged.
 */
export const CONSOLE_REQUEST_HEADER = 'bonafide-console';

/** Returns the caller of a console session; null if the session has ended, or if its API key lost the scope `admin`. */
export type FindCallerBySession = (token: string, now: number) => Awaitable<Caller | null>;

/** Returns the session token of a request that a console page sent; null for any other request, even with the cookie. */
export function readSessionToken({ headers, method }: Request): string | null {
  if (headers.get(CONSOLE_REQUEST_HEADER) !== '1') return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !isSameOriginRequest(headers)) return null;
  return findCookie(headers.get('cookie') ?? '', cookieName(headers));
}

/**
 * True if a page of this server sent the request, judged by headers that only the browser sets. Without TLS, browsers omit `Sec-Fetch-Site`;
 * then `Origin` must name the host of the request.
 */
export function isSameOriginRequest(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  const host = headers.get('host');
  return origin !== null && host !== null && URL.canParse(origin) && new URL(origin).host === host;
}

function findCookie(header: string, wanted: string): string | null {
  for (const pair of header.split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted && /^[0-9A-Za-z]{40}$/.test(value)) return value;
  }
  return null;
}

/**
 * Returns the header Set-Cookie that starts a session of `seconds` seconds in the browser; 0 ends it. The cookie of a TLS request is sent only
 * over TLS.
 */
export function createSetSessionCookieHeader(
  { req }: H3Event,
  token: string,
  seconds: number,
): [string, string] {
  const secure = (req.headers.get('origin') ?? req.url).startsWith('https:') ? '; Secure' : '';
  const cookie = `${cookieName(req.headers)}=${token}`;
  return ['set-cookie', `${cookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}
