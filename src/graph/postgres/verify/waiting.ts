// What changed since the records were linked last, by the steps that were noted since.
import type { UnlinkedRecords } from '../../verifying.ts';
import type { Connection } from '../connect.ts';

/** The last step is the graph as it is, and the one that was published last is known. */
const LINKED_AT = `
SELECT g.linked_revision = g.revision, (
  SELECT max(s.number) FROM bonafide.step s WHERE s.revision = g.linked_revision AND EXISTS (
    SELECT 1 FROM bonafide.step t WHERE t.revision = g.revision AND t.stamp = g.stamp AND t.number = (SELECT max(number) FROM bonafide.step))
) FROM bonafide.graph g`;

const CHANGED = `
SELECT c.record, coalesce(c.identity, m.identity)
FROM bonafide.changed c LEFT JOIN bonafide.member m ON m.record = c.record WHERE c.step > $1`;

/** Null where all is linked. */
export async function waitingOn(on: Connection): Promise<UnlinkedRecords | null> {
  const [[isLinked, step] = [false, null]] = await on.query<[boolean, number | null]>(LINKED_AT);
  if (isLinked) return null;
  const changed = step === null ? [] : await on.query<[number, number | null]>(CHANGED, [step]);
  if (changed.length === 0) return { rows: null, identities: new Set() };
  const identities = changed.flatMap(([, identity]) => identity ?? []);
  return { rows: new Set(changed.map(([row]) => row)), identities: new Set(identities) };
}
