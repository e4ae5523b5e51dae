// How records are found, and who is kept out, held against what they say.
import { suppressionMarksOf } from '../../suppression.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { createInvariantCounter, type Invariant } from '../../verifying.ts';
import type { Connection } from '../connect.ts';
import type { RecordTable } from '../../sql/incoming.ts';
import { rowsOf } from './against.ts';

const RESTORE = 'Restore a backup, or import again what is concerned';
const RECORDS = 'SELECT id, key, ref, sealed FROM bonafide.record WHERE id > $1 ORDER BY id';

export async function recordsHeld(
  on: Connection,
  { fingerprints }: Pick<GraphKeys, 'fingerprints'>,
  table: RecordTable,
): Promise<Invariant[]> {
  const found = createInvariantCounter('a record is found by its source and its id', RESTORE);
  const kept = createInvariantCounter('nobody is there who is kept out', 'Run: bonafide graph forget');
  const marks = await on.query<[string]>(`SELECT encode(mark, 'hex') FROM bonafide.forgotten`);
  const known = new Set(marks.map(([mark]) => mark));
  for await (const [, key, ref, sealed] of rowsOf<[number, Buffer, number, Buffer]>(on, RECORDS, (row) => [
    row?.[0] ?? 0,
  ])) {
    const record = table.open(sealed);
    const isFound = table.keyOf(record).equals(key);
    found.check(isFound && fingerprints.of('label', record.recordId) === ref);
    // Its own mark is the first; others it may have in common with somebody who is gone.
    const [own] = known.size > 0 ? suppressionMarksOf([record], fingerprints) : [];
    if (known.size > 0) kept.check(own === undefined || !known.has(own.toString('hex')));
  }
  return [found.counted, kept.counted];
}
