// API keys as an operator has them, at the command line and over HTTP: what one may be, and how it is shown.
import { SCOPES } from '../accounts/access.ts';
import { parseNetworks } from '../accounts/addresses.ts';
import { findKeyTexts } from '../accounts/key-text.ts';
import {
  isKeyValid,
  type KeyInfo,
  type KeyState,
  type KeySettings,
  NAME_RULE,
  parseDisplayName,
} from '../accounts/keys.ts';
import type { Scope } from '../accounts/model.ts';
import { isRegion } from '../config/settings.ts';
import { invalidArgument } from '../errors.ts';
import { openAccounts } from '../store/accounts.ts';
import { createKey, keyOf, findKeyByText, listKeys, revokeKey, rotateKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { toWire } from './wire.ts';
import { pageOf, sliceOf, type Page, type Paging } from './page.ts';

/** What a key is asked to be; all but the name may be left out. */
export interface KeyAsked {
  name: string;
  scopes?: readonly string[] | undefined;
  test?: boolean | undefined;
  account?: string | null | undefined;
  region?: string | null | undefined;
  /** Addresses and networks, with commas. */
  allowedAddresses?: string | null | undefined;
  /** Milliseconds since 1970. */
  expires?: number | null | undefined;
}

/** Reads what a key is to be. Whether its account is there, only the store knows. Errors: invalid_arguments. */
export function newKeyOf(asked: KeyAsked, now: number): KeySettings {
  const { test = false, account = null, allowedAddresses = null } = asked;
  const name = parseDisplayName(asked.name);
  if (name === undefined)
    throw invalidArgument(`--name must have ${NAME_RULE}.`, 'name', `It must have ${NAME_RULE}.`);
  return {
    name,
    test,
    account,
    scopes: scopesOf(asked.scopes ?? ['validate'], test),
    expires: endOf(asked.expires ?? null, now),
    region: regionOf(asked.region ?? null),
    allowedAddresses: allowedAddresses === null ? null : parseNetworks(allowedAddresses).join(),
  };
}

function scopesOf(words: readonly string[], test: boolean): Scope[] {
  const scopes = [...new Set(words)] as Scope[];
  const all = SCOPES.join(', ');
  if (scopes.length === 0 || !scopes.every((word) => SCOPES.includes(word)))
    throw invalidArgument(
      `--scopes takes words of ${all}, with commas.`,
      'scopes',
      `It takes words of ${all}.`,
    );
  const useless = uselessIn(scopes, test);
  if (useless !== null) throw invalidArgument(`--scopes: ${useless}`, 'scopes', useless);
  return scopes;
}

/** A scope that would let its key do nothing, told to whoever asks for it. */
function uselessIn(scopes: readonly Scope[], test: boolean): string | null {
  if (scopes.includes('raw') && !scopes.includes('validate'))
    return 'raw goes with validate: it only adds to the answer of a check.';
  if (scopes.includes('admin') && test) return 'admin is for live keys: a test key administers nothing.';
  return null;
}

function endOf(expires: number | null, now: number): number | null {
  if (expires === null || expires > now) return expires;
  throw invalidArgument(
    '--expires must be longer than nothing, such as 90d: such a key would never work.',
    'expires',
    'It must be a time that is still to come: such a key would never work.',
  );
}

function regionOf(text: string | null): string | null {
  if (text === null) return null;
  if (isRegion(text)) return text.toUpperCase();
  const what = 'a country by its two ISO letters, such as US or GB.';
  throw invalidArgument(`--region takes ${what}`, 'region', `It takes ${what}`);
}

/** A key that was made: its text, which is shown once, and how it is listed. */
export type MadeKey = { key: string } & KeyView;

/** Makes a key. Errors: not_found (its account), those of `createKey`. */
export function makeKey(store: Store, wanted: KeySettings, now: number): MadeKey {
  const { account = null } = wanted;
  if (account !== null) openAccounts(store).get(account);
  const { key, info } = createKey(store, wanted, now);
  return { key, ...keyView(info) };
}

/** Replaces a key; the one before stays valid for `graceMs`. Errors: not_found, invalid_arguments, those of `rotateKey`. */
export function replaceKey(store: Store, asked: { id: string; graceMs: number }, now: number) {
  const { key, info, old } = rotateKey(store, asked, now);
  return { made: { key, ...keyView(info) }, old: keyView(old) };
}

/** One key. Errors: not_found. */
export const showKey = (store: Store, id: string): KeyView => keyView(keyOf(store, id));

/** Refuses a key from now on. Errors: not_found, those of `revokeKey`. */
export const refuseKey = (store: Store, id: string, now: number): KeyView =>
  keyView(revokeKey(store, id, now));

/** A page of the keys, the oldest first, of one account or state where it is named. Errors: invalid_arguments. */
export function pageOfKeys(
  store: Store,
  { account, state, ...paging }: { account?: string | undefined; state?: KeyState | undefined } & Paging,
  now: number,
): Page<KeyView> {
  const listing = { name: 'keys', filters: { account, state }, like: [0, ''] as [number, string] };
  const { limit, after } = sliceOf(listing, paging);
  const rows = listKeys(store, { account, state, after, limit: limit + 1 }, now);
  return pageOf(listing, { rows, limit, at: ({ created, id }) => [created, id], view: keyView });
}

export type KeyView = ReturnType<typeof keyView>;

/** A key for programs; times are ISO 8601. */
export const keyView = (key: KeyInfo) => toWire(key, 'created', 'lastUsed', 'expires', 'revoked');

/** What a key in a text turned out to be: none of this store's, or one of them; `no key` where the text has none. */
export interface Judged {
  is: 'not ours' | 'ours';
  /** Whose it is; null where it is not ours. */
  key: KeyView | null;
  /** It works now. */
  live: boolean;
}

/** The worst of what is in a text, one that works before any other, and each of its keys in the text's order. */
export interface Leaked extends Omit<Judged, 'is'> {
  is: Judged['is'] | 'no key';
  keys: Judged[];
}

/** Which keys are in a text that turned up somewhere, whose, and whether they work; without a store none is ours. */
export function judgeText(store: Store | null, text: string, now: number): Leaked {
  const keys = findKeyTexts(text).map((one): Judged => {
    const key = store && findKeyByText(store, one);
    if (key) return { is: 'ours', key: keyView(key), live: isKeyValid(key, now) };
    return { is: 'not ours', key: null, live: false };
  });
  const worst = keys.find(({ live }) => live) ?? keys.find(({ is }) => is === 'ours') ?? keys[0];
  return { ...(worst ?? { is: 'no key', key: null, live: false }), keys };
}
