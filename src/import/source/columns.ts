import { BonafideError } from '../../errors.ts';
import { fold } from '../../normalise/text.ts';
import { type Column, type ColumnField, HEADERS, NUMBERS, PREFIXES } from './headers.ts';
import { isParty } from './cells/parties.ts';
import { judged, type Looks, looksOf } from './values.ts';

export type { Column, ColumnField } from './headers.ts';

/** Every row is gone through by column: a file without line ends would be one of a million. */
const MOST_COLUMNS = 1000;
/** Columns that an error names. */
const MOST_SHOWN = 50;
const FIELDS = Object.keys(HEADERS) as ColumnField[];
const GUESSES = new Map(
  FIELDS.flatMap((field) =>
    HEADERS[field].flatMap((line) => line.split(' ')).map((header) => [header, field] as const),
  ),
);
const ADDRESS_FIELDS = new Set<ColumnField>([
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'plus4',
  'country',
  'address',
]);
const GROUP = new RegExp(`^(${PREFIXES.join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** A second family name, which is written behind the first. */
const SECOND = /^segundoapellido/;
/** Google and Outlook: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface ColumnsOptions {
  /** What errors call the input. */
  name: string;
  /** What the user says of columns: `name=Full Name,email=Mail`. */
  map?: string;
  /** Headers of columns that stay as they are, in rows that need no record id. */
  labels?: readonly string[];
  /** The first rows, for a look at what the columns hold. */
  samples?: readonly (readonly string[])[];
  /** Whether rows without a record id get one. */
  idsMade?: boolean;
  /** Whether it is said where the records come from: then no column is guessed to tell it. */
  sourceSaid?: boolean;
}

/**
 * The field of each column of the input `name`: what `map` says (`name=Full Name,email=Mail`), else guessed from the header and from what the
 * first rows hold. A field that is mapped is not guessed anywhere else; a mapped `name` switches off the guesses of its parts too. Headers that
 * are `labels` are no fields, and where there are any a record id is not asked for.
 *
 * Errors: `invalid_arguments` where the map is malformed, or names an unknown field or header, where no column holds the record id and none
 * is made, and for more than 1,000 columns.
 */
export function readColumns(headers: string[], options: ColumnsOptions): (Column | null)[] {
  const { name, map = '', labels, samples = [] } = options;
  refuseWide(headers, name);
  const mapped = readMap(headers, { name, map });
  const taken = new Set<ColumnField>([...mapped.values()].flatMap((one) => one?.field ?? []));
  if (options.sourceSaid) taken.add('source');
  if (taken.has('name')) for (const part of ['given', 'middle', 'family', 'suffix'] as const) taken.add(part);
  const looks = headers.map((_, i) => looksOf(samples.map((row) => row[i] ?? '')));
  const keys = headers.map(keyOf);
  const guesses = headers.map((header, i): Column | null => {
    if (mapped.has(i) || labels?.includes(header.toLowerCase())) return null;
    const guess = judged(keys[i] ?? '', guessColumn(header), looks[i] ?? looksOf([]));
    return guess === null || taken.has(guess.field) ? null : guess;
  });
  const chosen = chooseId(besideOthers(guesses, keys), keys, looks);
  const columns = chosen.map((guess, i) => mapped.get(i) ?? guess);
  if (labels === undefined) refuseUnknown(headers, columns, options);
  return columns;
}

/** Refuses a table whose records cannot be told apart, or whose columns are not known at all. */
function refuseUnknown(
  headers: string[],
  columns: (Column | null)[],
  { name, idsMade }: ColumnsOptions,
): void {
  if (columns.some((column) => column?.field === 'record_id')) return;
  const known = columns.some(
    (column, i) => column !== null && (guessColumn(headers[i] ?? '') ?? column.group !== ''),
  );
  if (idsMade && known && !headers.some((header) => header.includes('@'))) return;
  const lacks = idsMade ? 'name or contact' : 'record id';
  throw new BonafideError(
    'invalid_arguments',
    `${name}: no column looks like a ${lacks}; say which one holds it, for example --map "${idsMade ? 'name=Customer' : 'record_id=Number'}". ${listed(headers)}`,
  );
}

/** Errors: `invalid_arguments` for more than 1,000 columns. */
export function refuseWide(headers: string[], name: string): void {
  if (headers.length <= MOST_COLUMNS) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: its first line has more than ${MOST_COLUMNS} columns. Put a line with the names of the columns above the records.`,
  );
}

/** Ids of things that are not the row's person, or of a program's own making. */
const WEAK_ID = /^(?:order|contactid|leadid|uniqueid|leid|euid|bestell|name)/;

