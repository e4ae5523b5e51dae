import { BonafideError } from '../../errors.ts';
import { isNumberHeader } from './by-words.ts';
import { hasResidentHeader, guessHeader } from './guess.ts';
import {
  ADDRESS_FIELDS,
  type ColumnGuess,
  toHeaderKey,
  NAME_FIELDS,
  type Column,
  type ColumnField,
  HOUSE_NUMBER_HEADERS,
} from './headers.ts';
import { describeColumns, parseColumnMap } from './map.ts';
import type { TableSettings } from '../settings.ts';
import { correctGuess, type ValueShares, measureValues } from './values.ts';
import { isRelativeGroup } from './words.ts';

export type { Column, ColumnField } from './headers.ts';
export { formatColumnMap, displayHeaders } from './map.ts';

/** Every row is gone through by column: a file without line ends would be one of a million. */
const MOST_COLUMNS = 1000;

/** Settings of a table, and its first rows. */
export interface ColumnsOptions extends Omit<TableSettings, 'sampled' | 'empty'> {
  samples?: readonly (readonly string[])[];
}

/**
 * The field of each column of the input `name`: what `map` says (`name=Full Name,email=Mail`), else guessed from the header and from what the
 * first rows hold. A field that is mapped is not guessed anywhere else; a mapped `name` switches off the guesses of its parts too. Headers that
 * are `labels` are no fields, and where there are any a record id is not asked for.
 *
 * Errors: `invalid_arguments` where the map is malformed, or names an unknown field or header, where no column holds the record id and none
 * is made, and for more than 1,000 columns.
 */
export function chooseColumns(headers: string[], options: ColumnsOptions): (Column | null)[] {
  const { name, map = '', labels, samples = [] } = options;
  requireColumnLimit(headers, name);
  const mapped = parseColumnMap(headers, { name, map });
  const taken = new Set<ColumnField>([...mapped.values()].flatMap((one) => one?.field ?? []));
  if (options.source !== undefined) taken.add('source');
  if (taken.has('name')) for (const part of ['given', 'middle', 'family', 'suffix'] as const) taken.add(part);
  const looks = headers.map((_, i) => measureValues(samples.map((row) => row[i] ?? '')));
  const keys = headers.map(toHeaderKey);
  const lived = hasResidentHeader(headers);
  const guesses = headers.map((header, i): ColumnGuess | null => {
    if (mapped.has(i) || labels?.includes(header.toLowerCase())) return null;
    const said = guessHeader(header);
    const own = said?.isOfProperty && !lived ? null : said;
    const guess = correctGuess(keys[i] ?? '', own, looks[i] ?? measureValues([]));
    return guess === null || taken.has(guess.field) ? null : guess;
  });
  const sure = familyBeside(surest(guesses), samples);
  const settled = oneAddress(besideOthers(numbered(sure, headers, looks), keys));
  const chosen = chooseId(settled, keys, looks);
  const columns = chosen.map((guess, i) => mapped.get(i) ?? guess);
  if (labels === undefined && !options.mayBeUnknown)
    refuseUnknown(headers, columns, { ...options, isSaid: mapped.size > 0 });
  return columns;
}

/** Of an object's property that came up when the columns were settled: only what is sure, and not twice what there is one of. */
export function chooseLateColumn(
  columns: readonly (Column | null)[],
  header: string,
  { map = '', source }: Pick<TableSettings, 'map' | 'source'>,
): Column | null {
  const guess = guessHeader(header);
  if (guess === null || guess.isWeak || guess.field === 'record_id') return null;
  const isThere = columns.some((one) => one?.field === guess.field);
  if (isThere && map.includes(`${guess.field}=`)) return null;
  return guess.field === 'source' && source !== undefined ? null : guess;
}

