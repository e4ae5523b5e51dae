import { sortedByKey } from '../../graph/runs/sorted.ts';
import { rowsOf } from '../../link/pairs.ts';

/** Very many pairs of rows, each with a number: sixteen bytes a pair. */
export interface PairList extends Iterable<[a: number, b: number, value: number]> {
  readonly length: number;
  /** @param pair see `pairOf` */
  add(pair: number, value: number): void;
  /** By place. */
  at(place: number): [a: number, b: number, value: number];
  /** Puts them in order, after which `find` answers; what is added later has to be put in order again. */
  sort(): void;
  /** The number of a pair; undefined where it is not in the list. */
  find(pair: number): number | undefined;
}

const FIRST = 1024;

export function pairList(): PairList {
  let pairs: Float64Array = new Float64Array(FIRST);
  let values: Float64Array = new Float64Array(FIRST);
  let length = 0;
  const at = (place: number): [number, number, number] => [...rowsOf(pairs[place] ?? 0), values[place] ?? 0];
  return {
    get length() {
      return length;
    },
    add(pair, value) {
      if (length === pairs.length) [pairs, values] = [longer(pairs), longer(values)];
      pairs[length] = pair;
      values[length++] = value;
    },
    at,
    sort() {
      const [keys, before] = [pairs.slice(0, length), values];
      const order = sortedByKey({ keys, values: Uint32Array.from(keys.keys()) });
      pairs = order.keys;
      values = Float64Array.from(order.values, (place) => before[place] ?? 0);
    },
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

function longer(numbers: Float64Array): Float64Array {
  const more = new Float64Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
