// Log of changes: each change of records and each publication is a numbered step with its rows. With it, the link cache of any importing server can
// be updated.
import { type GraphState, isSameGraphState } from '../../link-cache/link-file.ts';
import type { ChangedRowAndFormerIdentity, RecordChangeLog } from '../../sql/link-cache.ts';
import type { SqlSession } from '../../sql/session.ts';

/** Last step in the change log, if the graph was not changed since. */
interface LastStep {
  number: number;
  /** Number of rows in the log up to the end of this step. */
  rowsSoFar: number;
  state: GraphState;
  /** Statistics of all records at the last linking of all records, as text; null if they are not stored for link caches. */
  globals: string | null;
}

/** Log of the changes of a graph, each of which is one step. Call functions that change the log inside a transaction. */
export interface GraphChangeLog extends RecordChangeLog {
  /** Returns the last step; null if the log lacks later changes, or if all records must be linked again. */
  last(): Promise<LastStep | null>;
  /**
   * Runs `change`, and adds it to the log as one step. `change` receives the number of the step, under which it must add the rows that it changes to
   * the table `changed`; null if it must add none.
   */
  noteChange<T>(change: (number: number | null) => Promise<T>): Promise<T>;
  /** Adds the step of a linking to the log. Its rows must be in the table `changed` under `number` already. Returns the new state of the graph. */
  addPublication(number: number, rowsSoFar: number): Promise<GraphState>;
  /** Deletes the whole log. Every server must then build its link cache again. */
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
 * Minimum number of rows in the log, to which a tenth of the number of identities is added. Older steps are deleted: with more changes, it is faster
 * to build a link cache again than to update it.
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

export function createGraphChangeLog({ query }: SqlSession): GraphChangeLog {
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
  /** Returns the rows that changed since a state of the graph; null if the log no longer goes back to this state. */
  const listChanges = async ({
    stamp,
    revision,
    linkedAt,
  }: GraphState): Promise<ChangedRowAndFormerIdentity[] | null> => {
    if (linkedAt === '') return null;
    const step = 'SELECT 1 FROM step WHERE number = $1 AND stamp = $2 AND revision = $3';
    if ((await query(step, [linkedAt, stamp, revision])).length === 0) return null;
    return query<ChangedRowAndFormerIdentity>(
      'SELECT record, identity FROM changed WHERE step > $1 ORDER BY step',
      [linkedAt],
    );
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
