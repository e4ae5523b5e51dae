// Whose address a request came from: the peer's own, or what a proxy that is trusted says of it.
import { isIP } from 'node:net';
import type { H3Event } from 'h3';
import { isWithin } from '../accounts/addresses.ts';

export type AddressOf = (event: H3Event) => string;

/** What the other end of a socket file counts as: it is a process of this machine. */
const LOCAL = '127.0.0.1';

/**
 * Tells requests' addresses. Behind proxies of these addresses and networks (`10.0.0.0/8`) it is the right-most one of X-Forwarded-For
 * that is none of theirs; what stands left of it is the client's own word.
 */
export function addressesBehind(trustedProxies: readonly string[]): AddressOf {
  return (event) => {
    const peer = plain(event.runtime?.node?.req.socket.remoteAddress ?? LOCAL);
    if (trustedProxies.length === 0 || !isWithin(trustedProxies, peer)) return peer;
    return forwarded(event.req.headers.get('x-forwarded-for') ?? '', trustedProxies) ?? peer;
  };
}

/** The right-most address that is not trusted, or the left-most of trusted ones; undefined where there is none. */
function forwarded(header: string, trusted: readonly string[]): string | undefined {
  let last: string | undefined;
  for (const entry of header.split(',').toReversed()) {
    const address = plain(entry.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'));
    if (isIP(address) === 0) return last;
    last = address;
    if (!isWithin(trusted, address)) return last;
  }
  return last;
}

/** An IPv4 address that came in IPv6 clothes, as itself. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
