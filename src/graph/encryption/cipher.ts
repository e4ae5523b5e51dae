import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync } from 'node:crypto';
import type { CipherGCM } from 'node:crypto';
import { BonafideError } from '../../errors.ts';
import { deriveKeyFromSecret } from './fingerprints.ts';

export interface TextCipher {
  encrypt(plain: string): Buffer;
  /** Decrypts a text. Errors: `damaged_database` if it was encrypted under another secret. */
  decrypt(sealed: Uint8Array): string;
}

/** Encrypts and decrypts texts and bytes that a graph stores. */
export interface DataCipher extends TextCipher {
  encryptBytes(plain: Uint8Array): Buffer;
  /** Decrypts bytes. Errors: `damaged_database` if they were encrypted under another secret. */
  decryptBytes(sealed: Uint8Array): Buffer;
}

const NONCE_BYTES = 12;
const TAG_END = NONCE_BYTES + 16;

// Random bytes for 1,000 nonces: one system call per nonce would take a fifth of the encryption time.
const POOL = Buffer.alloc(1000 * NONCE_BYTES);
let used = POOL.length;

function nextNonce(): Buffer {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += NONCE_BYTES;
  return POOL.subarray(used - NONCE_BYTES, used);
}

/**
 * Creates an AES-256-GCM cipher, whose key is derived from the secret (64 hexadecimal characters) and the purpose. Encrypted form: nonce (12 bytes),
 * tag (16 bytes), ciphertext.
 */
export function createDataCipher(secret: string, purpose = 'bonafide names 1'): DataCipher {
  // A key object, because passing the bytes at each call takes three times as long as the decryption.
  const key = createSecretKey(deriveKeyFromSecret(secret, purpose));
  const encrypt = (write: (cipher: CipherGCM) => Buffer) => {
    const nonce = nextNonce();
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const [body, rest] = [write(cipher), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), body, rest]);
  };
  const decryptBytes = (bytes: Uint8Array): Buffer => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, TAG_END));
      const body = decipher.update(bytes.subarray(TAG_END));
      const rest = decipher.final();
      return rest.length > 0 ? Buffer.concat([body, rest]) : body;
    } catch {
      throw new BonafideError(
        'damaged_database',
        'The graph contains data that this secret cannot decrypt: restore graph.db from a backup, or delete it and import again.',
      );
    }
  };
  return {
    encrypt: (plain) => encrypt((cipher) => cipher.update(plain, 'utf8')),
    decrypt: (bytes) => decryptBytes(bytes).toString(),
    encryptBytes: (plain) => encrypt((cipher) => cipher.update(plain)),
    decryptBytes,
  };
}
