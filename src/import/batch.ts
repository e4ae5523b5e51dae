// What becomes of some lines or rows, whoever reads them: the records that they are, and what has to be told of the others.
import type { Fingerprints } from '../graph/encryption/fingerprints.ts';
import type { RecordSealing, SealedRecord } from '../graph/encryption/sealed-records.ts';
import type { StoredRecord } from '../link/stored.ts';
import { countRecord, type RecordStatistics, emptyStatistics } from './statistics.ts';
import { toStoredRecord } from './stored.ts';
import { type ItemOptions, parseBatch, type ImportItem, type UnreadBatch } from './items.ts';

export interface ReadRequest extends Omit<ItemOptions, 'idOf'> {
  unread: UnreadBatch;
  /** Whether it is said what the fields of records are. */
  isMapped: boolean;
  keepsWhole: boolean;
}

/** An item that is no record, or of which something was left out: so many records come before it. */
export interface NotedItem {
  before: number;
  item: Omit<ImportItem, 'record'>;
}

export interface ReadBatch {
  records: StoredRecord[];
  noted: NotedItem[];
  learnt: RecordStatistics;
  /** Records that name somebody else too. */
  others: number;
  /** How many records there are of each source, those that are taken out too, in the order in which they come. */
  sources: [source: string, records: number][];
  /** See `Items`. */
  unknown: string[];
}

/** Null where a line is of another program; see `plainItems`. */
export function readBatch(
  { unread, isMapped, keepsWhole, ...options }: ReadRequest,
  fingerprints: Fingerprints,
): ReadBatch | null {
  const idOf = (content: string) => makeRecordId({ fingerprints }, content);
  const found = parseBatch(unread, isMapped, { ...options, idOf });
  if (!found) return null;
  const [records, noted, sources]: [StoredRecord[], NotedItem[], Map<string, number>] = [[], [], new Map()];
  const learnt = emptyStatistics();
  let others = 0;
  for (const { record, ...item } of found.items) {
    if (!record || item.dropped.length > 0) noted.push({ before: records.length, item });
    const source = (record ?? item.removed)?.source;
    if (source !== undefined) sources.set(source, (sources.get(source) ?? 0) + 1);
    if (!record) continue;
    countRecord(learnt, record);
    others += Number(item.others === true);
    records.push(toStoredRecord(record, { fingerprints, storesFullRecords: keepsWhole }));
  }
  return { records, noted, learnt, others, sources: [...sources], unknown: found.unknown };
}

/** The record id of a record that has none, made of what it says. */
export const makeRecordId = ({ fingerprints }: { fingerprints: Fingerprints }, content: string): string =>
  `row-${fingerprints.generateRecordId(content)}`;

/** The same with records as they are kept: their keys, references and bytes one after the other, and where the bytes of each end. */
export interface SealedBatch extends Omit<ReadBatch, 'records'> {
  keys: Uint8Array;
  refs: Float64Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

const KEY = 16;

export function sealBatch({ records, ...rest }: ReadBatch, { seal }: RecordSealing): SealedBatch {
  const all = records.map(seal);
  const keys = new Uint8Array(all.length * KEY);
  for (const [i, { key }] of all.entries()) keys.set(key, i * KEY);
  let end = 0;
  const ends = Uint32Array.from(all, ({ sealed }) => (end += sealed.length));
  const bytes = new Uint8Array(end);
  for (const [i, { sealed }] of all.entries()) bytes.set(sealed, i > 0 ? ends[i - 1] : 0);
  return { ...rest, keys, refs: Float64Array.from(all, ({ ref }) => ref), bytes, ends };
}

export function unpackSealedRecords({ keys, refs, bytes, ends }: SealedBatch): SealedRecord[] {
  const [all, of] = [Buffer.from(bytes.buffer), Buffer.from(keys.buffer)];
  return Array.from(refs, (ref, i) => ({
    key: of.subarray(i * KEY, (i + 1) * KEY),
    ref,
    sealed: all.subarray(i > 0 ? ends[i - 1] : 0, ends[i]),
  }));
}
