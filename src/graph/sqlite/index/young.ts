// What came last is kept at hand, and goes into its tables a slice of all keys at a time: each key of a record lies on another page, so
// that writing them as they come would write two dozen pages for one record.
import { COUNTED, type Facts } from '../../../link/counted/facts.ts';
import type { Db } from '../../../platform/sqlite.ts';
import { type Behind, entriesOf } from './entries.ts';
import { readJson, writeLinkMeta } from './link-file.ts';

/** Ranges of keys; in each step what is at hand of one of them is written, in turns. */
const SLICES = 64;
/** So many records come between two steps: `SLICES` times as many are at hand, some three kilobytes each. */
const EVERY = 128;
const SLICE = 2 ** 52 / SLICES;

const sliceOf = (key: number) => Math.floor(Math.abs(key) / SLICE) % SLICES;

/** How many steps there were, and how many records came since the last. */
interface Stand {
  step: number;
  came: number;
}

export interface Young {
  /** Reads what is at hand anew: another connection has changed it, or changes were taken back. */
  load(): void;
  behind(key: number): Behind[];
  count(what: number, key: number): number | undefined;
  setCount(what: number, key: number, count: number): void;
  /** Facts of a row that are new, whose entries are put at hand. */
  enter(row: number, facts: Facts): void;
  /** Takes an entry away. False where it is not at hand. */
  leave(key: number, entry: Behind): boolean;
  /** Nothing of the row is at hand any more. */
  forgetRow(row: number): void;
  /** Writes down what changed, and takes the steps that are due. */
  keep(): void;
  /** Writes everything into its tables. */
  foldAll(): void;
  entries(): [key: number, person: number, row: number][];
  counts(): [what: number, key: number, count: number][];
}

/**
 * @param factsOf of a row
 * @param options `onFold` is told when something went into the tables; `every`: see `EVERY`
 */
export function youngEntries(
  db: Db,
  factsOf: (row: number) => Facts | null,
  { onFold = () => undefined, every = EVERY }: { onFold?: () => void; every?: number } = {},
): Young {
  const entries = Array.from({ length: SLICES }, () => new Map<number, Behind[]>());
  const counts = Array.from({ length: SLICES }, () =>
    Object.values(COUNTED).map(() => new Map<number, number>()),
  );
  const file = youngTables(db);
  let stand: Stand = { step: 0, came: 0 };
  let [rows, changed] = [new Map<number, boolean>(), new Map<string, [number, number, number]>()];

  const behindIn = (key: number) => entries[sliceOf(key)]?.get(key);
  const add = (key: number, person: number, row: number) => {
    const known = behindIn(key);
    if (!known) return void entries[sliceOf(key)]?.set(key, [{ row, person }]);
    const at = known.findIndex((one) => one.person > person || (one.person === person && one.row > row));
    known.splice(at < 0 ? known.length : at, 0, { row, person });
  };
  const countsOf = (what: number, key: number) => counts[sliceOf(key)]?.[what];
  const clear = () => {
    for (const slice of entries) slice.clear();
    for (const all of counts) for (const one of all) one.clear();
    rows = new Map();
    changed = new Map();
  };
  const fold = (slice: number) => {
    const [some, others] = [entries[slice] ?? new Map<number, Behind[]>(), counts[slice] ?? []];
    for (const key of [...some.keys()].sort((a, b) => a - b)) {
      for (const { row, person } of some.get(key) ?? []) file.enter(key, person, row);
    }
    some.clear();
    for (const [what, one] of others.entries()) {
      for (const key of [...one.keys()].sort((a, b) => a - b)) file.count(what, key, one.get(key) ?? 0);
      one.clear();
    }
  };
  const step = () => {
    fold(++stand.step % SLICES);
    file.prune(stand.step - SLICES);
    onFold();
  };
  const keep = () => {
    for (const [row, isYoung] of rows) file.mark(row, isYoung ? stand.step : null);
    if (changed.size > 0) file.note(stand.step, [...changed.values()]);
    stand.came += rows.size;
    [rows, changed] = [new Map(), new Map()];
    // After so many steps nothing is at hand any more.
    for (let due = Math.min(SLICES, Math.floor(stand.came / every)); due > 0; due--) step();
    stand.came %= every;
    writeLinkMeta(db, 'fold', JSON.stringify(stand));
  };
  return {
    load() {
      clear();
      stand = { step: 0, came: 0, ...(readJson(db, 'fold') as Partial<Stand>) };
      const isHere = (key: number, since: number) => !wasFolded(sliceOf(key), since, stand.step);
      for (const [row, since] of file.rows()) {
        const facts = factsOf(row);
        for (const [key, person] of facts ? entriesOf(facts) : [])
          if (isHere(key, since)) add(key, person, row);
      }
      for (const [since, some] of file.counts())
        for (const [what, key, count] of some) if (isHere(key, since)) countsOf(what, key)?.set(key, count);
    },
    behind: (key) => behindIn(key) ?? NONE,
    count: (what, key) => countsOf(what, key)?.get(key),
    setCount(what, key, count) {
      countsOf(what, key)?.set(key, count);
      changed.set(`${what} ${key}`, [what, key, count]);
    },
    enter(row, facts) {
      if (rows.size >= SLICES * every) keep();
      for (const [key, person] of entriesOf(facts)) add(key, person, row);
      rows.set(row, true);
    },
    leave(key, { row, person }) {
      const known = behindIn(key);
      const at = known?.findIndex((one) => one.row === row && one.person === person) ?? -1;
      if (!known || at < 0) return false;
      known.splice(at, 1);
      if (known.length === 0) entries[sliceOf(key)]?.delete(key);
      return true;
    },
    forgetRow: (row) => void rows.set(row, false),
    keep,
    foldAll() {
      if (file.isEmpty()) return;
      for (let slice = 0; slice < SLICES; slice++) step();
      writeLinkMeta(db, 'fold', JSON.stringify(stand));
    },
    entries: () =>
      entries.flatMap((slice) =>
        [...slice].flatMap(([key, some]) =>
          some.map(({ row, person }): [number, number, number] => [key, person, row]),
        ),
      ),
    counts: () =>
      counts.flatMap((slice) =>
        slice.flatMap((one, what) =>
          Array.from(one, ([key, count]): [number, number, number] => [what, key, count]),
        ),
      ),
  };
}

