// The rules of API keys: what one is made of, when it is valid, what becomes of it when it is rotated.
import { BonafideError } from '../errors.ts';
import type { Scope } from '../model.ts';
import { hashKey, newKey, randomText } from './key-text.ts';

/** A key as an operator may see it. Times are milliseconds since 1970. */
export interface KeyInfo {
  id: string;
  /** The id of the first key of a chain of rotations: usage and the call log belong to this. */
  account: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  created: number;
  expires: number | null;
  revoked: number | null;
  /** The key that replaces this one. */
  rotatedTo: string | null;
}

export interface NewKey {
  name: string;
  scopes: Scope[];
  /** A bf_test_ key instead of a bf_live_ one. */
  test?: boolean;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expires?: number | null;
  /** The account that it joins; a new one where there is none. */
  account?: string;
}

const TEST_PREFIX = 'bf_test_';

/** Whether a key, or the prefix that is kept of it, is a test key's. */
export const isTest = (key: string): boolean => key.startsWith(TEST_PREFIX);

const PREFIX_LENGTH = TEST_PREFIX.length + 4;

/** A new key: its text, to be shown once and kept nowhere; what is kept of it; what an operator may see. */
export function makeKey(wanted: NewKey, now: number): { key: string; hash: Buffer; info: KeyInfo } {
  const { name, scopes, test = false, expires = null } = wanted;
  const key = newKey(test ? 'test' : 'live');
  const id = `key_${randomText(12)}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  const account = wanted.account ?? id;
  const info = { id, account, name, prefix, scopes, created: now, expires, revoked: null, rotatedTo: null };
  return { key, hash: hashKey(key), info };
}

/** Whether a key works now. */
export function isValid({ revoked, expires }: Pick<KeyInfo, 'revoked' | 'expires'>, now: number): boolean {
  return revoked === null && (expires === null || expires > now);
}

/**
 * What replaces a key: another one of the same account, name, kind, scopes and end.
 *
 * Errors: invalid_arguments where the key is revoked, expired or rotated already.
 */
export function successorOf(old: KeyInfo, now: number): NewKey {
  const { id, account, name, scopes, expires, prefix } = old;
  if (!isValid(old, now) || old.rotatedTo !== null) {
    throw new BonafideError(
      'invalid_arguments',
      `${id} is revoked, expired or rotated already. Create a new key instead.`,
    );
  }
  return { account, name, scopes, expires, test: isTest(prefix) };
}

/** When a rotated key ends: after its time of grace, or sooner where it would have ended anyway. */
export function graceEnd({ expires }: KeyInfo, graceMs: number, now: number): number {
  return Math.min(expires ?? Infinity, now + graceMs);
}
