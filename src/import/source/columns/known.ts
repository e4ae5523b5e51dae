// Headers that are known as they stand, and the fields that there are.
import { fold } from '../../../normalise/text.ts';
import { isParty } from '../cells/parties.ts';
import { type Column, type ColumnField, HEADERS, PREFIXES } from './headers.ts';

export const FIELDS = Object.keys(HEADERS) as ColumnField[];
/** Fields by the headers that stand in the tables. */
export const GUESSES = new Map(
  FIELDS.flatMap((field) =>
    HEADERS[field].flatMap((line) => line.split(' ')).map((header) => [header, field] as const),
  ),
);
export const ADDRESS_FIELDS = new Set<ColumnField>([
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'plus4',
  'country',
  'address',
]);
/** What may be another's where an order is sent to somebody else. */
export const PERSONAL = new Set<ColumnField>([
  'name',
  'given',
  'middle',
  'family',
  'suffix',
  'email',
  'phone',
]);
export const NAMES = new Set<ColumnField>(['name', 'given', 'middle', 'family', 'suffix']);
const GROUP = new RegExp(`^(${PREFIXES.join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** A second family name, which is written behind the first. */
const SECOND = /^segundoapellido/;
/** Google and Outlook: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface Guess extends Column {
  /** Some of its words are not known: another column that surely is the same has the word. */
  isWeak?: boolean;
  /** The address of what is let: theirs whom the table calls tenants. */
  isOfProperty?: boolean;
}

/** A header without its signs, accents and letter case. */
export const keyOf = (header: string): string => fold(header.replace(/[°º]/g, '')).replace(/[^a-z0-9]+/g, '');

/** What a key is known as; see `keyOf`. */
export function asKnown(key: string): Column | null {
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

function grouped(key: string, group: string): Column | null {
  const field = GUESSES.get(key) ?? GUESSES.get(key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id') return null;
  return columnOf(field, group);
}

/** Only addresses, and what may be another person's, are told apart by a group. */
export const columnOf = (field: ColumnField, group: string): Column => ({
  field,
  group: ADDRESS_FIELDS.has(field) || (PERSONAL.has(field) && isParty(group)) ? group : '',
});

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

/** What a cell holds that holds all of these. */
export function together(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // `Land/Region` is Outlook's word for a country.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAMES.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
}
