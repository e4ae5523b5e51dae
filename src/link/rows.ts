import { type LinkRecord, personKey } from './record.ts';

/** What of every record is kept at hand while its keys are gone through: some thirty bytes a row. */
export interface Rows {
  /** The `personKey`. */
  persons: Float64Array;
  /** See `orderOf`. */
  orders: Float64Array;
  /** Name with birth date; 0 where one is missing. */
  dated: Float64Array;
}

/** @param rows one more than the highest row */
export function rowsFor(rows: number): Rows {
  return {
    persons: new Float64Array(rows),
    orders: new Float64Array(rows),
    dated: new Float64Array(rows),
  };
}

export function keepRow({ persons, orders, dated }: Rows, record: LinkRecord): void {
  persons[record.row] = personKey(record);
  orders[record.row] = record.order;
  dated[record.row] = record.nameAndBirth ?? 0;
}