/** Of several ids the one that tells rows apart: an account's or customer's stands in many rows of orders or contacts. */
function chooseId(columns: (Column | null)[], keys: string[], looks: Looks[]): (Column | null)[] {
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
export function requireName(headers: string[], columns: (Column | null)[], name: string): void {
  if (columns.some((column) => column !== null && NAMES.has(column.field))) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: no column looks like a name; say which one holds it, for example --map "name=Customer". ${listed(headers)}`,
  );
}
const NAMES = new Set<ColumnField>(['name', 'given', 'family']);

/** The columns there are; but not where the first line may be data, which must not be repeated. */
function listed(headers: string[]): string {
  if (looksLikeData(headers))
    return 'The first line looks like data: put a line with the names of the columns above it.';
  if (!headers.some((header) => guessColumn(header)))
    return 'None of the columns has a known name; where the first line is a record, put a line with the names of the columns above it.';
  return `The columns are: ${headers.slice(0, MOST_SHOWN).join(', ')}${headers.length > MOST_SHOWN ? ' …' : '.'}`;
}

/** A stray quote may have joined the first line with others. */
const looksLikeData = (headers: string[]): boolean =>
  headers.some((header) => /@|\d{4}|[\r\n]/.test(header) || header.length > 60);

/** The headers as they may be shown: by their places where some of them look like data, but for those that have a field. */
export function shownHeaders(headers: string[], fields: readonly (ColumnField | null)[]): string[] {
  const suspect = looksLikeData(headers);
  return headers.map((header, i) => (suspect && !fields[i] ? `column ${i + 1}` : header));
}

/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Billing ZIP`. */
export function guessColumn(header: string): Column | null {
  const key = keyOf(header);
  // `Card Last4` is no family name.
  if (/last\d$/.test(key)) return null;
  const exact = GUESSES.get(key);
  if (exact !== undefined) return { field: exact, group: SECOND.test(key) ? 'second' : partyIn(exact, key) };
  const bare = key.replace(/\d+$/, '');
  const plain = GUESSES.get(bare);
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const value = NUMBERED_VALUE.exec(key)?.[1];
  if (value !== undefined) return grouped(value, '');
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  if (prefix !== null) return grouped(key.slice(prefix[0].length), prefix[1] ?? '');
  return key.startsWith('address') ? partOfAddress(key.slice('address'.length), '') : null;
}

/** A header without its signs, accents and letter case. */
const keyOf = (header: string): string => fold(header.replace(/[°º]/g, '')).replace(/[^a-z0-9]+/g, '');

function grouped(key: string, group: string): Column | null {
  const field = GUESSES.get(key) ?? GUESSES.get(key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id') return null;
  return { field, group: ADDRESS_FIELDS.has(field) || (PERSONAL.has(field) && isParty(group)) ? group : '' };
}

/** What may be another's where an order is sent to somebody else. */
const PERSONAL = new Set<ColumnField>(['name', 'given', 'middle', 'family', 'suffix', 'email', 'phone']);

/** `Ship To`, `Recipient`, `Ship Phone`: headers that stand in the tables as they are. */
function partyIn(field: ColumnField, key: string): string {
  if (!PERSONAL.has(field)) return '';
  return GROUP.exec(key)?.[1] ?? (key.startsWith('shipto') || key.startsWith('recipient') ? 'shipto' : '');
}

/** `Billing Address City`, `Address 1 - Formatted`. */
function partOfAddress(part: string, group: string): Column | null {
  const field = part === 'formatted' ? 'address' : GUESSES.get(part);
  return field !== undefined && ADDRESS_FIELDS.has(field) ? { field, group } : null;
}

/** What only the columns beside a column tell: a number is a house number beside a street, and a whole address is not needed beside its parts. */
function besideOthers(columns: (Column | null)[], keys: string[]): (Column | null)[] {
  const groups = (field: ColumnField) =>
    new Set(columns.flatMap((one) => (one?.field === field ? [one.group] : [])));
  const streets = groups('street');
  return columns.map((column, i): Column | null => {
    const key = keys[i] ?? '';
    if (column === null && NUMBERS.has(key) && streets.has('')) return { field: 'street', group: '' };
    return column?.field === 'address' && key.endsWith('formatted') && streets.has(column.group)
      ? null
      : column;
  });
}

/** What `--map` says of columns by their index; null where one is not to be used. */
function readMap(
  headers: string[],
  { name, map }: { name: string; map: string },
): Map<number, Column | null> {
  const mapped = new Map<number, Column | null>();
  if (map.trim() === '') return mapped;
  // A header may hold a comma: only one that starts another `field=` ends it.
  for (const pair of map.trim().split(/(?:,|\r?\n)(?=\s*[\w.]+\s*=)/)) {
    const equals = pair.indexOf('=');
    const [said = '', group = ''] = pair.slice(0, Math.max(equals, 0)).trim().split('.');
    const field = fieldNamed(said);
    const header = pair.slice(equals + 1).trim();
    if (equals < 0 || field === undefined) {
      throw new BonafideError(
        'invalid_arguments',
        `--map takes pairs like email=Mail, with these fields: ${[...FIELDS, NO_FIELD].join(', ')}.`,
      );
    }
    const index = headers.findIndex((one, i) => !mapped.has(i) && fold(one) === fold(header));
    if (index < 0) {
      throw new BonafideError(
        'invalid_arguments',
        `${name}: --map says ${field}=${header}, but there is no such column. ${listed(headers)}`,
      );
    }
    mapped.set(index, field === NO_FIELD ? null : { field, group });
  }
  return mapped;
}

/** The columns as `--map` takes them, a line each. A header over several lines cannot be said. */
export function mapText(headers: string[], columns: (Column | null)[]): string {
  const lines = headers.map((header, i) => {
    const column = columns[i];
    return `${column ? `${column.field}${column.group && `.${column.group}`}` : NO_FIELD}=${header}`;
  });
  return `${lines.filter((line) => !/[\r\n]|=$/.test(line)).join('\n')}\n`;
}

/** What `--map` calls a column that is not to be used. */
const NO_FIELD = 'none';

function fieldNamed(text: string): ColumnField | typeof NO_FIELD | undefined {
  const singular: Record<string, ColumnField> = {
    emails: 'email',
    phones: 'phone',
    names: 'name',
    addresses: 'address',
  };
  return text === NO_FIELD ? text : (FIELDS.find((field) => field === text) ?? singular[text]);
}
