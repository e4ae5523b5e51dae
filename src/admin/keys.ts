// Creates, lists and revokes API keys, for the command line and for administrative routes.
import { API_KEY_SCOPES } from '../accounts/access.ts';
import { parseIpNetworks } from '../accounts/addresses.ts';
import {
  assessHarvesting,
  type HarvestingAssessment,
  type SuspiciousCheckCounts,
} from '../accounts/harvesting.ts';
import { findApiKeyTexts } from '../accounts/key-text.ts';
import {
  isApiKeyValid,
  type ApiKeyInfo,
  type ApiKeySettings,
  type ApiKeyState,
  DISPLAY_NAME_RULE_TEXT,
  tryParseDisplayName,
} from '../accounts/keys.ts';
import type { Scope } from '../accounts/model.ts';
import { isSupportedRegion } from '../config/settings.ts';
import { invalidArgumentError } from '../errors.ts';
import { getAccount } from '../store/accounts.ts';
import { createKey, getKey, findApiKeyByText, listKeys, revokeKey, rotateKey } from '../store/keys.ts';
import { listSuspiciousCheckSumsSince } from '../store/serving/writer-statements.ts';
import type { Store } from '../store/store.ts';
import { readListPage, type ListPage, type PageRequest } from './paging.ts';
import { toSnakeCaseJson } from './wire.ts';

/** Requested settings of a new API key. Only the name is required. */
export interface NewApiKeyRequest {
  name: string;
  scopes?: readonly string[] | undefined;
  test?: boolean | undefined;
  account?: string | null | undefined;
  region?: string | null | undefined;
  /** Comma-separated addresses and networks from which the API key may be used. */
  allowedAddresses?: string | null | undefined;
  /** Time at which the API key expires (ms since 1970); null if it never expires. */
  expires?: number | null | undefined;
}

/** Validates a request for a new API key, and returns the key's settings. Does not check that the account exists. Errors: invalid_arguments. */
export function parseApiKeySettings(request: NewApiKeyRequest, now: number): ApiKeySettings {
  const { test = false, account = null, allowedAddresses = null } = request;
  const name = tryParseDisplayName(request.name);
  if (name === undefined)
    throw invalidArgumentError(
      `--name must have ${DISPLAY_NAME_RULE_TEXT}.`,
      'name',
      `It must have ${DISPLAY_NAME_RULE_TEXT}.`,
    );
  return {
    name,
    test,
    account,
    scopes: parseScopes(request.scopes ?? ['validate'], test),
    expires: parseExpiry(request.expires ?? null, now),
    region: parseRegion(request.region ?? null),
    allowedAddresses: allowedAddresses === null ? null : parseIpNetworks(allowedAddresses).join(),
  };
}

function parseScopes(words: readonly string[], test: boolean): Scope[] {
  const scopes = [...new Set(words)] as Scope[];
  const all = API_KEY_SCOPES.join(', ');
  if (scopes.length === 0 || !scopes.every((word) => API_KEY_SCOPES.includes(word)))
    throw invalidArgumentError(
      `--scopes takes one or more of ${all}, separated by commas.`,
      'scopes',
      `It takes one or more of ${all}.`,
    );
  const problem = findUselessScope(scopes, test);
  if (problem !== null) throw invalidArgumentError(`--scopes: ${problem}`, 'scopes', problem);
  return scopes;
}

/** Returns the reason that a scope of a new API key would have no effect; null if every scope has an effect. */
function findUselessScope(scopes: readonly Scope[], test: boolean): string | null {
  if (scopes.includes('raw') && !scopes.includes('validate'))
    return '`raw` needs the scope `validate`: it only adds to the answer of a check.';
  if (scopes.includes('admin') && test) return '`admin` is for live keys only: a test key cannot administer.';
  return null;
}

function parseExpiry(expires: number | null, now: number): number | null {
  if (expires === null || expires > now) return expires;
  throw invalidArgumentError(
    '--expires must be a duration longer than 0, such as 90d: the key would never work.',
    'expires',
    'It must be a time in the future: the key would never work.',
  );
}

function parseRegion(text: string | null): string | null {
  if (text === null) return null;
  if (isSupportedRegion(text)) return text.toUpperCase();
  const rule = 'a country as two ISO letters, such as US or GB.';
  throw invalidArgumentError(`--region takes ${rule}`, 'region', `It takes ${rule}`);
}

export type CreatedApiKeyJson = { key: string } & ApiKeyJson;

/** Creates an API key. Errors: not_found (the account), those of `createKey`. */
export function createApiKey(store: Store, newKey: ApiKeySettings, now: number): CreatedApiKeyJson {
  const { account = null } = newKey;
  if (account !== null) getAccount(store, account);
  const { key, info } = createKey(store, newKey, now);
  return { key, ...toApiKeyJson(info) };
}

