// Lines of records as they are sent, to what they change in a graph.
import type { RecordName } from '../../graph/records.ts';
import { fromJson, type ReadItem } from '../items.ts';
import { type Receiving, toStored } from '../ingest.ts';
import { decoderOf } from '../source/encoding/encoding.ts';
import { notLines, readLines } from '../source/lines.ts';
import type { StoredRecord } from '../../link/stored.ts';

/** One call's lines. */
export interface Sent {
  lines: Uint8Array;
  /** For records that name none; an empty text where none was named. */
  source: string;
  /** ISO country in which phone numbers without a country code are read. */
  region: string;
  /** See `RecordOptions`. */
  now?: number | undefined;
}

/** A line, counted from 1, and what about it: never a value. */
export interface Told {
  line: number;
  reason: string;
}

/** What a call changes. */
export interface Changes {
  /** Each record once, by its name: what it is from now on, null where it is taken out; and how many lines are on it. */
  records: Map<string, { name: RecordName; record: StoredRecord | null; lines: number }>;
  /** Lines on records that are put, and on records that are taken out. */
  put: number;
  deleted: number;
  /** Lines that cannot be used. */
  refused: Told[];
  /** Single values that cannot be used, in records that can. */
  leftOut: Told[];
}

/** Reads JSON Lines in UTF-8. Of several lines on one record the last holds. */
export async function changesIn({ lines, source, region, now }: Sent, into: Receiving): Promise<Changes> {
  const changes: Changes = { records: new Map(), put: 0, deleted: 0, refused: [], leftOut: [] };
  const amiss = notLines(Buffer.from(lines.buffer, lines.byteOffset, Math.min(lines.length, HEAD_BYTES)));
  if (amiss !== null) {
    changes.refused.push({ line: 1, reason: `the body ${amiss}` });
    return changes;
  }
  const decode = decoderOf({ encoding: 'UTF-8' });
  for await (const batch of readLines(one(lines), decode))
    for (const line of batch)
      if (line.problem !== undefined || line.text.trim() !== '')
        take(fromJson(line, { source, region, now }), changes, into);
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
  { line, record, removed, problem, dropped }: ReadItem,
  changes: Changes,
  into: Receiving,
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
    record: record ? toStored(record, into) : null,
    lines: (changes.records.get(key)?.lines ?? 0) + 1,
  });
}
