// Data folders as earlier versions left them.
import Database from 'better-sqlite3';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../trial.ts';
import { baseIn, copyOf } from './people.ts';
import { isAnswering } from './inside.ts';

export interface OldFolder {
  name: string;
  folder: string;
  /** A command that brings it up to date. */
  args: string[];
  /** What is wrong with a folder that was one of these; null where all it held is there. */
  answers(folder: string): Promise<string | null>;
}

const MIGRATIONS = new URL('../../../src/store/sqlite/migrations/', import.meta.url).pathname;
/** The letters "BONS". */
const STORE_ID = 0x42_4f_4e_53;
const CALLS = 2000;

/** A store of the first version with calls in it. */
export async function oldFolders({ root, folder }: Stage): Promise<OldFolder[]> {
  const base = await baseIn(root);
  const store = copyOf(base.folder, join(folder, 'old-store'));
  oldStore(join(store, 'store.db'));
  return [
    { name: 'store of 0.1', folder: store, args: ['keys', 'list'], answers: (f) => storeHeld(f, base) },
  ];
}

/** Makes a store anew as the first migration leaves it, with the keys it has and calls of theirs. */
function oldStore(file: string): void {
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  const keys = db.prepare<[], Record<string, unknown>>('SELECT * FROM keys').all();
  for (const table of db
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all())
    db.exec(`DROP TABLE ${table}`);
  const first = readdirSync(MIGRATIONS).find((name) => name.startsWith('0000')) ?? '';
  for (const sql of readFileSync(join(MIGRATIONS, first), 'utf8').split('--> statement-breakpoint'))
    db.exec(sql);
  const columns = new Set(db.prepare<[], string>("SELECT name FROM pragma_table_info('keys')").pluck().all());
  for (const key of keys) {
    // The first version called the chain of rotations the account.
    const kept = Object.entries({ ...key, account: key.chain }).filter(([name]) => columns.has(name));
    const [names, values] = [kept.map(([name]) => name), kept.map(([, value]) => value)];
    db.prepare(`INSERT INTO keys (${names.join()}) VALUES (${names.map(() => '?').join()})`).run(...values);
  }
  const add = db.prepare(
    `INSERT INTO calls VALUES (?, 'a', ${Date.now()}, 'validate', 'v1', 1, 0, 0, 71, 'MEDIUM', 'HIGH', 0, 0, 0, 2)`,
  );
  db.transaction(() => Array.from({ length: CALLS }, (_, i) => add.run(`req_${i}`)))();
  db.pragma('user_version = 1');
  db.pragma(`application_id = ${STORE_ID}`);
  db.close();
}

async function storeHeld(folder: string, base: Awaited<ReturnType<typeof baseIn>>): Promise<string | null> {
  const seen = await isAnswering(folder, base, [base.questions.map(({ answer }) => answer)]);
  if (seen) return seen;
  const db = new Database(join(folder, 'store.db'), { readonly: true });
  const calls = db
    .prepare<[], number>("SELECT count(*) FROM calls WHERE request_id LIKE 'req_%' AND key = 'a'")
    .pluck()
    .get();
  db.close();
  return calls === CALLS ? null : `the store holds ${calls} of ${CALLS} calls`;
}
