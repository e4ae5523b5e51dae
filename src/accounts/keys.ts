// Rules of API keys: format, validity and rotation. Times are milliseconds since 1970.
import { invalidArgument } from '../errors.ts';
import { generateApiKeyText, hashApiKey, createRandomBase62 } from './key-text.ts';
import type { Scope } from './model.ts';

/** API key with the data that an operator may see. */
export interface ApiKeyInfo {
  id: string;
  /** Id of the first key of the chain of rotations. Usage and logged calls belong to the chain. */
  chain: string;
  /** Account of the key; null for a key without account, plan, quota and rate limit. */
  account: string | null;
  name: string;
  prefix: string;
  scopes: Scope[];
  created: number;
  expires: number | null;
  revoked: number | null;
  /** Id of the key that replaces this one; null if there is none. */
  rotatedTo: string | null;
  /** Networks that the key may be used from, in CIDR form and separated by commas; null for any address. */
  allowedAddresses: string | null;
  /** ISO country in which phones and addresses are read; null for the country of the server's settings. */
  region: string | null;
  lastUsed: number | null;
}

export interface ApiKeySettings {
  name: string;
  scopes: Scope[];
  /** True for a bf_test_ key instead of a bf_live_ key. */
  test?: boolean;
  expires?: number | null;
  account?: string | null;
  allowedAddresses?: string | null;
  region?: string | null;
  /** Chain of rotations that the key continues. Undefined for a key that starts a new chain. */
  chain?: string;
}

const TEST_PREFIX = 'bf_test_';

/** Returns true for the text, or the stored prefix, of a test key. */
export const isTestKey = (key: string): boolean => key.startsWith(TEST_PREFIX);

const PREFIX_LENGTH = TEST_PREFIX.length + 4;

/**
 * Generates an API key. Returns its text, which is shown once and never stored; its hash, which is stored; and the data that operators may
 * see.
 */
export function generateApiKey(
  settings: ApiKeySettings,
  now: number,
): { key: string; hash: Buffer; info: ApiKeyInfo } {
  const { name, scopes, test = false, expires = null, account = null } = settings;
  const { allowedAddresses = null, region = null } = settings;
  const key = generateApiKeyText(test ? 'test' : 'live');
  const id = `key_${createRandomBase62(12)}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  const { chain = id } = settings;
  const keySettings = { name, scopes, expires, account, chain, allowedAddresses, region };
  const info = { id, prefix, created: now, revoked: null, rotatedTo: null, lastUsed: null, ...keySettings };
  return { key, hash: hashApiKey(key), info };
}

export const isKeyValid = (
  { revoked, expires }: Pick<ApiKeyInfo, 'revoked' | 'expires'>,
  now: number,
): boolean => revoked === null && (expires === null || expires > now);

export const API_KEY_STATES = ['valid', 'expired', 'revoked'] as const;
export type ApiKeyState = (typeof API_KEY_STATES)[number];

export function getKeyState(key: Pick<ApiKeyInfo, 'revoked' | 'expires'>, now: number): ApiKeyState {
  if (key.revoked !== null) return 'revoked';
  return isKeyValid(key, now) ? 'valid' : 'expired';
}

/**
 * Returns the settings of the key that replaces another one: same chain, account, name, kind, scopes, expiry, addresses and region.
 *
 * Errors: invalid_arguments if the key is revoked, expired or rotated already.
 */
export function getSettingsOfRotatedKey(old: ApiKeyInfo, now: number): ApiKeySettings {
  const { id, chain, account, name, scopes, expires, prefix, allowedAddresses, region } = old;
  if (!isKeyValid(old, now) || old.rotatedTo !== null) {
    const why = 'is revoked, expired or rotated already. Create a new key instead.';
    throw invalidArgument(`${id} ${why}`, '', `The key ${why}`);
  }
  return { chain, account, name, scopes, expires, allowedAddresses, region, test: isTestKey(prefix) };
}

/** Returns the time at which a rotated key expires: after its grace period, or at its own expiry if that comes first. */
export const getRotatedKeyExpiry = ({ expires }: ApiKeyInfo, graceMs: number, now: number): number =>
  Math.min(expires ?? Infinity, now + graceMs);

/** Rule of `parseDisplayName`, worded as the end of a sentence. */
export const DISPLAY_NAME_RULE = '1 to 100 characters, without control characters and line ends';

/**
 * Returns the trimmed name of a key or an account; undefined for an invalid name. Control characters are refused, because they would
 * control the terminal that lists the names.
 */
export function parseDisplayName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= 100 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? name : undefined;
}
