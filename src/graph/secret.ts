import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';

const SHAPE = /^[0-9a-f]{64}$/;

/**
 * The one secret under which fingerprints are keyed and names are encrypted: 32 bytes as 64 hex characters.
 *
 * It comes from `given` (the environment) or from the file `secret` in the data folder. The file is made at first use, mode
 * 0600, but never beside a graph that already exists: a new secret would make that graph unreadable for good.
 *
 * Errors: `secret_missing`, `wrong_secret` (not of the right form), `read_only`.
 */
export function loadSecret(dataDir: string, given?: string): string {
  if (given !== undefined) return checked(given.trim().toLowerCase(), 'BONAFIDE_SECRET');
  const file = join(dataDir, 'secret');
  if (existsSync(file)) return checked(readFileSync(file, 'utf8').trim(), `the file ${file}`);
  if (existsSync(join(dataDir, 'graph.db')))
    throw new BonafideError(
      'secret_missing',
      `The graph in ${dataDir} has no secret: put its file "secret" back, or set BONAFIDE_SECRET. A new one could not read the graph.`,
    );
  const secret = randomBytes(32).toString('hex');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // wx: two processes that start at once must not each keep a secret of their own.
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another process was first.
    if (existsSync(file)) return loadSecret(dataDir);
    throw new BonafideError(
      'read_only',
      `Cannot write in the data folder ${dataDir}: check that it is a folder and its permissions, or choose another with --data-dir.`,
    );
  }
  return secret;
}

function checked(secret: string, from: string): string {
  if (SHAPE.test(secret)) return secret;
  throw new BonafideError('wrong_secret', `The secret from ${from} is not 64 hexadecimal characters.`);
}
