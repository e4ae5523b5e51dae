// Which of the records behind one key are compared: a function of these records alone, whatever order they came in.
import { isWeak, weakMost } from './blocking.ts';
import { pairOf } from './pairs.ts';
import type { Rows } from './rows.ts';

/** Behind a key that more records share than this, not all are compared with all. */
export const FREQUENT = 64;
/** In a chain a record is compared with so many of those that follow. */
const WINDOW = 6;

/** The rows behind a key. */
export interface Group {
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
export function shareKey(
  { key, rows }: Group,
  { facts, perPerson, add }: { facts: Rows; perPerson: number; add: AddPair },
): number {
  const most = isWeak(key) ? weakMost(perPerson) : FREQUENT;
  if (rows.length <= most) {
    addEveryTwo(rows, add);
    return isWeak(key) ? 0 : peopleOf(rows, facts.persons);
  }
  if (isWeak(key)) return 0;
  const named = groupBy(rows, facts.persons);
  for (const group of named.values()) for (const [a, b] of pairsOfName(group, facts)) add(pairOf(a, b));
  return named.size;
}

function addEveryTwo(rows: number[], add: AddPair): void {
  for (let i = 0; i < rows.length; i++)
    for (let j = i + 1; j < rows.length; j++) add(pairOf(rows[i] ?? 0, rows[j] ?? 0));
}

/** How many different people the rows are of: mostly two or three rows, of one or two. */
function peopleOf(rows: number[], persons: Rows['persons']): number {
  const seen: number[] = [];
  for (const row of rows) {
    const person = persons[row] ?? 0;
    if (!seen.includes(person)) seen.push(person);
  }
  return seen.length;
}

/** The pairs of equally named records behind a key that more than `FREQUENT` share. */
export function pairsOfName(rows: number[], facts: Rows): [number, number][] {
  if (rows.length <= FREQUENT) return everyTwo(rows);
  const inOrder = rows.toSorted((a, b) => (facts.orders[a] ?? 0) - (facts.orders[b] ?? 0));
  const pairs: [number, number][] = [];
  const chain: number[] = [];
  for (const group of groupBy(inOrder, facts.dated).values()) {
    if (group.length <= FREQUENT) pairs.push(...everyTwo(group));
    chain.push(...group);
  }
  return [...pairs, ...chained(chain)];
}

/** The records of one label, each with the next: the operator's word joins them all. */
export function pairsOfLabel(rows: number[], { orders }: Pick<Rows, 'orders'>): [number, number][] {
  const inOrder = rows.toSorted((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  return inOrder.slice(1).map((row, i): [number, number] => [inOrder[i] ?? row, row]);
}

function* chained(rows: number[]): Iterable<[number, number]> {
  for (const [i, one] of rows.entries())
    for (const other of rows.slice(i + 1, i + 1 + WINDOW)) yield [one, other];
}

export function everyTwo(rows: number[]): [number, number][] {
  return rows.flatMap((one, i) => rows.slice(i + 1).map((other): [number, number] => [one, other]));
}

/** In the order of each group's first row. */
function groupBy(rows: number[], values: Rows['dated']): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const value = values[row] ?? 0;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  return groups;
}
