import { collapseSpaces } from '../../normalise/text.ts';
import { isEmptyMarker } from './persons.ts';
import { toIsoDate, type DateOrder } from './dates.ts';
import { splitPhones } from './cells.ts';
import { collectParties, type RawAddress } from './parties.ts';
import type { Column } from './headers.ts';
import { isRelativeGroup } from './words.ts';

/** A record as it comes out of a file, under the names of the record format; every value may be of any type. */
export interface RawRecord {
  record_id?: unknown;
  /** Takes the record out; see `deletedIn`. */
  deleted?: unknown;
  source?: unknown;
  identity?: unknown;
  name?: unknown;
  names?: unknown;
  email?: unknown;
  emails?: unknown;
  phone?: unknown;
  phones?: unknown;
  address?: unknown;
  addresses?: unknown;
  birth_date?: unknown;
  /** Of a person of whom no more of an address is known: by it numbers are read. */
  country?: unknown;
  birth_place?: unknown;
  gender?: unknown;
  title?: unknown;
  identifiers?: unknown;
  first_seen?: unknown;
  last_seen?: unknown;
}
export type { RawAddress } from './parties.ts';

/** A text, or a number as text; the empty string for all else. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return collapseSpaces(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

const YES_OR_NO = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0', ''].map((text) => [text, false] as const),
]);

/** Whether a record is to be taken out; null where what it says is neither yes nor no: what was meant to be taken out must not be put. */
export function parseDeleted({ deleted = false }: RawRecord): boolean | null {
  if (deleted === null || typeof deleted === 'boolean') return deleted ?? false;
  const isText = typeof deleted === 'string' || typeof deleted === 'number';
  return isText ? (YES_OR_NO.get(collapseSpaces(String(deleted)).toLowerCase()) ?? null) : null;
}

/** What the columns of a table hold, and in which order the numbers of each make dates. */
interface TableColumns {
  columns: readonly (Column | null)[];
  orders: readonly (DateOrder | null)[];
  /** Milliseconds since 1970: who is born is born by then. */
  now?: number | undefined;
}

/** Cells of these may hold several values. */
const LISTS: Record<string, 'emails' | 'phones' | 'names'> = {
  email: 'emails',
  phone: 'phones',
  name: 'names',
};

/**
 * A row's cells under the names of the record format. Of whom else it names nothing is in it: neither their name nor an address, phone or e-mail of
 * theirs, for what is sent to somebody as a gift does not make them one person with who paid.
 */
export function toRawRecord(
  cells: readonly string[],
  { columns, orders, now }: TableColumns,
): { raw: RawRecord; others: boolean } {
  const raw: RawRecord = {};
  const named = collectParties();
  for (const [index, column] of columns.entries()) {
    const cell = bared(cells[index]?.trim() ?? '');
    if (column === null || cell === '' || isEmptyMarker(cell) || isRelativeGroup(column.group)) continue;
    const { field, group } = column;
    const said = named.of(group);
    const list = LISTS[field];
    if (list) said[list].push(...several(cell, field));
    else if (field === 'given' || field === 'middle' || field === 'family' || field === 'suffix') {
      const before = said.parts[field];
      said.parts[field] = group === 'second' && before ? `${before} ${cell}` : (before ?? cell);
    } else if (IN_ADDRESS.has(field)) addInto(said.addresses, group, field, cell);
    else
      raw[field as 'source'] ??= DATES.has(field)
        ? toIsoDate(cell, orders[index] ?? null, latestYearOf(field, now))
        : cell;
  }
  const { said, others } = named.person();
  raw.names = said.names;
  if (Object.keys(said.parts).length > 0) raw.name = said.parts;
  raw.emails = said.emails;
  raw.phones = said.phones;
  const addresses = [...said.addresses.values()].map(withoutNumberAlone);
  raw.addresses = addresses.filter(isSomewhere);
  const country = addresses.find((one) => !isSomewhere(one) && one.country !== undefined)?.country;
  if (country !== undefined) raw.country = country;
  return { raw, others };
}

const OF_THE_ROW = new Set(['source', 'first_seen', 'last_seen']);

/** Who else the row is about: parents of a pupil, say. Only whom it names, and says how to reach. */
export function findRelatives(
  cells: readonly string[],
  { columns, orders, now }: TableColumns,
): { group: string; raw: RawRecord }[] {
  const groups = new Set(columns.flatMap((one) => (one && isRelativeGroup(one.group) ? [one.group] : [])));
  return [...groups].flatMap((group) => {
    const theirs = columns.map((one) => {
      if (one?.group === group) return { ...one, group: '' };
      return one && OF_THE_ROW.has(one.field) ? one : null;
    });
    const { raw } = toRawRecord(cells, { columns: theirs, orders, now });
    const lists = [raw.emails, raw.phones] as string[][];
    const isNamed = raw.name !== undefined || (raw.names as string[]).length > 0;
    return isNamed && lists.some((list) => list.length > 0) ? [{ group, raw }] : [];
  });
}

const DATES = new Set(['birth_date', 'first_seen', 'last_seen']);

/** The latest year that two digits may be in a field. */
export const latestYearOf = (field: string, now: number | undefined): number | undefined =>
  field === 'birth_date' && now !== undefined ? new Date(now).getUTCFullYear() : undefined;

/** A cell without what keeps spreadsheets from reading it as a number or formula: `'+49 30`, `="04107"`. */
function bared(cell: string): string {
  if (/^'[+\d=@(-]/.test(cell)) return cell.slice(1);
  return /^="[^"]*"$/.test(cell) ? cell.slice(2, -1) : cell;
}

const IN_ADDRESS = new Set(['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country', 'address']);

/**
 * A whole address in one cell is a street line: the normaliser takes it apart. Several street columns (street and house number,
 * say) are joined; of any other part the first column counts.
 */
function addInto(addresses: Map<string, RawAddress>, group: string, field: string, cell: string): void {
  const key = field === 'address' ? 'street' : (field as keyof RawAddress);
  let address = addresses.get(group);
  if (address === undefined) addresses.set(group, (address = {}));
  const before = address[key];
  // Some programs write one street twice, whole and in parts.
  if (before === undefined || cell.startsWith(before as string)) address[key] = cell;
  else if ((key === 'street' || key === 'street2') && !(before as string).startsWith(cell))
    address[key] = `${before as string}, ${cell}`;
}

/** A house number without its street is that of many houses. */
const withoutNumberAlone = (address: RawAddress): RawAddress => {
  const { street, ...rest } = address;
  return /^\d{1,4} ?\p{L}?$/u.test(toText(street)) ? rest : address;
};

/** A state or country alone is nobody's address. */
const isSomewhere = ({ street, street2, city, zip }: RawAddress): boolean =>
  [street, street2, city, zip].some((part) => part !== undefined);

/** Several values in one cell, apart by semicolon, bar or line (Google: ` ::: `); e-mails by comma and space too, phones as in `phonesIn`. */
function several(cell: string, field: string): string[] {
  if (field === 'phone') return splitPhones(cell);
  const values = cell.split(field === 'email' ? /(?:[;|,\s]|:::)+/ : /[;|\n]+| ::: /);
  // `Ann Lee <ann@example.com>`: the name is none of the addresses.
  const isNamed = field === 'email' && /<[^<>\s]+@[^<>\s]+>/.test(cell);
  return values
    .map((value) => value.trim())
    .filter((value) => (isNamed ? value.includes('@') : value !== ''));
}
