import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../../platform/files.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkFile } from '../linked.ts';
import type { UndoTable } from './undo.ts';

/** So long another that changes records is waited for: linking all of a large graph takes minutes. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;
const LOOK_EVERY_MS = 50;

export interface Whole {
  db: Db;
  undo: UndoTable;
  /** What linking remembers; null where nothing is yet. */
  links(): Pick<LinkFile, 'hold' | 'release'> | null;
  /** So long, in milliseconds, another that changes records is waited for. */
  mostWaitMs?: number | undefined;
}

/** One transaction around all that `work` does with the connection; see `whole` in graph.ts. */
export async function inWhole<T>(
  { db, undo, links, mostWaitMs = LONGEST_WAIT_MS }: Whole,
  work: () => Promise<T>,
): Promise<T> {
  if (db.inTransaction) return work();
  await begin(db, mostWaitMs);
  links()?.hold();
  try {
    // Linking finds the records changed otherwise than it remembers, and links all of them.
    if (undo.isHalf()) undo.takeBack();
    else undo.confirm();
    const done = await work();
    undo.end();
    db.exec('COMMIT');
    undo.confirm();
    links()?.release(true);
    return done;
  } catch (error) {
    undo.failed();
    // SQLite itself takes back what a full disk ended, and who is stopped has closed the connection.
    if (db.open && db.inTransaction) db.exec('ROLLBACK');
    if (db.open) links()?.release(false);
    throw error;
  }
}

/** The connection's own waiting would hold up the event loop, and whoever wants to stop this. */
async function begin(db: Db, mostWaitMs: number): Promise<void> {
  const patience = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    for (const started = performance.now(); ; await pause(LOOK_EVERY_MS))
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const isLate = performance.now() - started > mostWaitMs;
        if (isLate || !errorCode(error).startsWith('SQLITE_BUSY')) throw error;
      }
  } finally {
    if (db.open) db.pragma(`busy_timeout = ${patience}`);
  }
}
