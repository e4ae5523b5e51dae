import { scratch } from '../../../platform/sqlite.ts';
import type { Incoming } from '../../graph.ts';
import type { SealedRecord } from '../../sealed/record.ts';
import type { Put, RecordTable } from '../write/records.ts';
import type { ForgottenTable } from '../write/forgotten.ts';
import type { JudgementTable } from '../write/judged.ts';
import type { UndoTable } from './undo.ts';

interface Came {
  place: number;
  key: Buffer;
  ref: number | null;
  /** Nothing where the record is to be taken out. */
  sealed: Buffer | null;
}

/** Records that go over at a time. */
const BATCH = 500;

export interface IncomingTarget {
  table: RecordTable;
  undo: UndoTable;
  forgotten: ForgottenTable;
  judging: JudgementTable;
  /** Is told what was put or taken out. */
  noted(put: Put): Put;
}

/** Records on their way in, each sealed as the graph will keep it; see `Incoming` in graph.ts. */
export function incomingRecords(target: IncomingTarget): Incoming {
  const { table, undo, noted } = target;
  const db = scratch();
  db.exec('CREATE TABLE came (place INTEGER PRIMARY KEY, key BLOB NOT NULL, ref INTEGER, sealed BLOB)');
  const insert = db.prepare('INSERT INTO came (key, ref, sealed) VALUES (?, ?, ?)');
  const add = db.transaction((all: (SealedRecord | { key: Buffer })[]) => {
    for (const one of all) {
      const { ref, sealed } = 'sealed' in one ? one : { ref: null, sealed: null };
      insert.run(one.key, ref, sealed);
    }
  });
  const page = db.prepare<[number], Came>(`SELECT * FROM came WHERE place > ? ORDER BY place LIMIT ${BATCH}`);
  let isIn: ((key: string) => boolean) | undefined;
  return {
    put: (records) => add(records.map(table.seal)),
    remove: (names) => add(names.map((name) => ({ key: table.keyOf(name) }))),
    settle(merge) {
      db.exec(
        'CREATE TABLE again AS SELECT key FROM came GROUP BY key HAVING count(*) > 1 ORDER BY min(place)',
      );
      const count = db.prepare<[], number>('SELECT count(*) FROM again').pluck().get() ?? 0;
      if (count === 0) return;
      const settleOne = settler(db, table, merge);
      const again = db.prepare<[number], Buffer>('SELECT key FROM again WHERE rowid = ?').pluck();
      for (let at = 1; at <= count; at++) settleOne(again.get(at) ?? Buffer.alloc(0));
    },
    has: (key) => (isIn ??= lookUp(db))(key),
    apply({ journal, allowReturn = false } = {}) {
      const kept = journal && undo.begin(journal);
      const done = { added: 0, replaced: 0, removed: 0, barred: 0, alike: 0 };
      const admitted = admission(target, allowReturn);
      const gone: Buffer[] = [];
      for (let some = page.all(0); some.length > 0; some = page.all(some.at(-1)?.place ?? 0)) {
        const came = some.flatMap(({ key, ref, sealed }) => (sealed ? [{ key, ref: ref ?? 0, sealed }] : []));
        const { records, alike } = admitted(came);
        done.alike += alike;
        const { added, replaced } = noted(table.put(records, kept));
        done.barred += came.length - records.length;
        done.added += added;
        done.replaced += replaced;
        // After all that is put, so that no row's number is given again.
        for (const { key, sealed } of some) if (!sealed) gone.push(key);
      }
      for (let at = 0; at < gone.length; at += BATCH)
        done.removed += noted(table.remove(gone.slice(at, at + BATCH), kept)).rows.length;
      return done;
    },
    drop: () => void db.close(),
  };
}

/** Asked while the records are put, so that nobody is forgotten or judged in between; where nobody was, nothing is opened for it. */
function admission({ table, forgotten, judging }: IncomingTarget, allowReturn: boolean) {
  if (forgotten.barred() === 0 && !judging.isAny())
    return (came: SealedRecord[]) => ({ records: came, alike: 0 });
  return (came: SealedRecord[]): { records: SealedRecord[]; alike: number } => {
    const opened = new Map(came.map((one) => [table.open(one.sealed), one]));
    const { records, alike } = forgotten.admit([...opened.keys()], allowReturn);
    const sealed = records.flatMap((record) => {
      const labelled = judging.labelled(record);
      return labelled === record ? (opened.get(record) ?? []) : table.seal(labelled);
    });
    return { records: sealed, alike };
  };
}

type Scratch = ReturnType<typeof scratch>;

const INDEX = 'CREATE INDEX IF NOT EXISTS came_key ON came (key)';

function lookUp(db: Scratch): (key: string) => boolean {
  db.exec(INDEX);
  const one = db.prepare<[Buffer]>('SELECT 1 FROM came WHERE key = ?');
  return (key) => one.get(Buffer.from(key, 'hex')) !== undefined;
}

/** Leaves of one record name what came last, or what was made of all of it. */
function settler(db: Scratch, table: RecordTable, merge: Parameters<Incoming['settle']>[0]) {
  db.exec(INDEX);
  const ends = db.prepare<[Buffer], { first: number; last: number; gone: number | null }>(
    'SELECT min(place) AS first, max(place) AS last, max(iif(sealed IS NULL, place, NULL)) AS gone FROM came WHERE key = ?',
  );
  const next = db.prepare<[Buffer, number, number], Came>(
    'SELECT * FROM came WHERE key = ? AND place > ? AND place <= ? ORDER BY place LIMIT 1',
  );
  const leave = db.prepare('DELETE FROM came WHERE key = ? AND place > ? AND place <= ?');
  const insert = db.prepare('INSERT INTO came (key, ref, sealed) VALUES (?, ?, ?)');
  const replace = db.prepare('UPDATE came SET key = ?, ref = ?, sealed = ? WHERE place = ?');
  const between = function* (key: Buffer, after: number, last: number) {
    for (let one = next.get(key, after, last); one; one = next.get(key, one.place, last))
      if (one.sealed) yield table.open(one.sealed);
  };
  return (key: Buffer): void => {
    const { first = 0, last = 0, gone = null } = ends.get(key) ?? {};
    let stays: Omit<Came, 'place'> | undefined = next.get(key, last - 1, last);
    if (merge && gone !== last) {
      stays = undefined;
      for (const record of merge(between(key, gone ?? 0, last))) {
        const made = table.seal(record);
        if (stays) insert.run(made.key, made.ref, made.sealed);
        else stays = made;
      }
    }
    leave.run(key, first, last);
    if (stays) replace.run(stays.key, stays.ref, stays.sealed, first);
  };
}
