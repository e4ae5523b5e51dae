import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, randomBytes } from 'node:crypto';
import { BonafideError } from '../errors.js';
/**
 * Fingerprints are SHA-256 over a secret prefix and the value, cut to 52 bits: cut so short, a digest cannot be extended, which is
 * the reason to prefer HMAC otherwise (and HMAC costs thirty times as much here). Names are sealed with AES-256-GCM. Both
 * keys are derived from the one secret by HKDF (RFC 5869).
 */
export function openVault(secret) {
    const derive = (purpose) => Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, 32));
    const prefix = derive('bonafide fingerprint 1').toString('hex');
    // As a key object: handing over the bytes each time costs three times the decryption.
    const sealing = createSecretKey(derive('bonafide names 1'));
    const gramCache = new Map();
    // One character a byte: a third cheaper to make and to read than hex.
    const digest = (text) => hash('sha256', prefix + text, 'binary');
    const gram = (pair) => {
        let value = gramCache.get(pair);
        if (value === undefined) {
            const bytes = digest(`gram\0${pair}`);
            value = bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1);
            // Hostile input could fill the cache with pairs of rare characters; a full one starts again.
            if (gramCache.size > 100_000)
                gramCache.clear();
            gramCache.set(pair, value);
        }
        return value;
    };
    return {
        key: (type, text) => first52Bits(digest(`${type}\0${text}`)),
        recordKey: (source, recordId) => Buffer.from(digest(`record\0${source}\0${recordId}`).slice(0, 16), 'binary'),
        grams(text) {
            const found = new Set();
            const padded = ` ${text} `;
            for (let i = 0; i + 1 < padded.length; i++)
                found.add(gram(padded.slice(i, i + 2)));
            return [...found].sort((a, b) => a - b);
        },
        seal(plain) {
            const nonce = randomBytes(12);
            const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
            const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
            return Buffer.concat([nonce, cipher.getAuthTag(), body]);
        },
        open(sealed) {
            try {
                const cipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, 12));
                cipher.setAuthTag(sealed.subarray(12, 28));
                return cipher.update(sealed.subarray(28), undefined, 'utf8') + cipher.final('utf8');
            }
            catch {
                throw new BonafideError('damaged_database', 'The graph holds a name that this secret cannot open: restore graph.db from a copy, or delete it and import again.');
            }
        },
    };
}
/** The first 52 bits as a number, the first byte the highest. Products, because bitwise operators keep only 32. */
function first52Bits(bytes) {
    const high = (bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1)) * 0x100 + bytes.charCodeAt(2);
    const low = (bytes.charCodeAt(3) * 0x100 + bytes.charCodeAt(4)) * 0x100 + bytes.charCodeAt(5);
    return (high * 0x100_0000 + low) * 0x10 + (bytes.charCodeAt(6) >> 4);
}
