// Link cache of a graph (results of linking, for the next import): an SQLite file, for a graph in SQLite or PostgreSQL. It is used only if it matches
// the present state of the graph.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Awaitable } from '../../model.ts';
import { makeFolder } from '../../platform/files.ts';
import { type Db, iterateWithSqliteErrors } from '../../platform/sqlite.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import { createLinkCacheFileBuilder, type LinkCacheFileBuilder } from '../link-cache/builder.ts';
import { createLinkCacheDamageGuard } from '../link-cache/damage-guard.ts';
import { createLinkCacheErasureOperations, type LinkCacheErasureOperations } from '../link-cache/erasing.ts';
import {
  type GraphState,
  isSameGraphState,
  LINK_CACHE_FILE_TYPE_DEFINITION,
  readLinkCacheGraphState,
  runUnlessLinkCacheFileLocked,
  writeLinkCacheGraphState,
} from '../link-cache/link-file.ts';
import { openLinkCacheTables } from '../link-cache/tables.ts';
import { createLinkCacheVerifier, requireReadableLinkCacheFile } from '../link-cache/verify.ts';
import type { LinkCache, LinkCacheBuilder, PartialLinkingResult } from '../linking.ts';
import type { LinkCacheVerifier } from '../verifying.ts';

/** Changed record row. `identity`: identity of a deleted record; null for an existing record, or for a deleted one without identity. */
export type ChangedRowAndFormerIdentity = [row: number, identity: number | null];

/** Log of the record rows that changed since the last linking. */
export interface RecordChangeLog {
  /** Returns the present state of the graph; null if the log does not contain all changes. */
  state(): Awaitable<GraphState | null>;
  /** Adds all later changes to a link cache and returns the present state of the graph; null if the log does not contain all changes. */
  catchUp(file: OutdatedLinkCache): Awaitable<GraphState | null>;
  /** Starts to log the rows that change while all records are linked. Returns the value to pass to `changedSince`. */
  follow(): Awaitable<unknown>;
  /** Ends the log that `follow` started. Returns the changed rows, ascending; null if they are unknown. */
  changedSince(followed: unknown): Awaitable<number[] | null>;
}

/** Link cache that can be updated to the present state of the graph. */
interface OutdatedLinkCache {
  state: GraphState;
  globals: string;
  /** Adds changed rows to the link cache and sets its recorded graph state. Returns false if another process has locked the file. */
  addPending(rows: readonly ChangedRowAndFormerIdentity[], state: GraphState): boolean;
}

export interface LinkCacheFile {
  readonly cache: LinkCache;
  /** Returns the functions that erase records from the link cache file; null if there is no file. */
  erasing(): LinkCacheErasureOperations | null;
  /** Reads the present state of the graph, with which the recorded state of the link cache is compared. */
  refreshState(): Promise<void>;
  /** Adds changed rows to the link cache if its recorded state is `before`. The recorded state is then `after`. */
  noteChange(change: {
    rows: readonly ChangedRowAndFormerIdentity[];
    before: GraphState;
    after: GraphState;
  }): void;
  /** Returns the link cache that a builder fills; null for an unknown builder. */
  findBuilder(builder: LinkCacheBuilder | null | undefined): LinkCacheUnderConstruction | null;
  /** Starts to log changed rows for the most recently created builder. Call it before all records are read. */
  followChanges(): Promise<void>;
  /**
   * Starts a transaction of the link cache file. `release` ends it after the transaction of the graph: it commits (`keep`) or rolls back. If the
   * commit fails, for example on a full disk, `release` deletes the file.
   */
  hold(): void;
  release(keep: boolean): void;
  /** Begins a consistent read of the link cache file, for comparing it with the graph. */
  beginReading(): Promise<LinkCacheVerification>;
  /** Runs work on the link cache file. Errors: `damaged_database`; the file is then deleted. */
  run<T>(work: (db: Db) => T): T;
  /** Runs work on the link cache file and returns its result; null if the file is missing or damaged. */
  runIfThere<T>(work: (db: Db) => T): T | null;
  close(): void;
}

interface LinkCacheUnderConstruction {
  builder: LinkCacheFileBuilder;
  /** Graph-wide statistics with which all records were linked, as text; null until they are computed. */
  globals: string | null;
  /** Value that `RecordChangeLog.follow` returned; pass it to `changedSince`. */
  followed: unknown;
}

interface LinkCacheVerification {
  /** Verifier of the link cache; null if the cache is damaged or does not match the graph. */
  verifier: LinkCacheVerifier | null;
  isBehind: boolean;
  end(): void;
}

export interface LinkCacheOptions {
  file: string;
  cipher: DataCipher;
  runAtomically<T>(work: () => Promise<T>): Promise<T>;
  changes(): RecordChangeLog;
  /**
   * Publishes the identities of changed records (writes them to the tables that check calls read). Returns null, without any change, if all records
   * must be linked again. Call it inside a transaction.
   */
  publishPart(part: PartialLinkingResult): Promise<{ identities: number; state: GraphState } | null>;
}

const NO_STATE: GraphState = { stamp: '', revision: '', linkedAt: '' };

