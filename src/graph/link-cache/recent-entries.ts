// What came last is kept at hand, and goes into its tables a slice of all keys at a time: each key of a record lies on another page, so
// that writing them as they come would write two dozen pages for one record.
import type { Facts } from '../../link/counted/facts.ts';
import type { Db } from '../../platform/sqlite.ts';
import { readOrReportDamage, readLinkMetaJson, writeLinkMeta } from './link-file.ts';

/**
 * Ranges of keys. With each record that comes what is at hand of one of them is written, in turns: so many records are at hand, some three
 * kilobytes each, and none of them has to wait for more than a few pages.
 */
const SLICES = 8192;
/** Steps after which what lies in the tables is noted no more. */
const PRUNE_EVERY = 64;

/** How many steps there were. */
interface Stand {
  step: number;
}

/** What is at hand of a range of keys. */
interface Slice {
  entries: Map<number, KeyHolder[]>;
  /** By what is counted. */
  counts: Map<number, Map<number, number>>;
}

export interface RecentEntries {
  /** Reads what is at hand anew: another connection has changed it, or changes were taken back. */
  load(): void;
  listHolders(key: number): KeyHolder[];
  getCount(what: number, key: number): number | undefined;
  setCount(what: number, key: number, count: number): void;
  /** Facts of a row that are new, whose entries are put at hand. */
  addFacts(row: number, facts: Facts): void;
  /** Takes an entry away. False where it is not at hand. */
  removeEntry(key: number, entry: KeyHolder): boolean;
  /** Nothing of the row is at hand any more. */
  forgetRow(row: number): void;
  /** Writes down what changed, and takes the steps that are due. */
  save(): void;
  /** Writes everything into its tables. */
  mergeAll(): void;
  listEntries(): [key: number, person: number, row: number][];
  listCounts(): [what: number, key: number, count: number][];
}

/**
 * @param factsOf of a row
 * @param options `onFold` is told of the keys of which something went into the tables
 */
export function createRecentEntries(
  db: Db,
  factsOf: (row: number) => Facts | null,
  { onFold = () => undefined, slices = SLICES }: { onFold?: (keys: number[]) => void; slices?: number } = {},
): RecentEntries {
  const width = 2 ** 52 / slices;
  const sliceOf = (key: number) => Math.floor(Math.abs(key) / width) % slices;
  /** Made when something comes into them: mostly few have anything. */
  const atHand = new Map<number, Slice>();
  const file = youngTables(db);
  let stand: Stand = { step: 0 };
  let [rows, changed] = [new Map<number, boolean>(), new Map<string, [number, number, number]>()];

  const sliceFor = (key: number): Slice => {
    const slice = sliceOf(key);
    let one = atHand.get(slice);
    if (!one) atHand.set(slice, (one = { entries: new Map(), counts: new Map() }));
    return one;
  };
  const behindIn = (key: number) => atHand.get(sliceOf(key))?.entries.get(key);
  const add = (key: number, person: number, row: number) => {
    const { entries } = sliceFor(key);
    const known = entries.get(key);
    if (!known) return void entries.set(key, [{ row, person }]);
    const at = known.findIndex((one) => one.person > person || (one.person === person && one.row > row));
    known.splice(at < 0 ? known.length : at, 0, { row, person });
  };
  const put = (what: number, key: number, count: number) => {
    const { counts } = sliceFor(key);
    const some = counts.get(what);
    if (some) some.set(key, count);
    else counts.set(what, new Map([[key, count]]));
  };
  const clear = () => {
    atHand.clear();
    rows = new Map();
    changed = new Map();
  };
  const fold = (slice: number) => {
    const some = atHand.get(slice);
    if (!some) return;
    const { entries, counts } = some;
    onFold([...entries.keys(), ...[...counts.values()].flatMap((one) => [...one.keys()])]);
    for (const [key, behind] of inOrder(entries))
      for (const { row, person } of behind) file.enter(key, person, row);
    for (const [what, one] of inOrder(counts))
      for (const [key, count] of inOrder(one)) file.count(what, key, count);
    atHand.delete(slice);
  };
  const step = () => {
    fold(++stand.step % slices);
    if (stand.step % PRUNE_EVERY === 0) file.prune(stand.step - slices);
  };
  const keep = () => {
    for (const [row, isYoung] of rows) file.mark(row, isYoung ? stand.step : null);
    if (changed.size > 0) file.note(stand.step, [...changed.values()]);
    // After so many steps nothing is at hand any more.
    for (let due = Math.min(slices, rows.size); due > 0; due--) step();
    [rows, changed] = [new Map(), new Map()];
    writeLinkMeta(db, 'fold', JSON.stringify(stand));
  };
  return {
    load() {
      clear();
      stand = { step: 0, ...(readLinkMetaJson(db, 'fold') as Partial<Stand>) };
      // Was its slice written in none of the steps since?
      const isHere = (key: number, since: number) => {
        const first = since + 1;
        return first + ((((sliceOf(key) - first) % slices) + slices) % slices) > stand.step;
      };
      for (const [row, since] of file.rows()) {
        const facts = factsOf(row);
        for (const [key, person] of facts ? keysOfFacts(facts) : [])
          if (isHere(key, since)) add(key, person, row);
      }
      for (const [since, some] of file.counts())
        for (const [what, key, count] of some) if (isHere(key, since)) put(what, key, count);
    },
    listHolders: (key) => behindIn(key) ?? NONE,
    getCount: (what, key) => atHand.get(sliceOf(key))?.counts.get(what)?.get(key),
    setCount(what, key, count) {
      put(what, key, count);
      changed.set(`${what} ${key}`, [what, key, count]);
    },
    addFacts(row, facts) {
      if (rows.size >= slices) keep();
      for (const [key, person] of keysOfFacts(facts)) add(key, person, row);
      rows.set(row, true);
    },
    removeEntry(key, { row, person }) {
      const known = behindIn(key);
      const at = known?.findIndex((one) => one.row === row && one.person === person) ?? -1;
      if (!known || at < 0) return false;
      known.splice(at, 1);
      if (known.length === 0) atHand.get(sliceOf(key))?.entries.delete(key);
      return true;
    },
    forgetRow: (row) => void rows.set(row, false),
    save: keep,
    mergeAll() {
      if (file.isEmpty()) return;
      for (let slice = 0; slice < slices; slice++) step();
      file.prune(stand.step - slices);
      writeLinkMeta(db, 'fold', JSON.stringify(stand));
    },
    listEntries: () =>
      [...atHand.values()].flatMap(({ entries }) =>
        [...entries].flatMap(([key, some]) =>
          some.map(({ row, person }): [number, number, number] => [key, person, row]),
        ),
      ),
    listCounts: () =>
      [...atHand.values()].flatMap(({ counts }) =>
        [...counts].flatMap(([what, some]) =>
          Array.from(some, ([key, count]): [number, number, number] => [what, key, count]),
        ),
      ),
  };
}

