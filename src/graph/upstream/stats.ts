// What another server tells of its graph in counts.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { GraphStats } from '../graph.ts';

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const MOST_WARNINGS = 20;
const MOST_TEXT = 500;

const STATS = v.object({
  records: COUNT,
  identities: COUNT,
  merged: COUNT,
  postings: COUNT,
  unlinked: COUNT,
  linked_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  settled: v.boolean(),
  warnings: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MOST_TEXT))), v.maxLength(MOST_WARNINGS)),
});

/** Errors: graph_bad_response. */
export function readStats(sent: unknown): { stats: GraphStats; warnings: string[] } {
  const read = v.safeParse(STATS, sent);
  if (!read.success)
    throw new BonafideError('graph_bad_response', 'The upstream graph’s counts have not the form of such.');
  const { linked_at: linkedAt, warnings, ...stats } = read.output;
  return { stats: { ...stats, linkedAt }, warnings };
}
