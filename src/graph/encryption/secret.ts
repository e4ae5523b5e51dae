import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { errorCode, isExposed, makeFolder, refuseExposedFolder, syncFolder } from '../../platform/files.ts';

const SHAPE = /^[0-9a-f]{64}$/;

/**
 * The one secret under which fingerprints are keyed and names are encrypted: 32 bytes as 64 hex characters.
 *
 * It comes from `given` (the environment) or from the file `secret` in the data folder. The file is made at first use, mode
 * 0600, but never beside a graph that already exists: a new secret would make that graph unreadable for good.
 *
 * Errors: `invalid_config` (others may get at the folder), `secret_missing`, `wrong_secret` (not of the right form, or others may read its file), `read_only` (the folder or the file cannot be used).
 */
export function loadSecret(dataDir: string, given?: string): string {
  refuseExposedFolder(dataDir);
  if (given !== undefined) return parseSecret(given, 'BONAFIDE_SECRET');
  const file = join(dataDir, 'secret');
  const orphaned = !existsSync(file) && existsSync(join(dataDir, 'graph.db'));
  // Read after looking for the graph: another process may just have made both, the secret first.
  const kept = readKept(file);
  if (kept !== null) {
    refuseExposed(file);
    return checked(kept.trim(), `the file ${file}`);
  }
  if (orphaned)
    throw new BonafideError(
      'secret_missing',
      `The graph in ${dataDir} has no secret: put its file "secret" back, or set BONAFIDE_SECRET. A new one could not read the graph.`,
    );
  return makeSecret(dataDir, file);
}

/** The secret where there is one: none is made. Errors: `wrong_secret` (not of the right form), `read_only` (its file cannot be read). */
export function findSecret(dataDir: string, given?: string): string | null {
  if (given !== undefined) return parseSecret(given, 'BONAFIDE_SECRET');
  const file = join(dataDir, 'secret');
  const kept = readKept(file);
  return kept === null ? null : checked(kept.trim(), `the file ${file}`);
}

/** Whoever reads it reads the graph. */
function refuseExposed(file: string): void {
  if (!isExposed(file)) return;
  throw new BonafideError(
    'wrong_secret',
    `Other users of the machine may read ${file}, and with it the graph: run chmod 600 ${file}`,
  );
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw new BonafideError(
      'read_only',
      `Cannot read ${file}: check its permissions, or set BONAFIDE_SECRET.`,
    );
  }
}

function makeSecret(dataDir: string, file: string): string {
  const secret = randomBytes(32).toString('hex');
  try {
    makeFolder(dataDir);
    placeWhole(file, `${secret}\n`);
  } catch (error) {
    const kept = errorCode(error) === 'EEXIST' ? readKept(file) : null;
    if (kept !== null) return checked(kept.trim(), `the file ${file}`);
    throw new BonafideError(
      'read_only',
      `Cannot write in the data folder ${dataDir} (${errorCode(error)}): choose another with --data-dir, or make it writable, with room on its disk.`,
    );
  }
  return secret;
}

/**
 * Makes a file that is there whole or not at all, and never in the place of another: two processes that start at once must not each
 * keep a secret of their own, nor see half of one.
 */
function placeWhole(file: string, text: string): void {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  // On disk before it has its name, and its name before anything is written under it: a power cut must not leave a graph without.
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
    writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  } finally {
    rmSync(draft);
  }
}

/** What file systems say that know no hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A secret that somebody wrote, in either letter case. Errors: wrong_secret. */
export const parseSecret = (text: string, from: string): string => checked(text.trim().toLowerCase(), from);

function checked(secret: string, from: string): string {
  if (SHAPE.test(secret)) return secret;
  throw new BonafideError('wrong_secret', `The secret from ${from} is not 64 hexadecimal characters.`);
}
