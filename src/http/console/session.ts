// A console session instead of a key: a cookie that scripts cannot read. It is accepted from the pages of the console only.
import type { H3Event } from 'h3';
import type { Caller } from '../../accounts/model.ts';
import type { Awaitable } from '../../model.ts';

const COOKIE = 'bonafide_console';

/** Browsers keep cookies by host only: without the port, two servers of one host would sign each other out. */
function cookieName(headers: Headers): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.get('host') ?? '') ?? [];
  return port === undefined ? COOKIE : `${COOKIE}_${port}`;
}

/**
 * Header that the pages of the console send with every request. A form of another site cannot send it, and a script of another site only
 * after a preflight request, which this server never allows.
 */
export const CONSOLE_HEADER = 'bonafide-console';

/** Returns the caller of a session; null if the session has ended, or its key may not administer. */
export type FindSessionCaller = (token: string, now: number) => Awaitable<Caller | null>;

/** Returns the session token of a request from a page of the console; null for any other request, whatever cookies it carries. */
export function readSessionToken({ headers, method }: Request): string | null {
  if (headers.get(CONSOLE_HEADER) !== '1') return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !isSameSite(headers)) return null;
  return findCookie(headers.get('cookie') ?? '', cookieName(headers));
}

/**
 * Returns true if a page of this server sent the request, as the browser says. Browsers send no `Sec-Fetch-Site` to hosts without TLS: then
 * `Origin` must name the host of the request.
 */
export function isSameSite(headers: Headers): boolean {
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

/** Returns the header that starts a session in a browser, or ends it with `seconds` 0. A cookie from TLS is sent over TLS only. */
export function toCookieHeader({ req }: H3Event, token: string, seconds: number): [string, string] {
  const secure = (req.headers.get('origin') ?? req.url).startsWith('https:') ? '; Secure' : '';
  const cookie = `${cookieName(req.headers)}=${token}`;
  return ['set-cookie', `${cookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}
