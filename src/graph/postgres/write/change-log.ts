// Steps of the graph: each change of records, and each publication, is noted with its rows, so that the link cache of any importer can catch up.
import { type GraphState, isSameGraphState } from '../../link-cache/link-file.ts';
import type { ChangedRecordRow, RecordChangeLog } from '../../sql/link-cache.ts';
import type { SqlSession } from '../../sql/session.ts';

/** Last step in the change log; valid only if the graph was not changed after this step. */
interface LastStep {
  number: number;
  /** Number of rows that were recorded up to and including this step. */
  rowsSoFar: number;
  state: GraphState;
  /** Statistics of all records at the last linking of all records, as text; null if the link cache does not store them. */
  globals: string | null;
}

/** Log that records each change of the graph as a step. Functions that change the log must be called inside a transaction. */
export interface ChangeStepLog extends RecordChangeLog {
  /** Returns the last step; null if later changes are not in the log, or if all records must be linked again. */
  last(): Promise<LastStep | null>;
  /** Runs a change that stores its rows in the table `changed` under the given step number. A null number stores no rows. */
  noteChange<T>(change: (number: number | null) => Promise<T>): Promise<T>;
  /** Adds the step of a linking, whose rows were stored under its number. Returns the new state of the graph. */
  addPublication(number: number, rowsSoFar: number): Promise<GraphState>;
  /** Deletes all steps. Existing link caches must then be rebuilt. */
  clear(): Promise<void>;
}

const LAST = `
SELECT s.number, s.came, s.stamp, s.revision, g.globals
FROM graph g JOIN step s ON s.revision = g.revision AND s.stamp = g.stamp
WHERE s.number = (SELECT max(number) FROM step)`;

const ADD = `
INSERT INTO step (number, came, revision, stamp)
SELECT $1, $2::bigint + (SELECT count(*) FROM changed WHERE step = $1), revision, stamp FROM graph
RETURNING stamp, revision`;

/**
 * Number of recorded rows, in addition to a tenth of the identities, after which older steps are deleted. With more changes, rebuilding a link
 * cache is faster than updating it.
 */
const KEPT_ROWS = 50_000;
const EXPIRED = `
SELECT max(number) FROM step
WHERE came < $1::bigint - ${KEPT_ROWS} - (SELECT identities FROM graph) / 10`;

const stateAt = (number: number, stamp: string, revision: number): GraphState => ({
  stamp,
  revision: String(revision),
  linkedAt: String(number),
});

export function createChangeStepLog({ query }: SqlSession): ChangeStepLog {
  const last = async (): Promise<LastStep | null> => {
    const [row] = await query<[number, number, string, number, string | null]>(LAST);
    if (!row) return null;
    const [number, rowsSoFar, stamp, revision, globals] = row;
    return { number, rowsSoFar, state: stateAt(number, stamp, revision), globals };
  };
  const state = async () => (await last())?.state ?? null;
  const add = async (number: number, rowsSoFar: number): Promise<GraphState> => {
    const [[stamp, revision] = ['', 0]] = await query<[string, number]>(ADD, [number, rowsSoFar]);
    return stateAt(number, stamp, revision);
  };
  /** Returns the rows that changed since a state; null if the log no longer contains this state. */
  const listChanges = async ({
    stamp,
    revision,
    linkedAt,
  }: GraphState): Promise<ChangedRecordRow[] | null> => {
    if (linkedAt === '') return null;
    const step = 'SELECT 1 FROM step WHERE number = $1 AND stamp = $2 AND revision = $3';
    if ((await query(step, [linkedAt, stamp, revision])).length === 0) return null;
    return query<ChangedRecordRow>('SELECT record, identity FROM changed WHERE step > $1 ORDER BY step', [
      linkedAt,
    ]);
  };
  return {
    last,
    state,
    follow: state,
    async catchUp({ state: known, globals, addPending }) {
      const step = await last();
      if (!step || globals !== step.globals) return null;
      if (isSameGraphState(step.state, known)) return step.state;
      const rows = await listChanges(known);
      return rows && addPending(rows, step.state) ? step.state : null;
    },
    async changedSince(followed) {
      const rows = followed === null ? null : await listChanges(followed as GraphState);
      return rows && [...new Set(rows.map(([row]) => row))].sort((a, b) => a - b);
    },
    async noteChange(change) {
      const before = await last();
      const result = await change(before && before.number + 1);
      if (before) await add(before.number + 1, before.rowsSoFar);
      return result;
    },
    async addPublication(number, rowsSoFar) {
      const after = await add(number, rowsSoFar);
      const [[expired] = [null]] = await query<[number | null]>(EXPIRED, [rowsSoFar]);
      if (expired !== null) {
        await query('DELETE FROM changed WHERE step <= $1', [expired]);
        await query('DELETE FROM step WHERE number <= $1', [expired]);
      }
      return after;
    },
    async clear() {
      await query('DELETE FROM changed');
      await query('DELETE FROM step');
    },
  };
}
