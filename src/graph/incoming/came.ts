// Records on their way in, in a database of the process's own that nobody else sees: for every engine, until it takes them in.
import { scratch } from '../../platform/sqlite.ts';
import type { IncomingRecords } from '../records.ts';
import type { RecordSealing } from '../encryption/sealed-records.ts';

export interface Came {
  place: number;
  key: Buffer;
  ref: number | null;
  /** Nothing where the record is to be taken out. */
  sealed: Buffer | null;
}

/** Records that go over at a time. */
export const BATCH = 500;

export interface CameIn extends Omit<IncomingRecords, 'apply'> {
  /** What came, in its order. */
  pages(): Iterable<Came[]>;
}

/** Each record sealed as the graph will keep it; see `Incoming` in graph.ts. */
export function cameIn(table: RecordSealing): CameIn {
  const db = scratch();
  db.exec('CREATE TABLE came (place INTEGER PRIMARY KEY, key BLOB NOT NULL, ref INTEGER, sealed BLOB)');
  const insert = db.prepare('INSERT INTO came (key, ref, sealed) VALUES (?, ?, ?)');
  const add = db.transaction((all: Omit<Came, 'place'>[]) => {
    for (const { key, ref, sealed } of all) insert.run(key, ref, sealed);
  });
  const page = db.prepare<[number], Came>(`SELECT * FROM came WHERE place > ? ORDER BY place LIMIT ${BATCH}`);
  let isIn: ((key: string) => boolean) | undefined;
  return {
    put: (records) => add(records.map(table.seal)),
    putSealed: (records) => add(records),
    remove: (names) => add(names.map((name) => ({ key: table.keyOf(name), ref: null, sealed: null }))),
    resolveDuplicates(merge) {
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
    *pages() {
      for (let some = page.all(0); some.length > 0; some = page.all(some.at(-1)?.place ?? 0)) yield some;
    },
    drop: () => void db.close(),
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
function settler(
  db: Scratch,
  table: RecordSealing,
  merge: Parameters<IncomingRecords['resolveDuplicates']>[0],
) {
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
