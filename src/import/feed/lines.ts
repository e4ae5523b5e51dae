// Lines of one feed call, and the graph changes that they request.
import type { SourceRecordId } from '../../graph/records.ts';
import type { StoredRecord } from '../../link/stored-record.ts';
import { findUnknownFieldPaths, findNearestRecordField, isFieldNameShown } from '../input/objects/objects.ts';
import { createLineDecoder } from '../encoding/encoding.ts';
import { findNonTextReason, readTextLines } from '../input/lines.ts';
import { toPlainText } from '../columns/cells.ts';
import { parseDeletedFlag } from '../columns/raw.ts';
import { type ImportRecordOrProblem, createItemFromObject, parseJsonLine } from '../items.ts';
import { type RecordStorageOptions, toStoredRecord } from '../stored.ts';

export interface FeedRequest {
  lines: Uint8Array;
  /** Source of the records that name no source. Empty if the call names no source either. */
  source: string;
  /** ISO country code for phone numbers without a country code. */
  region: string;
  /** Current time in milliseconds since 1970. */
  now?: number | undefined;
}

/** Number of a line (from 1), and why the line or one of its values is unusable. The reason never contains a value. */
export interface FeedLineProblem {
  line: number;
  /** JSON Pointer of an unknown field inside the line. */
  pointer?: string;
  reason: string;
}

export interface ParsedFeedChanges {
  /** Changed records by source and record id. `record` is null for a removal; `lines` is the number of lines about the record. */
  records: Map<string, { name: SourceRecordId; record: StoredRecord | null; lines: number }>;
  /** Number of lines that add or replace a record. */
  put: number;
  deleted: number;
  refused: FeedLineProblem[];
  /** Problems of single values. The other values of their lines are used. */
  leftOut: FeedLineProblem[];
}

/** Number of first bytes of a body that are examined to reject compressed data and UTF-16. */
const HEAD_BYTES = 4096;

/** Parses JSON Lines in UTF-8. If several lines are about one record, the last line counts. */
export async function parseFeedRequest(
  { lines, source, region, now }: FeedRequest,
  target: RecordStorageOptions,
): Promise<ParsedFeedChanges> {
  const changes: ParsedFeedChanges = { records: new Map(), put: 0, deleted: 0, refused: [], leftOut: [] };
  const problem = findNonTextReason(Buffer.from(lines.subarray(0, HEAD_BYTES)));
  if (problem !== null) {
    changes.refused.push({ line: 1, reason: `the body ${problem}` });
    return changes;
  }
  const settings = { name: 'the body', source, region, now };
  const chunks = (async function* () {
    yield lines;
  })();
  for await (const batch of readTextLines(chunks, createLineDecoder({ encoding: 'UTF-8' })))
    for (const line of batch) {
      const parsed = parseJsonLine(line, settings);
      if (!parsed) continue;
      const unknown = 'object' in parsed ? findUnknownFieldProblem(line.line, parsed.object) : null;
      if (unknown) {
        changes.refused.push(unknown);
        continue;
      }
      const item = 'object' in parsed ? createItemFromObject(line.line, parsed.object, settings) : parsed;
      addItem(changes, item, target);
    }
  for (const { record, lines: count } of changes.records.values())
    if (record) changes.put += count;
    else changes.deleted += count;
  return changes;
}

/**
 * Returns the problem of a line with an unknown field, else null. Unknown fields of a removal are ignored, because a removal needs only the record
 * id.
 */
function findUnknownFieldProblem(line: number, object: Record<string, unknown>): FeedLineProblem | null {
  const [unknown] = parseDeletedFlag(object) === true ? [] : findUnknownFieldPaths(object);
  if (!unknown) return null;
  if (!isFieldNameShown(unknown.name))
    return {
      line,
      pointer: unknown.pointer.slice(0, unknown.pointer.lastIndexOf('/')),
      reason:
        'A field here is no field of a record. Its name may be personal data and is not shown. Remove it',
    };
  const nearest = findNearestRecordField(unknown.name);
  const hint = nearest === undefined ? 'Remove it' : `Did you mean ${nearest}?`;
  return {
    line,
    pointer: unknown.pointer,
    reason: `${toPlainText(unknown.name)} is no field of a record. ${hint}`,
  };
}

const NO_SOURCE = 'source is missing: name it in the record, or for all records in the query';

function addItem(
  changes: ParsedFeedChanges,
  { line, record, removed, problem, dropped }: ImportRecordOrProblem,
  target: RecordStorageOptions,
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
    record: record ? toStoredRecord(record, target) : null,
    lines: (changes.records.get(key)?.lines ?? 0) + 1,
  });
}
