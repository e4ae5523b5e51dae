import type { H3Event } from 'h3';
import { describe, expect, it, test } from 'vitest';
import { createClientIpAddressFinder } from '../../src/http/auth.ts';

const event = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    runtime: { node: { req: { socket: { remoteAddress } } } },
    req: { headers: new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) },
  }) as unknown as H3Event;

test('without trusted proxies no header is trusted', () => {
  const addressOf = createClientIpAddressFinder([]);
  expect(addressOf(event('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
  expect(addressOf(event('::ffff:203.0.113.9'))).toBe('203.0.113.9');
});

describe('behind trusted proxies', () => {
  const addressOf = createClientIpAddressFinder(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '127.0.0.1']);

  it.each([
    ['the proxy itself', '10.1.2.3', undefined, '10.1.2.3'],
    ['one client', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['a client that adds a line of its own', '10.1.2.3', '8.8.8.8, 198.51.100.1', '198.51.100.1'],
    ['two proxies', '10.1.2.3', '8.8.8.8, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['nothing but proxies', '10.1.2.3', '10.9.9.9, 192.0.2.7', '10.9.9.9'],
    ['what is no address', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['what is no address behind a proxy', '10.1.2.3', 'x, 10.9.9.9', '10.9.9.9'],
    ['a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', '2001:db8::1', '[2001:4860::8]:443', '2001:4860::8'],
    ['a stranger who says so', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['IPv4 in IPv6', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a socket file', undefined, '198.51.100.1', '198.51.100.1'],
  ])('%s', (_, peer, forwarded, address) => {
    expect(addressOf(event(peer, forwarded))).toBe(address);
  });
});

test('a network of IPv6 contains no IPv4 address', () => {
  expect(createClientIpAddressFinder(['::/0'])(event('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
});
