import type { Db } from '../../platform/sqlite.ts';
import type { KnownSignature } from '../resolve/reader.ts';
import type { Sealing } from '../sealing.ts';
import { upgrade } from '../../platform/upgrade.ts';
import { writeMeta } from './meta.ts';
import { packPostings, stage } from './postings.ts';
import { EXACT_PART_TABLE, GRAPH, VERSION } from './schema.ts';
import { sealSignatures } from './signatures.ts';

/**
 * Brings a graph file of an earlier version up to this one, whole or not at all; the earlier file is kept beside it.
 * Errors: those of `upgrade` in platform/upgrade.ts.
 */
export function migrate(file: string, sealing: Sealing): void {
  upgrade({
    file,
    kind: GRAPH,
    version: VERSION,
    unchanged: (db) =>
      db.prepare('SELECT (SELECT count(*) FROM record), (SELECT count(*) FROM identity)').get(),
    change: (db, tell) => change(db, sealing, tell),
  });
}

function change(db: Db, sealing: Sealing, tell: (done: number) => void): void {
  const rows = db
    .prepare<[], number>('SELECT max(id) FROM record UNION ALL SELECT max(id) FROM identity')
    .pluck()
    .all();
  const all = rows.reduce((sum, row) => sum + (row ?? 0), 0);
  let done = 0;
  const tick = () => {
    done++;
    if (done % 1000 === 0) tell(Math.min(1, done / all));
  };
  if (db.pragma('user_version', { simple: true }) === 1) packOldPostings(db);
  else db.exec('ALTER TABLE crowd RENAME TO frequent');
  renameSignatures(db, sealing, tick);
  renameContactSignatures(db, sealing, tick);
  db.exec("UPDATE meta SET name = 'error_rates' WHERE name = 'link_noise'");
}

/** Version 1 kept a row for each key and identity, and under identity 0 how many there are. */
function packOldPostings(db: Db): void {
  stage(db);
  db.exec('INSERT INTO temp.staged SELECT key, id, meta FROM posting WHERE id > 0');
  writeMeta(db, 'postings', String(packPostings(db)));
}

/** A signature, as the earlier versions named its parts or as this one does. */
interface OldSignature {
  anchor?: number;
  exactPart?: number;
  grams: number[];
}

function renamed<S extends OldSignature>({ anchor, exactPart, ...rest }: S) {
  return { ...rest, exactPart: exactPart ?? anchor ?? 0 };
}

function renameSignatures(db: Db, sealing: Sealing, tick: () => void): void {
  db.exec(`
    DROP TABLE IF EXISTS anchor; ${EXACT_PART_TABLE}
    ALTER TABLE identity RENAME COLUMN sketches TO signatures`);
  const update = db.prepare('UPDATE identity SET signatures = ? WHERE id = ?');
  const insert = db.prepare('INSERT INTO exact_part VALUES (?, ?)');
  for (const { id, sealed } of sealedRows(db, { table: 'identity', column: 'signatures' })) {
    const old = JSON.parse(sealing.open(sealed)) as (OldSignature & { kind: KnownSignature['kind'] })[];
    const signatures = old.map((one) => {
      const { kind, exactPart, grams } = renamed(one);
      return { kind, exactPart, grams };
    });
    const now = sealSignatures(signatures, sealing);
    update.run(now.sealed, id);
    insert.run(id, now.parts);
    tick();
  }
}

/**
 * Renames properties in the text as it is, which takes a third of reading and writing the JSON anew: a quotation mark inside a value
 * has a backslash before it, so only the name of a property can look like one.
 */
function renameContactSignatures(db: Db, sealing: Sealing, tick: () => void): void {
  const update = db.prepare('UPDATE record SET sealed = ? WHERE id = ?');
  for (const { id, sealed } of sealedRows(db, { table: 'record', column: 'sealed' })) {
    const record = sealing.open(sealed);
    const now = record.replaceAll('"sketch":', '"signature":').replaceAll('"anchor":', '"exactPart":');
    update.run(sealing.seal(now), id);
    tick();
  }
}

/** In pages, because nothing may be written on a connection while it iterates. */
function* sealedRows(db: Db, { table, column }: { table: string; column: string }) {
  const page = db.prepare<[number], { id: number; sealed: Buffer }>(
    `SELECT id, ${column} AS sealed FROM ${table} WHERE id > ? AND ${column} IS NOT NULL ORDER BY id LIMIT 500`,
  );
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? 0)) yield* rows;
}
