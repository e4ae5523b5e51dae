// Lines of records as they are sent, to what they change in a graph.
import type { RecordName } from '../../graph/records.ts';
import { type ImportItem, itemFromObject, parseLine } from '../items.ts';
import { type RecordTarget, toStoredRecord } from '../stored.ts';
import { createLineDecoder } from '../input/encoding.ts';
import { describeNonLines, readLines } from '../input/lines.ts';
import type { StoredRecord } from '../../link/stored.ts';

/** One call's lines. */
export interface FeedCall {
  lines: Uint8Array;
  /** For records that name none; an empty text where none was named. */
  source: string;
  /** ISO country in which phone numbers without a country code are read. */
  region: string;
  /** See `RecordOptions`. */
  now?: number | undefined;
}

/** A line, counted from 1, and what about it: never a value. */
export interface LineProblem {
  line: number;
  reason: string;
}

/** What a call changes. */
export interface FeedChanges {
  /** Each record once, by its name: what it is from now on, null where it is taken out; and how many lines are on it. */
  records: Map<string, { name: RecordName; record: StoredRecord | null; lines: number }>;
  /** Lines on records that are put, and on records that are taken out. */
  put: number;
  deleted: number;
  /** Lines that cannot be used. */
  refused: LineProblem[];
  /** Single values that cannot be used, in records that can. */
  leftOut: LineProblem[];
}

/** Reads JSON Lines in UTF-8. Of several lines on one record the last holds. */
export async function parseFeedCall(
  { lines, source, region, now }: FeedCall,
  into: RecordTarget,
): Promise<FeedChanges> {
  const changes: FeedChanges = { records: new Map(), put: 0, deleted: 0, refused: [], leftOut: [] };
  const amiss = describeNonLines(
    Buffer.from(lines.buffer, lines.byteOffset, Math.min(lines.length, HEAD_BYTES)),
  );
  if (amiss !== null) {
    changes.refused.push({ line: 1, reason: `the body ${amiss}` });
    return changes;
  }
  const settings = { name: 'the body', source, region, now };
  const decode = createLineDecoder({ encoding: 'UTF-8' });
  for await (const batch of readLines(one(lines), decode))
    for (const line of batch) {
      const parsed = parseLine(line, settings);
      if (parsed)
        take('object' in parsed ? itemFromObject(line.line, parsed.object, settings) : parsed, changes, into);
    }
  for (const { record, lines: times } of changes.records.values())
    if (record) changes.put += times;
    else changes.deleted += times;
  return changes;
}

/** So many of the first bytes show what is no text in UTF-8. */
const HEAD_BYTES = 4096;

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const NO_SOURCE = 'source is missing: name it in the record, or for all of them in the query';

function take(
  { line, record, removed, problem, dropped }: ImportItem,
  changes: FeedChanges,
  into: RecordTarget,
): void {
  const name = record ?? removed;
  const reason = problem ?? (name?.source === '' ? NO_SOURCE : undefined);
  if (reason !== undefined || !name) {
    changes.refused.push({ line, reason: reason ?? '' });
    return;
  }
  for (const reason of dropped) changes.leftOut.push({ line, reason });
  const { source, recordId } = name;
  const key = `${source}\0${recordId}`;
  changes.records.set(key, {
    name: { source, recordId },
    record: record ? toStoredRecord(record, into) : null,
    lines: (changes.records.get(key)?.lines ?? 0) + 1,
  });
}
