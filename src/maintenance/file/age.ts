// Encryption in the age file format with a passphrase (C2SP age.md, version 1, recipient type scrypt), compatible with `age --decrypt` and
// `age --encrypt --passphrase`. Uses Node's crypto module: JavaScript libraries take ten times as long for the payload.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt as scryptWithCallback,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BonafideError, resultOr } from '../../errors.ts';
import { type ByteReader, createByteReader } from './tar.ts';

const VERSION_LINE = 'age-encryption.org/v1';
const CHUNK = 64 * 1024;
const TAG = 16;
/** Binary logarithm of the scrypt work factor for encryption: about one second and 256 MB on usual machines. */
const WORK_FACTOR = 18;
/** Maximum accepted binary logarithm of the scrypt work factor: 1 GiB of memory. A manipulated file could otherwise exhaust the memory. */
const MAX_WORK_FACTOR = 20;
const NO_NONCE = Buffer.alloc(12);

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptWithCallback);

/** Random parameters of an encrypted file. Tests set them to reproduce the bytes of an existing file. */
export interface AgeEncryptionParameters {
  salt: Buffer;
  fileKey: Buffer;
  nonce: Buffer;
  /** Binary logarithm of the scrypt work factor. */
  work: number;
}

const createParameters = (): AgeEncryptionParameters => ({
  salt: randomBytes(16),
  fileKey: randomBytes(16),
  nonce: randomBytes(16),
  work: WORK_FACTOR,
});

/** Encrypts the bytes of `source` with a passphrase and yields an age file. */
export async function* encryptAge(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
  drawn: AgeEncryptionParameters = createParameters(),
): AsyncGenerator<Buffer> {
  const { salt, fileKey, nonce, work } = drawn;
  const wrapped = encryptChunk(fileKey, await wrapKey(passphrase, salt, work), NO_NONCE);
  const head = `${VERSION_LINE}\n-> scrypt ${base64(salt)} ${work}\n${base64(wrapped)}\n---`;
  yield Buffer.from(`${head} ${base64(computeHeaderMac(fileKey, head))}\n`);
  yield nonce;
  const key = deriveSubkey(fileKey, nonce, 'payload');
  const reader = createByteReader(source);
  let chunk = await reader.take(CHUNK);
  for (let i = 0; ; i++) {
    const next = chunk.length < CHUNK ? Buffer.alloc(0) : await reader.take(CHUNK);
    const last = next.length === 0;
    yield encryptChunk(chunk, key, createChunkNonce(i, last));
    if (last) return;
    chunk = next;
  }
}

/**
 * Decrypts an age file with a passphrase and yields only authenticated bytes. Errors: wrong_passphrase; damaged_backup if the file is truncated
 * or altered.
 */
export async function* decryptAge(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  const reader = createByteReader(source);
  const fileKey = await readHeader(reader, passphrase);
  const key = deriveSubkey(fileKey, await reader.take(16), 'payload');
  let chunk = await reader.take(CHUNK + TAG);
  for (let i = 0; ; i++) {
    const next = await reader.take(CHUNK + TAG);
    const last = next.length === 0;
    const plain = decryptChunk(chunk, key, createChunkNonce(i, last));
    if (plain === null || (plain.length === 0 && i > 0)) throw damagedError();
    yield plain;
    if (last) return;
    chunk = next;
  }
}

/** True if a file that begins with these bytes is an age file. */
export const isAgeEncryptedFile = (beginning: Uint8Array): boolean =>
  Buffer.from(beginning).toString('latin1').startsWith(`${VERSION_LINE}\n`);

async function readHeader(reader: ByteReader, passphrase: string): Promise<Buffer> {
  const line = () => readLine(reader);
  const [version, stanza, body, mac] = [await line(), await line(), await line(), await line()];
  const [, salt, work] = /^-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)$/.exec(stanza) ?? [];
  const [, macText] = /^--- ([A-Za-z0-9+/]{43})$/.exec(mac) ?? [];
  if (version !== VERSION_LINE || salt === undefined || macText === undefined) throw damagedError();
  if (Number(work) > MAX_WORK_FACTOR)
    throw new BonafideError(
      'damaged_backup',
      `Decrypting the backup would take too much memory: its scrypt work factor is ${work}, and at most ${MAX_WORK_FACTOR} is accepted. Encrypt the backup again with the work factor ${WORK_FACTOR}.`,
    );
  const wrapping = await wrapKey(passphrase, Buffer.from(salt, 'base64'), Number(work));
  const fileKey = decryptChunk(Buffer.from(body, 'base64'), wrapping, NO_NONCE);
  if (fileKey === null)
    throw new BonafideError(
      'wrong_passphrase',
      'The passphrase is wrong. Check the file of --passphrase-file.',
    );
  const expectedMac = computeHeaderMac(fileKey, `${version}\n${stanza}\n${body}\n---`);
  if (!timingSafeEqual(expectedMac, Buffer.from(macText, 'base64'))) throw damagedError();
  return fileKey;
}

async function readLine(reader: ByteReader): Promise<string> {
  let text = '';
  while (text.length < 200) {
    const byte = (await reader.take(1)).toString('latin1');
    if (byte === '\n' || byte === '') return text;
    text += byte;
  }
  throw damagedError();
}

const damagedError = () =>
  new BonafideError(
    'damaged_backup',
    'The end of the backup is missing, or the backup was altered. Use another copy of the backup.',
  );

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const deriveSubkey = (fileKey: Buffer, salt: Buffer, info: string) =>
  Buffer.from(hkdfSync('sha256', fileKey, salt, info, 32));

const computeHeaderMac = (fileKey: Buffer, head: string) =>
  createHmac('sha256', deriveSubkey(fileKey, Buffer.alloc(0), 'header'))
    .update(head)
    .digest();

function wrapKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const [N, r] = [2 ** work, 8];
  const label = Buffer.concat([Buffer.from(`${VERSION_LINE}/scrypt`), salt]);
  return scrypt(passphrase, label, 32, { N, r, p: 1, maxmem: 256 * N * r + 2 ** 20 });
}

/** Returns the nonce of a chunk: eleven bytes for the chunk index, and one byte that marks the last chunk. */
function createChunkNonce(index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

function encryptChunk(plain: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decryptChunk(box: Buffer, key: Buffer, nonce: Buffer): Buffer | null {
  if (box.length < TAG) return null;
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG });
  decipher.setAuthTag(box.subarray(-TAG));
  return resultOr(() => Buffer.concat([decipher.update(box.subarray(0, -TAG)), decipher.final()]), null);
}
