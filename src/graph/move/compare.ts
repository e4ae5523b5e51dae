import type { RecordRow } from '../../link/stored.ts';
import { givenKey, nameKeys, prepareName } from '../../names/index.ts';
import { type GraphStats, type KeepingGraph, NOTHING } from '../graph.ts';

const COUNTS = ['records', 'identities', 'merged', 'postings'] as const satisfies (keyof GraphStats)[];
/** Answers that are compared, of records spread over all of them. */
const SAMPLE = 500;

/** In what two graphs that should be the same differ, and how many answers of theirs were compared. */
export async function differencesOf(
  one: KeepingGraph,
  other: KeepingGraph,
): Promise<{ differences: string[]; compared: number }> {
  const [mine, theirs] = [await one.stats(), await other.stats()];
  const differences = COUNTS.filter((what) => mine[what] !== theirs[what]).map(
    (what) => `${what} are ${mine[what]} and ${theirs[what]}`,
  );
  let [compared, different] = [0, 0];
  const every = Math.max(1, Math.floor(mine.records / SAMPLE));
  let at = 0;
  for await (const page of one.records.pages())
    for (const record of page) {
      if (at++ % every !== 0) continue;
      compared++;
      if ((await told(one, record)) !== (await told(other, record))) different++;
    }
  if (different > 0) differences.push(`${different} of ${compared} answers`);
  return { differences, compared };
}

/** What a graph tells of somebody: what a check by his name finds, and the identity of a record. */
async function told(graph: KeepingGraph, { names: [text], identity }: RecordRow): Promise<string> {
  const name = prepareName(text ?? '');
  const keys = text === undefined ? {} : { name: text, nameKeys: nameKeys(name), givenKey: givenKey(name) };
  const { identities, ...answer } = await graph.resolve({ ...NOTHING, ...keys });
  const card = identity === null ? null : await graph.linking.identity(identity);
  return JSON.stringify([answer, [...identities], card]);
}
