import type { Db } from '../../../platform/sqlite.ts';
import { endOfTurn } from '../../../platform/turn.ts';

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
