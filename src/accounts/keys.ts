// The rules of API keys: what one is made of, when it is valid, what becomes of it when it is rotated.
import { invalidArgument } from '../errors.ts';
import type { Scope } from './model.ts';
import { hashKey, generateKeyText, randomBase62 } from './key-text.ts';

/** A key as an operator may see it. Times are milliseconds since 1970. */
export interface KeyInfo {
  id: string;
  /** The id of the first key of its chain of rotations: its usage and its calls in the log belong to this. */
  chain: string;
  /** The account whose key it is; null for a key that stands alone, without plan, quota and rate limit. */
  account: string | null;
  name: string;
  prefix: string;
  scopes: Scope[];
  created: number;
  expires: number | null;
  revoked: number | null;
  /** The key that replaces this one. */
  rotatedTo: string | null;
  /** CIDR blocks that it may be used from, separated by commas; null for any address. */
  allowedAddresses: string | null;
  /** ISO country in which its phones and addresses are read; null for the server's. */
  region: string | null;
  lastUsed: number | null;
}

export interface KeySettings {
  name: string;
  scopes: Scope[];
  /** A bf_test_ key instead of a bf_live_ one. */
  test?: boolean;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expires?: number | null;
  account?: string | null;
  allowedAddresses?: string | null;
  region?: string | null;
  /** The chain of rotations that it continues; one of its own where there is none. */
  chain?: string;
}

const TEST_PREFIX = 'bf_test_';

/** Whether a key, or the prefix that is kept of it, is a test key's. */
export const isTestKey = (key: string): boolean => key.startsWith(TEST_PREFIX);

const PREFIX_LENGTH = TEST_PREFIX.length + 4;

/** A new key: its text, to be shown once and kept nowhere; what is kept of it; what an operator may see. */
export function generateKey(wanted: KeySettings, now: number): { key: string; hash: Buffer; info: KeyInfo } {
  const { name, scopes, test = false, expires = null, account = null } = wanted;
  const { allowedAddresses = null, region = null } = wanted;
  const key = generateKeyText(test ? 'test' : 'live');
  const id = `key_${randomBase62(12)}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  const { chain = id } = wanted;
  const chosen = { name, scopes, expires, account, chain, allowedAddresses, region };
  const info = { id, prefix, created: now, revoked: null, rotatedTo: null, lastUsed: null, ...chosen };
  return { key, hash: hashKey(key), info };
}

/** Whether a key works now. */
export function isKeyValid({ revoked, expires }: Pick<KeyInfo, 'revoked' | 'expires'>, now: number): boolean {
  return revoked === null && (expires === null || expires > now);
}

export const KEY_STATES = ['valid', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** What became of a key. */
export function getKeyState(key: Pick<KeyInfo, 'revoked' | 'expires'>, now: number): KeyState {
  if (key.revoked !== null) return 'revoked';
  return isKeyValid(key, now) ? 'valid' : 'expired';
}

/**
 * What replaces a key: another one of the same chain and account, with its name, kind, scopes, end, addresses and region.
 *
 * Errors: invalid_arguments where the key is revoked, expired or rotated already.
 */
export function toSuccessorSettings(old: KeyInfo, now: number): KeySettings {
  const { id, chain, account, name, scopes, expires, prefix, allowedAddresses, region } = old;
  if (!isKeyValid(old, now) || old.rotatedTo !== null) {
    const why = 'is revoked, expired or rotated already. Create a new key instead.';
    throw invalidArgument(`${id} ${why}`, '', `The key ${why}`);
  }
  return { chain, account, name, scopes, expires, allowedAddresses, region, test: isTestKey(prefix) };
}

/** When a rotated key ends: after its time of grace, or sooner where it would have ended anyway. */
export function getGraceEnd({ expires }: KeyInfo, graceMs: number, now: number): number {
  return Math.min(expires ?? Infinity, now + graceMs);
}

/** What `readNameText` takes, as the end of a sentence. */
export const NAME_RULE = '1 to 100 characters, none of them a control character or the end of a line';

/** The name of a key or an account as it is kept; undefined where a text is none: a control character would steer the terminal that lists it. */
export function parseDisplayName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= 100 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? name : undefined;
}
