import { createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { decryptAge, encryptAge, isAgeEncryptedFile } from '../../../src/maintenance/file/age.ts';

/** Output of age 1.1.1 for `age --encrypt --passphrase` of `PLAIN`. */
const BY_AGE = Buffer.from(
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBDM3RlZ2NVbzJzenoxS0JLMHVmTi9nIDE4CjdYYSsvZERSRm53bTJqdTlu' +
    'VFd5Zk42dkp6KzM0dExxbTQ5UlVPNWlWcFkKLS0tIFA2dnZZTDBidXBDZDgxaUdHMkZUQVNidkFuYThpTTBSRTQ5cUNnY0xDRk0K' +
    'ZCMipa6q78lDeUrhA3szVAE4btZOHS/Jzpgtk/Ihv4X25cL0aGbwFe7AnvHfyM8YayjEDlGtF1pvvuTVy/OFRA==',
  'base64',
);
/** With age's own work factor, a key takes a second, and more on a busy machine. */
const PASSPHRASE = 'correct horse battery';
const PLAIN = Buffer.from('what other programs write of it\n');

/** Minimum work factor, so that a test of many files is fast. */
const quick = () => ({ salt: randomBytes(16), fileKey: randomBytes(16), nonce: randomBytes(16), work: 1 });

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const seal = (plain: Buffer) => whole(encryptAge(inPieces(plain, 1000), PASSPHRASE, quick()));
const open = (bytes: Buffer, passphrase = PASSPHRASE) => whole(decryptAge(inPieces(bytes, 777), passphrase));

test('a file that age wrote is opened', async () => {
  expect(isAgeEncryptedFile(BY_AGE)).toBe(true);
  expect(await open(BY_AGE)).toEqual(PLAIN);
});

test('with the same key and salt, the output equals that of age', async () => {
  const [, stanza = '', body = ''] = BY_AGE.toString('latin1').split('\n');
  const salt = Buffer.from(stanza.split(' ')[2] ?? '', 'base64');
  const label = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  const wrapping = scryptSync(PASSPHRASE, label, 32, { N: 2 ** 18, r: 8, p: 1, maxmem: 2 ** 30 });
  const cipher = createDecipheriv('chacha20-poly1305', wrapping, Buffer.alloc(12), { authTagLength: 16 });
  const fileKey = cipher.update(Buffer.from(body, 'base64').subarray(0, 16));
  const payload = BY_AGE.length - 16 - PLAIN.length - 16;
  const nonce = BY_AGE.subarray(payload, payload + 16);
  const drawn = { salt, fileKey, nonce, work: 18 };
  expect(await whole(encryptAge(inPieces(PLAIN, 5), PASSPHRASE, drawn))).toEqual(BY_AGE);
});

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  '%i bytes come back as they were',
  async (size) => {
    const plain = randomBytes(size);
    expect((await open(await seal(plain))).equals(plain)).toBe(true);
  },
);

test('another passphrase opens nothing', async () => {
  const file = await seal(PLAIN);
  await expect(open(file, 'incorrect horse')).rejects.toThrow(/passphrase is wrong/);
});

test('a file whose key would take more than 1 GiB of memory is refused before', async () => {
  const text = (await seal(PLAIN)).toString('latin1');
  const forged = Buffer.from(text.replace(/^(-> scrypt \S+) 1$/m, '$1 21'), 'latin1');
  await expect(open(forged)).rejects.toMatchObject({
    code: 'damaged_backup',
    message: expect.stringContaining('scrypt work factor is 21, and at most 20'),
  });
});

test('a file that is cut short anywhere, or has one bit flipped, is refused', async () => {
  const file = await seal(randomBytes(70_000));
  for (const length of [10, 60, 100, 150, 170, 200, 65_000, 65_737, file.length - 1])
    await expect(open(file.subarray(0, length))).rejects.toThrow(/end of the backup is missing|passphrase/);
  for (const at of [3, 25, 60, 140, 190, 30_000, file.length - 1]) {
    const flipped = Buffer.from(file);
    flipped.writeUInt8(file.readUInt8(at) ^ 4, at);
    await expect(open(flipped)).rejects.toThrow(/end of the backup is missing|passphrase/);
  }
});
