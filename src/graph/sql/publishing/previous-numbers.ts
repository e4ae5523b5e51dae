// Current identity numbers, and retired numbers of identities that were merged.
import type { IdentityNumbering, RowsByRetiredIdentityNumber } from '../../../link/identity-numbers.ts';
import type { IdentityRedirect } from '../published.ts';
import type { SqlSession, UpsertTableColumns } from '../session.ts';

export interface IdentityNumbersBeforeImport {
  rows: Map<number, number>;
  /** For each retired number whose redirect changed: the number that replaced it before the import; null if none did. */
  heirs: Map<number, number | null>;
  /** Deleted pairs of a record's row and a retired identity number that the record had. */
  previousNumbers: [row: number, number: number][];
}

interface AllNumbers {
  /** Identity number of each record, by row; null if the record is not linked yet. */
  previous: Map<number, number | null>;
  /**
   * All identity numbers ever assigned, each with the number that replaces it; null for a number in use, and for a retired number that none replaces.
   */
  known: Map<number, number | null>;
}

const PAGE = 20_000;

/** Reads all identity numbers, present and retired, and those of records up to the row `highestRow`. */
export async function readIdentityNumbersAndRedirects(
  session: SqlSession,
  highestRow: number,
): Promise<AllNumbers> {
  const pairsIn = async (...tables: [columns: string, table: string][]) => {
    const pairs = new Map<number, number | null>();
    for (const [columns, table] of tables) {
      const [id] = columns.split(',');
      const text = `SELECT ${columns} FROM ${table} t WHERE ${id} > $1 ORDER BY ${id} LIMIT ${PAGE}`;
      for (let [after, count] = [0, PAGE]; count === PAGE;) {
        const rows = await session.query<[number, number | null]>(text, [after]);
        for (const [key, value] of rows) pairs.set(key, value);
        after = rows.at(-1)?.[0] ?? 0;
        count = rows.length;
      }
    }
    return pairs;
  };
  const previous = await pairsIn(['id, identity', session.dialect.records]);
  if (highestRow < Infinity) for (const row of previous.keys()) if (row > highestRow) previous.delete(row);
  // Reads both: after a power failure, published identities may have numbers that no record has.
  return { previous, known: await pairsIn(['id, NULL', 'identity'], ['number, heir', 'merged']) };
}

export async function getNextIdentityNumber(session: SqlSession): Promise<number> {
  const highest = await session.query<[number | null]>(
    `SELECT max(id) FROM identity UNION ALL SELECT max(number) FROM merged UNION ALL SELECT max(identity) FROM ${session.dialect.members}`,
  );
  return Math.max(0, ...highest.map(([number]) => Number(number))) + 1;
}

/** Sets the replacements of retired identity numbers to those from before the import that is being undone. */
export function restoreRedirectsFromBeforeImport(
  known: Map<number, number | null>,
  before: IdentityNumbersBeforeImport | null,
): void {
  for (const number of known.keys()) {
    const heir = before?.heirs.get(number);
    if (heir !== undefined) known.set(number, heir);
  }
}

export async function readRowsByRetiredNumber(
  session: SqlSession,
  before: IdentityNumbersBeforeImport | null,
): Promise<RowsByRetiredIdentityNumber> {
  const pairs = await session.query<[number, number]>(
    `SELECT b.${session.dialect.rowColumn}, b.number FROM bore b JOIN merged m ON m.number = b.number`,
  );
  return groupByNumber([...pairs, ...(before?.previousNumbers ?? [])]);
}

export interface PreviousNumbersOfChangedRecords {
  bore: RowsByRetiredIdentityNumber;
  /** Present identities of those rows in `bore` (rows by previous number) whose records did not change. */
  elsewhere: Map<number, number>;
  heirs: IdentityRedirect[];
}

interface NumberedPart {
  rows: number[];
  numbers: Iterable<number>;
  /** True if no unchanged identity has this number, so that a changed identity may get it. */
  isFree(number: number): boolean;
}

/** Returns all rows that ever had one of the identity numbers in `numbers`, or one of the previous identity numbers of `rows`. */
export async function readPreviousIdentityNumbersOfRecords(
  session: SqlSession,
  { rows, numbers, isFree }: NumberedPart,
  before: IdentityNumbersBeforeImport | null,
): Promise<PreviousNumbersOfChangedRecords> {
  const { records, rowColumn } = session.dialect;
  const ofRows = await session.query<[number, number | null]>(
    `SELECT DISTINCT b.number, m.heir FROM bore b JOIN merged m ON m.number = b.number WHERE b.${rowColumn} ${session.isInNumbers('$1')}`,
    [rows],
  );
  const own = new Set(rows);
  const restored = before?.previousNumbers.filter(([, number]) => isFree(number)) ?? [];
  const heirs = new Map(ofRows);
  const missing = restored.flatMap(([row, number]) => (own.has(row) && !heirs.has(number) ? [number] : []));
  for (const number of missing) heirs.set(number, null);
  for (const redirect of missing.length > 0 ? await readRedirects(session, missing) : [])
    heirs.set(...redirect);
  const all = new Set([...heirs.keys(), ...numbers]);
  const stored = await session.query<[number, number, number | null]>(
    `SELECT b.${rowColumn}, b.number, r.identity FROM bore b LEFT JOIN ${records} r ON r.id = b.${rowColumn}
     WHERE b.number ${session.isInNumbers('$1')}`,
    [[...all]],
  );
  const elsewhere = new Map<number, number>();
  for (const [row, , identity] of stored)
    if (identity !== null && !own.has(row)) elsewhere.set(row, identity);
  return {
    bore: groupByNumber([
      ...stored.map(([row, number]): [number, number] => [row, number]),
      ...restored.filter(([, number]) => all.has(number)),
    ]),
    elsewhere,
    heirs: [...heirs],
  };
}

const readRedirects = (session: SqlSession, numbers: number[]) =>
  session.query<IdentityRedirect>(
    `SELECT number, heir FROM merged WHERE number ${session.isInNumbers('$1')}`,
    [numbers],
  );

function groupByNumber(pairs: Iterable<[row: number, number: number]>): RowsByRetiredIdentityNumber {
  const rows = new Map<number, Set<number>>();
  for (const [row, number] of pairs) rows.set(number, (rows.get(number) ?? new Set()).add(row));
  return new Map(Array.from(rows, ([number, all]) => [number, [...all]]));
}

export async function writePreviousIdentityNumbers(
  session: SqlSession,
  { identities, redirects, parted }: IdentityNumbering,
  { bore, before }: { bore: RowsByRetiredIdentityNumber; before: IdentityNumbersBeforeImport | null },
): Promise<void> {
  const alive = identities.flatMap(({ number }) => (bore.has(number) ? [number] : []));
  if (alive.length > 0)
    await session.query(`DELETE FROM bore WHERE number ${session.isInNumbers('$1')}`, [alive]);
  const restored = (before?.previousNumbers ?? []).filter(
    ([row, number]) => redirects.has(number) && bore.get(number)?.includes(row),
  );
  const pairs = [
    ...[...parted].flatMap(([number, rows]) => rows.map((row): [number, number] => [number, row])),
    ...restored.map(([row, number]): [number, number] => [number, row]),
  ];
  if (pairs.length > 0) await session.upsert(getPreviousIdentityNumberTableColumns(session), pairs);
}

export function getPreviousIdentityNumberTableColumns({ dialect }: SqlSession): UpsertTableColumns {
  const columns = ['number', dialect.rowColumn];
  return { name: 'bore', columns, key: columns };
}
