// Who shares a store must have one secret: under another one an Idempotency-Key is another one, and counts a second time. The store knows its
// secret by a value that is derived from it and tells nothing of it.
import { BonafideError } from '../../errors.ts';
import type { Store } from '../store.ts';

type Opened = Pick<Store, 'raw'>;

/** What is asked of whoever opens a store. */
export interface SecretCheck {
  /** What is derived from his secret. */
  check: string;
  /** Whether the store takes it for its own where it has none. */
  claims: boolean;
}

/** A column that tables of an earlier version lack, and that such a version does not read. */
const KEPT = `SELECT to_jsonb(version) ->> 'secret_check' FROM version`;

/** Errors: wrong_secret, those of the engine. */
export function requireSameSecret(store: Opened, { check, claims }: SecretCheck): void {
  if (claims && keptIn(store) === null) {
    store.raw.exec('ALTER TABLE version ADD COLUMN IF NOT EXISTS secret_check text');
    // Of two that start together, one is first.
    store.raw.prepare('UPDATE version SET secret_check = ? WHERE secret_check IS NULL').run(check);
  }
  const kept = keptIn(store);
  if (kept === null || kept === check) return;
  throw new BonafideError(
    'wrong_secret',
    'The secret here is not that of the servers that share this store: put their file "secret" in the place of this one, or set BONAFIDE_SECRET to what it holds. Where all of them got a new one, the page postgres says how the store learns it: bonafide docs postgres',
  );
}

/** From now on it goes by another secret, where it goes by one. */
export function changeSecret(store: Opened, check: string): void {
  if (keptIn(store) !== null) store.raw.prepare('UPDATE version SET secret_check = ?').run(check);
}

const keptIn = ({ raw }: Opened): string | null => raw.prepare<[], string | null>(KEPT).pluck().get() ?? null;
