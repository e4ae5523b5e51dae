import type { SealedRow } from '../parts/records.ts';
import type { RecordRow, StoredRecord } from '../../link/stored.ts';

/** Records as they are kept, in one piece of memory. */
export interface SealedPage {
  rows: Uint32Array;
  bytes: Uint8Array;
  /** Where each ends. */
  ends: Uint32Array;
}

export function sealedPage(records: SealedRow[]): SealedPage {
  const ends = new Uint32Array(records.length);
  let length = 0;
  for (const [i, { sealed }] of records.entries()) ends[i] = length += sealed.length;
  const bytes = new Uint8Array(length);
  for (const [i, { sealed }] of records.entries()) bytes.set(sealed, i > 0 ? ends[i - 1] : 0);
  return { rows: Uint32Array.from(records, ({ row }) => row), bytes, ends };
}

/** @param open see `recordSealing`. Neither the key nor the identity that a record had is told. */
export function openedPage(
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
