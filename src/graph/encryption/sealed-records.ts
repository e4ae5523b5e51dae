// How a record is kept: sealed as one JSON text. The names of its properties are part of what engines keep.
import type { StoredRecord, RecordRow } from '../../link/stored.ts';
import type { Fingerprints } from './fingerprints.ts';
import type { TextSealing } from './sealing.ts';

/** A record as an engine keeps it. `key` is the fingerprint of its source and id, `ref` that of its id alone. */
export interface SealedRecord {
  key: Buffer;
  ref: number;
  sealed: Buffer;
}

export interface RecordSealing {
  keyOf(name: Pick<StoredRecord, 'source' | 'recordId'>): Buffer;
  seal(record: StoredRecord): SealedRecord;
  /** Errors: `damaged_database`. */
  open(sealed: Uint8Array): StoredRecord;
}

export function createRecordSealing(fingerprints: Fingerprints, sealing: TextSealing): RecordSealing {
  const keyOf = ({ source, recordId }: Pick<StoredRecord, 'source' | 'recordId'>) =>
    fingerprints.ofRecord(source, recordId);
  return {
    keyOf,
    seal: (record) => ({
      key: keyOf(record),
      ref: fingerprints.of('label', record.recordId),
      sealed: sealing.seal(JSON.stringify(record)),
    }),
    open: (sealed) => JSON.parse(sealing.open(sealed)) as StoredRecord,
  };
}

export interface SealedRow {
  row: number;
  sealed: Uint8Array;
}

/** Records as they are kept, in one piece of memory. */
export interface SealedPage {
  rows: Uint32Array;
  bytes: Uint8Array;
  /** Where each ends. */
  ends: Uint32Array;
}

export function packSealedPage(records: SealedRow[]): SealedPage {
  const ends = new Uint32Array(records.length);
  let length = 0;
  for (const [i, { sealed }] of records.entries()) ends[i] = length += sealed.length;
  const bytes = new Uint8Array(length);
  for (const [i, { sealed }] of records.entries()) bytes.set(sealed, i > 0 ? ends[i - 1] : 0);
  return { rows: Uint32Array.from(records, ({ row }) => row), bytes, ends };
}

/** @param open see `recordSealing`. Neither the key nor the identity that a record had is told. */
export function openSealedPage(
  { rows, bytes, ends }: SealedPage,
  open: (sealed: Uint8Array) => StoredRecord,
): RecordRow[] {
  return Array.from(rows, (row, i) => ({
    ...open(bytes.subarray(i > 0 ? ends[i - 1] : 0, ends[i])),
    row,
    key: '',
    identity: null,
  }));
}
