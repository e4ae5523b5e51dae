import type { RecordRow } from '../../link/stored-record.ts';
import type { Awaitable } from '../../model.ts';
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import {
  createRecordCipher,
  type RecordCipher,
  type SealedRecord,
  type SealedRow,
} from '../encryption/sealed-records.ts';
import type { SqlSession, SqlValue } from './session.ts';

/** Functions that change the records of a graph. Each change creates a new revision. Call them inside a transaction. */
export interface RecordWriteOperations {
  /**
   * Adds or replaces records, each of which may occur only once.
   * @param journal true to save the previous records for the undo of the import
   */
  put(records: Iterable<SealedRecord>, journal: boolean): Awaitable<{ added: number; replaced: number }>;
  /** Removes records by the fingerprints of their source and id. Returns the number of removed records. */
  remove(keys: readonly Buffer[], journal: boolean): Awaitable<number>;
}

export interface RecordTable extends RecordWriteOperations, RecordCipher {
  readRows(rows: number[]): Promise<RecordRow[]>;
  findByRecordId(recordId: string): Promise<RecordRow[]>;
  listByIdentity(identity: number): Promise<RecordRow[]>;
  pages(): AsyncIterable<RecordRow[]>;
  sealedPages(): AsyncIterable<SealedRow[]>;
  readSealedRows(rows: number[]): Promise<SealedRow[]>;
  count(): Promise<number>;
  maxRow(): Promise<number>;
}

/** Number of decrypted records in a page. Larger pages outlive several garbage collections of young objects, which takes half as much time again. */
const PAGE = 64;
const SEALED_PAGE = 500;

export function openRecordTableForSession(
  session: SqlSession,
  { fingerprints, cipher }: Pick<GraphCiphersAndFingerprints, 'fingerprints' | 'cipher'>,
  changes: RecordWriteOperations,
): RecordTable {
  const { query, isInNumbers, dialect } = session;
  const records = createRecordCipher(fingerprints, cipher);
  const select = async (rest: string, values: SqlValue[]): Promise<RecordRow[]> => {
    const text = `SELECT id, key, identity, sealed FROM ${dialect.records} r ${rest}`;
    const rows = await query<[number, Buffer, number | null, Buffer]>(text, values);
    return rows.map(([row, key, identity, sealed]) => ({
      ...records.decrypt(sealed),
      row,
      key: key.toString('hex'),
      identity,
    }));
  };
  const selectSealed = async (rest: string, values: SqlValue[]): Promise<SealedRow[]> => {
    const rows = await query<[number, Buffer]>(`SELECT id, sealed FROM record ${rest}`, values);
    return rows.map(([row, sealed]) => ({ row, sealed }));
  };
  const selectNumber = async (text: string) => (await query<[number | null]>(text))[0]?.[0] ?? 0;
  const pageAfter = (size: number) => `WHERE id > $1 ORDER BY id LIMIT ${size}`;
  return {
    ...records,
    ...changes,
    readRows: async (rows) => inOrder(rows, await select(`WHERE id ${isInNumbers('$1')}`, [rows])),
    findByRecordId: (recordId) => select('WHERE ref = $1 ORDER BY id', [fingerprints.of('label', recordId)]),
    listByIdentity: (identity) => select('WHERE identity = $1 ORDER BY id', [identity]),
    pages: () => pagesOf((after) => select(pageAfter(PAGE), [after])),
    sealedPages: () => pagesOf((after) => selectSealed(pageAfter(SEALED_PAGE), [after])),
    readSealedRows: async (rows) =>
      inOrder(rows, await selectSealed(`WHERE id ${isInNumbers('$1')}`, [rows])),
    count: () => selectNumber('SELECT count(*) FROM record'),
    maxRow: () => selectNumber('SELECT max(id) FROM record'),
  };
}

async function* pagesOf<T extends { row: number }>(
  page: (after: number) => Promise<T[]>,
): AsyncGenerator<T[]> {
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.row ?? 0)) yield rows;
}

function inOrder<T extends { row: number }>(rows: number[], records: T[]): T[] {
  const byRow = new Map(records.map((record) => [record.row, record]));
  return rows.flatMap((row) => byRow.get(row) ?? []);
}
