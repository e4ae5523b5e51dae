// People or records out of a data folder: what an operator does who has been asked to, or whose time for keeping is over.
import type { KeepingGraph, RecordName } from '../graph/graph.ts';
import { marksOf } from '../graph/marks.ts';
import { eraseRecords } from './erase.ts';
import { keepReceipt, type Receipt } from './receipt.ts';
import { dropRejects } from './rejected.ts';

export interface ForgetOptions {
  dataDir: string;
  /** Milliseconds since 1970. */
  now: number;
  allowReturn?: boolean | undefined;
  rewrite?: boolean | undefined;
}

export interface Forgotten {
  receipt: Receipt;
  /** Where it is kept. */
  file: string;
}

/** Erases records, with the lines about them in the folder's rejects, and keeps a receipt. Errors: those of `eraseRecords`. */
export async function forget(
  graph: KeepingGraph,
  names: RecordName[],
  { dataDir, ...options }: ForgetOptions,
): Promise<Forgotten> {
  dropRejects(dataDir, new Set(names.map(({ recordId }) => recordId)));
  const done = await eraseRecords(graph, names, { folder: dataDir, ...options });
  const receipt: Receipt = {
    what: 'erasure',
    time: new Date(options.now).toISOString(),
    records: done.records,
    sources: countBy(names.map(({ source }) => source)),
    identities: done.identities,
    searched: done.searched,
    traces: done.traces,
    rewritten: done.rewritten,
    logs_empty: done.logsEmpty,
    marks: done.marks.map((mark) => mark.toString('hex')),
  };
  return { receipt, file: keepReceipt(dataDir, receipt) };
}

function countBy(words: string[]): Record<string, number> {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(words, (word) => word),
      ([word, same]) => [word, same.length],
    ),
  );
}

/** Records that were erased once and are there again, as after the restore of an older backup. Reads every record. */
export async function returned({ records }: KeepingGraph, marks: Buffer[]): Promise<RecordName[]> {
  const known = new Set(marks.map((mark) => mark.toString('hex')));
  const found: RecordName[] = [];
  for await (const page of records.pages())
    for (const row of page)
      if (marksOf(row, records.fingerprints).some((mark) => known.has(mark.toString('hex'))))
        found.push({ source: row.source, recordId: row.recordId });
  return found;
}

/** Records that were last seen before a time (milliseconds since 1970), and how many carry no date. Reads every record. */
export async function unseenSince(
  { records }: KeepingGraph,
  time: number,
): Promise<{ names: RecordName[]; undated: number }> {
  const names: RecordName[] = [];
  let undated = 0;
  for await (const page of records.pages())
    for (const { source, recordId, firstSeen, lastSeen } of page) {
      const seen = lastSeen ?? firstSeen;
      if (seen === null) undated++;
      else if (seen < time) names.push({ source, recordId });
    }
  return { names, undated };
}
