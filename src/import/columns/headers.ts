// The fields that table columns hold, and the headers that are known as they stand: data/import/headers.txt.
import { foldToAscii } from '../../normalise/text.ts';
import { isPartyGroup } from './parties.ts';
import { readWordTable } from './words.ts';

/** Fields of the parts of one name, in the order in which they are written. */
export const NAME_PARTS = ['given', 'middle', 'family', 'suffix'] as const;

const ADDRESS_PARTS = ['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country', 'address'] as const;

/** All fields that a table column can hold. `address` is a whole address in one cell. */
export const COLUMN_FIELDS = [
  ...(['record_id', 'source', 'identity', 'name'] as const),
  ...NAME_PARTS,
  ...(['email', 'phone'] as const),
  ...ADDRESS_PARTS,
  ...(['birth_date', 'birth_place', 'gender', 'title', 'first_seen', 'last_seen'] as const),
] as const;

export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** A column's field, and which of several addresses it belongs to. */
export interface Column {
  field: ColumnField;
  group: string;
}

export const ADDRESS_FIELDS: ReadonlySet<ColumnField> = new Set(ADDRESS_PARTS);
export const NAME_FIELDS: ReadonlySet<ColumnField> = new Set(['name', ...NAME_PARTS]);
export const DATE_FIELDS: ReadonlySet<string> = new Set(['birth_date', 'first_seen', 'last_seen']);
/** What may be another's where an order is sent to somebody else. */
export const PERSONAL_FIELDS: ReadonlySet<ColumnField> = new Set([...NAME_FIELDS, 'email', 'phone']);

const TABLE = readWordTable('headers.txt');
const headersOf = (key: string): readonly string[] => TABLE.get(key) ?? [];
const pattern = (key: string, [before, after]: [string, string] = ['', '']) =>
  new RegExp(`${before}(?:${headersOf(key).join('|')})${after}`);

/** Fields by the headers that stand in the tables. */
export const FIELD_BY_HEADER: ReadonlyMap<string, ColumnField> = new Map(
  COLUMN_FIELDS.flatMap((field) => headersOf(field).map((header) => [header, field] as const)),
);
/** House numbers by words that mean any number elsewhere: only beside a street. */
export const HOUSE_NUMBER_HEADERS: ReadonlySet<string> = new Set(headersOf('house_number'));
/** Parts of headers of values that are another person's, or a thing's: never taken for the record's own by what they look like. */
export const OTHER_PERSON_HEADER = pattern('other_person');
/** Whom one speaks with at a firm: the person of a list of firms, and of others perhaps one's own. */
export const CONTACT_PERSON_HEADER = pattern('contact_person', ['^', '(?:name)?$']);
/** Headers that say no more than that somebody can be reached. */
export const CONTACT_HEADER = pattern('contact', ['^', '\\d*$']);
/** Headers that begin so hold phones where their values look like it: `Tel./Mobil`. */
export const PHONE_HEADER = pattern('phone_start', ['^', '']);

const GROUP = new RegExp(`^(${headersOf('group').join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** A second family name, which is written behind the first. */
const SECOND = /^segundoapellido/;
/** Google and Outlook: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface ColumnGuess extends Column {
  /** Some of its words are not known: another column that surely is the same has the word. */
  isWeak?: boolean;
  /** The address of what is let: theirs whom the table calls tenants. */
  isOfProperty?: boolean;
}

/** A header without its signs, accents and letter case. */
export const toHeaderKey = (header: string): string =>
  foldToAscii(header.replace(/[°º]/g, '')).replace(/[^a-z0-9]+/g, '');

/** What a key is known as; see `keyOf`. */
export function findKnownHeader(key: string): Column | null {
  const exact = FIELD_BY_HEADER.get(key);
  if (exact !== undefined) return { field: exact, group: SECOND.test(key) ? 'second' : partyIn(exact, key) };
  const bare = key.replace(/\d+$/, '');
  const plain = FIELD_BY_HEADER.get(bare);
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const value = NUMBERED_VALUE.exec(key)?.[1];
  if (value !== undefined) return grouped(value, '');
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  if (prefix !== null) return grouped(key.slice(prefix[0].length), prefix[1] ?? '');
  return key.startsWith('address') ? partOfAddress(key.slice('address'.length), '') : null;
}

function grouped(key: string, group: string): Column | null {
  const field = FIELD_BY_HEADER.get(key) ?? FIELD_BY_HEADER.get(key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id') return null;
  return toColumn(field, group);
}

/** Only addresses, and what may be another person's, are told apart by a group. */
export const toColumn = (field: ColumnField, group: string): Column => ({
  field,
  group: ADDRESS_FIELDS.has(field) || (PERSONAL_FIELDS.has(field) && isPartyGroup(group)) ? group : '',
});

/** `Ship To`, `Recipient`, `Ship Phone`: headers that stand in the tables as they are. */
function partyIn(field: ColumnField, key: string): string {
  if (!PERSONAL_FIELDS.has(field)) return '';
  return GROUP.exec(key)?.[1] ?? (key.startsWith('shipto') || key.startsWith('recipient') ? 'shipto' : '');
}

/** `Billing Address City`, `Address 1 - Formatted`. */
function partOfAddress(part: string, group: string): Column | null {
  const field = part === 'formatted' ? 'address' : FIELD_BY_HEADER.get(part);
  return field !== undefined && ADDRESS_FIELDS.has(field) ? { field, group } : null;
}

/** What a cell holds that holds all of these. */
export function mergeFields(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // `Land/Region` is Outlook's word for a country.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAME_FIELDS.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
}
