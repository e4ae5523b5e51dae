import type { Caller, Scope } from '../../model.ts';
import type { Store } from './open.ts';
/** A key as an operator may see it. Times are milliseconds. */
export interface KeyInfo {
    id: string;
    account: string;
    name: string;
    prefix: string;
    scopes: Scope[];
    created: number;
    expires: number | null;
    revoked: number | null;
    rotatedTo: string | null;
}
export interface NewKey {
    name: string;
    scopes: Scope[];
    /** A bf_test_ key instead of a bf_live_ one. */
    test?: boolean;
    /** Milliseconds since 1970, or null for a key that does not expire. */
    expires?: number | null;
}
/** Makes a key. The text of it is in the answer and nowhere else. */
export declare function createKey(store: Store, wanted: NewKey, now: number): {
    key: string;
    info: KeyInfo;
};
/** Every key, the oldest first. */
export declare function listKeys(store: Store): KeyInfo[];
/**
 * Revokes a key at once, and with it the keys it replaced that are still in their time of grace.
 * Throws not_found.
 */
export declare function revokeKey(store: Store, id: string, now: number): KeyInfo;
/**
 * Replaces a key by a new one of the same account, name, kind and scopes; the old one stays valid for `graceMs`.
 * Throws not_found, and invalid_arguments where the key is revoked, expired or rotated already.
 */
export declare function rotateKey(store: Store, { id, graceMs }: {
    id: string;
    graceMs: number;
}, now: number): {
    key: string;
    info: KeyInfo;
    old: KeyInfo;
};
/**
 * Prepares the look-up of a key's text. It answers the caller, or null for a key that is malformed, unknown,
 * revoked or expired. An answer is shared only by the calls of one turn of the event loop, so a key that another
 * process revokes is refused at once.
 */
export declare function keyFinder(store: Store): (key: string, now: number) => Caller | null;
