// The link cache of a graph: a file of SQLite beside either database, used only if it is of the present state of the graph.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Awaitable } from '../../model.ts';
import { makeFolder } from '../../platform/files.ts';
import { type Db, translatedPages } from '../../platform/sqlite.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import { createLinkFileBuilder, type LinkFileBuilder } from '../link-cache/builder.ts';
import { createLinkFileGuard, runUnlessFileDeleted } from '../link-cache/damage-guard.ts';
import { createLinkErasing, type LinkErasing } from '../link-cache/erasing.ts';
import {
  type GraphState,
  isSameGraphState,
  LINK_FILE_KIND,
  readGraphState,
  runUnlessBusy,
  writeGraphState,
} from '../link-cache/link-file.ts';
import { openLinkCacheTables } from '../link-cache/tables.ts';
import { createLinkVerifier, requireReadableLinkFile } from '../link-cache/verify.ts';
import type { LinkCache, LinkCacheBuilder, LinkedPart } from '../linking.ts';
import type { LinkVerifier } from '../verifying.ts';

/** A row that changed, and the identity of a row that is gone; null for rows that are there, and for rows that had none. */
export type ChangedRow = [row: number, identity: number | null];

/** How an engine notes which rows changed since the records were linked. */
export interface ChangeLog {
  /** Returns the state of the graph; null if changes were made that are not noted. */
  state(): Awaitable<GraphState | null>;
  /** Returns the state of the graph if a link cache with this content can be used; null if it cannot. */
  catchUp(file: LinkCacheContent): Awaitable<GraphState | null>;
  /** Begins to note the rows that change while all records are linked. Returns what `changedSince` needs. */
  follow(): Awaitable<unknown>;
  /** Ends what `follow` began. Returns the rows that changed since, ascending; null if they are not known. */
  changedSince(followed: unknown): Awaitable<number[] | null>;
}

/** What a change log asks of the link cache. */
export interface LinkCacheContent {
  /** The state of the graph that the link cache is of. */
  state: GraphState;
  globals: string;
  /** Notes changed rows, after which the link cache is of another state. False if another process has the file. */
  addPending(rows: readonly ChangedRow[], state: GraphState): boolean;
}

export interface LinkCacheFile {
  readonly cache: LinkCache;
  /** What erasing asks of the file; null if there is no file. */
  erasing(): LinkErasing | null;
  /** Reads the present state of the graph, by which outdated content is recognised. */
  refreshState(): Promise<void>;
  /** Notes changed rows, if the link cache is of the state before the change. */
  noteChange(change: { rows: readonly ChangedRow[]; before: GraphState; after: GraphState }): void;
  /** Returns the builder that `rebuild` of the cache returned before, and the globals that it was filled with; null for another one. */
  findBuilder(builder: LinkCacheBuilder | null | undefined): OpenBuilder | null;
  /** Begins to note changed rows for the builder that was made last. Called before all records are read. */
  followChanges(): Promise<void>;
  /** From here to `release`, the link cache changes together with the graph, or not at all. */
  hold(): void;
  release(keep: boolean): void;
  /** Begins to read the file as of now, for comparing it with the graph. */
  beginReading(): Promise<LinkCacheReading>;
  /** Runs work on the file. Errors: `damaged_database`, after which the link cache is discarded. */
  run<T>(work: (db: Db) => T): T;
  /** Runs work on the file, if there is one; null if it is damaged, or there is none. */
  runIfThere<T>(work: (db: Db) => T): T | null;
  close(): void;
}

export interface OpenBuilder {
  builder: LinkFileBuilder;
  /** What held for all records; null until linking has found it. */
  globals: string | null;
  /** What `changedSince` of the change log needs. */
  followed: unknown;
}

export interface LinkCacheReading {
  /** Null if the link cache is not of the state of the graph, or is damaged. */
  verifier: LinkVerifier | null;
  /** True if the link cache is of another state of the graph. */
  isBehind: boolean;
  end(): void;
}

export interface LinkCacheOptions {
  /** Created when it is first needed. */
  file: string;
  cipher: DataCipher;
  runAtomically<T>(work: () => Promise<T>): Promise<T>;
  changes(): ChangeLog;
  /** Publishes a part of the records. Inside a transaction. */
  publishPart(part: LinkedPart): Promise<{ identities: number; state: GraphState } | null>;
}

const NO_STATE: GraphState = { stamp: '', revision: '', linkedAt: '' };