const NONE: Behind[] = [];

/** Was the slice written in a step after `since`, up to `step`? */
function wasFolded(slice: number, since: number, step: number): boolean {
  const next = since + 1 + ((((slice - (since + 1)) % SLICES) + SLICES) % SLICES);
  return next <= step;
}

type Counted = [what: number, key: number, count: number];

function youngTables(db: Db) {
  const rows = db.prepare<[], [number, number]>('SELECT row, since FROM young ORDER BY row').raw();
  const mark = db.prepare('INSERT OR REPLACE INTO young VALUES (?, ?)');
  const unmark = db.prepare('DELETE FROM young WHERE row = ?');
  const noted = db.prepare<[], [number, Buffer]>('SELECT since, counts FROM young_count ORDER BY id').raw();
  const note = db.prepare('INSERT INTO young_count (since, counts) VALUES (?, ?)');
  const old = ['young', 'young_count'].map((table) => db.prepare(`DELETE FROM ${table} WHERE since <= ?`));
  const any = db.prepare('SELECT 1 FROM young UNION ALL SELECT 1 FROM young_count LIMIT 1');
  const enter = db.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?)');
  const put = db.prepare('INSERT OR REPLACE INTO tally VALUES (?, ?, ?)');
  const gone = db.prepare('DELETE FROM tally WHERE what = ? AND key = ?');
  return {
    rows: () => rows.all(),
    mark: (row: number, since: number | null) => (since === null ? unmark.run(row) : mark.run(row, since)),
    isEmpty: () => any.get() === undefined,
    *counts(): Iterable<[since: number, counts: Counted[]]> {
      for (const [since, bytes] of noted.all()) yield [since, triplesIn(bytes)];
    },
    note: (since: number, counts: Counted[]) =>
      note.run(since, Buffer.from(Float64Array.from(counts.flat()).buffer)),
    prune(step: number) {
      for (const statement of old) statement.run(step);
    },
    enter: (key: number, person: number, row: number) => enter.run(key, person, row),
    count: (what: number, key: number, count: number) =>
      count > 0 ? put.run(what, key, count) : gone.run(what, key),
  };
}

function triplesIn(bytes: Buffer): Counted[] {
  const numbers = new Float64Array(bytes.length / 8);
  Buffer.from(numbers.buffer).set(bytes);
  const triples: Counted[] = [];
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    const [what = 0, key = 0, count = 0] = numbers.subarray(at, at + 3);
    triples.push([what, key, count]);
  }
  return triples;
}
