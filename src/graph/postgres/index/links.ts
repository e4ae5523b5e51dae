import { translatedPages } from '../../../platform/sqlite.ts';
// What linking remembers, in a file of each importer's own: brought on to the graph as it is by the steps that the database keeps.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../platform/files.ts';
import type { LinkedPart, LinkCache } from '../../linking.ts';
import type { Sealing } from '../../encryption/sealing.ts';
import { type LinkErasing, linkErasing } from '../../link-cache/erasing.ts';
import { indexBuilder, type SqliteIndexBuilder } from '../../link-cache/builder.ts';
import { indexTables } from '../../link-cache/tables.ts';
import { keeper, unlessLost } from '../../link-cache/damage-guard.ts';
import { LINKS, sameStand, type Stand, standOf, unlessBusy, writeStand } from '../../link-cache/link-file.ts';
import type { Session } from '../session.ts';
import { linkVerifier, requireReadable } from '../../link-cache/verify.ts';
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
  keep(builder: unknown, stand: Stand, late: number[]): void;
  /** From here to `release`, what is remembered changes together with the graph, or not at all. */
  hold(): void;
  release(keep: boolean): void;
  close(): void;
}

export interface LinksOptions {
  /** Where it is remembered; made when it is first asked. */
  file: string;
  sealing: Sealing;
  session: Session;
  steps: Steps;
  /** Publishes a part of the records in the transaction that is open: how many identities there are then, and the graph's state. */
  publish(part: LinkedPart): Promise<{ identities: number; stand: Stand } | null>;
}

const NOWHERE: Stand = { stamp: '', revision: '', linkedAt: '' };

export function openLinks({ file, sealing, session, steps, publish }: LinksOptions): PostgresLinks {
  /** The graph's state, as it was asked last. */
  let stand = NOWHERE;
  const { opened, guarded, isLost, unlessDamaged, close } = keeper(file, (db) => ({
    db,
    tables: indexTables(db, sealing, () => stand),
  }));
  const there = () => {
    makeFolder(dirname(file));
    return opened();
  };
  const builders = new Map<unknown, { builder: SqliteIndexBuilder; globals: string | null }>();
  const local = guarded({
    index: () => there().tables.index,
    stand: () => standOf(there().db),
    globals: () => there().tables.index.globals(),
    /** Whether that could be noted; nobody waits for another who has the file. */
    pend({ rows }: Since, now: Stand): boolean {
      const { db } = there();
      const wait = db.prepare(
        'INSERT INTO pending VALUES (?, ?) ON CONFLICT DO UPDATE SET identity = coalesce(excluded.identity, identity)',
      );
      const note = () => {
        for (const [row, identity] of rows) wait.run(row, identity);
        writeStand(db, now);
        return true;
      };
      return unlessBusy(() => db.transaction(note).immediate()) === true;
    },
    begin: () => there().tables.index.begin(),
    kept(now: Stand) {
      const { db, tables } = there();
      db.exec('DELETE FROM pending');
      writeStand(db, now);
      tables.keep();
    },
    build() {
      const { db, tables } = there();
      tables.forget();
      if (db.inTransaction) db.exec('COMMIT');
      return guarded(indexBuilder(db, sealing));
    },
    hold: () => unlessBusy(() => (there().db.exec('BEGIN IMMEDIATE'), true)),
    release(keep: boolean) {
      const { db, tables } = there();
      if (!keep) tables.forget();
      if (db.inTransaction) db.exec(keep ? 'COMMIT' : 'ROLLBACK');
    },
    look: () => there().db.exec('BEGIN'),
    looked: () => void (opened().db.inTransaction && opened().db.exec('ROLLBACK')),
    verifier() {
      const { db } = there();
      requireReadable(db);
      return linkVerifier(db, sealing, unlessDamaged);
    },
    erased() {
      const { db, tables } = there();
      return linkErasing(db, tables);
    },
  });
  const isThere = () => existsSync(file);
  return {
    get index() {
      return {
        ...guarded(unlessLost(local.index, isLost) ?? local.index()),
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
          const done = await session.alone(async () => {
            const now = await steps.now();
            return now && sameStand(now.stand, stand) ? publish(part) : null;
          });
          if (done === null) return null;
          stand = done.stand;
          local.kept(stand);
          return done.identities;
        },
        rebuild() {
          const builder = unlessLost(local.build, isLost) ?? local.build();
          const made = { builder, globals: null as string | null };
          const told: SqliteIndexBuilder = {
            ...builder,
            groups: () => translatedPages(file, builder.groups, LINKS),
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
      const isBehind = unlessLost(() => {
        local.look();
        return now === null || !sameStand(now.stand, local.stand()) || local.globals() !== now.globals;
      }, isLost);
      const verifier = isBehind === false ? (unlessLost(local.verifier, isLost) ?? null) : null;
      return { verifier, isBehind: isBehind === true, end: local.looked };
    },
    globalsOf: (builder) => builders.get(builder)?.globals ?? null,
    keep: (builder, now, late) => builders.get(builder)?.builder.keep(now, late),
    hold: () => void (isThere() && unlessLost(local.hold, isLost)),
    release: (keep) => void (isThere() && unlessLost(() => local.release(keep), isLost)),
    close,
  };
}
