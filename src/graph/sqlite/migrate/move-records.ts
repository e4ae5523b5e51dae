// Versions 1 to 3 kept the records in the graph's own file.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect, type Db } from '../../../platform/sqlite.ts';
import { syncFile, syncFolder } from '../../../platform/files.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { readMeta, writeMeta, writeRecordMeta } from '../meta.ts';
import { connectRecords, recordsFile } from '../records-file.ts';
import { RECORDS } from '../schema.ts';
import { recordText, rowsOf, type Tick } from './old-rows.ts';

/** How many records and identities there are: in the graph's file, and where they were moved from there, beside it. */
export function countHeld(db: Db, file: string): { records: number; identities: number } {
  const count = (from: Db, sql: string) => from.prepare<[], number>(sql).pluck().get() ?? 0;
  const identities = count(db, 'SELECT count(*) FROM identity WHERE records > 0');
  if (hasTable(db, 'record')) return { records: count(db, 'SELECT count(*) FROM record'), identities };
  const moved = connect(recordsFile(file), RECORDS);
  try {
    return { records: count(moved, 'SELECT count(*) FROM record'), identities };
  } finally {
    moved.close();
  }
}

const hasTable = (db: Db, name: string) =>
  db.prepare<[string], number>('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;

interface Move {
  /** The graph's file. */
  file: string;
  keys: GraphKeys;
  tick: Tick;
}

/**
 * Moves records, and the numbers that lead elsewhere, into a file of their own. It has its name before the graph's file changes for good:
 * where that never happens, the next upgrade makes it again.
 */
export function moveRecords(db: Db, { file, keys, tick }: Move): void {
  const [name, partial] = [recordsFile(file), `${recordsFile(file)}.partial`];
  removeDatabase(partial);
  const moved = connectRecords(partial, keys);
  try {
    moved.transaction(() => fill(db, moved, { keys, tick }))();
    // Leaves no log beside the file.
    moved.pragma('journal_mode = DELETE');
  } finally {
    moved.close();
  }
  syncFile(partial);
  // One that is there is what a cut upgrade left, or of a later graph in whose place this one was put.
  if (existsSync(name)) renameSync(name, `${name}.replaced`);
  removeDatabase(name);
  renameSync(partial, name);
  syncFolder(dirname(name));
  db.exec(
    "DROP TABLE record; DROP TABLE IF EXISTS forgotten; DELETE FROM meta WHERE name IN ('revision', 'linked_revision')",
  );
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

function fill(db: Db, moved: Db, { keys: { sealing }, tick }: Omit<Move, 'file'>): void {
  const insert = moved.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
  for (const row of rowsOf(db, 'record')) {
    insert.run(row.id, row.key, row.ref, row.identity, sealing.seal(recordText(row, sealing)));
    tick();
  }
  const merged = moved.prepare('INSERT INTO merged VALUES (?, ?)');
  const gone = db.prepare<[], [number, number | null]>(
    'SELECT id, merged_into FROM identity WHERE records = 0',
  );
  for (const row of gone.raw().all()) merged.run(...row);
  // Only later builds of version 3 had it.
  if (hasTable(db, 'forgotten')) {
    const forget = moved.prepare('INSERT INTO forgotten VALUES (?, ?)');
    for (const row of db.prepare<[], [Buffer, number]>('SELECT mark, time FROM forgotten').raw().all())
      forget.run(...row);
  }
  const of = (name: string) =>
    db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck().get(name) ?? '';
  writeRecordMeta(moved, 'revision', of('revision'));
  const stamp = readMeta(db, 'link_stamp') ?? '';
  writeRecordMeta(moved, 'link_stamp', stamp);
  // Another one tells that records are waiting to be linked.
  writeMeta(db, 'link_stamp', of('revision') === of('linked_revision') ? stamp : 'waiting');
}
