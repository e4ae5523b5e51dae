// API keys of a store, and the look-up of callers by key. Errors of each function that changes something:
// also those of `changeAtomically`.
import { timingSafeEqual } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { hashApiKeyToBytes, isApiKeyText } from '../accounts/key-text.ts';
import {
  generateApiKey,
  getReplacedApiKeyExpiry,
  isApiKeyValid,
  isTestApiKey,
  getReplacementApiKeySettings,
} from '../accounts/keys.ts';
import type { ApiKeyInfo, ApiKeySettings, ApiKeyState } from '../accounts/keys.ts';
import type { Caller, CurrentPlan, Scope } from '../accounts/model.ts';
import { invalidArgumentError, notFoundError } from '../errors.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { endOfTurn } from '../platform/turn.ts';
import { changeAtomically, recordAuditEntry } from './audit.ts';
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from './drizzle.ts';
import type { CreationOrderPageQuery } from './plans.ts';
import { accounts, keys } from './schema.ts';
import { findAccountClosureAndPlan } from './serving/current-plan.ts';
import { NO_ITEM_LIMIT, type SqlConnection, type Store } from './store.ts';

/** Creates an API key. The result contains the text of the key, which is stored nowhere. */
export function createKey(
  store: Store,
  settings: ApiKeySettings,
  now: number,
): { key: string; info: ApiKeyInfo } {
  return changeAtomically(store, () => {
    const created = insertKey(store, settings, now);
    const { id, name, scopes, expires, account, allowedAddresses, region } = created.info;
    const { test = false } = settings;
    const detail = { name, scopes, expires, account, allowedAddresses, region, test };
    recordAuditEntry(store, { act: 'keys.create', target: id, detail }, now);
    return created;
  });
}

function insertKey(store: Store, settings: ApiKeySettings, now: number): { key: string; info: ApiKeyInfo } {
  const { key, hash, info } = generateApiKey(settings, now);
  const row = { ...info, scopes: info.scopes.join(','), hash };
  store.db.insert(keys).values(row).run();
  return { key, info };
}

/** Filter and page of the list of API keys. An empty query selects all keys. */
export interface ApiKeyQuery extends CreationOrderPageQuery {
  account?: string | undefined;
  state?: ApiKeyState | undefined;
}

const STATE_CONDITIONS: Record<ApiKeyState, (now: number) => SQL | undefined> = {
  valid: (now) => and(isNull(keys.revoked), or(isNull(keys.expires), gt(keys.expires, now))),
  expired: (now) => and(isNull(keys.revoked), lte(keys.expires, now)),
  revoked: () => isNotNull(keys.revoked),
};

/** Returns API keys, oldest first. `now` (milliseconds since 1970) is the time for which the filter compares their state. */
export function listKeys(store: Store, query: ApiKeyQuery = {}, now = 0): ApiKeyInfo[] {
  const { account, state, after, limit = NO_ITEM_LIMIT } = query;
  const isAfter = after && sql`(${keys.created}, ${keys.id}) > (${after[0]}, ${after[1]})`;
  const isOfAccount = account === undefined ? undefined : eq(keys.account, account);
  return store.db
    .select()
    .from(keys)
    .where(and(isOfAccount, state && STATE_CONDITIONS[state](now), isAfter))
    .orderBy(asc(keys.created), asc(keys.id))
    .limit(limit)
    .all()
    .map(toKeyInfo);
}

/** Returns whether the store has API keys at all, and whether it has test keys. */
export function getApiAndTestKeyPresence(store: Store): { keys: boolean; testKeys: boolean } {
  const all = listKeys(store);
  return { keys: all.length > 0, testKeys: all.some(({ prefix }) => isTestApiKey(prefix)) };
}

export function getKey(store: Store, id: string): ApiKeyInfo {
  const row = store.db.select().from(keys).where(eq(keys.id, id)).get();
  if (!row) throw notFoundError(`There is no key ${id}. See: bonafide keys list`, 'key');
  return toKeyInfo(row);
}

/**
 * Returns the id of the chain of API keys that contains a key with this id or name. Errors: not_found; invalid_arguments if several chains contain a
 * key with this name.
 */
export function resolveApiKeyChainId(store: Store, idOrName: string): string {
  const byId = store.db.select().from(keys).where(eq(keys.id, idOrName)).get();
  if (byId) return byId.chain;
  const named = store.db.select().from(keys).where(eq(keys.name, idOrName)).all();
  const [chain, ...others] = new Set(named.map((key) => key.chain));
  if (chain === undefined) throw notFoundError(`There is no key ${idOrName}. See: bonafide keys list`, 'key');
  if (others.length > 0)
    throw invalidArgumentError(
      `Several keys are named ${idOrName}. Give the id of one: bonafide keys list`,
      'key',
      'Several keys have this name. Send the id of one of them.',
    );
  return chain;
}

