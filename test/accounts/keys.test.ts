import { describe, expect, it } from 'vitest';
import { requireScope } from '../../src/accounts/access.ts';
import {
  getReplacedApiKeyExpiry,
  isApiKeyValid,
  generateApiKey,
  getReplacementApiKeySettings,
  tryParseDisplayName,
} from '../../src/accounts/keys.ts';
import { getTimeRangeOfEarlierCalls } from '../../src/accounts/time.ts';

const NOW = Date.UTC(2026, 10, 20);
const { info } = generateApiKey(
  { name: 'shop', scopes: ['validate', 'raw'], test: true, expires: NOW + 10 },
  NOW,
);

describe('a key', () => {
  it('is the first of its chain unless it continues one, and has no account unless one is given', () => {
    expect(info).toMatchObject({ chain: info.id, account: null });
    const joined = generateApiKey({ name: 'x', scopes: [], chain: 'key_a', account: 'acc_a' }, NOW).info;
    expect(joined).toMatchObject({ chain: 'key_a', account: 'acc_a' });
  });

  it('is valid until it expires or is revoked', () => {
    expect(isApiKeyValid(info, NOW + 9)).toBe(true);
    expect(isApiKeyValid(info, NOW + 10)).toBe(false);
    expect(isApiKeyValid({ revoked: NOW, expires: null }, NOW)).toBe(false);
  });

  it('is replaced by a key of the same chain, name, kind, scopes and expiry', () => {
    const next = generateApiKey(getReplacementApiKeySettings(info, NOW), NOW).info;
    expect(next).toMatchObject({
      chain: info.chain,
      account: null,
      name: 'shop',
      scopes: ['validate', 'raw'],
      expires: NOW + 10,
    });
    expect(next.prefix).toMatch(/^bf_test_/);
  });

  it.each([
    ['expired', { expires: NOW }],
    ['revoked', { revoked: NOW }],
    ['rotated already', { rotatedTo: 'key_b' }],
  ])('that is %s is not replaced', (_, over) => {
    expect(() => getReplacementApiKeySettings({ ...info, ...over }, NOW)).toThrow(
      expect.objectContaining({ code: 'invalid_arguments' }),
    );
  });

  it('that was replaced expires after its grace period, or at its own expiry', () => {
    expect(getReplacedApiKeyExpiry(info, 5, NOW)).toBe(NOW + 5);
    expect(getReplacedApiKeyExpiry(info, 50, NOW)).toBe(NOW + 10);
    expect(getReplacedApiKeyExpiry({ ...info, expires: null }, 50, NOW)).toBe(NOW + 50);
  });

  it('may do what its scopes allow', () => {
    const caller = { keyId: 'k', account: null, scopes: ['raw' as const], test: false, plan: null };
    expect(() => requireScope(caller, 'raw')).not.toThrow();
    expect(() => requireScope(caller, 'validate')).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});

it('a call is compared with at most a thousand calls of the day before it', () => {
  expect(getTimeRangeOfEarlierCalls(NOW)).toEqual({ since: NOW - 86_400_000, before: NOW, limit: 1000 });
});

it.each(['Shop\u202e', '\u2066Shop', 'Shop\u0007', 'Shop\ud800'])('the name %j is refused', (name) => {
  expect(tryParseDisplayName(name)).toBeUndefined();
});

it.each(['Shop \u{1f600}', 'متجر', 'Łódź'])('the name %j is accepted', (name) => {
  expect(tryParseDisplayName(name)).toBe(name);
});
