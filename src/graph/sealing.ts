import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync } from 'node:crypto';
import { BonafideError } from '../errors.ts';
import { derivedKey } from './fingerprints.ts';

/** How a graph keeps what must be read back: encrypted under its secret. */
export interface Sealing {
  seal(plain: string): Buffer;
  /** Errors: `damaged_database` where the bytes were not sealed under this secret. */
  open(sealed: Uint8Array): string;
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
export function sealingOf(secret: string): Sealing {
  // As a key object: handing over the bytes each time costs three times the decryption.
  const key = createSecretKey(derivedKey(secret, 'bonafide names 1'));
  return {
    seal(plain) {
      const nonce = freshNonce();
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      try {
        const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
        cipher.setAuthTag(sealed.subarray(12, 28));
        return cipher.update(sealed.subarray(28), undefined, 'utf8') + cipher.final('utf8');
      } catch {
        throw new BonafideError(
          'damaged_database',
          'The graph holds a name that this secret cannot open: restore graph.db from a copy, or delete it and import again.',
        );
      }
    },
  };
}
