// Batches of parsed records with counts. Each batch is read by one thread; the import adds the counts up.
import type { FingerprintFunctions } from '../graph/encryption/fingerprints.ts';
import {
  type RecordCipher,
  RECORDS_PER_STEP,
  type SealedRecord,
} from '../graph/encryption/sealed-records.ts';
import { joinByteArraysWithEnds, sliceJoinedArray } from '../link/joined-arrays.ts';
import type { StoredRecord } from '../link/stored-record.ts';
import {
  type ImportRecordOrProblem,
  parseItems,
  type UnknownFieldsOfBatch,
  type UnparsedBatch,
} from './items.ts';
import type { ImportRecord } from './record.ts';
import type { InputReadSettings } from './settings.ts';
import { addRecordToStatistics, createRecordStatistics, type RecordStatistics } from './statistics.ts';
import { toStoredRecord } from './stored.ts';

/** Item of an input that is not a record, or a record with unusable values. `before` is the number of records that precede the item in its batch. */
export interface ItemWithProblem {
  before: number;
  item: Omit<ImportRecordOrProblem, 'record'>;
}

export interface ParsedRecordBatch<R = StoredRecord> {
  /** Records in the order of the input; none in a dry run. */
  records: R[];
  /** Number of usable records, including those that remove a record. */
  read: number;
  noted: ItemWithProblem[];
  statistics: RecordStatistics;
  /** Number of records whose row also names a second person. */
  others: number;
  /** Number of records of each source, including removals. Sources are in the order in which they first occur. */
  sources: [source: string, records: number][];
  /** Names of fields that the record format does not have. A name is listed as often as it occurs. */
  unknown: string[];
}

/**
 * Converts the items of an input to a batch of records.
 *
 * @param convert converts a record to the form in which it is stored; null in a dry run
 */
export function createRecordBatchFromItems<R>(
  items: Iterable<ImportRecordOrProblem>,
  convert: ((record: ImportRecord) => R) | null,
): ParsedRecordBatch<R> {
  const [records, noted, sources]: [R[], ItemWithProblem[], Map<string, number>] = [[], [], new Map()];
  const statistics = createRecordStatistics();
  let [read, others] = [0, 0];
  for (const item of items) {
    const { record } = item;
    if (!record || item.dropped.length > 0) {
      const { record: _, ...rest } = item;
      noted.push({ before: records.length, item: rest });
    }
    const source = (record ?? item.removed)?.source;
    if (source === undefined) continue;
    read++;
    sources.set(source, (sources.get(source) ?? 0) + 1);
    if (!record) {
      statistics.deletions++;
      continue;
    }
    addRecordToStatistics(statistics, record, item.notes);
    others += Number(item.others === true);
    if (convert) records.push(convert(record));
  }
  return { records, read, noted, statistics, others, sources: [...sources], unknown: [] };
}

/** Computes the record id of a record that has none, from a text with its content. */
export const computeRecordIdFromContent = (
  { generateRecordId }: Pick<FingerprintFunctions, 'generateRecordId'>,
  content: string,
): string => `row-${generateRecordId(content)}`;

export interface BatchReadRequest {
  unread: UnparsedBatch;
  settings: InputReadSettings;
  storesFullRecords: boolean;
}

/** Batch of encrypted records, in a form that can be moved between threads without copying. */
export interface EncryptedBatch extends Omit<ParsedRecordBatch, 'records'> {
  /** Record keys (fingerprints of source and record id), 16 bytes each, concatenated. */
  keys: Uint8Array;
  refs: Float64Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

/**
 * Parses a batch and encrypts its records. Returns null if a line is an export of other software, and is not in Bonafide's own format; the caller must
 * then parse all lines in order. Each step (parse, fingerprints, JSON, encryption) runs for `RECORDS_PER_STEP` records before the next step.
 */
export function readAndEncryptBatch(
  { unread, settings, storesFullRecords }: BatchReadRequest,
  fingerprints: FingerprintFunctions,
  { encryptAll }: RecordCipher,
): EncryptedBatch | null {
  const makeId = (content: string) => computeRecordIdFromContent(fingerprints, content);
  const unknown: UnknownFieldsOfBatch = { names: [], isForeign: false };
  const [records, stored]: [SealedRecord[], StoredRecord[]] = [[], []];
  const encryptStored = () => void records.push(...encryptAll(stored.splice(0)));
  const { records: _, ...counts } = createRecordBatchFromItems(
    inSteps(parseItems(unread, { ...settings, makeId }, unknown)),
    (record) => {
      stored.push(toStoredRecord(record, { fingerprints, storesFullRecords }));
      if (stored.length === RECORDS_PER_STEP) encryptStored();
    },
  );
  if (unknown.isForeign) return null;
  encryptStored();
  const keys = joinByteArraysWithEnds(records.map(({ key }) => key)).bytes;
  return {
    ...counts,
    unknown: unknown.names,
    keys,
    refs: Float64Array.from(records, ({ ref }) => ref),
    ...joinByteArraysWithEnds(records.map(({ sealed }) => sealed)),
  };
}

/** Yields the items, each time after `RECORDS_PER_STEP` of them are computed. */
function* inSteps<T>(items: Iterable<T>): Iterable<T> {
  let computed: T[] = [];
  for (const item of items) {
    if (computed.push(item) < RECORDS_PER_STEP) continue;
    yield* computed;
    computed = [];
  }
  yield* computed;
}

const KEY_BYTES = 16;

export function unpackEncryptedBatch({
  keys,
  refs,
  bytes,
  ends,
  ...counts
}: EncryptedBatch): ParsedRecordBatch<SealedRecord> {
  const [allKeys, allBytes] = [Buffer.from(keys.buffer), Buffer.from(bytes.buffer)];
  const records = Array.from(refs, (ref, i) => ({
    key: allKeys.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES),
    ref,
    sealed: sliceJoinedArray(allBytes, ends, i),
  }));
  return { ...counts, records };
}
