// Data folders as earlier versions left them.
import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
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

const FIXTURES = new URL('../../fixtures/graph/', import.meta.url).pathname;
const MIGRATIONS = new URL('../../../src/store/sqlite/migrations/', import.meta.url).pathname;
/** The letters "BONS". */
const STORE_ID = 0x42_4f_4e_53;
const CALLS = 2000;

/** The graph of version 0.1, and a store of the first version with calls in it. */
export async function oldFolders({ root, folder }: Stage): Promise<OldFolder[]> {
  const base = await baseIn(root);
  const graph = join(folder, 'old-graph');
  mkdirSync(graph);
  writeFileSync(join(graph, 'secret'), 'a1'.repeat(32), { mode: 0o600 });
  const fixture = readdirSync(FIXTURES).find((name) => name.startsWith('version-2'));
  writeFileSync(join(graph, 'graph.db'), gunzipSync(readFileSync(join(FIXTURES, fixture ?? ''))));
  const store = copyOf(base.folder, join(folder, 'old-store'));
  oldStore(join(store, 'store.db'));
  return [
    { name: 'graph of 0.1', folder: graph, args: ['graph', 'stats'], answers: async (f) => graphHeld(f) },
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

function graphHeld(folder: string): string | null {
  const db = new Database(join(folder, 'records.db'));
  try {
    const records = db.prepare<[], number>('SELECT count(*) FROM record').pluck().get();
    const whole = db.pragma('integrity_check(1)', { simple: true }) === 'ok';
    return whole && records === 4 ? null : `the graph holds ${records} of 4 records`;
  } finally {
    db.close();
  }
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