export function openLinkCacheFile({
  file,
  cipher,
  runAtomically,
  changes,
  publishPart,
}: LinkCacheOptions): LinkCacheFile {
  /** The state of the graph, as it was last read. */
  let state = NO_STATE;
  let isHeld = false;
  const { opened, guarded, isLost, unlessDamaged, close } = createLinkFileGuard(file, (db) => ({
    db,
    tables: openLinkCacheTables(db, cipher, () => state),
  }));
  const open = () => {
    makeFolder(dirname(file));
    return opened();
  };
  const isThere = () => existsSync(file);
  const local = guarded({
    run: <T>(work: (db: Db) => T): T => work(open().db),
    tables: () => open().tables.cache,
    begin: () => open().tables.cache.begin(),
    content(): LinkCacheContent {
      const { db, tables } = open();
      return {
        state: readGraphState(db),
        globals: tables.cache.globals(),
        addPending: (rows, after) => addPending(db, rows, after),
      };
    },
    finishPart(after: GraphState) {
      const { db, tables } = open();
      db.exec('DELETE FROM pending');
      writeGraphState(db, after);
      tables.commit();
    },
    build() {
      const { db, tables } = open();
      tables.invalidate();
      if (db.inTransaction) db.exec('COMMIT');
      return guarded(createLinkFileBuilder(db, cipher));
    },
    noteChange({ rows, before, after }: Parameters<LinkCacheFile['noteChange']>[0]) {
      const { db } = open();
      if (isSameGraphState(readGraphState(db), before)) addPending(db, rows, after);
    },
    hold() {
      const { db } = open();
      isHeld = !db.inTransaction && runUnlessBusy(() => (db.exec('BEGIN IMMEDIATE'), true)) === true;
    },
    release(keep: boolean) {
      const { db, tables } = open();
      if (!keep) tables.invalidate();
      if (isHeld && db.inTransaction) db.exec(keep ? 'COMMIT' : 'ROLLBACK');
      isHeld = false;
    },
    beginReading: () => open().db.exec('BEGIN'),
    endReading: () => void (opened().db.inTransaction && opened().db.exec('ROLLBACK')),
    verifier() {
      const { db } = open();
      requireReadableLinkFile(db);
      return createLinkVerifier(db, cipher, unlessDamaged);
    },
    erasing() {
      const { db, tables } = open();
      return createLinkErasing(db, tables);
    },
  });
  const builders = new Map<unknown, OpenBuilder>();
  let latest: OpenBuilder | null = null;
  return {
    get cache() {
      return {
        ...guarded(runUnlessFileDeleted(local.tables, isLost) ?? local.tables()),
        isDiscarded: isLost,
        async begin() {
          const now = await changes().catchUp(local.content());
          if (now === null) return null;
          state = now;
          return local.begin();
        },
        async publishPart(part: LinkedPart) {
          const done = await runAtomically(async () => {
            const now = await changes().state();
            return now && isSameGraphState(now, state) ? publishPart(part) : null;
          });
          if (done === null) return null;
          state = done.state;
          local.finishPart(state);
          return done.identities;
        },
        rebuild() {
          const builder = runUnlessFileDeleted(local.build, isLost) ?? local.build();
          const made: OpenBuilder = { builder, globals: null, followed: null };
          const wrapped: LinkCacheBuilder = {
            add: builder.add,
            groups: () => translatedPages(file, builder.groups, LINK_FILE_KIND),
            finish(all) {
              made.globals = all.globals;
              builder.finish(all);
            },
          };
          builders.set(wrapped, (latest = made));
          return wrapped;
        },
      };
    },
    erasing: () => (isThere() ? guarded(local.erasing()) : null),
    refreshState: async () => void (state = (await changes().state()) ?? NO_STATE),
    noteChange: (change) => void (isThere() && runUnlessFileDeleted(() => local.noteChange(change), isLost)),
    findBuilder: (builder) => builders.get(builder) ?? null,
    async followChanges() {
      if (latest) latest.followed = await changes().follow();
      latest = null;
    },
    hold: () => void (isThere() && runUnlessFileDeleted(local.hold, isLost)),
    release: (keep) => void (isThere() && runUnlessFileDeleted(() => local.release(keep), isLost)),
    async beginReading() {
      if (!isThere()) return { verifier: null, isBehind: false, end: () => undefined };
      const begun = runUnlessFileDeleted(() => (local.beginReading(), local.content()), isLost);
      const now = begun && (await changes().catchUp({ ...begun, addPending: () => false }));
      const isBehind = begun !== undefined && !(now && isSameGraphState(now, begun.state));
      const verifier = begun && !isBehind ? (runUnlessFileDeleted(local.verifier, isLost) ?? null) : null;
      return { verifier, isBehind, end: local.endReading };
    },
    run: local.run,
    runIfThere: (work) => (isThere() ? unlessDamaged(() => work(open().db)) : null),
    close,
  };
}

/** False if another process has the file: it is not waited for, since all that the link cache has can be made again. */
function addPending(db: Db, rows: readonly ChangedRow[], after: GraphState): boolean {
  const insert = db.prepare(
    'INSERT INTO pending VALUES (?, ?) ON CONFLICT DO UPDATE SET identity = coalesce(identity, excluded.identity)',
  );
  const write = () => {
    for (const row of rows) insert.run(...row);
    writeGraphState(db, after);
    return true;
  };
  return runUnlessBusy(() => db.transaction(write).immediate()) === true;
}
