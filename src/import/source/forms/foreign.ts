// Records of JSON under the names of other programs: what a shop, a payment service or a CRM answers. Each is taken for a row of a table whose
// columns are called by the way to the value: `customer.first_name`.
import { type RawRecord, toRaw } from '../../raw.ts';
import type { DateOrder } from '../cells/dates.ts';
import { type Column, guessColumn } from '../columns/columns.ts';
import { OTHERS } from '../columns/headers.ts';

type Fields = Record<string, unknown>;

const OURS = new Set(
  'record_id deleted source identity name names email emails phone phones address addresses birth_date birth_place gender title identifiers first_seen last_seen'.split(
    ' ',
  ),
);
/** What only wraps a person's fields. */
const WRAPPERS = new Set(
  'properties attributes fields data customer contact person user profile record node'.split(' '),
);
/** Whose name and phone are among the parts of the address. */
const PARTIES = new Map([
  ['billing_address', 'billing'],
  ['shipping_address', 'shipping'],
  ['default_address', 'default'],
  ['billing_details', 'billing'],
]);
/** Under what a list of e-mails or phones has each. */
const VALUES = [
  'value',
  'email',
  'number',
  'phone',
  'address',
  'emailAddress',
  'phoneNumber',
  'displayName',
  'full',
];
const MOST_DEPTH = 5;
const MOST_FIELDS = 1000;

/** Whether a record is one of another program: it has no record id of ours, and fields that we do not know. */
export function isForeign(raw: Fields): boolean {
  return !('record_id' in raw) && Object.keys(raw).some((key) => !OURS.has(key));
}

export interface ForeignRow {
  headers: string[];
  cells: string[];
  columns: (Column | null)[];
}

const known = new Map<string, Column | null>();
/** Different ways to values are few, unless somebody makes them up. */
const MOST_KNOWN = 10_000;

function columnOf(header: string): Column | null {
  let column = known.get(header);
  if (column === undefined) {
    if (known.size > MOST_KNOWN) known.clear();
    known.set(header, (column = guessColumn(header)));
  }
  return column;
}

/** A record as one row: those of its own fields first, so that its id is not that of a thing in it. */
export function rowOf(raw: Fields): ForeignRow {
  const found = [...values(raw, [])].slice(0, MOST_FIELDS).toSorted((a, b) => a.depth - b.depth);
  const columns = found.map(({ header, cell }) => {
    const column = columnOf(header);
    // The name of an order is its number.
    return column?.field === 'name' && !/\p{L}/u.test(cell) ? null : column;
  });
  return { headers: found.map(({ header }) => header), cells: found.map(({ cell }) => cell), columns };
}

/** The record of such a row. */
export function recordOf(
  { cells, columns }: ForeignRow,
  dates: DateOrder | null,
): { raw: RawRecord; others: boolean } {
  return toRaw(cells, { columns, orders: columns.map(() => dates) });
}

interface Found {
  header: string;
  cell: string;
  depth: number;
}

function* values(value: unknown, way: string[], depth = 0): Generator<Found> {
  const header = way.join(' ');
  if (typeof value === 'string' || typeof value === 'number') yield { header, cell: String(value), depth };
  else if (Array.isArray(value)) yield* listed(value, way, depth);
  else if (typeof value === 'object' && value !== null && depth < MOST_DEPTH)
    for (const [key, one] of Object.entries(value)) {
      if (OTHERS.test(key.toLowerCase().replace(/[^a-z]/g, ''))) continue;
      yield* values(one, WRAPPERS.has(key) ? way : [...way, PARTIES.get(key) ?? key], depth + 1);
    }
}

/** A list of texts, of e-mails or phones, or of addresses; lists of anything else are things. */
function* listed(list: unknown[], way: string[], depth: number): Generator<Found> {
  const header = way.join(' ');
  const field = columnOf(header)?.field;
  if (field === 'address')
    for (const [i, one] of list.entries()) yield* values(one, [`${header} ${i + 1}`], depth);
  if (field !== 'email' && field !== 'phone' && field !== 'name') return;
  const texts = list.flatMap((one) => (typeof one === 'string' ? one : (textIn(one as Fields) ?? [])));
  yield { header, cell: texts.join('\n'), depth };
}

function textIn(one: Fields | null): string | undefined {
  const found = VALUES.map((key) => one?.[key]).find((value) => typeof value === 'string');
  return found as string | undefined;
}
