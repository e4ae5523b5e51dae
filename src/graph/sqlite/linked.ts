// What linking remembers, kept in step with the graph: what does not fit the graph as it is is never used.
import type { LinkedPart, LinkCache } from '../linking.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { type Db, onceFor, translated, translatedPages } from '../../platform/sqlite.ts';
import { publishPart, type PublishedKeys } from './write/publish-part.ts';
import type { PublishTarget, PublishTold } from './write/publish.ts';
import { followChanges } from './incoming/late.ts';
import { graphStand, type RecordChange } from './write/records.ts';
import { GRAPH, RECORDS } from './schema.ts';
import { type LinkErasing, createLinkErasing } from '../link-cache/erasing.ts';
import { createLinkFileBuilder, type LinkFileBuilder } from '../link-cache/builder.ts';
import { openLinkCacheTables } from '../link-cache/tables.ts';
import { createLinkFileGuard, runUnlessLost } from '../link-cache/damage-guard.ts';
import {
  LINK_FILE_KIND,
  toNumbers,
  isSameGraphState,
  readGraphState,
  runUnlessBusy,
  writeGraphState,
} from '../link-cache/link-file.ts';

export interface LinkFile {
  index: LinkCache;
  /** Notes changed records, which are to be linked. */
  noteChange(change: RecordChange): void;
  readonly erased: LinkErasing;
  /** Is told what is published of all records, and remembers it where it was rebuilt for that. */
  telling(builder: unknown): PublishTold & { done(late: number[]): void };
  /**
   * From here to `release`, what is remembered changes together with the graph, or not at all: a process that is killed leaves both as they
   * were. What remembers all records anew is kept piece by piece all the same.
   */
  hold(): void;
  release(keep: boolean): void;
  /** What the file itself says, for holding it against what it should say; null where it turns out to be damaged, and is gone. */
  reading<T>(work: (db: Db) => T): T | null;
  close(): void;
}

/** @param file where it is remembered; made where it is not there, when it is first asked. Errors: those of `connect`. */
export function openLinks(file: string, sealing: Sealing, target: PublishTarget): LinkFile {
  const stand = () => graphStand(target.db);
  let isHeld = false;
  const { opened, guarded, isLost, unlessDamaged, close } = createLinkFileGuard(file, (db) => ({
    db,
    tables: openLinkCacheTables(db, sealing, stand),
    keys: publishedTable(db),
  }));
  const erased = () => {
    const { db, tables } = opened();
    return createLinkErasing(db, tables);
  };
  /** By what changes are noted that came since each began. */
  const builders = new Map<unknown, string>();
  const begin = () => {
    const { db, tables } = opened();
    tables.forget();
    if (db.inTransaction) db.exec('COMMIT');
    const builder = guarded(createLinkFileBuilder(db, sealing));
    const { groups } = builder;
    return { ...builder, groups: () => translatedPages(file, groups, LINK_FILE_KIND) };
  };
  const tables = guarded({
    index: () => opened().tables.index,
    publish(part: LinkedPart) {
      const { db, keys, tables } = opened();
      const identities = publishAndKeep({ db, target, keys: guarded(keys) }, part);
      if (identities !== null) tables.keep();
      return identities;
    },
    hold() {
      const { db } = opened();
      isHeld = !db.inTransaction && runUnlessBusy(() => (db.exec('BEGIN IMMEDIATE'), true)) === true;
    },
    release(keep: boolean) {
      const { db, tables } = opened();
      if (!keep) tables.forget();
      if (isHeld && db.inTransaction) db.exec(keep ? 'COMMIT' : 'ROLLBACK');
      isHeld = false;
    },
    noteChange: (change: RecordChange) => pend(opened().db, change),
    begin,
  });
  return {
    get index() {
      return {
        ...guarded(runUnlessLost(tables.index, isLost) ?? tables.index()),
        publishPart: tables.publish,
        isDiscarded: isLost,
        rebuild() {
          const noted = translated(target.db.name, () => followChanges(target.db), RECORDS);
          const builder = runUnlessLost(tables.begin, isLost) ?? tables.begin();
          builders.set(builder, noted);
          return builder;
        },
      };
    },
    get erased() {
      return guarded(guarded({ erased }).erased());
    },
    noteChange: (change) => void runUnlessLost(() => tables.noteChange(change), isLost),
    telling(given) {
      const builder = builders.has(given) ? (given as LinkFileBuilder) : null;
      return {
        published: (id, all) => builder?.addPublished(id, bytesOf(all)),
        redirect: (number, heir) => builder?.addRedirect(number, heir),
        done: (late) => builder?.complete(stand(), late),
        noted: builders.get(given) ?? null,
        through: builder?.highestRow() ?? 0,
      };
    },
    hold: () => void runUnlessLost(tables.hold, isLost),
    release: (keep) => runUnlessLost(() => tables.release(keep), isLost),
    reading: (work) => unlessDamaged(() => work(opened().db)),
    close,
  };
}

function pend(db: Db, { rows, removed, before, after }: RecordChange): void {
  const insert = pending(db);
  const remember = () => {
    if (!isSameGraphState(readGraphState(db), before)) return;
    for (const row of rows) insert.run(row, removed.get(row) ?? null);
    writeGraphState(db, after);
  };
  runUnlessBusy(() => db.transaction(remember).immediate());
}

const pending = onceFor((db) =>
  db.prepare(
    'INSERT INTO pending VALUES (?, ?) ON CONFLICT DO UPDATE SET identity = coalesce(identity, excluded.identity)',
  ),
);

function publishAndKeep(
  { db, target, keys }: { db: Db; target: PublishTarget; keys: PublishedKeys },
  part: LinkedPart,
): number | null {
  const write = () =>
    isSameGraphState(readGraphState(db), graphStand(target.db)) ? publishPart(target, part, keys) : null;
  const identities = translated(target.db.name, () => target.db.transaction(write).immediate(), GRAPH);
  if (identities === null) return null;
  db.exec('DELETE FROM pending');
  writeGraphState(db, graphStand(target.db));
  return identities;
}

function publishedTable(db: Db): PublishedKeys {
  const get = db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO published VALUES (?, ?)');
  const gone = db.prepare('DELETE FROM published WHERE id = ?');
  const leads = db.prepare<[number], [number, number | null]>(
    'SELECT number, heir FROM redirect WHERE heir = ?',
  );
  const redirect = db.prepare('INSERT OR REPLACE INTO redirect VALUES (?, ?)');
  const lives = db.prepare('DELETE FROM redirect WHERE number = ?');
  return {
    of: (id) => toNumbers(get.get(id)),
    set: (id, keys) => void put.run(id, bytesOf(keys)),
    forget: (id) => void gone.run(id),
    leadingTo: (ids) => ids.flatMap((id) => leads.raw().all(id)),
    redirect: (number, heir) => void redirect.run(number, heir),
    lives: (number) => void lives.run(number),
  };
}

const bytesOf = (numbers: ArrayLike<number>) => Buffer.from(Float64Array.from(numbers).buffer);
