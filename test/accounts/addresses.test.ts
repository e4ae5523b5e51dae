import { describe, expect, it } from 'vitest';
import { isIpAddressInNetworks, parseIpNetworks } from '../../src/accounts/addresses.ts';

describe('allowed addresses', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0', true],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.77/24', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.128/25', '192.0.2.128', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['192.0.2.0/24', '::ffff:192.0.2.9', true],
    ['192.0.2.0/24', '::FFFF:192.0.3.9', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8:0:1::/64', '2001:db8:0:1:ffff:ffff:ffff:ffff', true],
    ['2001:db8:0:1::/64', '2001:0db8:0000:0002::', false],
    ['2001:db8::1', '2001:DB8:0:0::1', true],
    ['::/0', '2001:db8::1', true],
    ['::/0', '203.0.113.9', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.0/8,2001:db8::/32', '2001:db8::5', true],
    ['10.0.0.0/8', '', false],
    ['10.0.0.0/8', 'unknown', false],
    ['10.0.0.0/8', '10.0.0.1.example', false],
  ])('%s and %s: %s', (networks, address, within) => {
    expect(isIpAddressInNetworks(parseIpNetworks(networks), address)).toBe(within);
  });

  it.each([
    '',
    ',',
    '10.0.0.0/8,',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '010.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    'example.com',
    '10.0.0.0/',
  ])('are refused: "%s"', (text) => {
    expect(() => parseIpNetworks(text)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  });

  it('are returned trimmed, each once', () => {
    expect(parseIpNetworks(' 192.0.2.1 , 192.0.2.1,2001:db8::/32')).toEqual(['192.0.2.1', '2001:db8::/32']);
  });
});
