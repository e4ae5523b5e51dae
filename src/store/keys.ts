import { timingSafeEqual } from 'node:crypto';
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from './drizzle.ts';
import type { SQL } from 'drizzle-orm';
import {
  getGraceEnd,
  isTestKey,
  isKeyValid,
  generateKey,
  toSuccessorSettings,
  type KeyInfo,
  type KeyState,
  type KeySettings,
} from '../accounts/keys.ts';
import { hashKey, isKeyText } from '../accounts/key-text.ts';
import { notFoundError } from '../errors.ts';
import type { Caller, CurrentPlan, Scope } from '../accounts/model.ts';
import { endOfTurn } from '../platform/turn.ts';
import { onceFor } from '../platform/sqlite.ts';
import { findAccountState } from './serving/current-plan.ts';
import { recordAuditEntry, changeAtomically } from './audit.ts';
import { NO_LIMIT, type SqlConnection, type Store } from './store.ts';
import { keys } from './schema.ts';

/**
 * Makes a key. The text of it is in the answer and nowhere else.
 *
 * Errors: disk_full, read_only, database_busy and the like where it cannot be kept.
 */
export function createKey(store: Store, wanted: KeySettings, now: number): { key: string; info: KeyInfo } {
  return changeAtomically(store, () => {
    const made = addKey(store, wanted, now);
    const { id, name, scopes, expires, account, allowedAddresses, region } = made.info;
    const detail = { name, scopes, expires, account, allowedAddresses, region, test: wanted.test ?? false };
    recordAuditEntry(store, { act: 'keys.create', target: id, detail }, now);
    return made;
  });
}

function addKey(store: Store, wanted: KeySettings, now: number): { key: string; info: KeyInfo } {
  const { key, hash, info } = generateKey(wanted, now);
  const row = { ...info, scopes: info.scopes.join(','), hash };
  store.db.insert(keys).values(row).run();
  return { key, info };
}

/** Which keys are listed: all where nothing is said. */
export interface KeyQuery {
  account?: string | undefined;
  state?: KeyState | undefined;
  /** Those behind a key, by when it was made (milliseconds) and its id. */
  after?: readonly [created: number, id: string] | undefined;
  limit?: number | undefined;
}

/** Keys, the oldest first. `now` is milliseconds since 1970. */
export function listKeys(store: Store, wanted: KeyQuery = {}, now = 0): KeyInfo[] {
  const { account, state, after, limit = NO_LIMIT } = wanted;
  const behind = after && sql`(${keys.created}, ${keys.id}) > (${after[0]}, ${after[1]})`;
  return store.db
    .select()
    .from(keys)
    .where(
      and(account === undefined ? undefined : eq(keys.account, account), state && STATES[state](now), behind),
    )
    .orderBy(asc(keys.created), asc(keys.id))
    .limit(limit)
    .all()
    .map(toInfo);
}

/** Reports whether the store has any keys, and any test keys. */
export function getKeyPresence(store: Store): { keys: boolean; testKeys: boolean } {
  const all = listKeys(store);
  return { keys: all.length > 0, testKeys: all.some(({ prefix }) => isTestKey(prefix)) };
}

const STATES: Record<KeyState, (now: number) => SQL | undefined> = {
  valid: (now) => and(isNull(keys.revoked), or(isNull(keys.expires), gt(keys.expires, now))),
  expired: (now) => and(isNull(keys.revoked), lte(keys.expires, now)),
  revoked: () => isNotNull(keys.revoked),
};

/** A key and all that it replaced, however long the chain of rotations. */
const REVOKE = `WITH RECURSIVE chain (id) AS (SELECT id FROM keys WHERE id = ? UNION SELECT keys.id FROM keys JOIN chain ON rotated_to = chain.id)
  UPDATE keys SET revoked = ? WHERE revoked IS NULL AND id IN (SELECT id FROM chain)`;

/**
 * Revokes a key at once, and with it every older key of its rotations that is still in its time of grace.
 *
 * Errors: not_found, and those of `createKey`.
 */
export function revokeKey(store: Store, id: string, now: number): KeyInfo {
  return changeAtomically(store, () => {
    getKey(store, id);
    store.raw.prepare(REVOKE).run(id, now);
    recordAuditEntry(store, { act: 'keys.revoke', target: id, detail: {} }, now);
    return getKey(store, id);
  });
}

/**
 * Makes a key that replaces another one; the old one stays valid for `graceMs`. See `successorOf`.
 *
 * Errors: not_found; invalid_arguments where the key is revoked, expired or rotated already; and those of `createKey`.
 */