/**
 * Replaces an API key by a new one. The old key stays valid for `graceMs` milliseconds. Errors: not_found, invalid_arguments, those of
 * `rotateKey`.
 */
export function rotateApiKey(store: Store, request: { id: string; graceMs: number }, now: number) {
  const { key, info, old } = rotateKey(store, request, now);
  return { made: { key, ...toApiKeyJson(info) }, old: toApiKeyJson(old) };
}

export const getApiKey = (store: Store, id: string): ApiKeyJson => toApiKeyJson(getKey(store, id));

/** Revokes an API key, and returns it as JSON. Errors: not_found, those of `revokeKey`. */
export const revokeApiKey = (store: Store, id: string, now: number): ApiKeyJson =>
  toApiKeyJson(revokeKey(store, id, now));

/** Returns one page of the API keys, oldest first, optionally of one account or state. Errors: invalid_arguments. */
export function readApiKeyPage(
  store: Store,
  {
    account,
    state,
    ...paging
  }: { account?: string | undefined; state?: ApiKeyState | undefined } & PageRequest,
  now: number,
): ListPage<ApiKeyJson> {
  const filters = { account, state };
  return readListPage(paging, {
    name: 'keys',
    filters,
    like: [0, ''],
    read: (slice) => listKeys(store, { ...filters, ...slice }, now),
    at: ({ created, id }) => [created, id],
    view: toApiKeyJson,
  });
}

export type ApiKeyJson = ReturnType<typeof toApiKeyJson>;

export const toApiKeyJson = (key: ApiKeyInfo) =>
  toSnakeCaseJson(key, 'created', 'lastUsed', 'expires', 'revoked');

/** Part of a leaked text that looks like an API key. */
export interface ApiKeyInLeakedText {
  /** `ours` for a present or former API key of this store. */
  is: 'not ours' | 'ours';
  key: ApiKeyJson | null;
  live: boolean;
}

/**
 * API keys found in a leaked text. The other members describe the most dangerous one: a valid key, otherwise another key of this server,
 * otherwise any key.
 */
export interface LeakedApiKeyReport extends Omit<ApiKeyInLeakedText, 'is'> {
  is: ApiKeyInLeakedText['is'] | 'no key';
  keys: ApiKeyInLeakedText[];
}

/** Finds the API keys in a leaked text. Without a store, every key counts as `not ours`. */
export function findLeakedApiKeys(store: Store | null, text: string, now: number): LeakedApiKeyReport {
  const keys = findApiKeyTexts(text).map((keyText): ApiKeyInLeakedText => {
    const key = store && findApiKeyByText(store, keyText);
    if (key) return { is: 'ours', key: toApiKeyJson(key), live: isApiKeyValid(key, now) };
    return { is: 'not ours', key: null, live: false };
  });
  const worst = keys.find(({ live }) => live) ?? keys.find(({ is }) => is === 'ours') ?? keys[0];
  return { ...(worst ?? { is: 'no key', key: null, live: false }), keys };
}

const DAY_MS = 86_400_000;
const RANK = { harvesting: 0, look: 1, quiet: 2 };

/**
 * Counts of suspicious checks made with one API key in the last day, and the assessment of whether the key harvests data (learns who is on record).
 */
export type HarvestingAssessmentOfApiKey = { key: string } & SuspiciousCheckCounts & HarvestingAssessment;

/** Assesses every API key by its checks in the last day, the most suspicious key first. `now` is in milliseconds since 1970. */
export const listHarvestingAssessments = (store: Store, now: number): HarvestingAssessmentOfApiKey[] =>
  assessApiKeysForHarvesting(listSuspiciousCheckSumsSince(store.raw, getHarvestingPeriodStart(now)));

/** Returns the start of the period in which checks count for harvesting assessments: one day before `now` (ms since 1970). */
export const getHarvestingPeriodStart = (now: number): number => now - DAY_MS;

/** Assesses API keys by their counts of suspicious checks. Returns the most suspicious key first. */
export function assessApiKeysForHarvesting(
  counts: readonly ({ key: string } & SuspiciousCheckCounts)[],
): HarvestingAssessmentOfApiKey[] {
  return counts
    .map((probes) => ({ ...probes, ...assessHarvesting(probes) }))
    .toSorted((a, b) => RANK[a.suspicion] - RANK[b.suspicion] || b.checks - a.checks);
}

export const toHarvestingAssessmentJson = (probes: HarvestingAssessmentOfApiKey) => toSnakeCaseJson(probes);
