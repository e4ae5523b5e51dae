// Read access of check calls to the graph file: error conversion, and a shared read transaction.
import { statSync } from 'node:fs';
import { BonafideError, resultOr } from '../../errors.ts';
import { type Db, runWithConvertedSqliteErrors } from '../../platform/sqlite.ts';
import { endOfTurn } from '../../platform/turn.ts';
import { GRAPH_FILE_TYPE_DEFINITION } from './schema.ts';

export function createGraphFileDamageGuard(db: Db, file: string) {
  const refuseReplacedFile = createPresenceCheck(file);
  /** SQLite's data version of the file when damage was found; null if none was found. */
  let damagedVersion: number | null = null;
  return {
    /** Runs a read of the graph file. Errors: `graph_unavailable`; `graph_bad_response` for a damaged file. */
    run<T>(read: () => T): T {
      refuseReplacedFile();
      try {
        return runWithConvertedSqliteErrors(file, read, GRAPH_FILE_TYPE_DEFINITION);
      } catch (error) {
        if (!(error instanceof BonafideError)) throw error;
        if (!DAMAGE.has(error.code)) throw new BonafideError('graph_unavailable', error.message);
        damagedVersion = readDataVersion(db);
        throw damageError(file);
      }
    },
    /** Throws if a read found damage, and no other connection has changed the file since. Errors: `graph_bad_response`. */
    refuseDamage(): void {
      if (damagedVersion === null) return;
      if (damagedVersion === readDataVersion(db)) throw damageError(file);
      damagedVersion = null;
    },
  };
}

const DAMAGE = new Set(['damaged_database', 'foreign_database']);

const damageError = (file: string) =>
  new BonafideError(
    'graph_bad_response',
    `${file} is damaged. Checks that need the damaged part fail; all others are answered. Restore the file from a backup, or move it away and import the records again.`,
  );

/** Returns a number that changes whenever another connection changes the file; -1 if it cannot be read. */
const readDataVersion = (db: Db): number =>
  resultOr(() => Number(db.pragma('data_version', { simple: true })), -1);

const CHECK_EVERY_MS = 1000;

/**
 * Creates a function that throws if the opened file does not exist at its path any more. It looks at most once a second. Errors: `graph_unavailable`.
 */
function createPresenceCheck(file: string): () => void {
  const opened = readFileId(file);
  let [checkedAt, isThere] = [performance.now(), true];
  return () => {
    const now = performance.now();
    if (now - checkedAt >= CHECK_EVERY_MS) [checkedAt, isThere] = [now, readFileId(file) === opened];
    if (isThere) return;
    throw new BonafideError(
      'graph_unavailable',
      `${file} was removed, emptied or replaced while it was in use. Put it back, or stop the server, restore the file from a backup and start again.`,
    );
  };
}

function readFileId(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || stats.size === 0 ? null : `${stats.dev}:${stats.ino}`;
}

/**
 * Creates a function that runs all reads of one turn of the event loop in the same transaction. Ignores errors at the end of the transaction.
 * @param onChange called before the first read, and after another connection changed the file
 */
export function createSharedReadTransactionRunner(db: Db, onChange: () => void): <T>(read: () => T) => T {
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let knownVersion: number | undefined;
  const noticeChange = () => {
    const version = dataVersion.get();
    if (version !== knownVersion) onChange();
    knownVersion = version;
  };
  const [begin, commit, rollback] = ['BEGIN', 'COMMIT', 'ROLLBACK'].map((text) => db.prepare(text));
  const end = () => {
    for (const statement of [commit, rollback])
      try {
        if (db.open && db.inTransaction) statement?.run();
      } catch {
        // The next turn tries again.
      }
  };
  let hasBegun = false;
  return (read) => {
    if (!hasBegun) {
      if (db.inTransaction) end();
      if (!db.inTransaction) begin?.run();
      noticeChange();
      hasBegun = true;
      void endOfTurn().then(() => {
        hasBegun = false;
        end();
      });
    }
    return read();
  };
}
