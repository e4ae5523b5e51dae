// How a record is kept: sealed as one JSON text. The names of its properties are part of what engines keep.
import type { StoredRecord } from '../../link/stored.ts';
import type { Fingerprints } from '../fingerprints.ts';
import type { TextSealing } from '../sealing.ts';

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

export function recordSealing(fingerprints: Fingerprints, sealing: TextSealing): RecordSealing {
  const keyOf = ({ source, recordId }: Pick<StoredRecord, 'source' | 'recordId'>) =>
    fingerprints.record(source, recordId);
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
