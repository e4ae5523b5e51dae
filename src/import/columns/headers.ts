// Fields of table columns, and headers that programs are known to write: data/import/headers.txt.
import { isRowPersonGroup } from './parties.ts';
import { foldHeader, readWordTable } from './words.ts';

/** Fields of the parts of one name, in the order in which they are written. */
export const NAME_PARTS = ['given', 'middle', 'family', 'suffix'] as const;

const ADDRESS_PARTS = ['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country', 'address'] as const;

/** Fields that a table column can contain. `address` is a whole address in one cell. */
export const COLUMN_FIELDS = [
  ...(['record_id', 'deleted', 'source', 'identity', 'name'] as const),
  ...NAME_PARTS,
  ...(['email', 'phone'] as const),
  ...ADDRESS_PARTS,
  ...(['birth_date', 'birth_place', 'gender', 'title', 'first_seen', 'last_seen'] as const),
] as const;

export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** Field of a column, and the group to which the column belongs, such as one of several addresses. */
export interface TableColumn {
  field: ColumnField;
  group: string;
  /** True if only the cells, not the header, show the field. */
  isGuess?: true;
}

export const ADDRESS_FIELDS: ReadonlySet<ColumnField> = new Set(ADDRESS_PARTS);
export const NAME_FIELDS: ReadonlySet<ColumnField> = new Set(['name', ...NAME_PARTS]);
export const DATE_FIELDS: ReadonlySet<string> = new Set(['birth_date', 'first_seen', 'last_seen']);
/** Fields that may belong to another person, if an order is sent to a different receiver. */
export const PERSONAL_FIELDS: ReadonlySet<ColumnField> = new Set([...NAME_FIELDS, 'email', 'phone']);

const TABLE = readWordTable('headers.txt');
const headersOf = (key: string): readonly string[] => TABLE.get(key) ?? [];
const pattern = (key: string, [before, after]: [string, string] = ['', '']) =>
  new RegExp(`${before}(?:${headersOf(key).join('|')})${after}`);

export const FIELD_BY_HEADER: ReadonlyMap<string, ColumnField> = new Map(
  COLUMN_FIELDS.flatMap((field) => headersOf(field).map((header) => [foldHeader(header), field] as const)),
);
/** Headers of initials: the given name of a table that has no other. */
export const INITIALS_HEADERS: ReadonlySet<string> = new Set(headersOf('initials'));
/** Headers of house numbers in a table with a street column; in other tables, headers of any number. */
export const HOUSE_NUMBER_HEADERS: ReadonlySet<string> = new Set(headersOf('house_number'));
/** Headers whose values belong to another person or a thing, so that the field must not be guessed from the values. */
export const OTHER_PERSON_HEADER_PATTERN = pattern('other_person');
/**
 * Headers for the contact person at a company. In a list of companies this is the record's person; in other lists it may be an employee of the
 * list's owner.
 */
export const CONTACT_PERSON_HEADER_PATTERN = pattern('contact_person', ['^', '(?:name)?$']);
/** Headers for contact data that do not say which kind: `Kontakt`. */
export const CONTACT_HEADER_PATTERN = pattern('contact', ['^', '\\d*$']);
/** Beginnings of headers of phone columns, if the values look like phone numbers: `Tel./Mobil`. */
export const PHONE_HEADER_PATTERN = pattern('phone_start', ['^', '']);

const GROUP = new RegExp(`^(${headersOf('group').join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** Second family name, which is written after the first. */
const SECOND = /^segundoapellido/;
/** Headers of Google and Outlook: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface ColumnGuess extends TableColumn {
  /** True for an uncertain guess: it is used only if no other column certainly has the field. */
  isWeak?: boolean;
  /** True for the address of a rented property: it belongs to the row's person if the table lists tenants. */
  isOfProperty?: boolean;
}

/** Returns a header without punctuation, accents and letter case, for look-ups. */
export const toHeaderKey = (header: string): string =>
  foldHeader(header.replace(/[°º]/g, '')).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** Maximum length of a header key that can have a meaning. */
const MOST_KEY = 200;

/** Returns the column of a known header. @param key see `toHeaderKey` */
export function findKnownHeader(key: string): TableColumn | null {
  const exact = FIELD_BY_HEADER.get(key);
  if (exact !== undefined) return { field: exact, group: SECOND.test(key) ? 'second' : partyIn(exact, key) };
  if (key.length > MOST_KEY) return null;
  const bare = key.replace(/\d+$/, '');
  const plain = FIELD_BY_HEADER.get(bare);
  if (plain === 'address' && bare !== 'addresses') return toAddressLine(Number(key.slice(bare.length)));
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const value = NUMBERED_VALUE.exec(key)?.[1];
  if (value !== undefined) return grouped(value, '');
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  if (prefix !== null) return grouped(key.slice(prefix[0].length), prefix[1] ?? '');
  return key.startsWith('address') ? partOfAddress(key.slice('address'.length), '') : null;
}

/** Returns the column of a numbered line of one address: `住所1`, `住所2`. */
const toAddressLine = (line: number): TableColumn => ({
  field: line === 1 ? 'address' : 'street2',
  group: '',
});

function grouped(key: string, group: string): TableColumn | null {
  const field =
    FIELD_BY_HEADER.get(key) ?? FIELD_BY_HEADER.get(key.length > MOST_KEY ? '' : key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id') return null;
  return toColumn(field, group);
}

/** Returns a column. Only addresses, and values that may belong to another person, keep their group. */
export const toColumn = (field: ColumnField, group: string): TableColumn => ({
  field,
  group: ADDRESS_FIELDS.has(field) || (PERSONAL_FIELDS.has(field) && isRowPersonGroup(group)) ? group : '',
});

/** Returns which person of the row a known header is about (customer, payer, receiver): `Ship To`, `Recipient`, `Ship Phone`. */
function partyIn(field: ColumnField, key: string): string {
  if (!PERSONAL_FIELDS.has(field)) return '';
  return GROUP.exec(key)?.[1] ?? (key.startsWith('shipto') || key.startsWith('recipient') ? 'shipto' : '');
}

/** Returns the column for the end of a header such as `Billing Address City` and `Address 1 - Formatted`, or null. */
function partOfAddress(part: string, group: string): TableColumn | null {
  const field = part === 'formatted' ? 'address' : FIELD_BY_HEADER.get(part);
  return field !== undefined && ADDRESS_FIELDS.has(field) ? { field, group } : null;
}

/** Returns the field of a cell that contains all given fields; null if there is no such field. */
export function mergeColumnFields(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // Outlook calls a country `Land/Region`.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAME_FIELDS.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
}
