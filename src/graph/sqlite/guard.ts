import { statSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { type Db, translated } from '../../platform/sqlite.ts';
import { GRAPH } from './schema.ts';
import { endOfTurn } from '../../platform/turn.ts';

/** What stands between a check and the file. */
export interface Guard {
  /** Errors as a check knows them: `graph_unavailable`, `graph_bad_response`. */
  ask<T>(work: () => T): T;
  /** Whether damage was met, and no other process has changed the file since. Errors: `graph_bad_response`. */
  refuseDamage(): void;
}

export function guardOf(db: Db, file: string): Guard {
  const refuseOther = presence(file);
  /** The version of the file's content that damage was met in. */
  let damaged: number | null = null;
  return {
    ask(work) {
      refuseOther();
      try {
        return translated(file, work, GRAPH);
      } catch (error) {
        if (!(error instanceof BonafideError)) throw error;
        if (!DAMAGE.has(error.code)) throw new BonafideError('graph_unavailable', error.message);
        damaged = versionOf(db);
        throw badResponse(file);
      }
    },
    refuseDamage() {
      if (damaged === null) return;
      if (damaged === versionOf(db)) throw badResponse(file);
      damaged = null;
    },
  };
}

const DAMAGE = new Set(['damaged_database', 'foreign_database']);

const badResponse = (file: string) =>
  new BonafideError(
    'graph_bad_response',
    `${file} is damaged: checks that need the damaged part fail, all others are answered. Restore it from a backup, or move it away and import the records again.`,
  );

/** A number that changes with every change of the file by another connection. */
function versionOf(db: Db): number {
  try {
    return Number(db.pragma('data_version', { simple: true }));
  } catch {
    return -1;
  }
}

const LOOK_EVERY_MS = 1000;

/**
 * Makes sure that the file which was opened is still the one at its path: reading on in one that is gone would answer from a graph that
 * nobody else sees. Looks once a second at most. Errors: `graph_unavailable`.
 */
function presence(file: string): () => void {
  const opened = identityOf(file);
  let [looked, there] = [performance.now(), true];
  return () => {
    const now = performance.now();
    if (now - looked >= LOOK_EVERY_MS) [looked, there] = [now, identityOf(file) === opened];
    if (there) return;
    throw new BonafideError(
      'graph_unavailable',
      `${file} was removed, emptied or replaced while it was in use. Put it back, or stop the server, restore it from a backup and start again.`,
    );
  };
}

function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined || found.size === 0 ? null : `${found.dev}:${found.ino}`;
}

/**
 * Opens a read transaction for the first read of a turn of the event loop, and ends it after the turn. What is thrown there has no
 * caller: on a damaged file COMMIT fails, and the reads have told so. `changed` is called before the first read of all, and of a turn in
 * which another connection has changed the file since.
 */
export function momentReader(db: Db, changed: () => void): <T>(read: () => T) => T {
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  let known: number | undefined;
  const notice = () => {
    const now = version.get();
    if (now !== known) changed();
    known = now;
  };
  const [begin, commit, rollback] = ['BEGIN', 'COMMIT', 'ROLLBACK'].map((word) => db.prepare(word));
  const end = () => {
    for (const statement of [commit, rollback])
      try {
        if (db.open && db.inTransaction) statement?.run();
      } catch {
        // The next turn tries again.
      }
  };
  let begun = false;
  return (read) => {
    if (!begun) {
      if (db.inTransaction) end();
      if (!db.inTransaction) begin?.run();
      notice();
      begun = true;
      void endOfTurn().then(() => {
        begun = false;
        end();
      });
    }
    return read();
  };
}
