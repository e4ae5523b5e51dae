import { translatedPages } from '../../../platform/sqlite.ts';
// What linking remembers, in a file of each importer's own: brought on to the graph as it is by the steps that the database keeps.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../platform/files.ts';
import type { LinkedPart, LinkCache } from '../../linking.ts';
import type { Sealing } from '../../encryption/sealing.ts';
import { type LinkErasing, createLinkErasing } from '../../link-cache/erasing.ts';
import { createLinkFileBuilder, type LinkFileBuilder } from '../../link-cache/builder.ts';
import { openLinkCacheTables } from '../../link-cache/tables.ts';
import { createLinkFileGuard, runUnlessLost } from '../../link-cache/damage-guard.ts';
import {
  LINK_FILE_KIND,
  isSameGraphState,
  type GraphState,
  readGraphState,
  runUnlessBusy,
  writeGraphState,
} from '../../link-cache/link-file.ts';
import type { PostgresSession } from '../session.ts';
import { createLinkVerifier, requireReadableLinkFile } from '../../link-cache/verify.ts';
import type { LinkVerifier } from '../../verifying.ts';
import type { Now, Since, Steps } from './steps.ts';

export interface PostgresLinks {
  readonly index: LinkCache;
  /** What erasing asks of the file; null where there is none. */
  readonly erased: LinkErasing | null;
  /** From here to `end` nothing of it changes: what is remembered, for holding it against what it should be; null where it is not of the graph as it is. */
  reading(now: Now | null): { verifier: LinkVerifier | null; isBehind: boolean; end(): void };
  /** What held for all records, as what was rebuilt for a linking has it; null where nothing was. */
  globalsOf(builder: unknown): string | null;
  /** Remembers what was rebuilt, of this state of the graph but for some rows. */
  keep(builder: unknown, stand: GraphState, late: number[]): void;
  /** From here to `release`, what is remembered changes together with the graph, or not at all. */
  hold(): void;
  release(keep: boolean): void;
  close(): void;
}

export interface LinksOptions {
  /** Where it is remembered; made when it is first asked. */
  file: string;
  sealing: Sealing;
  session: PostgresSession;
  steps: Steps;
  /** Publishes a part of the records in the transaction that is open: how many identities there are then, and the graph's state. */
  publish(part: LinkedPart): Promise<{ identities: number; stand: GraphState } | null>;
}

const NOWHERE: GraphState = { stamp: '', revision: '', linkedAt: '' };

export function openLinks({ file, sealing, session, steps, publish }: LinksOptions): PostgresLinks {
  /** The graph's state, as it was asked last. */
  let stand = NOWHERE;
  let isHeld = false;
  const { opened, guarded, isLost, unlessDamaged, close } = createLinkFileGuard(file, (db) => ({
    db,
    tables: openLinkCacheTables(db, sealing, () => stand),
  }));
  const there = () => {
    makeFolder(dirname(file));
    return opened();
  };
  const builders = new Map<unknown, { builder: LinkFileBuilder; globals: string | null }>();
  const local = guarded({
    index: () => there().tables.index,
    stand: () => readGraphState(there().db),
    globals: () => there().tables.index.globals(),
    /** Whether that could be noted; nobody waits for another who has the file. */
    pend({ rows }: Since, now: GraphState): boolean {
      const { db } = there();
      const wait = db.prepare(
        'INSERT INTO pending VALUES (?, ?) ON CONFLICT DO UPDATE SET identity = coalesce(excluded.identity, identity)',
      );
      const note = () => {
        for (const [row, identity] of rows) wait.run(row, identity);
        writeGraphState(db, now);
        return true;
      };
      return runUnlessBusy(() => db.transaction(note).immediate()) === true;
    },
    begin: () => there().tables.index.begin(),
    kept(now: GraphState) {
      const { db, tables } = there();
      db.exec('DELETE FROM pending');
      writeGraphState(db, now);
      tables.keep();
    },
    build() {
      const { db, tables } = there();
      tables.forget();
      if (db.inTransaction) db.exec('COMMIT');
      return guarded(createLinkFileBuilder(db, sealing));
    },
    hold() {
      const { db } = there();
      isHeld = !db.inTransaction && runUnlessBusy(() => (db.exec('BEGIN IMMEDIATE'), true)) === true;
    },
    release(keep: boolean) {
      const { db, tables } = there();
      if (!keep) tables.forget();
      if (isHeld && db.inTransaction) db.exec(keep ? 'COMMIT' : 'ROLLBACK');
      isHeld = false;
    },
    look: () => there().db.exec('BEGIN'),
    looked: () => void (opened().db.inTransaction && opened().db.exec('ROLLBACK')),
    verifier() {
      const { db } = there();
      requireReadableLinkFile(db);
      return createLinkVerifier(db, sealing, unlessDamaged);
    },
    erased() {
      const { db, tables } = there();
      return createLinkErasing(db, tables);
    },
  });
  const isThere = () => existsSync(file);
  return {
    get index() {
      return {
        ...guarded(runUnlessLost(local.index, isLost) ?? local.index()),
        isDiscarded: isLost,
        async begin() {
          const now = await steps.now();
          if (!now || local.globals() !== now.globals) return null;
          const since = await steps.since(local.stand());
          if (since === null || !local.pend(since, now.stand)) return null;
          stand = now.stand;
          return local.begin();
        },
        async publishPart(part: LinkedPart) {
          const done = await session.runAtomically(async () => {
            const now = await steps.now();
            return now && isSameGraphState(now.stand, stand) ? publish(part) : null;
          });
          if (done === null) return null;
          stand = done.stand;
          local.kept(stand);
          return done.identities;
        },
        rebuild() {
          const builder = runUnlessLost(local.build, isLost) ?? local.build();
          const made = { builder, globals: null as string | null };
          const told: LinkFileBuilder = {
            ...builder,
            groups: () => translatedPages(file, builder.groups, LINK_FILE_KIND),
            finish(all) {
              made.globals = all.globals;
              builder.finish(all);
            },
          };
          builders.set(told, made);
          return told;
        },
      };
    },
    get erased() {
      return isThere() ? guarded(local.erased()) : null;
    },
    reading(now) {
      if (!isThere()) return { verifier: null, isBehind: false, end: () => undefined };
      const isBehind = runUnlessLost(() => {
        local.look();
        return now === null || !isSameGraphState(now.stand, local.stand()) || local.globals() !== now.globals;
      }, isLost);
      const verifier = isBehind === false ? (runUnlessLost(local.verifier, isLost) ?? null) : null;
      return { verifier, isBehind: isBehind === true, end: local.looked };
    },
    globalsOf: (builder) => builders.get(builder)?.globals ?? null,
    keep: (builder, now, late) => builders.get(builder)?.builder.complete(now, late),
    hold: () => void (isThere() && runUnlessLost(local.hold, isLost)),
    release: (keep) => void (isThere() && runUnlessLost(() => local.release(keep), isLost)),
    close,
  };
}