/** Refuses a table whose records cannot be told apart, or whose columns are not known at all. */
function refuseUnknown(
  headers: string[],
  columns: (Column | null)[],
  { name, makeId, isSaid }: ColumnsOptions & { isSaid: boolean },
): void {
  if (columns.some((column) => column?.field === 'record_id')) return;
  const known = columns.some(
    (column, i) => column !== null && (guessHeader(headers[i] ?? '') ?? column.group !== ''),
  );
  if (makeId && (isSaid || known) && !headers.some((header) => header.includes('@'))) return;
  const lacks = makeId ? 'name or contact' : 'record id';
  throw new BonafideError(
    'invalid_arguments',
    `${name}: no column looks like a ${lacks}; say which one holds it, for example --map "${makeId ? 'name=Customer' : 'record_id=Number'}". ${describeColumns(headers)}`,
  );
}

/** Errors: `invalid_arguments` for more than 1,000 columns. */
export function requireColumnLimit(headers: string[], name: string): void {
  if (headers.length <= MOST_COLUMNS) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: its first line has more than ${MOST_COLUMNS} columns. Put a line with the names of the columns above the records.`,
  );
}

/** Ids of things that are not the row's person, or of a program's own making. */
const WEAK_ID =
  /^(?:contactid|leadid|uniqueid|leid|euid|name)|order|bestell|auftrag|commande|pedido|ordine|encomenda|zamowien/;

/** Of several ids the one that tells rows apart: an account's or customer's stands in many rows of orders or contacts. */
function chooseId(columns: (Column | null)[], keys: string[], looks: ValueShares[]): (Column | null)[] {
  const all = [...columns.keys()].filter((i) => columns[i]?.field === 'record_id');
  const strong = all.filter((i) => !WEAK_ID.test(keys[i] ?? ''));
  const [first] = strong.length > 0 ? strong : all;
  if (first === undefined || all.length < 2) return columns;
  const different = (i: number) => (looks[i]?.count ? (looks[i]?.different ?? 0) : 0);
  const best = all.reduce((one, other) => (different(other) > different(one) ? other : one), first);
  const kept = best === first ? (strong.length > 0 ? strong : [first]) : [best];
  return columns.map((column, i) => (column?.field === 'record_id' && !kept.includes(i) ? null : column));
}

/**
 * Refuses a table of which no column holds a name.
 *
 * Errors: `invalid_arguments`.
 */
export function requireNameColumn(headers: string[], columns: (Column | null)[], name: string): void {
  if (columns.some((column) => column !== null && NAME_FIELDS.has(column.field))) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: no column looks like a name; say which one holds it, for example --map "name=Customer". ${describeColumns(headers)}`,
  );
}

/** What is guessed with words that are not known is left out where another column surely is the same. */
function surest(guesses: (ColumnGuess | null)[]): (Column | null)[] {
  const kindOf = ({ field, group }: Column) =>
    (NAME_FIELDS.has(field) ? 'name' : ADDRESS_FIELDS.has(field) ? 'address' : field) +
    (isRelativeGroup(group) ? group : '');
  // A postcode alone leaves room for an address that is less sure.
  const isPart = ({ field }: Column) =>
    ADDRESS_FIELDS.has(field) && field !== 'street' && field !== 'address';
  const surely = guesses.flatMap((one) => (one && !one.isWeak ? [one] : []));
  const sure = new Set(surely.flatMap((one) => (isPart(one) ? [] : [kindOf(one)])));
  const fields = new Set(surely.map(({ field }) => field));
  const named = new Set(guesses.flatMap((one) => (one && NAME_FIELDS.has(one.field) ? [one.group] : [])));
  return guesses.map((one) => {
    // Of whom no column has a name there is no record.
    if (one === null || (isRelativeGroup(one.group) && !named.has(one.group))) return null;
    const { isWeak, isOfProperty: _, ...column } = one;
    return isWeak && (sure.has(kindOf(one)) || fields.has(one.field)) ? null : column;
  });
}

