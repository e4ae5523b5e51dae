// What is kept of the records that the last import changed, so that it can be taken back: as sealed as they were.
import type { Db } from '../../../platform/sqlite.ts';
import type { AppliedImport } from '../../records.ts';
import type { Returned } from '../write/forgotten.ts';
import { readMeta, readRecordMeta, writeRecordMeta } from '../meta.ts';
import {
  endWatch,
  forgetNumbers,
  inTheirRows,
  type NumbersBefore,
  numbersBefore,
  watchNumbers,
} from '../numbers/before.ts';
import { graphStand, type Journal, type Put, revise } from '../write/records.ts';

export interface UndoTable {
  /** Begins anew: what was applied before can be taken back no more. */
  begin(what: object): Journal;
  /** What kept some of its records out before, so that it does again when it is taken back. */
  noteReturned(returned: Returned[]): void;
  last(): AppliedImport | null;
  takeBack(): { put: Put; left: number };
  /** Of what was taken back and is not published yet: the numbers that were before it. */
  before(): NumbersBefore | null;
  /** Marks what was applied as whole, with the state that the records are in then. */
  end(): void;
  /** Both files have what was applied: from now on a graph that has it not was lost, or is an older one. */
  confirm(): void;
  /** What was begun, or taken back, is not: the transaction failed. */
  failed(): void;
  /** Was the process killed between the commits of the two files, so that what was applied is in the records and not in the graph? */
  isHalf(): boolean;
  forget(): void;
}

const COUNTS = `SELECT count(*) FILTER (WHERE put IS NOT NULL AND before IS NULL) AS added,
  count(*) FILTER (WHERE put IS NOT NULL AND before IS NOT NULL) AS replaced,
  count(*) FILTER (WHERE put IS NULL) AS removed FROM undo`;

interface Undone {
  row: number;
  put: number | null;
  key: Buffer | null;
  ref: number | null;
  before: Buffer | null;
}

/** The nonce tells one sealing from all others: 32 bits of it will do to see that somebody else was there. */
export const stampOf = (sealed: Buffer): number => sealed.readUInt32LE(0);

/** @param onTakenBack called inside the transaction of `takeBack`, with what was noted as returned */
export function undoTable(db: Db, onTakenBack: (returned: Returned[]) => void = () => undefined): UndoTable {
  const kept = () => {
    const found = db.prepare<[], { at: number; what: string }>('SELECT at, what FROM applied').get();
    if (!found) return null;
    const { returned = [], ...what } = JSON.parse(found.what) as { returned?: Returned[] };
    return { at: found.at, what, returned };
  };
  const forget = () => {
    db.exec('DELETE FROM undo; DELETE FROM applied');
    forgetNumbers(db);
  };
  const stampThere = db.prepare<[], string | null>('SELECT stamp FROM applied').pluck();
  const stampOfApplied = () => stampThere.get() ?? null;
  let isWatching = false;
  let before: NumbersBefore | null = null;
  return {
    begin(what) {
      forget();
      watchNumbers(db);
      isWatching = true;
      db.prepare('INSERT INTO applied VALUES (?, ?, NULL)').run(new Date().getTime(), JSON.stringify(what));
      const insert = db.prepare('INSERT OR REPLACE INTO undo VALUES (?, ?, ?, ?, ?)');
      return {
        put: (row, { now, before }) => void insert.run(row, stampOf(now), null, null, before),
        removed: (row, { key, ref, sealed }) => void insert.run(row, null, key, ref, sealed),
      };
    },
    noteReturned(returned) {
      const what = JSON.stringify({ ...kept()?.what, returned });
      db.prepare('UPDATE applied SET what = ?').run(what);
    },
    last() {
      const found = kept();
      const counts = found && db.prepare<[], Omit<AppliedImport, 'at' | 'what'>>(COUNTS).get();
      return counts ? { at: found.at, what: found.what, ...counts } : null;
    },
    takeBack() {
      const were = numbersBefore(db);
      const work = () => {
        onTakenBack(kept()?.returned ?? []);
        return takeBack(db, forget);
      };
      const { rowNow, ...done } = db.transaction(work).immediate();
      before = inTheirRows(were, rowNow);
      return done;
    },
    before: () => before,
    end() {
      before = null;
      if (isWatching) endWatch(db);
      isWatching = false;
      db.prepare('UPDATE applied SET stamp = ? WHERE stamp IS NULL').run(readRecordMeta(db, 'link_stamp'));
    },
    confirm() {
      const stamp = stampOfApplied();
      if (stamp === null || stamp === readRecordMeta(db, 'applied_whole')) return;
      if (stamp === readMeta(db, 'link_stamp')) writeRecordMeta(db, 'applied_whole', stamp);
    },
    failed: () => void (before = null),
    isHalf() {
      const stamp = stampOfApplied();
      if (stamp === null || stamp === readRecordMeta(db, 'applied_whole')) return false;
      return stamp === readRecordMeta(db, 'link_stamp') && stamp !== readMeta(db, 'link_stamp');
    },
    forget: () => db.transaction(forget).immediate(),
  };
}

/** Answers besides, of records that were taken out, the row that each has now where it is another one; null where it is not there. */
function takeBack(
  db: Db,
  forget: () => void,
): { put: Put; left: number; rowNow: Map<number, number | null> } {
  const before = graphStand(db);
  const bereft = new Map<number, number | null>();
  const rows: number[] = [];
  const rowNow = new Map<number, number | null>();
  let left = 0;
  const back = taker(db);
  const page = db.prepare<[number], Undone>('SELECT * FROM undo WHERE row > ? ORDER BY row LIMIT 500');
  for (let some = page.all(-1); some.length > 0; some = page.all(some.at(-1)?.row ?? 0))
    for (const one of some) {
      const done = back(one);
      const row = typeof done === 'object' && 'restored' in done ? done.restored : null;
      if (one.put === null && row !== one.row) rowNow.set(one.row, row);
      if (done === 'left') left++;
      else if ('restored' in done) rows.push(done.restored);
      else bereft.set(one.row, done.bereft);
    }
  forget();
  revise(db, [...rows, ...bereft.keys()]);
  const put = { added: 0, replaced: rows.length, bereft, before, after: graphStand(db) };
  return { put: { ...put, rows: [...rows, ...bereft.keys()] }, left, rowNow };
}

/** Takes one row back, unless it is another one by now. */
function taker(db: Db) {
  const there = db.prepare<[number], { sealed: Buffer }>('SELECT sealed FROM record WHERE id = ?');
  const known = db.prepare<[Buffer], number>('SELECT 1 FROM record WHERE key = ?').pluck();
  const gone = db
    .prepare<[number], number | null>('DELETE FROM record WHERE id = ? RETURNING identity')
    .pluck();
  const replace = db.prepare('UPDATE record SET sealed = ? WHERE id = ?');
  const insert = db.prepare('INSERT INTO record (id, key, ref, sealed) VALUES (?, ?, ?, ?)');
  return ({
    row,
    put,
    key,
    ref,
    before,
  }: Undone): 'left' | { restored: number } | { bereft: number | null } => {
    const now = there.get(row);
    if (put === null) {
      if (!key || known.get(key) !== undefined) return 'left';
      const { lastInsertRowid } = insert.run(now ? null : row, key, ref, before);
      return { restored: Number(lastInsertRowid) };
    }
    if (!now || stampOf(now.sealed) !== put) return 'left';
    if (before === null) return { bereft: gone.get(row) ?? null };
    replace.run(before, row);
    return { restored: row };
  };
}
