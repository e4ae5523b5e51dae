import { timingSafeEqual } from 'node:crypto';
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { BonafideError } from '../../errors.js';
import { hashKey, looksLikeKey, newKey, randomText } from '../../accounts/key-text.js';
import { keys } from './schema.js';
const PREFIX_LENGTH = 'bf_live_'.length + 4;
/** Makes a key. The text of it is in the answer and nowhere else. */
export function createKey(store, wanted, now) {
    return insert(store, { ...wanted, account: null }, now);
}
function insert(store, wanted, now) {
    const key = newKey(wanted.test ? 'test' : 'live');
    const id = `key_${randomText(12)}`;
    const row = {
        id,
        account: wanted.account ?? id,
        name: wanted.name,
        hash: hashKey(key),
        prefix: key.slice(0, PREFIX_LENGTH),
        scopes: wanted.scopes.join(','),
        created: now,
        expires: wanted.expires ?? null,
        revoked: null,
        rotatedTo: null,
    };
    store.db.insert(keys).values(row).run();
    return { key, info: toInfo(row) };
}
/** Every key, the oldest first. */
export function listKeys(store) {
    return store.db.select().from(keys).orderBy(asc(keys.created), asc(keys.id)).all().map(toInfo);
}
/**
 * Revokes a key at once, and with it the keys it replaced that are still in their time of grace.
 * Throws not_found.
 */
export function revokeKey(store, id, now) {
    return store.db.transaction(() => {
        find(store, id);
        store.db
            .update(keys)
            .set({ revoked: now })
            .where(and(isNull(keys.revoked), or(eq(keys.id, id), eq(keys.rotatedTo, id))))
            .run();
        return find(store, id);
    }, { behavior: 'immediate' });
}
/**
 * Replaces a key by a new one of the same account, name, kind and scopes; the old one stays valid for `graceMs`.
 * Throws not_found, and invalid_arguments where the key is revoked, expired or rotated already.
 */
export function rotateKey(store, { id, graceMs }, now) {
    return store.db.transaction(() => {
        const old = find(store, id);
        if (old.revoked !== null || old.rotatedTo !== null || (old.expires ?? Infinity) <= now) {
            throw new BonafideError('invalid_arguments', `${id} is revoked, expired or rotated already. Create a new key instead.`);
        }
        const { name, scopes, account, expires } = old;
        const test = old.prefix.startsWith('bf_test_');
        const made = insert(store, { name, scopes, test, expires, account }, now);
        store.db
            .update(keys)
            .set({ expires: sql `min(ifnull(${keys.expires}, 9e15), ${now + graceMs})`, rotatedTo: made.info.id })
            .where(eq(keys.id, id))
            .run();
        return { ...made, old: find(store, id) };
    }, { behavior: 'immediate' });
}
function find(store, id) {
    const row = store.db.select().from(keys).where(eq(keys.id, id)).get();
    if (!row)
        throw new BonafideError('not_found', `There is no key ${id}. See: bonafide keys list`);
    return toInfo(row);
}
function toInfo(row) {
    const { id, account, name, prefix, scopes, created, expires, revoked, rotatedTo } = row;
    return { id, account, name, prefix, scopes: scopesOf(scopes), created, expires, revoked, rotatedTo };
}
const scopesOf = (text) => text.split(',').filter(Boolean);
/**
 * Prepares the look-up of a key's text. It answers the caller, or null for a key that is malformed, unknown,
 * revoked or expired. An answer is shared only by the calls of one turn of the event loop, so a key that another
 * process revokes is refused at once.
 */
export function keyFinder(store) {
    const select = store.raw
        .prepare('SELECT account, hash, scopes, expires, revoked FROM keys WHERE hash = ?')
        .raw();
    const lookUp = (key, now) => {
        const wanted = hashKey(key);
        const row = select.get(wanted);
        if (!row)
            return null;
        const [account, hash, scopes, expires, revoked] = row;
        const valid = timingSafeEqual(hash, wanted) && revoked === null && (expires === null || expires > now);
        return valid ? { keyId: account, scopes: scopesOf(scopes) } : null;
    };
    const thisTurn = new Map();
    const forget = () => thisTurn.clear();
    return (key, now) => {
        let caller = thisTurn.get(key);
        if (caller !== undefined)
            return caller;
        if (!looksLikeKey(key))
            return null;
        caller = lookUp(key, now);
        if (thisTurn.size === 0)
            setImmediate(forget);
        thisTurn.set(key, caller);
        return caller;
    };
}