/** `Name` beside `Vorname` is a family's, unless it says the given name as well. */
function familyBeside(
  columns: (Column | null)[],
  samples: readonly (readonly string[])[],
): (Column | null)[] {
  const placeOf = (field: ColumnField, group: string) =>
    columns.findIndex((one) => one?.field === field && one.group === group);
  return columns.map((column, i) => {
    if (column?.field !== 'name') return column;
    const given = placeOf('given', column.group);
    if (given < 0 || placeOf('family', column.group) >= 0) return column;
    const both = samples.filter((row) => row[i]?.trim() && row[given]?.trim());
    const isWhole = both.filter((row) => row[i]?.includes(row[given]?.trim() ?? '')).length * 2 > both.length;
    return isWhole ? column : { ...column, field: 'family' as const };
  });
}

const MOST_ID = 0.9;

/** Where no column holds ids, the first may number the rows: `Nr karty`. */
function numbered(columns: (Column | null)[], headers: string[], looks: ValueShares[]): (Column | null)[] {
  const [first, look] = [headers[0] ?? '', looks[0]];
  if (columns[0] !== null || columns.some((one) => one?.field === 'record_id')) return columns;
  const tellsApart =
    look && look.count > 1 && look.different > MOST_ID && look.digits > MOST_ID && look.long < 0.5;
  return tellsApart && isNumberHeader(first)
    ? [{ field: 'record_id', group: '' }, ...columns.slice(1)]
    : columns;
}

/** `Home Address` beside `City` and `Zip`: where only one group has a street, and lacks a place, the rest of the address is its. */
function oneAddress(columns: (Column | null)[]): (Column | null)[] {
  const parts = columns.filter(
    (one) => one !== null && ADDRESS_FIELDS.has(one.field) && !isRelativeGroup(one.group),
  );
  const groupsOf = (...fields: ColumnField[]) =>
    new Set(parts.flatMap((one) => (one && fields.includes(one.field) ? [one.group] : [])));
  const [streets, places] = [groupsOf('street', 'address'), groupsOf('city', 'zip')];
  const [group = ''] = streets;
  if (group === '' || streets.size > 1 || places.size !== 1 || !places.has('')) return columns;
  return columns.map((one) => (one && parts.includes(one) && one.group === '' ? { ...one, group } : one));
}

/** What only the columns beside a column tell: a number is a house number beside a street, and a whole address is not needed beside its parts. */
function besideOthers(columns: (Column | null)[], keys: string[]): (Column | null)[] {
  const streets = new Set(columns.flatMap((one) => (one?.field === 'street' ? [one.group] : [])));
  return columns.map((column, i): Column | null => {
    const key = keys[i] ?? '';
    const before = columns.slice(0, i).findLast((one) => one?.field === 'street' || one?.field === 'address');
    if (column === null && HOUSE_NUMBER_HEADERS.has(key) && before)
      return { field: 'street', group: before.group };
    return column?.field === 'address' && key.endsWith('formatted') && streets.has(column.group)
      ? null
      : column;
  });
}

// Address books have people and firms in one table: of a firm they know no name but that of its company column.

/** Google's column, as it is written today and as it was for years. */
const OF_GOOGLE = /^organization (?:1 - )?name$/i;
/** Outlook's, in its languages: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish. */
const OF_OUTLOOK = /^(?:company|firma|soci[ée]t[ée]|compañ[ií]a|organización|empresa|societ[àa]|bedrijf)$/i;
/** Outlook tells contacts at home from those at work. */
const HOME =
  /(?:^|[\s(])(?:home|privat|domicile|particular|residencial|abitazione|thuis|domow[ya])(?:$|[\s)])/i;
const WORK =
  /(?:^|[\s(])(?:business|geschäftlich|bureau|trabajo|comercial|ufficio|werk|służbow[ya])(?:$|[\s)])/i;

/** Which column of an address book is the firm's name; -1 where there is none, or the table is something else. */
export function findCompanyColumn(headers: readonly string[]): number {
  const ofGoogle = headers.findIndex((header) => OF_GOOGLE.test(header));
  if (ofGoogle >= 0) return ofGoogle;
  const has = (what: RegExp) => headers.some((header) => what.test(header));
  return has(HOME) && has(WORK) ? headers.findIndex((header) => OF_OUTLOOK.test(header)) : -1;
}