export function openLinkCacheFile({
  file,
  cipher,
  runAtomically,
  changes,
  publishPart,
}: LinkCacheOptions): LinkCacheFile {
  let state = NO_STATE;
  let isHeld = false;
  const { run, tryRun, runOrDiscard, tryTranslate, guarded, isLost, close } = createLinkCacheDamageGuard(
    file,
    (db) => ({
      db,
      tables: openLinkCacheTables(db, cipher, () => state),
    }),
  );
  const isThere = () => existsSync(file);
  const readContent = (): OutdatedLinkCache =>
    run(({ db, tables }) => ({
      state: readLinkCacheGraphState(db),
      globals: tables.cache.globals(),
      addPending: (rows, after) => run(() => addPending(db, rows, after)),
    }));
  /** Runs work on the link cache file. If the file is damaged, deletes it and runs the work again on a new file. */
  const runOrAgain: typeof run = (work) => {
    makeFolder(dirname(file));
    return tryRun(work) ?? run(work);
  };
  const builders = new Map<unknown, LinkCacheUnderConstruction>();
  let latest: LinkCacheUnderConstruction | null = null;
  const cache = (): LinkCache => ({
    ...guarded(runOrAgain(({ tables }) => tables.cache)),
    isDiscarded: isLost,
    async begin() {
      const now = await changes().catchUp(readContent());
      if (now === null) return null;
      state = now;
      return run(({ tables }) => tables.cache.begin());
    },
    async publishPart(part) {
      const published = await runAtomically(async () => {
        const now = await changes().state();
        return now && isSameGraphState(now, state) ? publishPart(part) : null;
      });
      if (published === null) return null;
      state = published.state;
      runOrDiscard(({ db, tables }) => {
        db.exec('DELETE FROM pending');
        writeLinkCacheGraphState(db, state);
        tables.commit();
      });
      return published.identities;
    },
    rebuild() {
      const builder = runOrAgain(({ db, tables }) => {
        tables.invalidate();
        if (db.inTransaction) db.exec('COMMIT');
        return guarded(createLinkCacheFileBuilder(db, cipher));
      });
      const opened: LinkCacheUnderConstruction = { builder, globals: null, followed: null };
      const wrapped: LinkCacheBuilder = {
        add: builder.add,
        groups: () => iterateWithSqliteErrors(file, builder.groups, LINK_CACHE_FILE_TYPE_DEFINITION),
        finish(all) {
          opened.globals = all.globals;
          builder.finish(all);
        },
      };
      builders.set(wrapped, (latest = opened));
      return wrapped;
    },
  });
  return {
    get cache() {
      return cache();
    },
    erasing: () =>
      isThere() ? guarded(run(({ db, tables }) => createLinkCacheErasureOperations(db, tables))) : null,
    refreshState: async () => void (state = (await changes().state()) ?? NO_STATE),
    noteChange({ rows, before, after }) {
      if (isThere())
        tryRun(
          ({ db }) => isSameGraphState(readLinkCacheGraphState(db), before) && addPending(db, rows, after),
        );
    },
    findBuilder: (builder) => builders.get(builder) ?? null,
    async followChanges() {
      if (latest) latest.followed = await changes().follow();
      latest = null;
    },
    hold() {
      const begin = (db: Db) =>
        runUnlessLinkCacheFileLocked(() => (db.exec('BEGIN IMMEDIATE'), true)) === true;
      if (isThere()) tryRun(({ db }) => (isHeld = !db.inTransaction && begin(db)));
    },
    release(keep) {
      const end = (db: Db) => void (db.inTransaction && db.exec(keep ? 'COMMIT' : 'ROLLBACK'));
      const runEnd = keep ? runOrDiscard : tryRun;
      if (isThere())
        runEnd(({ db, tables }) => {
          if (!keep) tables.invalidate();
          if (isHeld) end(db);
        });
      isHeld = false;
    },
    async beginReading() {
      const end = () => run(({ db }) => void (db.inTransaction && db.exec('ROLLBACK')));
      const content = isThere() ? tryRun(({ db }) => (db.exec('BEGIN'), readContent())) : undefined;
      if (!content) return { verifier: null, isBehind: false, end: isThere() ? end : () => undefined };
      const now = await changes().catchUp({ ...content, addPending: () => false });
      const isBehind = !now || !isSameGraphState(now, content.state);
      const openVerifier = () =>
        tryRun(({ db }) => {
          requireReadableLinkCacheFile(db);
          return createLinkCacheVerifier(db, cipher, (work) => tryTranslate(work) ?? null);
        });
      return { verifier: (!isBehind && openVerifier()) || null, isBehind, end };
    },
    run: (work) => run(({ db }) => work(db)),
    runIfThere: (work) => (isThere() ? (tryRun(({ db }) => work(db)) ?? null) : null),
    close,
  };
}

/**
 * Adds changed rows to the link cache. Returns false at once if another process has locked the file: the cache can be rebuilt, so that waiting is not
 * needed.
 */
function addPending(db: Db, rows: readonly ChangedRowAndFormerIdentity[], after: GraphState): boolean {
  const insert = db.prepare(
    'INSERT INTO pending VALUES (?, ?) ON CONFLICT DO UPDATE SET identity = coalesce(identity, excluded.identity)',
  );
  const write = () => {
    for (const row of rows) insert.run(...row);
    writeLinkCacheGraphState(db, after);
    return true;
  };
  return runUnlessLinkCacheFileLocked(() => db.transaction(write).immediate()) === true;
}