export function rotateKey(store: Store, { id, graceMs }: { id: string; graceMs: number }, now: number) {
  return changeAtomically(store, () => {
    const old = getKey(store, id);
    const made = addKey(store, toSuccessorSettings(old, now), now);
    const expires = getGraceEnd(old, graceMs, now);
    store.db.update(keys).set({ expires, rotatedTo: made.info.id }).where(eq(keys.id, id)).run();
    recordAuditEntry(store, { act: 'keys.rotate', target: id, detail: { to: made.info.id, expires } }, now);
    return { ...made, old: getKey(store, id) };
  });
}

function getKey(store: Store, id: string): KeyInfo {
  const row = store.db.select().from(keys).where(eq(keys.id, id)).get();
  return row ? toInfo(row) : throwKeyNotFound(id);
}

/** Errors: not_found. */
export function throwKeyNotFound(id: string): never {
  throw notFoundError(`There is no key ${id}. See: bonafide keys list`, 'key');
}

function toInfo(row: typeof keys.$inferSelect): KeyInfo {
  const { hash: _, scopes, ...info } = row;
  return { ...info, scopes: parseScopes(scopes) };
}

const parseScopes = (text: string) => text.split(',').filter(Boolean) as Scope[];

/** The key whose text this is, working or not; null where it is none of the store's. Its checksum is looked at by the way. */
export function findKeyByText(store: Store, text: string): KeyInfo | null {
  if (!isKeyText(text)) return null;
  const row = store.db
    .select()
    .from(keys)
    .where(eq(keys.hash, hashKey(text)))
    .get();
  return row ? toInfo(row) : null;
}

/** One key. Errors: not_found. */
export const keyOf = getKey;

/** Columns of a key that its caller is made of. */
export interface CallerRow {
  id: string;
  chain: string;
  account: string | null;
  prefix: string;
  /** Words separated by commas. */
  scopes: string;
  /** Networks separated by commas; null for any address. */
  allowed: string | null;
  region: string | null;
}

/** Returns the caller of a key. */
export const toCaller = (
  { id, chain, account, prefix, scopes, allowed, region }: CallerRow,
  plan: CurrentPlan | null,
): Caller => ({
  key: id,
  keyId: chain,
  account,
  test: isTestKey(prefix),
  region,
  scopes: parseScopes(scopes),
  plan,
  allowedNetworks: allowed?.split(','),
});

type KeyRow = CallerRow & { hash: Buffer; expires: number | null; revoked: number | null };

const CALLER_COLUMNS =
  'id, chain, account, hash, prefix, scopes, expires, revoked, allowed_addresses AS allowed, region';

const statements = onceFor((db: SqlConnection) => ({
  byHash: db.prepare<[Buffer], KeyRow>(`SELECT ${CALLER_COLUMNS} FROM keys WHERE hash = ?`),
  byId: db.prepare<[string], KeyRow>(`SELECT ${CALLER_COLUMNS} FROM keys WHERE id = ?`),
}));

/** Returns the caller of a key; null if the key is unknown, revoked or expired, or if its account is closed. */
function authenticate({ raw }: Store, row: KeyRow | undefined, now: number): Caller | null {
  if (!row) return null;
  const account = row.account === null ? null : findAccountState(raw, row.account, now);
  return isKeyValid(row, now) && !account?.isClosed ? toCaller(row, account?.plan ?? null) : null;
}

/** Returns the caller of a key's id; null if the key is unknown, revoked or expired, or its account closed. Errors: those of `read`. */
export const findCaller = (store: Store, id: string, now: number): Caller | null =>
  store.read(() => authenticate(store, statements(store.raw).byId.get(id), now));

/**
 * Prepares the look-up of a key's text. It answers the caller, or null for a key that is malformed, unknown,
 * revoked or expired, or of an account that is closed. An answer is shared only by the calls of one turn of the event loop, so a key that another
 * process revokes is refused at once. Errors: those of `read` of the store.
 */
export function prepareKeyLookup(store: Store): (key: string, now: number) => Caller | null {
  const lookUp = (hash: Buffer, now: number) => {
    const row = statements(store.raw).byHash.get(hash);
    return authenticate(store, row && timingSafeEqual(row.hash, hash) ? row : undefined, now);
  };
  const thisTurn = new Map<string, Caller | null>();
  const forget = () => thisTurn.clear();
  return (key, now) => {
    let caller = thisTurn.get(key);
    if (caller !== undefined) return caller;
    if (!isKeyText(key)) return null;
    caller = store.read(() => lookUp(hashKey(key), now));
    if (thisTurn.size === 0) void endOfTurn().then(forget);
    thisTurn.set(key, caller);
    return caller;
  };
}
