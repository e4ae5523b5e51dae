// Which of the records behind one key are compared: a function of these records alone, whatever order they came in.
import { isWeakKey, maxWeakKeyRecords } from './blocking.ts';
import type { RowColumns } from './statistics/record-facts.ts';

/** Behind a key that more records share than this, not all are compared with all. */
export const MAX_FULLY_COMPARED = 64;
/** In a chain a record is compared with so many of those that follow. */
const WINDOW = 6;

/** The rows behind a key. */
export interface KeyGroup {
  key: number;
  rows: number[];
}

/** Takes in a pair of rows; see `pairOf`. */
export type AddPair = (pair: number) => void;

/**
 * The records behind one key, by who they are. Where there are many (an office phone, a tower block), only equally named ones are
 * compared; where these are many too, those of one birth date, and all of them along a chain, so that a person of very many records stays
 * whole. Behind a weak key nobody is compared where there are many: such a record has keys that tell more.
 *
 * Answers how many differently named people share the key.
 *
 * @param perPerson records that a person has, about
 */
export function addGroupPairs(
  { key, rows }: KeyGroup,
  { facts, perPerson, add }: { facts: RowColumns; perPerson: number; add: AddPair },
): number {
  const most = isWeakKey(key) ? maxWeakKeyRecords(perPerson) : MAX_FULLY_COMPARED;
  if (rows.length <= most) {
    addEveryTwo(rows, add);
    return isWeakKey(key) ? 0 : peopleOf(rows, facts.persons);
  }
  if (isWeakKey(key)) return 0;
  const named = groupBy(rows, facts.persons);
  for (const group of named.values())
    for (const [a, b] of listSameNamePairs(group, facts)) add(encodePair(a, b));
  return named.size;
}

function addEveryTwo(rows: number[], add: AddPair): void {
  for (let i = 0; i < rows.length; i++)
    for (let j = i + 1; j < rows.length; j++) add(encodePair(rows[i] ?? 0, rows[j] ?? 0));
}

/** How many different people the rows are of: mostly two or three rows, of one or two. */
function peopleOf(rows: number[], persons: RowColumns['persons']): number {
  const seen: number[] = [];
  for (const row of rows) {
    const person = persons[row] ?? 0;
    if (!seen.includes(person)) seen.push(person);
  }
  return seen.length;
}

/** The pairs of equally named records behind a key that more than `FREQUENT` share. */
export function listSameNamePairs(rows: number[], facts: RowColumns): [number, number][] {
  if (rows.length <= MAX_FULLY_COMPARED) return listAllPairs(rows);
  const inOrder = rows.toSorted((a, b) => (facts.orders[a] ?? 0) - (facts.orders[b] ?? 0));
  const pairs: [number, number][] = [];
  const chain: number[] = [];
  for (const group of groupBy(inOrder, facts.dated).values()) {
    if (group.length <= MAX_FULLY_COMPARED) pairs.push(...listAllPairs(group));
    chain.push(...group);
  }
  return [...pairs, ...chained(chain)];
}

/** The records of one label, each with the next: the operator's word joins them all. */
export function listSameLabelPairs(
  rows: number[],
  { orders }: Pick<RowColumns, 'orders'>,
): [number, number][] {
  const inOrder = rows.toSorted((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  return inOrder.slice(1).map((row, i): [number, number] => [inOrder[i] ?? row, row]);
}

function* chained(rows: number[]): Iterable<[number, number]> {
  for (const [i, one] of rows.entries())
    for (const other of rows.slice(i + 1, i + 1 + WINDOW)) yield [one, other];
}

export function listAllPairs(rows: number[]): [number, number][] {
  return rows.flatMap((one, i) => rows.slice(i + 1).map((other): [number, number] => [one, other]));
}

/** In the order of each group's first row. */
function groupBy(rows: number[], values: RowColumns['dated']): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const value = values[row] ?? 0;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  return groups;
}

/** Rows are below this. */
const ROWS = 2 ** 26;

/** One number for two rows, whichever comes first: in the order of the lower row, then of the higher one. */
export function encodePair(a: number, b: number): number {
  return a < b ? encodeOrderedPair(a, b) : encodeOrderedPair(b, a);
}

/** One number for two rows in this order, as `rowsOf` gives them back: sorted, what leads from a row lies together. */
export function encodeOrderedPair(from: number, to: number): number {
  return from * ROWS + to;
}

/** The rows of a pair, the lower one first. */
export function decodePair(pair: number): [a: number, b: number] {
  const a = Math.floor(pair / ROWS);
  return [a, pair - a * ROWS];
}
