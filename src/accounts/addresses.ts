// From where a key may be used: addresses and networks, IPv4 and IPv6.
import { BlockList, isIP } from 'node:net';
import { invalidArgument } from '../errors.ts';

const BITS: Record<number, number> = { 4: 32, 6: 128 };

/**
 * Networks in CIDR form (RFC 4632, RFC 4291) from words with commas, such as `192.0.2.0/24,2001:db8::/32`; a single address is its own
 * network. Each comes back as it was written, trimmed.
 *
 * Errors: invalid_arguments.
 */
export function parseNetworks(text: string): string[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  const wrong = words.find((word) => !isNetwork(word));
  if (wrong === undefined) return words;
  const why = 'is no address or network: give such as 192.0.2.0/24 or 2001:db8::/32, with commas.';
  throw invalidArgument(
    `${wrong === '' ? 'An empty word' : wrong} ${why}`,
    'allowed_addresses',
    `A word of it ${why}`,
  );
}

function isNetwork(word: string): boolean {
  const [address = '', bits, ...more] = word.split('/');
  const most = BITS[isIP(address)];
  if (most === undefined || more.length > 0 || /%|^::ffff:/i.test(address)) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
}

/** Whether an address, in any of its spellings, is in one of the networks. What is no address is in none. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 4) return listsOf(networks).v4.check(plain, 'ipv4');
  return family === 6 && listsOf(networks).v6.check(plain, 'ipv6');
}

/** An IPv4 address as a socket for both families has it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** A list for each family: one for both would take every IPv4 address for one of `::/0`. */
interface Lists {
  v4: BlockList;
  v6: BlockList;
}
const LISTS = new Map<string, Lists>();
const MOST_LISTS = 1000;

/** Made once for all calls of a key. */
function listsOf(networks: readonly string[]): Lists {
  const text = networks.join();
  let lists = LISTS.get(text);
  if (lists === undefined) {
    lists = { v4: new BlockList(), v6: new BlockList() };
    for (const network of networks) add(lists, network);
    if (LISTS.size >= MOST_LISTS) LISTS.clear();
    LISTS.set(text, lists);
  }
  return lists;
}

function add({ v4, v6 }: Lists, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = isIP(address);
  const length = Number(bits ?? BITS[family]);
  if (family === 4) v4.addSubnet(address, length, 'ipv4');
  else v6.addSubnet(address, length, 'ipv6');
}
