// Rules of API keys: format, validity and rotation. Times are milliseconds since 1970.
import { invalidArgumentError } from '../errors.ts';
import { generateApiKeyText, hashApiKeyToBytes, createRandomBase62 } from './key-text.ts';
import type { Scope } from './model.ts';

/** API key as operators see it, without its text. */
export interface ApiKeyInfo {
  id: string;
  /** Id of the first API key of the chain of keys that replaced one another. Usage and logged calls belong to the whole chain. */
  chain: string;
  /** Account of the API key; null for a key without an account, which has no plan, quota and rate limit. */
  account: string | null;
  name: string;
  prefix: string;
  scopes: Scope[];
  created: number;
  expires: number | null;
  revoked: number | null;
  /** Id of the API key that replaced this key; null if none did. */
  rotatedTo: string | null;
  /** Comma-separated networks (CIDR) from which the API key may be used; null for any network. */
  allowedAddresses: string | null;
  /** ISO country for phones and addresses without a country; null for the country in the settings of the server. */
  region: string | null;
  lastUsed: number | null;
}

export interface ApiKeySettings {
  name: string;
  scopes: Scope[];
  /** True to create a test key (bf_test_) instead of a live key (bf_live_). */
  test?: boolean;
  expires?: number | null;
  account?: string | null;
  allowedAddresses?: string | null;
  region?: string | null;
  /** Id of the chain of replaced API keys that the new key continues; undefined to start a new chain. */
  chain?: string;
}

const TEST_PREFIX = 'bf_test_';

/** True for the text or the stored prefix of a test key. */
export const isTestApiKey = (key: string): boolean => key.startsWith(TEST_PREFIX);

const PREFIX_LENGTH = TEST_PREFIX.length + 4;

/** Creates an API key. Returns its text, which is shown only once, its hash, which is stored, and the data that operators see. */
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
  return { key, hash: hashApiKeyToBytes(key), info };
}

export const isApiKeyValid = (
  { revoked, expires }: Pick<ApiKeyInfo, 'revoked' | 'expires'>,
  now: number,
): boolean => revoked === null && (expires === null || expires > now);

export const API_KEY_STATES = ['valid', 'expired', 'revoked'] as const;
export type ApiKeyState = (typeof API_KEY_STATES)[number];

export function getApiKeyState(key: Pick<ApiKeyInfo, 'revoked' | 'expires'>, now: number): ApiKeyState {
  if (key.revoked !== null) return 'revoked';
  return isApiKeyValid(key, now) ? 'valid' : 'expired';
}

/** Returns the settings for the API key that replaces `old`. Errors: invalid_arguments if the old key is revoked, expired or already replaced. */
export function getReplacementApiKeySettings(old: ApiKeyInfo, now: number): ApiKeySettings {
  const { id, chain, account, name, scopes, expires, prefix, allowedAddresses, region } = old;
  if (!isApiKeyValid(old, now) || old.rotatedTo !== null) {
    const why = 'is revoked, expired or rotated already. Create a new key instead.';
    throw invalidArgumentError(`${id} ${why}`, '', `The key ${why}`);
  }
  return { chain, account, name, scopes, expires, allowedAddresses, region, test: isTestApiKey(prefix) };
}

/** Returns the time at which a replaced API key expires: after the grace period, or at its own expiry if that is earlier. */
export const getReplacedApiKeyExpiry = ({ expires }: ApiKeyInfo, graceMs: number, now: number): number =>
  Math.min(expires ?? Infinity, now + graceMs);

/** Rule for the names of API keys and accounts, as the end of a sentence in errors. */
export const DISPLAY_NAME_RULE_TEXT = '1 to 100 characters, without control characters and line ends';

/**
 * Returns the trimmed name for an API key or an account; undefined if it is invalid. Control characters are refused, because they could control an
 * operator's terminal or change the direction of its text.
 */
export function tryParseDisplayName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' &&
    name.length <= 100 &&
    !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)
    ? name
    : undefined;
}
