import type { Facts } from './counted/facts.ts';

/** What of every record is kept at hand while its keys are gone through, by its row. */
export interface Rows {
  /** The `personKey`. */
  persons: ByRow;
  /** See `orderOf`. */
  orders: ByRow;
  /** Name with birth date; 0 where one is missing. */
  dated: ByRow;
}

/** Some thirty bytes a row where they are those of all records. */
interface ByRow {
  [row: number]: number;
}

/** @param rows one more than the highest row */
export function rowsFor(rows: number): Record<keyof Rows, Float64Array> {
  return {
    persons: new Float64Array(rows),
    orders: new Float64Array(rows),
    dated: new Float64Array(rows),
  };
}

export function keepRow({ persons, orders, dated }: Rows, row: number, facts: Facts): void {
  persons[row] = facts.person;
  orders[row] = facts.order;
  dated[row] = facts.dated;
}
