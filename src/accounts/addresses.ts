import { BlockList, isIP } from 'node:net';
import { invalidArgumentError } from '../errors.ts';

/** Length of an IP address in bits, by IP version (4 or 6). */
const ADDRESS_BITS: Record<number, number> = { 4: 32, 6: 128 };

/**
 * Parses comma-separated networks in CIDR form, such as `192.0.2.0/24,2001:db8::/32`. A single IP address is also a network. Returns each
 * network as it was written, trimmed. Errors: invalid_arguments.
 */
export function parseIpNetworks(text: string): string[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  const invalid = words.find((word) => !isNetwork(word));
  if (invalid === undefined) return words;
  const why =
    'is not an address or network. Write networks such as 192.0.2.0/24 or 2001:db8::/32, separated by commas.';
  throw invalidArgumentError(
    `${invalid === '' ? 'An empty word' : invalid} ${why}`,
    'allowed_addresses',
    `A word of it ${why}`,
  );
}

function isNetwork(word: string): boolean {
  const [address = '', bits, ...more] = word.split('/');
  const maxBits = ADDRESS_BITS[isIP(address)];
  if (maxBits === undefined || more.length > 0 || /%|^::ffff:/i.test(address)) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= maxBits);
}

/** IPv4 networks that are not public: private, local to this machine, or reserved (special-purpose registry of IANA). */
const INTERNAL_V4 =
  '0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.0.0.0/24,192.0.2.0/24,192.88.99.0/24,192.168.0.0/16,198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/4,240.0.0.0/4'.split(
    ',',
  );
/** IPv6 networks in the public range that contain no public hosts (Teredo, 6to4, documentation). */
const INTERNAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const PUBLIC_V6 = ['2000::/3'];

/** True if an IP address is public: not local to this machine, not of a private network, not reserved. */
export function isPublicIpAddress(address: string): boolean {
  if (isIpAddressInNetworks(['0.0.0.0/0'], address)) return !isIpAddressInNetworks(INTERNAL_V4, address);
  return isIpAddressInNetworks(PUBLIC_V6, address) && !isIpAddressInNetworks(INTERNAL_V6, address);
}

/**
 * True if webhooks of accounts may be sent to an IP address. It must be in a network that the operator allows, or be public and not of this machine,
 * which may have services that a firewall hides from others.
 */
export const isWebhookAddressAllowed = (
  address: string,
  networks: readonly string[],
  listOwnAddresses: () => readonly string[],
): boolean =>
  isIpAddressInNetworks(networks, address) ||
  (isPublicIpAddress(address) && !isIpAddressInNetworks(listOwnAddresses(), address));

/** True if an IP address is in one of the networks. False for a text that is not an IP address. */
export function isIpAddressInNetworks(networks: readonly string[], address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address.split('%', 1)[0] ?? '';
  const family = isIP(plain);
  if (family === 4) return getLists(networks).v4.check(plain, 'ipv4');
  return family === 6 && getLists(networks).v6.check(plain, 'ipv6');
}

/** Pattern of an IPv4 address in IPv6 form, such as `::ffff:192.0.2.1`. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Networks by IP version. In one list for both versions, `::/0` would contain every IPv4 address. */
interface NetworkLists {
  v4: BlockList;
  v6: BlockList;
}

const MAX_CACHED_LISTS = 1000;
const cachedLists = new Map<string, NetworkLists>();

function getLists(networks: readonly string[]): NetworkLists {
  const text = networks.join();
  let lists = cachedLists.get(text);
  if (lists === undefined) {
    lists = { v4: new BlockList(), v6: new BlockList() };
    for (const network of networks) addNetwork(lists, network);
    if (cachedLists.size >= MAX_CACHED_LISTS) cachedLists.clear();
    cachedLists.set(text, lists);
  }
  return lists;
}

function addNetwork({ v4, v6 }: NetworkLists, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = isIP(address);
  const length = Number(bits ?? ADDRESS_BITS[family]);
  if (family === 4) v4.addSubnet(address, length, 'ipv4');
  else v6.addSubnet(address, length, 'ipv6');
}