const NONE: KeyHolder[] = [];

const inOrder = <T>(some: Map<number, T>): [number, T][] => [...some].sort(([a], [b]) => a - b);

type Counted = [what: number, key: number, count: number];

function youngTables(db: Db) {
  const rows = db.prepare<[], [number, number]>('SELECT row, since FROM young ORDER BY row').raw();
  const mark = db.prepare('INSERT OR REPLACE INTO young VALUES (?, ?)');
  const unmark = db.prepare('DELETE FROM young WHERE row = ?');
  const noted = db.prepare<[], [number, Buffer]>('SELECT since, counts FROM young_count ORDER BY id').raw();
  const note = db.prepare('INSERT INTO young_count (since, counts) VALUES (?, ?)');
  const oldRows = db.prepare('DELETE FROM young WHERE since <= ?');
  // They are in the order of their steps: only those that go are looked at, and one more.
  const oldCounts = db.prepare(
    'DELETE FROM young_count WHERE id < coalesce((SELECT id FROM young_count WHERE since > ? ORDER BY id LIMIT 1), 9e15)',
  );
  const any = db.prepare('SELECT 1 FROM young UNION ALL SELECT 1 FROM young_count LIMIT 1');
  const enter = db.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?)');
  const put = db.prepare('INSERT OR REPLACE INTO tally VALUES (?, ?, ?)');
  const gone = db.prepare('DELETE FROM tally WHERE what = ? AND key = ?');
  return {
    rows: () => rows.all(),
    mark: (row: number, since: number | null) => (since === null ? unmark.run(row) : mark.run(row, since)),
    isEmpty: () => any.get() === undefined,
    *counts(): Iterable<[since: number, counts: Counted[]]> {
      for (const [since, bytes] of noted.all()) yield [since, readOrReportDamage(() => triplesIn(bytes))];
    },
    note: (since: number, counts: Counted[]) =>
      note.run(since, Buffer.from(Float64Array.from(counts.flat()).buffer)),
    prune(step: number) {
      oldRows.run(step);
      oldCounts.run(step);
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

/** One record behind a key, and whom it may be by name; see `NOBODY`. */
export interface KeyHolder {
  row: number;
  person: number;
}

/** The person of what is found under a key that nobody is compared for. */
export const NO_PERSON = -1;

/** Under what a record is found, and by which person; `NOBODY` where nobody is compared for it. */
export function* keysOfFacts({
  contacts,
  keys,
  words,
  streets,
  label,
  person,
}: Facts): Iterable<[key: number, person: number]> {
  for (const key of [...contacts, ...keys]) yield [key, person];
  for (const key of [...words, ...streets]) yield [key, NO_PERSON];
  if (label !== 0) yield [label, NO_PERSON];
}
