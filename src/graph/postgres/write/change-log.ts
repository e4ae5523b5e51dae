// What changed in the graph, step by step: so that what an importer remembers of linking is brought on to the graph as it is, whoever changed it.
import { type GraphState, isSameGraphState } from '../../link-cache/link-file.ts';
import type { ChangedRow, ChangeLog } from '../../sql/link-cache.ts';
import type { PostgresSession } from '../session.ts';

/** The graph after its last step. */
export interface Now {
  step: number;
  /** How many rows all steps noted up to it. */
  came: number;
  stand: GraphState;
  /** What held for all records when they were linked last; see `globalsOf` in import. */
  globals: string | null;
}

/** All of it is called inside `alone` of the session, but for reading. */
export interface Steps extends ChangeLog {
  /** Null where somebody changed the graph who notes no steps, or all records are to be linked anew for another reason. */
  now(): Promise<Now | null>;
  /** Runs a change of records, which notes its rows under the number that it is given; null: nothing is noted. */
  noting<T>(change: (step: number | null) => Promise<T>): Promise<T>;
  /** Notes what was published as a step: of rows that were noted under its number, or after which nothing is known of before. */
  published(step: number, came: number): Promise<GraphState>;
  /** From here on nothing is known of before. */
  clear(): Promise<void>;
}

const NOW = `
SELECT s.number, s.came, s.stamp, s.revision, g.globals
FROM graph g JOIN step s ON s.revision = g.revision AND s.stamp = g.stamp
WHERE s.number = (SELECT max(number) FROM step)`;

const NOTE = `
INSERT INTO step (number, came, revision, stamp)
SELECT $1, $2::bigint + (SELECT count(*) FROM changed WHERE step = $1), revision, stamp FROM graph
RETURNING stamp, revision`;

/** More rows than this, and a tenth of the identities, are not worth remembering: who is so far behind links all records anew. */
const REMEMBERED = 50_000;
const OLD = `
SELECT max(number) FROM step
WHERE came < $1::bigint - ${REMEMBERED} - (SELECT identities FROM graph) / 10`;

const standAt = (step: number, stamp: string, revision: number): GraphState => ({
  stamp,
  revision: String(revision),
  linkedAt: String(step),
});

export function stepsOf(session: PostgresSession): Steps {
  const now = async (): Promise<Now | null> => {
    const [row] = await session.query<[number, number, string, number, string | null]>(NOW);
    if (!row) return null;
    const [step, came, stamp, revision, globals] = row;
    return { step, came, stand: standAt(step, stamp, revision), globals };
  };
  const note = async (step: number, came: number): Promise<GraphState> => {
    const [[stamp, revision] = ['', 0]] = await session.query<[string, number]>(NOTE, [step, came]);
    return standAt(step, stamp, revision);
  };
  /** What changed after a step; null if that step is not known any more. */
  const since = async ({ stamp, revision, linkedAt }: GraphState): Promise<ChangedRow[] | null> => {
    const known = 'SELECT 1 FROM step WHERE number = $1 AND stamp = $2 AND revision = $3';
    if (linkedAt === '' || (await session.query(known, [linkedAt, stamp, revision])).length === 0)
      return null;
    return session.query<ChangedRow>('SELECT record, identity FROM changed WHERE step > $1 ORDER BY step', [
      linkedAt,
    ]);
  };
  const clear = async () => {
    await session.query('DELETE FROM changed');
    await session.query('DELETE FROM step');
  };
  return {
    now,
    clear,
    state: async () => (await now())?.stand ?? null,
    async catchUp({ state, globals, addPending }) {
      const current = await now();
      if (!current || globals !== current.globals) return null;
      if (isSameGraphState(current.stand, state)) return current.stand;
      const rows = await since(state);
      return rows && addPending(rows, current.stand) ? current.stand : null;
    },
    follow: async () => (await now())?.stand ?? null,
    async changedSince(followed) {
      const rows = followed === null ? null : await since(followed as GraphState);
      return rows && [...new Set(rows.map(([row]) => row))].sort((a, b) => a - b);
    },
    async noting(change) {
      const before = await now();
      const done = await change(before && before.step + 1);
      if (before) await note(before.step + 1, before.came);
      return done;
    },
    async published(step, came) {
      const stand = await note(step, came);
      const [[old] = [null]] = await session.query<[number | null]>(OLD, [came]);
      if (old !== null) {
        await session.query('DELETE FROM changed WHERE step <= $1', [old]);
        await session.query('DELETE FROM step WHERE number <= $1', [old]);
      }
      return stand;
    },
  };
}
