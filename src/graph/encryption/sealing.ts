import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync } from 'node:crypto';
import type { CipherGCM, DecipherGCM } from 'node:crypto';
import { BonafideError } from '../../errors.ts';
import { deriveKey } from './fingerprints.ts';

/** How a graph keeps texts that must be read back: encrypted under its secret. */
export interface TextSealing {
  seal(plain: string): Buffer;
  /** Errors: `damaged_database` where the bytes were not sealed under this secret. */
  open(sealed: Uint8Array): string;
}

/** How it keeps everything. */
export interface Sealing extends TextSealing {
  sealBytes(plain: Uint8Array): Buffer;
  /** Errors: `damaged_database` like `open`. */
  openBytes(sealed: Uint8Array): Buffer;
}

// Random bytes are drawn by the thousand: a call into the kernel for each nonce is a fifth of what sealing costs.
const POOL = Buffer.alloc(12_000);
let used = POOL.length;

function freshNonce(): Buffer {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += 12;
  return POOL.subarray(used - 12, used);
}

/** AES-256-GCM under a key derived from the secret (64 hex characters): 12 bytes nonce, 16 bytes tag, then the text. */
export function createSealing(secret: string): Sealing {
  // As a key object: handing over the bytes each time costs three times the decryption.
  const key = createSecretKey(deriveKey(secret, 'bonafide names 1'));
  const sealed = (write: (cipher: CipherGCM) => Buffer) => {
    const nonce = freshNonce();
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([write(cipher), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const opened = <T>(bytes: Uint8Array, read: (decipher: DecipherGCM, body: Uint8Array) => T): T => {
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      cipher.setAuthTag(bytes.subarray(12, 28));
      return read(cipher, bytes.subarray(28));
    } catch {
      throw new BonafideError(
        'damaged_database',
        'The graph holds a name that this secret cannot open: restore graph.db from a copy, or delete it and import again.',
      );
    }
  };
  return {
    seal: (plain) => sealed((cipher) => cipher.update(plain, 'utf8')),
    open: (bytes) =>
      opened(bytes, (cipher, body) => cipher.update(body, undefined, 'utf8') + cipher.final('utf8')),
    sealBytes: (plain) => sealed((cipher) => cipher.update(plain)),
    openBytes: (bytes) =>
      opened(bytes, (cipher, body) => Buffer.concat([cipher.update(body), cipher.final()])),
  };
}
