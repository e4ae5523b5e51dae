// Whose address a request came from: the peer's own, or what a proxy that is trusted says of it.
import { BlockList, isIP } from 'node:net';
import type { H3Event } from 'h3';

export type AddressOf = (event: H3Event) => string;

/** What the other end of a socket file counts as: it is a process of this machine. */
const LOCAL = '127.0.0.1';

/**
 * Tells requests' addresses. Behind proxies of these addresses and networks (`10.0.0.0/8`) it is the right-most one of X-Forwarded-For
 * that is none of theirs; what stands left of it is the client's own word.
 */
export function addressesBehind(trustedProxies: readonly string[]): AddressOf {
  const trusted = blockListOf(trustedProxies);
  return (event) => {
    const peer = plain(event.runtime?.node?.req.socket.remoteAddress ?? LOCAL);
    if (trustedProxies.length === 0 || !isIn(trusted, peer)) return peer;
    return forwarded(event.req.headers.get('x-forwarded-for') ?? '', trusted) ?? peer;
  };
}

/** The right-most address that is not trusted, or the left-most of trusted ones; undefined where there is none. */
function forwarded(header: string, trusted: BlockList): string | undefined {
  let last: string | undefined;
  for (const entry of header.split(',').toReversed()) {
    const address = plain(entry.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'));
    if (isIP(address) === 0) return last;
    last = address;
    if (!isIn(trusted, address)) return last;
  }
  return last;
}

/** An IPv4 address that came in IPv6 clothes, as itself. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

const isIn = (list: BlockList, address: string) =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Errors: ERR_INVALID_ADDRESS of Node where a text is no address. */
function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
