// A session of the console in place of a key: a cookie that no script can read, good for what the console's own pages ask and nothing else.
import type { H3Event } from 'h3';
import type { Caller } from '../../accounts/model.ts';
import type { Awaitable } from '../../model.ts';

const COOKIE = 'bonafide_console';

/** A browser tells cookies apart by host alone: servers at several ports of one would else sign each other out. */
function cookieName(headers: Headers): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.get('host') ?? '') ?? [];
  return port === undefined ? COOKIE : `${COOKIE}_${port}`;
}

/**
 * The header that the pages send with everything they ask. Another site's form cannot send it, and another site's script only after a
 * preflight, which nothing here answers.
 */
export const CONSOLE_HEADER = 'bonafide-console';

/** The caller of a session; null where it has ended, or its key may administer no more. */
export type FindSession = (token: string, now: number) => Awaitable<Caller | null>;

/** The token that a page of the console sent; null where something else asks, whatever cookie came along. */
export function readSessionToken({ headers, method }: Request): string | null {
  if (headers.get(CONSOLE_HEADER) !== '1') return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !isSameSite(headers)) return null;
  return cookieOf(headers.get('cookie') ?? '', cookieName(headers));
}

/**
 * Whether a request was sent by a page of this very server, as the browser tells. Where it tells no `Sec-Fetch-Site`, which it does to
 * hosts without TLS, `Origin` must name the host that was asked.
 */
export function isSameSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  const host = headers.get('host');
  return origin !== null && host !== null && URL.canParse(origin) && new URL(origin).host === host;
}

function cookieOf(header: string, wanted: string): string | null {
  for (const pair of header.split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted && /^[0-9A-Za-z]{40}$/.test(value)) return value;
  }
  return null;
}

/** The header that begins a session in a browser, or ends it: `seconds` 0. What came by TLS is only ever sent by TLS again. */
export function toCookieHeader({ req }: H3Event, token: string, seconds: number): [string, string] {
  const secure = (req.headers.get('origin') ?? req.url).startsWith('https:') ? '; Secure' : '';
  const cookie = `${cookieName(req.headers)}=${token}`;
  return ['set-cookie', `${cookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}
