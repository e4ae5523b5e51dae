import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { makeFolder } from '../platform/files.ts';

const SHAPE = /^[0-9a-f]{64}$/;

/**
 * The one secret under which fingerprints are keyed and names are encrypted: 32 bytes as 64 hex characters.
 *
 * It comes from `given` (the environment) or from the file `secret` in the data folder. The file is made at first use, mode
 * 0600, but never beside a graph that already exists: a new secret would make that graph unreadable for good.
 *
 * Errors: `secret_missing`, `wrong_secret` (not of the right form), `read_only` (the folder or the file cannot be used).
 */
export function loadSecret(dataDir: string, given?: string): string {
  if (given !== undefined) return checked(given.trim().toLowerCase(), 'BONAFIDE_SECRET');
  const file = join(dataDir, 'secret');
  const kept = readKept(file);
  if (kept !== null) return checked(kept.trim(), `the file ${file}`);
  if (existsSync(join(dataDir, 'graph.db')))
    throw new BonafideError(
      'secret_missing',
      `The graph in ${dataDir} has no secret: put its file "secret" back, or set BONAFIDE_SECRET. A new one could not read the graph.`,
    );
  return makeSecret(dataDir, file);
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
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
    // wx: two processes that start at once must not each keep a secret of their own.
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const kept = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKept(file) : null;
    if (kept !== null) return checked(kept.trim(), `the file ${file}`);
    throw new BonafideError(
      'read_only',
      `Cannot write in the data folder ${dataDir}: choose another with --data-dir.`,
    );
  }
  return secret;
}

function checked(secret: string, from: string): string {
  if (SHAPE.test(secret)) return secret;
  throw new BonafideError('wrong_secret', `The secret from ${from} is not 64 hexadecimal characters.`);
}
