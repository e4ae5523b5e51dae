// What linking must know of records, worked out once: in the form in which threads hand it over.
import { type OutlineBatch, outlineBatch } from '../../link/compare/outlines.ts';
import { type Facts, factsOf } from '../../link/counted/facts.ts';
import { factsFromNumbers, factsToNumbers } from '../../link/counted/facts-numbers.ts';
import { type Pack, packRecords } from '../../link/packed/pack.ts';
import { linkRecord } from '../../link/record.ts';
import type { Fingerprint, RecordRow } from '../../link/stored.ts';
import { createNumberList } from './pair-list.ts';

export interface PreparedRecords {
  rows: Uint32Array;
  /** See `factsToNumbers`: those of all records, and where those of each end. */
  facts: Float64Array;
  ends: Uint32Array;
  packed: Pack['bytes'];
  starts: Pack['starts'];
  texts: OutlineBatch['texts'];
  outlines: OutlineBatch['numbers'];
}

export function prepareRecords(rows: RecordRow[], of: Fingerprint): PreparedRecords {
  const records = rows.map((raw) => linkRecord(raw, of));
  const ends = new Uint32Array(records.length);
  const facts = createNumberList();
  for (const [i, record] of records.entries()) {
    facts.addAll(factsToNumbers(factsOf(record, of)));
    ends[i] = facts.all().length;
  }
  const { bytes, starts } = packRecords(records);
  const { texts, numbers } = outlineBatch(records);
  return {
    rows: Uint32Array.from(records, ({ row }) => row),
    facts: facts.all().slice(),
    ends,
    packed: bytes,
    starts,
    texts,
    outlines: numbers,
  };
}

/** The facts of each record, as they are and as numbers. */
export function* iterateFacts({
  rows,
  facts,
  ends,
}: Pick<PreparedRecords, 'rows' | 'facts' | 'ends'>): Iterable<
  [row: number, facts: Facts, numbers: Float64Array]
> {
  for (const [i, row] of rows.entries()) {
    const numbers = facts.subarray(i > 0 ? ends[i - 1] : 0, ends[i]);
    yield [row, factsFromNumbers(numbers), numbers];
  }
}
