import { reorderNumbers, sortedOrder } from '../../graph/external-sort.ts';
import { rowsOf } from '../../link/pairs.ts';

/** Very many pairs of rows in order, each with a number: sixteen bytes a pair. Pairs are numbers, see `pairOf`. */
export interface PairList extends Iterable<[a: number, b: number, value: number]> {
  readonly length: number;
  /** By place. */
  at(place: number): [a: number, b: number, value: number];
  /** The number of a pair; undefined where it is not in the list. */
  find(pair: number): number | undefined;
}

/** Of each of these columns, which say something of each pair, a list without the pairs of which it says nothing: NaN. */
export function toPairLists<C extends Record<string, Float64Array>>(
  all: Float64Array,
  columns: C,
): Record<keyof C, PairList> {
  const order = sortedOrder(all);
  const pairs = reorderNumbers(all, order);
  const lists = Object.entries(columns).map(([name, column]): [string, PairList] => [
    name,
    listOf(pairs, reorderNumbers(column, order)),
  ]);
  return Object.fromEntries(lists) as Record<keyof C, PairList>;
}

function listOf(all: Float64Array, column: Float64Array): PairList {
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

/** Very many numbers, eight bytes each. */
interface NumberList {
  add(number: number): void;
  addAll(numbers: ArrayLike<number>): void;
  all(): Float64Array;
}

const FIRST = 1024;

export function createNumberList(): NumberList {
  let numbers = new Float64Array(FIRST);
  let length = 0;
  const room = (more: number) => {
    if (length + more <= numbers.length) return;
    const before = numbers;
    numbers = new Float64Array(Math.max(before.length * 2, length + more));
    numbers.set(before);
  };
  return {
    add(number) {
      room(1);
      numbers[length++] = number;
    },
    addAll(more) {
      room(more.length);
      numbers.set(more, length);
      length += more.length;
    },
    all: () => numbers.subarray(0, length),
  };
}
