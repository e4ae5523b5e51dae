import { upgrade } from '../../../platform/upgrade.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { writeMeta } from '../meta.ts';
import { type Packed, stagePostings, unpack } from '../postings.ts';
import { newestOf } from '../read/reader.ts';
import { GRAPH, IDENTITY_TABLE, POSTING_TABLES, VERSION } from '../schema.ts';
import { toDays } from '../days.ts';
import { countHeld, moveRecords } from './move-records.ts';
import { namesIn, rowsOf, signaturesIn, type Tick } from './old-rows.ts';

/**
 * Brings a graph file of an earlier version up to this one, whole or not at all; the earlier file is kept beside it.
 * Errors: those of `upgrade` in platform/upgrade.ts.
 */
export function migrate(file: string, keys: GraphKeys): void {
  upgrade({
    file,
    kind: GRAPH,
    version: VERSION,
    unchanged: (db) => countHeld(db, file),
    change: (db, tell) => change(db, { file, keys, tell }),
    shrinks: true,
  });
}

function change(
  db: Db,
  { file, keys, tell }: { file: string; keys: GraphKeys; tell: (done: number) => void },
): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const tick = ticker(db, tell);
  if (version === 1) packOldPostings(db);
  if (version === 2) db.exec('ALTER TABLE crowd RENAME TO frequent');
  if (version < 3) db.exec("UPDATE meta SET name = 'error_rates' WHERE name = 'link_noise'");
  moveRecords(db, { file, keys, tick });
  sealProfiles(db, keys, tick);
  db.exec('DROP TABLE IF EXISTS anchor; DROP TABLE IF EXISTS exact_part');
  writeMeta(db, 'newest', newestOf(db));
}

function ticker(db: Db, tell: (done: number) => void): Tick {
  const rows = db
    .prepare<[], number | null>('SELECT max(id) FROM record UNION ALL SELECT max(id) FROM identity')
    .pluck()
    .all();
  const all = rows.reduce<number>((sum, row) => sum + (row ?? 0), 0);
  let done = 0;
  return () => {
    done++;
    if (done % 1000 === 0) tell(Math.min(1, done / all));
  };
}

/** Version 1 kept a row for each key and identity, and under identity 0 how many there are. */
function packOldPostings(db: Db): void {
  const postings = stagePostings(db);
  const rows = db.prepare<[], [number, number, number]>('SELECT key, id, meta FROM posting WHERE id > 0');
  for (const [key, id, meta] of rows.raw().iterate()) postings.add(key * 2 + meta, id);
  db.exec(`DROP TABLE posting; DROP TABLE IF EXISTS frequent; ${POSTING_TABLES}`);
  writeMeta(db, 'postings', String(postings.write()));
}

/** One sealed profile in the place of sealed names, sealed signatures and a table of what the signatures say in short. */
function sealProfiles(db: Db, { sealing, profiles, hints }: GraphKeys, tick: Tick): void {
  db.exec(`ALTER TABLE identity RENAME TO earlier; ${IDENTITY_TABLE}`);
  const insert = db.prepare('INSERT INTO identity VALUES (?, ?, ?, ?, ?, ?, ?)');
  const keysOf = keysByIdentity(db);
  for (const row of rowsOf(db, 'earlier')) {
    const { id, records, sources } = row;
    tick();
    if (records === 0) continue;
    const profile = { names: namesIn(row, sealing), signatures: signaturesIn(row, sealing) };
    const [first, last] = [toDays(row.first_seen), toDays(row.last_seen)];
    const exactParts = profile.signatures.map(({ exactPart }) => exactPart);
    const hint = hints.write({ identity: id, exactParts, keys: keysOf(id) });
    insert.run(id, first, last, records, sources, hint, profiles.seal(profile));
  }
  db.exec('DROP TABLE earlier; DROP TABLE temp.held');
}

/** The keys that each identity is published with, as far as hints tell them apart; sorted on disk. */
function keysByIdentity(db: Db): (id: number) => number[] {
  db.exec(`
    CREATE TEMP TABLE had (id INTEGER, key INTEGER);
    INSERT INTO temp.had SELECT id, key % 256 FROM frequent`);
  const page = db.prepare<[number], [number, Packed]>(
    'SELECT key, ids FROM posting WHERE key > ? ORDER BY key LIMIT 5000',
  );
  const insert = db.prepare('INSERT INTO temp.had VALUES (?, ?)');
  for (let rows = page.raw().all(-1); rows.length > 0; rows = page.raw().all(rows.at(-1)?.[0] ?? 0))
    for (const [key, packed] of rows) {
      const { share, ids } = unpack(key, packed);
      if (share === ids.length) for (const id of ids) insert.run(id, key % 256);
    }
  db.exec(`
    CREATE TEMP TABLE held (id INTEGER, key INTEGER, PRIMARY KEY (id, key)) WITHOUT ROWID;
    INSERT INTO temp.held SELECT DISTINCT id, key FROM temp.had ORDER BY id, key;
    DROP TABLE temp.had`);
  const keys = db.prepare<[number], number>('SELECT key FROM temp.held WHERE id = ?').pluck();
  return (id) => keys.all(id);
}
