import type { KeyType } from '../model.ts';
/** Everything that the secret is used for: fingerprints of values, and sealing of names and record details. */
export interface Vault {
    /** 52-bit keyed fingerprint of a key, as a safe integer. */
    key(type: KeyType | KeyOnly, text: string): number;
    /** 16 bytes that name a record: fingerprint of its source and record id. */
    recordKey(source: string, recordId: string): Buffer;
    /** Sorted 16-bit keyed fingerprints of the text's letter pairs: two texts that differ by a slip share most of them. */
    grams(text: string): number[];
    seal(plain: string): Buffer;
    /** Error `damaged_database` where the bytes were not sealed under this secret. */
    open(sealed: Uint8Array): string;
}
/** Things that are only ever fingerprinted for linking or for the secret's own check. */
export type KeyOnly = 'birth' | 'check' | 'anchor' | 'label' | 'place';
/**
 * Fingerprints are SHA-256 over a secret prefix and the value, cut to 52 bits: cut so short, a digest cannot be extended, which is
 * the reason to prefer HMAC otherwise (and HMAC costs thirty times as much here). Names are sealed with AES-256-GCM. Both
 * keys are derived from the one secret by HKDF (RFC 5869).
 */
export declare function openVault(secret: string): Vault;
