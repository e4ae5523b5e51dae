// Console sessions: a cookie, which scripts cannot read, replaces the key. It is accepted only from pages of the console.
import type { H3Event } from 'h3';
import type { Caller } from '../../accounts/model.ts';
import type { Awaitable } from '../../model.ts';

const COOKIE = 'bonafide_console';

/**
 * Returns the name of the session cookie. The name contains the port: browsers share cookies between all ports of a host, so two servers of
 * one host would sign each other out.
 */
function cookieName(headers: Headers): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.get('host') ?? '') ?? [];
  return port === undefined ? COOKIE : `${COOKIE}_${port}`;
}

/**
 * Request header that pages of the console send with every request. A form of another site cannot send it, and a script of another site
 * needs a preflight request, which this server refuses.
 */
export const CONSOLE_REQUEST_HEADER = 'bonafide-console';

/** Returns the caller of a console session; null if the session has ended, or if its key lost the scope `admin`. */
export type FindCallerBySession = (token: string, now: number) => Awaitable<Caller | null>;

/** Returns the session token of a request that a page of the console sent; null for any other request, even if it has the cookie. */
export function readSessionToken({ headers, method }: Request): string | null {
  if (headers.get(CONSOLE_REQUEST_HEADER) !== '1') return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !isSameSiteRequest(headers)) return null;
  return findCookie(headers.get('cookie') ?? '', cookieName(headers));
}

/**
 * True if, by the headers that browsers set, a page of this server sent the request. Browsers send no `Sec-Fetch-Site` to hosts without
 * TLS; then `Origin` must name the host of the request.
 */
export function isSameSiteRequest(headers: Headers): boolean {
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
 * Returns the header Set-Cookie that starts a session in the browser, or ends it if `seconds` is 0. If the request came over TLS, the
 * browser sends the cookie only over TLS.
 */
export function toSessionCookieHeader({ req }: H3Event, token: string, seconds: number): [string, string] {
  const secure = (req.headers.get('origin') ?? req.url).startsWith('https:') ? '; Secure' : '';
  const cookie = `${cookieName(req.headers)}=${token}`;
  return ['set-cookie', `${cookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}
