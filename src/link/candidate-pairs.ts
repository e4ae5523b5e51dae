// Selects the record pairs to compare among the records of one blocking key. The result does not depend on
// the order of the records.
import { isWeakBlockingKey, getMaxRecordsOfWeakKey } from './blocking.ts';
import type { RecordFieldsByRow } from './statistics/link-cache-record.ts';

/** Maximum number of records of one blocking key for which all pairs are compared. */
export const MAX_FULLY_COMPARED_RECORDS = 64;
/** If too many records have the same name, they are sorted by birth date, and each is compared with this number of records after it. */
const WINDOW = 6;

/** Blocking key (a property that two records must share to be compared), and the row numbers of the records that have it. */
export interface BlockingKeyGroup {
  key: number;
  rows: number[];
}

/** Adds a pair of record rows to compare, encoded by `encodeRowPair`. */
export type AddCandidatePair = (pair: number) => void;

/**
 * Adds the pairs to compare among the records of one blocking key. If many records share the key (office phone, tower block), only records
 * with the same name are compared. If too many have the same name, they are grouped by birth date: all pairs of a small group are compared, and
 * each record with the `WINDOW` records after it. A weak key with many records adds no pairs.
 * @param perPerson average number of records per person
 * @returns the number of people with different names who share the key; 0 for a weak key
 */
export function addCandidatePairsAndCountPeople(
  { key, rows }: BlockingKeyGroup,
  { facts, perPerson, add }: { facts: RecordFieldsByRow; perPerson: number; add: AddCandidatePair },
): number {
  const most = isWeakBlockingKey(key) ? getMaxRecordsOfWeakKey(perPerson) : MAX_FULLY_COMPARED_RECORDS;
  if (rows.length <= most) {
    addEveryTwo(rows, add);
    return isWeakBlockingKey(key) ? 0 : peopleOf(rows, facts.persons);
  }
  if (isWeakBlockingKey(key)) return 0;
  const named = groupBy(rows, facts.persons);
  for (const group of named.values())
    for (const [a, b] of listPairsAmongSameNameRows(group, facts)) add(encodeRowPair(a, b));
  return named.size;
}

function addEveryTwo(rows: number[], add: AddCandidatePair): void {
  for (let i = 0; i < rows.length; i++)
    for (let j = i + 1; j < rows.length; j++) add(encodeRowPair(rows[i] ?? 0, rows[j] ?? 0));
}

/** Counts the different people (keys of person names) among the rows. A linear search is enough, because most keys have two or three rows. */
function peopleOf(rows: number[], persons: RecordFieldsByRow['persons']): number {
  const seenPersons: number[] = [];
  for (const row of rows) {
    const person = persons[row] ?? 0;
    if (!seenPersons.includes(person)) seenPersons.push(person);
  }
  return seenPersons.length;
}

/** Returns the pairs to compare among records with the same name. Used for a key that more than `MAX_FULLY_COMPARED_RECORDS` records share. */
export function listPairsAmongSameNameRows(rows: number[], facts: RecordFieldsByRow): [number, number][] {
  if (rows.length <= MAX_FULLY_COMPARED_RECORDS) return listAllRowPairs(rows);
  const inOrder = rows.toSorted((a, b) => (facts.orders[a] ?? 0) - (facts.orders[b] ?? 0));
  const groups = [...groupBy(inOrder, facts.dated).values()];
  const chain = groups.flat();
  const along = chain.flatMap((row, i) => withRow(row, chain.slice(i + 1, i + 1 + WINDOW)));
  return groups
    .filter(({ length }) => length <= MAX_FULLY_COMPARED_RECORDS)
    .flatMap(listAllRowPairs)
    .concat(along);
}

/** Returns pairs that connect all records with the same label (the operator's id of the person): each record with the next one. */
export function listPairsConnectingSameLabelRows(
  rows: number[],
  { orders }: Pick<RecordFieldsByRow, 'orders'>,
): [number, number][] {
  const inOrder = rows.toSorted((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  return inOrder.slice(1).map((row, i): [number, number] => [inOrder[i] ?? row, row]);
}

export function listAllRowPairs(rows: number[]): [number, number][] {
  return rows.flatMap((row, i) => withRow(row, rows.slice(i + 1)));
}

const withRow = (row: number, others: number[]) => others.map((other): [number, number] => [row, other]);

/** Groups rows by value. Groups are in the order of their first rows. */
function groupBy(rows: number[], values: RecordFieldsByRow['dated']): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const value = values[row] ?? 0;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  return groups;
}

const ROWS = 2 ** 26;

/** Highest row number that can be encoded in a pair. Records with higher row numbers cannot be linked. */
export const MAX_LINKABLE_ROW = ROWS - 1;

/** Encodes two rows, each at most `MAX_LINKABLE_ROW`, as one number that does not depend on their order. Numbers sort by the lower row, then by the higher row. */
export function encodeRowPair(a: number, b: number): number {
  return a < b ? encodeDirectedRowPair(a, b) : encodeDirectedRowPair(b, a);
}

/** Encodes two rows as one number that keeps their order. Sorting the numbers groups all pairs with the same first row. */
export function encodeDirectedRowPair(from: number, to: number): number {
  return from * ROWS + to;
}

/** Decodes a pair number into two rows. If `encodeRowPair` made the number, the lower row is first. */
export function decodeRowPair(pair: number): [a: number, b: number] {
  const a = Math.floor(pair / ROWS);
  return [a, pair - a * ROWS];
}
