import type { Db } from '../../platform/sqlite.ts';
import { endOfTurn } from '../../platform/turn.ts';

/**
 * Opens a read transaction for the first read of a turn of the event loop, and ends it after the turn. What is thrown there has no
 * caller: on a damaged file COMMIT fails, and the reads have told so.
 */
export function momentReader(db: Db): <T>(read: () => T) => T {
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
      begun = true;
      void endOfTurn().then(() => {
        begun = false;
        end();
      });
    }
    return read();
  };
}
