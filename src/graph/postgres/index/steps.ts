// What changed in the graph, step by step: so that what an importer remembers of linking is brought on to the graph as it is, whoever changed it.
import { type GraphState } from '../../link-cache/link-file.ts';
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

/** Rows that are not what they were, or whose identity is not: with the identity that a row had which is gone. */
export interface Since {
  rows: [row: number, identity: number | null][];
}

/** All of it is called inside `alone` of the session, but for reading. */
export interface Steps {
  /** Null where somebody changed the graph who notes no steps, or all records are to be linked anew for another reason. */
  now(): Promise<Now | null>;
  /** What changed after a step; null where that one is not known, or not any more. */
  since(stand: GraphState): Promise<Since | null>;
  /** Runs a change of records, which notes its rows under the number that it is given; null: nothing is noted. */
  noting<T>(change: (step: number | null) => Promise<T>): Promise<T>;
  /** Notes what was published as a step: of rows that were noted under its number, or after which nothing is known of before. */
  published(step: number, came: number): Promise<GraphState>;
  /** From here on nothing is known of before. */
  clear(): Promise<void>;
}

const NOW = `
SELECT s.number, s.came, s.stamp, s.revision, g.globals
FROM bonafide.graph g JOIN bonafide.step s ON s.revision = g.revision AND s.stamp = g.stamp
WHERE s.number = (SELECT max(number) FROM bonafide.step)`;

const NOTE = `
INSERT INTO bonafide.step (number, came, revision, stamp)
SELECT $1, $2::bigint + (SELECT count(*) FROM bonafide.changed WHERE step = $1), revision, stamp FROM bonafide.graph
RETURNING stamp, revision`;

/** More rows than this, and a tenth of the identities, are not worth remembering: who is so far behind links all records anew. */
const REMEMBERED = 50_000;
const OLD = `
SELECT max(number) FROM bonafide.step
WHERE came < $1::bigint - ${REMEMBERED} - (SELECT identities FROM bonafide.graph) / 10`;

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
  const clear = async () => {
    await session.query('DELETE FROM bonafide.changed');
    await session.query('DELETE FROM bonafide.step');
  };
  return {
    now,
    clear,
    async since({ stamp, revision, linkedAt }) {
      const known = 'SELECT 1 FROM bonafide.step WHERE number = $1 AND stamp = $2 AND revision = $3';
      if (linkedAt === '' || (await session.query(known, [linkedAt, stamp, revision])).length === 0)
        return null;
      const rows = await session.query<[number, number | null]>(
        'SELECT record, identity FROM bonafide.changed WHERE step > $1 ORDER BY step',
        [linkedAt],
      );
      return { rows };
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
        await session.query('DELETE FROM bonafide.changed WHERE step <= $1', [old]);
        await session.query('DELETE FROM bonafide.step WHERE number <= $1', [old]);
      }
      return stand;
    },
  };
}