export function readNamesOfApiKeysAndAccounts(
  { db }: Store,
  ids: { keys: readonly string[]; accounts: readonly string[] },
): { keys: Map<string, string>; accounts: Map<string, string> } {
  const read = (table: typeof keys | typeof accounts, wanted: readonly string[]) => {
    const rows = [...new Set(wanted)].flatMap((id) =>
      db.select({ id: table.id, name: table.name }).from(table).where(eq(table.id, id)).all(),
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  return { keys: read(keys, ids.keys), accounts: read(accounts, ids.accounts) };
}

/** Returns the API key with this text, even if it is revoked or expired; null if the store has no such key. */
export function findApiKeyByText(store: Store, text: string): ApiKeyInfo | null {
  if (!isApiKeyText(text)) return null;
  const row = store.db
    .select()
    .from(keys)
    .where(eq(keys.hash, hashApiKeyToBytes(text)))
    .get();
  return row ? toKeyInfo(row) : null;
}

/** SQL statement that revokes an API key and all keys that it replaced. */
const REVOKE = `WITH RECURSIVE chain (id) AS (SELECT id FROM keys WHERE id = ? UNION SELECT keys.id FROM keys JOIN chain ON rotated_to = chain.id)
  UPDATE keys SET revoked = ? WHERE revoked IS NULL AND id IN (SELECT id FROM chain)`;

/** Revokes an API key, and all keys that it replaced and that are still valid. Errors: not_found. */
export function revokeKey(store: Store, id: string, now: number): ApiKeyInfo {
  return changeAtomically(store, () => {
    getKey(store, id);
    store.raw.prepare(REVOKE).run(id, now);
    recordAuditEntry(store, { act: 'keys.revoke', target: id, detail: {} }, now);
    return getKey(store, id);
  });
}

/**
 * Creates an API key that replaces another one. The replaced key stays valid for `graceMs` milliseconds. Errors: not_found; invalid_arguments if the
 * replaced key is revoked, expired or already replaced.
 */
export function rotateKey(store: Store, { id, graceMs }: { id: string; graceMs: number }, now: number) {
  return changeAtomically(store, () => {
    const old = getKey(store, id);
    const created = insertKey(store, getReplacementApiKeySettings(old, now), now);
    const [expires, to] = [getReplacedApiKeyExpiry(old, graceMs, now), created.info.id];
    store.db.update(keys).set({ expires, rotatedTo: to }).where(eq(keys.id, id)).run();
    recordAuditEntry(store, { act: 'keys.rotate', target: id, detail: { to, expires } }, now);
    return { ...created, old: getKey(store, id) };
  });
}

function toKeyInfo(row: typeof keys.$inferSelect): ApiKeyInfo {
  const { hash: _, scopes, ...info } = row;
  return { ...info, scopes: parseScopes(scopes) };
}

const parseScopes = (text: string) => text.split(',').filter(Boolean) as Scope[];

/** Columns of an API key by which its caller is authenticated. */
export interface CallerRow extends Pick<
  typeof keys.$inferSelect,
  'id' | 'chain' | 'account' | 'prefix' | 'scopes' | 'region'
> {
  /** Comma-separated networks from which the key may be used; null for any network. */
  allowed: string | null;
}

/** Converts the row of an API key, and the current plan of its account, to a caller. */
export const toCaller = (
  { id, chain, account, prefix, scopes, allowed, region }: CallerRow,
  plan: CurrentPlan | null,
): Caller => ({
  key: id,
  keyId: chain,
  account,
  test: isTestApiKey(prefix),
  region,
  scopes: parseScopes(scopes),
  plan,
  allowedNetworks: allowed?.split(','),
});

type KeyRow = CallerRow & { hash: Buffer; expires: number | null; revoked: number | null };

const CALLER_COLUMNS =
  'id, chain, account, hash, prefix, scopes, expires, revoked, allowed_addresses AS allowed, region';

const statements = preparePerConnection((db: SqlConnection) => ({
  byHash: db.prepare<[Buffer], KeyRow>(`SELECT ${CALLER_COLUMNS} FROM keys WHERE hash = ?`),
  byId: db.prepare<[string], KeyRow>(`SELECT ${CALLER_COLUMNS} FROM keys WHERE id = ?`),
}));

/** Returns the caller of an API key; null if the key is unknown, revoked or expired, or if its account is closed. */
function authenticate({ raw }: Store, row: KeyRow | undefined, now: number): Caller | null {
  if (!row) return null;
  const account = row.account === null ? null : findAccountClosureAndPlan(raw, row.account, now);
  return isApiKeyValid(row, now) && !account?.isClosed ? toCaller(row, account?.plan ?? null) : null;
}

/**
 * Returns the caller with the API key of this id; null if the key is unknown, revoked or expired, or if its account is closed. Errors: those of
 * `read` of the store.
 */
export const findCaller = (store: Store, id: string, now: number): Caller | null =>
  store.read(() => authenticate(store, statements(store.raw).byId.get(id), now));

/**
 * Creates a function that finds callers by the text of their API key. The function returns null if the key is malformed, unknown, revoked or expired,
 * or if its account is closed. It caches results only for one turn of the event loop, so that a revoked key is refused at once. Errors: those of
 * `read` of the store.
 */
export function createApiKeyLookup(store: Store): (key: string, now: number) => Caller | null {
  const lookUp = (hash: Buffer, now: number) => {
    const row = statements(store.raw).byHash.get(hash);
    return authenticate(store, row && timingSafeEqual(row.hash, hash) ? row : undefined, now);
  };
  const callersOfTurn = new Map<string, Caller | null>();
  const forget = () => callersOfTurn.clear();
  return (key, now) => {
    let caller = callersOfTurn.get(key);
    if (caller !== undefined) return caller;
    if (!isApiKeyText(key)) return null;
    caller = store.read(() => lookUp(hashApiKeyToBytes(key), now));
    if (callersOfTurn.size === 0) void endOfTurn().then(forget);
    callersOfTurn.set(key, caller);
    return caller;
  };
}
