/** Rows are below this. */
const ROWS = 2 ** 26;

/** One number for two rows, whichever comes first: in the order of the lower row, then of the higher one. */
export function pairOf(a: number, b: number): number {
  return a < b ? directed(a, b) : directed(b, a);
}

/** One number for two rows in this order, as `rowsOf` gives them back: sorted, what leads from a row lies together. */
export function directed(from: number, to: number): number {
  return from * ROWS + to;
}

/** The rows of a pair, the lower one first. */
export function rowsOf(pair: number): [a: number, b: number] {
  const a = Math.floor(pair / ROWS);
  return [a, pair - a * ROWS];
}
