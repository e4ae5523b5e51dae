import { inOrderOf, orderOf } from '../../graph/external-sort.ts';
import { rowsOf } from '../../link/pairs.ts';

/** Very many pairs of rows in order, each with a number: sixteen bytes a pair. Pairs are numbers, see `pairOf`. */
export interface Pairs extends Iterable<[a: number, b: number, value: number]> {
  readonly length: number;
  /** By place. */
  at(place: number): [a: number, b: number, value: number];
  /** The number of a pair; undefined where it is not in the list. */
  find(pair: number): number | undefined;
}

/** Of each of these columns, which say something of each pair, a list without the pairs of which it says nothing: NaN. */
export function sortedPairs<C extends Record<string, Float64Array>>(
  all: Float64Array,
  columns: C,
): Record<keyof C, Pairs> {
  const order = orderOf(all);
  const pairs = inOrderOf(all, order);
  const lists = Object.entries(columns).map(([name, column]): [string, Pairs] => [
    name,
    listOf(pairs, inOrderOf(column, order)),
  ]);
  return Object.fromEntries(lists) as Record<keyof C, Pairs>;
}

function listOf(all: Float64Array, column: Float64Array): Pairs {
  const isSaid = (value: number) => !Number.isNaN(value);
  const isWhole = column.every(isSaid);
  const pairs = isWhole ? all : all.filter((_, place) => isSaid(column[place] ?? NaN));
  const values = isWhole ? column : column.filter(isSaid);
  const { length } = pairs;
  const at = (place: number): [number, number, number] => [...rowsOf(pairs[place] ?? 0), values[place] ?? 0];
  return {
    length,
    at,
    find(pair) {
      let [from, to] = [0, length];
      while (from < to) {
        const middle = (from + to) >>> 1;
        if ((pairs[middle] ?? 0) < pair) from = middle + 1;
        else to = middle;
      }
      return from < length && pairs[from] === pair ? values[from] : undefined;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place++) yield at(place);
    },
  };
}
