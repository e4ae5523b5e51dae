// Backup archives: a folder of files as one tar file with a manifest of checksums at its end, encrypted as an age file if there is a
// passphrase.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BonafideError } from '../../errors.ts';
import { decryptAge, encryptAge, isAgeEncryptedFile } from './age.ts';
import { type BackupManifest, MANIFEST_FILE, parseManifest } from './manifest.ts';
import { readTarEntries, writeTar, type TarEntry } from './tar.ts';

/** Maximum number of files in a backup, and maximum size of its manifest in bytes. Usual backups have about ten files and 10 kB. */
const [MAX_FILES, MAX_MANIFEST_BYTES] = [100, 1024 * 1024];
const CHUNK_OPTIONS = { highWaterMark: 1024 * 1024 };

/** Callback that receives the number of bytes processed since its last call. */
type ArchiveBytesCallback = (bytes: number) => void;

export interface WriteArchiveOptions {
  folder: string;
  names: string[];
  /** Content of the manifest apart from the list of files. */
  about: Omit<BackupManifest, 'files'>;
  /** Path of the new archive. The file must not exist. */
  file: string;
  passphrase: string | undefined;
  onBytes: ArchiveBytesCallback;
}

/** Writes the files to one archive (mode 0600) and waits until it is on disk. Errors: those of the file system. */
export async function writeArchive(options: WriteArchiveOptions): Promise<BackupManifest> {
  const { about, file, passphrase } = options;
  const manifest: BackupManifest = { ...about, files: [] };
  const plain = writeTar(createArchiveEntries(options, manifest), Date.parse(about.made));
  const source = passphrase === undefined ? plain : encryptAge(plain, passphrase);
  await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return manifest;
}

/** Yields each file and then the manifest, whose checksums are computed while the files are read. */
async function* createArchiveEntries(
  { folder, names, onBytes }: WriteArchiveOptions,
  manifest: BackupManifest,
): AsyncGenerator<TarEntry> {
  for (const name of names) {
    const path = join(folder, name);
    const size = statSync(path).size;
    const digest = createHash('sha256');
    yield { name, size, content: hashWhileReading(createReadStream(path, CHUNK_OPTIONS), digest, onBytes) };
    manifest.files.push({ name, bytes: size, sha256: digest.digest('hex') });
  }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: MANIFEST_FILE, size: text.length, content: only(text) };
}

async function* only(bytes: Buffer) {
  yield bytes;
}

async function* hashWhileReading(
  source: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createHash>,
  onBytes: ArchiveBytesCallback,
) {
  for await (const piece of source) {
    digest.update(piece);
    onBytes(piece.length);
    yield piece;
  }
}

export interface UnpackArchiveOptions {
  file: string;
  /** Folder to unpack into; must be empty. */
  into: string;
  passphrase: string | undefined;
  onBytes: ArchiveBytesCallback;
}

/**
 * Unpacks an archive, compares every file with its checksum, and waits until the files (mode 0600) are on disk. Errors: wrong_passphrase,
 * damaged_backup, newer_database, and those of the file system.
 */
export async function unpackArchive({
  file,
  into,
  passphrase,
  onBytes,
}: UnpackArchiveOptions): Promise<BackupManifest> {
  const source = createReadStream(file, CHUNK_OPTIONS);
  const plain = (await looksLikeAge(file)) ? decryptAge(source, requirePassphrase(passphrase)) : source;
  const sums = new Map<string, string>();
  for await (const { name, size, content } of readTarEntries(plain)) {
    if (sums.has(name)) throw changedFileError(name);
    if (sums.size >= MAX_FILES || (name === MANIFEST_FILE && size > MAX_MANIFEST_BYTES))
      throw new BonafideError('damaged_backup', 'The file is not a backup of Bonafide. Choose another file.');
    const digest = createHash('sha256');
    const out = createWriteStream(join(into, name), { flags: 'wx', mode: 0o600 });
    await pipeline(hashWhileReading(content, digest, onBytes), out);
    sums.set(name, digest.digest('hex'));
  }
  if (!sums.delete(MANIFEST_FILE))
    throw new BonafideError(
      'damaged_backup',
      'The file is not a backup of Bonafide, or its end is missing. Use another copy of the backup.',
    );
  const manifest = parseManifest(readFileSync(join(into, MANIFEST_FILE), 'utf8'));
  for (const { name, sha256 } of manifest.files) if (sums.get(name) !== sha256) throw changedFileError(name);
  if (sums.size !== manifest.files.length) throw changedFileError(MANIFEST_FILE);
  for (const name of [...sums.keys(), MANIFEST_FILE]) await flushFile(join(into, name));
  return manifest;
}

/** Waits until the content of a file is on disk. */
async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const changedFileError = (name: string) =>
  new BonafideError(
    'damaged_backup',
    `${name} in the backup was changed after the backup was made. Use another copy of the backup.`,
  );

function requirePassphrase(passphrase: string | undefined): string {
  if (passphrase !== undefined) return passphrase;
  throw new BonafideError(
    'wrong_passphrase',
    'The backup is encrypted. Name the file of its passphrase with --passphrase-file.',
  );
}

async function looksLikeAge(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(32), 0, 32, 0);
    return isAgeEncryptedFile(buffer);
  } finally {
    await file.close();
  }
}

export interface BackupProgress {
  step: 'counting' | 'copying' | 'writing' | 'reading back' | 'checking' | 'putting in place';
  /** Completed share of this step (0 to 1); null if unknown. */
  done: number | null;
}

export type BackupProgressCallback = (progress: BackupProgress) => void;

/** Creates a callback that adds up processed bytes and reports their share of `total`. */
export function createByteProgressReporter(
  onProgress: BackupProgressCallback,
  step: BackupProgress['step'],
  total: number,
): (bytes: number) => void {
  let doneBytes = 0;
  return (bytes) => {
    doneBytes += bytes;
    onProgress({ step, done: Math.min(1, doneBytes / Math.max(1, total)) });
  };
}
