// Lists of millions of numbers, and of pairs of rows with numbers, in typed arrays.
import { pickNumbersByIndex, listIndexesInKeyOrder } from '../../graph/external-sort.ts';
import { decodeRowPair } from '../../link/candidate-pairs.ts';

/** Creates a growing list of numbers, eight bytes each. */
export function createNumberList() {
  let numbers = new Float64Array(1024);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= numbers.length) return;
    const before = numbers;
    numbers = new Float64Array(Math.max(before.length * 2, length + more));
    numbers.set(before);
  };
  return {
    add(number: number): void {
      reserve(1);
      numbers[length++] = number;
    },
    addAll(more: ArrayLike<number>): void {
      reserve(more.length);
      numbers.set(more, length);
      length += more.length;
    },
    all: (): Float64Array => numbers.subarray(0, length),
  };
}

/** List of pairs of rows in ascending order, each pair with a value. A pair needs 16 bytes. */
export interface PairList extends Iterable<[a: number, b: number, value: number]> {
  readonly length: number;
  at(index: number): [a: number, b: number, value: number];
  /** Returns the value of a pair (see `encodeRowPair`). Undefined if the list does not contain the pair. */
  find(pair: number): number | undefined;
}

/** Creates one pair list for each array of values. Pairs whose value is NaN are left out. */
export function createPairListForEachValueArray<C extends Record<string, Float64Array>>(
  all: Float64Array,
  columns: C,
): Record<keyof C, PairList> {
  const order = listIndexesInKeyOrder(all);
  const pairs = pickNumbersByIndex(all, order);
  const lists = Object.entries(columns).map(([name, column]): [string, PairList] => [
    name,
    listOf(pairs, pickNumbersByIndex(column, order)),
  ]);
  return Object.fromEntries(lists) as Record<keyof C, PairList>;
}

function listOf(all: Float64Array, column: Float64Array): PairList {
  const isNumber = (value: number) => !Number.isNaN(value);
  const isComplete = column.every(isNumber);
  const pairs = isComplete ? all : all.filter((_, i) => isNumber(column[i] ?? NaN));
  const values = isComplete ? column : column.filter(isNumber);
  const { length } = pairs;
  const at = (index: number): [number, number, number] => [
    ...decodeRowPair(pairs[index] ?? 0),
    values[index] ?? 0,
  ];
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
      for (let i = 0; i < length; i++) yield at(i);
    },
  };
}
