import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { OLD_SECRET_FILE } from '../../platform/data-folder.ts';
import {
  getErrorCode,
  isOpenToOtherUsers,
  makeFolder,
  readTextFile,
  requirePrivateFolder,
  flushFolderToDisk,
} from '../../platform/files.ts';

/**
 * Returns the secret of a data folder (64 hexadecimal characters): `given`, or the content of the file `secret`. Creates the file if it is missing,
 * unless the folder contains a graph. Errors: `invalid_config` (other users can access the folder), `secret_missing`, `wrong_secret` (not 64
 * hexadecimal characters, or other users can read the file), `read_only` (the folder or the file cannot be used), `unreadable_file` (not a regular
 * file).
 */
export function loadOrCreateSecret(dataDir: string, given?: string): string {
  requirePrivateFolder(dataDir);
  if (given !== undefined) return normaliseSecretHex(given, 'BONAFIDE_SECRET');
  const file = join(dataDir, 'secret');
  const isLost = !existsSync(file) && existsSync(join(dataDir, 'graph.db'));
  // Read the secret after looking for the graph: another process may have just created both, the secret first.
  const secret = readSecretFile(file);
  if (secret !== null) {
    refuseExposedFile(file);
    return secret;
  }
  if (isLost)
    throw new BonafideError(
      'secret_missing',
      `The secret of the graph in ${dataDir} is missing: restore the file "secret", or set BONAFIDE_SECRET. A new secret could not read the graph.`,
    );
  return createSecretFile(dataDir, file);
}

/**
 * Returns the secret of a data folder: `given`, or the content of the file `secret`; null if there is none. Errors: `wrong_secret` (not 64
 * hexadecimal characters), `read_only` (the file cannot be read).
 */
export const findSecret = (dataDir: string, given?: string): string | null =>
  given === undefined
    ? readSecretFile(join(dataDir, 'secret'))
    : normaliseSecretHex(given, 'BONAFIDE_SECRET');

/**
 * Returns the secret of a data folder. Never creates one, because the name of the folder may be mistyped. Errors: secret_missing, with `advice` in
 * its message; those of `loadOrCreateSecret`.
 */
export function requireSecret(dataDir: string, given: string | undefined, advice: string): string {
  if (findSecret(dataDir, given) !== null) return loadOrCreateSecret(dataDir, given);
  throw new BonafideError('secret_missing', `There is no secret in ${dataDir}. Check --data-dir. ${advice}`);
}

/**
 * Returns the old secret if `graph rekey` was interrupted, because the store may still be encrypted under it; otherwise null. Errors: those of
 * `findSecret`.
 * @param given secret from the settings. Default: the secret in the data folder
 */
export function findOldSecretOfStore(dataDir: string, given?: string): string | null {
  const old = readSecretFile(join(dataDir, OLD_SECRET_FILE));
  return old === null || old === findSecret(dataDir, given) ? null : old;
}

/** Returns a sentence for the operator if `graph rekey` was interrupted; otherwise null. Parameters and errors: those of `findOldSecretOfStore`. */
export const describeInterruptedRekey = (dataDir: string, given?: string): string | null =>
  findOldSecretOfStore(dataDir, given) === null
    ? null
    : `graph rekey was interrupted: the graph has the new secret, but watches, webhook secrets and jobs may still have the old secret, which is in ${join(dataDir, OLD_SECRET_FILE)}.`;

/** Throws if `graph rekey` was interrupted. Errors: wrong_secret, those of `findOldSecretOfStore`. */
export function requireNoInterruptedRekey(dataDir: string, given?: string): void {
  const problem = describeInterruptedRekey(dataDir, given);
  if (problem !== null)
    throw new BonafideError('wrong_secret', `${problem} Run bonafide graph rekey to complete it.`);
}

/**
 * Checks the form of a secret, and returns it in lower case. Errors: wrong_secret.
 * @param origin place from which the secret was read, for the error message
 */
export const normaliseSecretHex = (text: string, origin: string): string =>
  requireSecretFormat(text.trim().toLowerCase(), origin);

function requireSecretFormat(secret: string, origin: string): string {
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new BonafideError(
    'wrong_secret',
    `The secret from ${origin} is not 64 hexadecimal characters. Put back the original secret.`,
  );
}

function readSecretFile(file: string): string | null {
  try {
    return requireSecretFormat(readTextFile(file).trim(), `the file ${file}`);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) return null;
    throw new BonafideError(
      'read_only',
      `Cannot read ${file}: check its permissions, or set BONAFIDE_SECRET.`,
    );
  }
}

function refuseExposedFile(file: string): void {
  if (!isOpenToOtherUsers(file)) return;
  throw new BonafideError(
    'wrong_secret',
    `Other users of the machine can read ${file}, and with it the graph: run chmod 600 ${file}`,
  );
}

function createSecretFile(dataDir: string, file: string): string {
  const secret = randomBytes(32).toString('hex');
  try {
    makeFolder(dataDir);
    createWholeFile(file, `${secret}\n`);
  } catch (error) {
    const other = getErrorCode(error) === 'EEXIST' ? readSecretFile(file) : null;
    if (other !== null) return other;
    throw new BonafideError(
      'read_only',
      `Cannot write in the data folder ${dataDir} (${getErrorCode(error)}): choose another folder with --data-dir, or make it writable and free space on its disk.`,
    );
  }
  return secret;
}

/** Creates a file with its full content. Throws EEXIST if it exists: two processes that start together then use the same secret. */
function createWholeFile(file: string, text: string): void {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  // The content is on disk before the file name, and the file name before the graph: a power failure must not leave a graph without its secret.
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
    flushFolderToDisk(dirname(file));
  } catch (error) {
    if (!NO_HARD_LINKS.has(getErrorCode(error))) throw error;
    writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  } finally {
    rmSync(draft);
  }
}

/** Error codes of file systems that have no hard links. */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
