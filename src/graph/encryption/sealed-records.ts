// Encrypted form of records: one JSON text per record. The property names of `StoredRecord` are part of the stored form.
import { joinByteArraysWithEnds, sliceJoinedArray } from '../../link/joined-arrays.ts';
import type { StoredRecord, RecordRow } from '../../link/stored-record.ts';
import type { FingerprintFunctions } from './fingerprints.ts';
import type { TextCipher } from './cipher.ts';

export interface SealedRecord {
  /** Fingerprint of the record's source and record id. */
  key: Buffer;
  ref: number;
  sealed: Buffer;
}

export interface RecordCipher {
  keyOf(name: Pick<StoredRecord, 'source' | 'recordId'>): Buffer;
  encrypt(record: StoredRecord): SealedRecord;
  encryptAll(records: StoredRecord[]): SealedRecord[];
  /** Decrypts a record. Errors: `damaged_database`. */
  decrypt(sealed: Uint8Array): StoredRecord;
}

export function createRecordCipher(fingerprints: FingerprintFunctions, cipher: TextCipher): RecordCipher {
  const keyOf = ({ source, recordId }: Pick<StoredRecord, 'source' | 'recordId'>) =>
    fingerprints.ofRecord(source, recordId);
  const addKeys = (record: StoredRecord, sealed: Buffer): SealedRecord => ({
    key: keyOf(record),
    ref: fingerprints.of('label', record.recordId),
    sealed,
  });
  return {
    keyOf,
    encrypt: (record) => addKeys(record, cipher.encrypt(JSON.stringify(record))),
    encryptAll(records) {
      // Each step for all records before the next step: see `readAndEncryptBatch`.
      const texts = records.map((record) => JSON.stringify(record));
      const sealed = texts.map((text) => cipher.encrypt(text));
      return sealed.map((bytes, i) => addKeys(records[i] as StoredRecord, bytes));
    },
    decrypt: (sealed) => JSON.parse(cipher.decrypt(sealed)) as StoredRecord,
  };
}

export interface SealedRow {
  row: number;
  sealed: Uint8Array;
}

/** Several encrypted records in one block of memory, which can be sent to a worker thread. `ends` contains the index in `bytes` after each record. */
export interface SealedRecordPage {
  rows: Uint32Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

export function packSealedRecordPage(records: SealedRow[]): SealedRecordPage {
  return {
    rows: Uint32Array.from(records, ({ row }) => row),
    ...joinByteArraysWithEnds(records.map(({ sealed }) => sealed)),
  };
}

/**
 * Number of records of which each is encrypted or decrypted before the first is used. One by one, records need 16 % more processor time; 500
 * together need a sixth more, because they outlive garbage collections.
 */
export const RECORDS_PER_STEP = 64;

/**
 * Decrypts the records of a page in steps of `RECORDS_PER_STEP`. They have an empty fingerprint (`key`) and no identity, because a page contains
 * neither.
 * @param decrypt see `RecordCipher.decrypt`
 */
export function* decryptSealedRecordPage(
  { rows, bytes, ends }: SealedRecordPage,
  decrypt: RecordCipher['decrypt'],
): Iterable<RecordRow> {
  for (let from = 0; from < rows.length; from += RECORDS_PER_STEP)
    yield* Array.from(rows.subarray(from, from + RECORDS_PER_STEP), (row, i) =>
      Object.assign(decrypt(sliceJoinedArray(bytes, ends, from + i)), { row, key: '', identity: null }),
    );
}
