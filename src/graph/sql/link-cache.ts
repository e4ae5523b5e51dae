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
import type { LinkCache, LinkCacheBuilder, LinkingResultOfChangedRecords } from '../linking.ts';
import type { LinkCacheVerifier } from '../verifying.ts';

/** Row of a changed record, and for a deleted record the identity that it had; otherwise null. */
export type ChangedRowAndFormerIdentity = [row: number, identity: number | null];

/** Log of the rows whose records changed since the last linking. */
export interface RecordChangeLog {
  /** Returns the present state of the graph; null if the log lacks some changes. */
  state(): Awaitable<GraphState | null>;
  /** Adds all later changes to an outdated link cache, and returns the present state of the graph; null if the log lacks some changes. */
  catchUp(file: OutdatedLinkCache): Awaitable<GraphState | null>;
  /** Begins to log the rows that change while all records are linked. Returns a token for `changedSince`. */
  follow(): Awaitable<unknown>;
  /** Ends the log of `follow`, whose result it receives. Returns the rows that changed, ascending; null if they are unknown. */
  changedSince(followed: unknown): Awaitable<number[] | null>;
}

/** Link cache that was built from an earlier state of the graph, and can be updated. */
interface OutdatedLinkCache {
  state: GraphState;
  globals: string;
  /**
   * Adds changed rows to the link cache, and stores the state of the graph that it then has. Returns false if another process has locked the file.
   */
  addPending(rows: readonly ChangedRowAndFormerIdentity[], state: GraphState): boolean;
}

export interface LinkCacheFile {
  readonly cache: LinkCache;
  /** Returns the functions that erase records from the link cache file; null if the file does not exist. */
  erasing(): LinkCacheErasureOperations | null;
  /** Reads the present state of the graph, to compare it with the state that the link cache has stored. */
  refreshState(): Promise<void>;
  /** Adds changed rows to the link cache if it was in the state `before`. It is then in the state `after`. */
  noteChange(change: {
    rows: readonly ChangedRowAndFormerIdentity[];
    before: GraphState;
    after: GraphState;
  }): void;
  /** Returns the link cache that a builder fills; null if `builder` is null or not of this file. */
  findBuilder(builder: LinkCacheBuilder | null | undefined): LinkCacheUnderConstruction | null;
  /** Begins to log changed rows for the builder that was created last. Call it before all records are read. */
  followChanges(): Promise<void>;
  /**
   * Begins a transaction of the link cache file, which `release` ends after the transaction of the graph, by a commit (`keep`) or a rollback. If the
   * commit fails, such as on a full disk, `release` deletes the file.
   */
  hold(): void;
  release(keep: boolean): void;
  /** Begins to read the link cache file in one snapshot, for comparing it with the graph. */
  beginReading(): Promise<LinkCacheVerification>;
  /** Runs work on the link cache file. Errors: `damaged_database`, after which the file is deleted. */
  run<T>(work: (db: Db) => T): T;
  /** Runs work on the link cache file and returns its result; null if the file is missing or damaged. */
  runIfThere<T>(work: (db: Db) => T): T | null;
  close(): void;
}

interface LinkCacheUnderConstruction {
  builder: LinkCacheFileBuilder;
  /** Statistics of all records with which they were linked, as text; null until they are computed. */
  globals: string | null;
  /** Token that `RecordChangeLog.follow` returned, for `changedSince`. */
  followed: unknown;
}

interface LinkCacheVerification {
  /** Verifier of the link cache; null if the cache is damaged, or not of the graph's present state. */
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
   * Publishes the identities of changed records (writes them to the tables that checks read). Returns null, without any change, if all records must
   * be linked again. Call it inside a transaction.
   */
  publishPart(part: LinkingResultOfChangedRecords): Promise<{ identities: number; state: GraphState } | null>;
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
  /** Runs work on the link cache file. If the file is damaged, deletes it, and runs the work again on a new file. */
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
 * Adds changed rows to the link cache. Returns false at once if another process has locked the file. Nothing waits for it, because the cache can be
 * built again.
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
