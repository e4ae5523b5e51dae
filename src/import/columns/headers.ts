// Fields of table columns, and headers that programs are known to write: data/import/headers.txt.
import { ADDRESSEE_COLUMN_GROUP, isColumnGroupOfOtherPerson } from './parties.ts';
import { toComparableHeader, readWordTable } from './words.ts';

/** Fields for the parts of a name, in the order in which a name is written. */
export const NAME_PARTS = ['given', 'middle', 'family', 'suffix'] as const;

const ADDRESS_PARTS = ['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country', 'address'] as const;

/** Fields that a table column can contain. `address` is a full address in one cell. */
export const COLUMN_FIELDS = [
  ...(['record_id', 'deleted', 'source', 'identity', 'name'] as const),
  ...NAME_PARTS,
  ...(['email', 'phone'] as const),
  ...ADDRESS_PARTS,
  ...(['birth_date', 'birth_place', 'gender', 'title', 'first_seen', 'last_seen', 'identifier'] as const),
] as const;

export type ColumnField = (typeof COLUMN_FIELDS)[number];

/**
 * Field of a column, and its group. Columns of one group belong together, for example those of one address. The group of an identifier is its type and
 * country: `cpf.br`.
 */
export interface TableColumn {
  field: ColumnField;
  group: string;
  /** True for an address of the row's person in a group that would mean another person, such as `alt2`: the user's map gives it only addresses. */
  isOfRow?: true;
  /** True if the field was guessed from the cells alone, because the header does not show it. */
  isGuess?: true;
  /** True for a Spanish gender column, in which `M` means a woman (mujer). */
  isMujer?: true;
  /** True for a birth date column whose values are Swedish personal numbers. */
  isPersonalNumber?: true;
  /** True for a phone column with the area codes of the numbers in the next column. */
  isAreaCode?: true;
  /** Index of the column with the kind of a phone, such as `Work Fax`. */
  label?: number;
  /** True for a column of record ids that are counted from 0. In other columns, the id 0 means a guest without an id. */
  hasIdZero?: true;
}

export const ADDRESS_FIELDS: ReadonlySet<ColumnField> = new Set(ADDRESS_PARTS);
export const NAME_FIELDS: ReadonlySet<ColumnField> = new Set(['name', ...NAME_PARTS]);
export const DATE_FIELDS: ReadonlySet<string> = new Set(['birth_date', 'first_seen', 'last_seen']);
/** Fields that may belong to a person other than the record's person, for example to the receiver of an order. */
export const NAME_EMAIL_AND_PHONE_FIELDS: ReadonlySet<ColumnField> = new Set([
  ...NAME_FIELDS,
  'email',
  'phone',
]);

const TABLE = readWordTable('headers.txt');
const headersOf = (key: string): readonly string[] => TABLE.get(key) ?? [];
const pattern = (key: string, [before, after]: [string, string] = ['', '']) =>
  new RegExp(`${before}(?:${headersOf(key).join('|')})${after}`);

let fields: ReadonlyMap<string, ColumnField> | undefined;

/** Returns the field of a known header. @param key header as converted by `toHeaderKey` */
export function getFieldOfHeader(key: string): ColumnField | undefined {
  fields ??= new Map(
    COLUMN_FIELDS.flatMap((field) =>
      headersOf(field).map((header) => [toComparableHeader(header), field] as const),
    ),
  );
  return fields.get(key);
}

let identifiers: ReadonlyMap<string, string> | undefined;

/** Returns the type and country of the national id that a known header means: `cpf.br`. @param key header as converted by `toHeaderKey` */
function getIdentifierOfHeader(key: string): string | undefined {
  identifiers ??= new Map(
    [...TABLE].flatMap(([name, headers]) => {
      const [, type = '', country = ''] = /^identifier_(\w+)_([a-z]{2})$/.exec(name) ?? [];
      return type === ''
        ? []
        : headers.map((header) => [toComparableHeader(header), `${type}.${country}`] as const);
    }),
  );
  return identifiers.get(key);
}

const DIRECTORY_HEADERS: ReadonlySet<string> = new Set(headersOf('directory'));

/** True if a table is an export of LDAP or Active Directory. */
export const hasLdapHeaders = (headers: readonly string[]): boolean =>
  headers.some((header) => DIRECTORY_HEADERS.has(header.toLowerCase())) ||
  headersOf('directory_person').every((header) => headers.includes(header));

/** Returns the column of a short header of LDAP, such as `sn` for the family name; null for other headers, also `SN`. */
export function getLdapColumn(header: string): ColumnGuess | null {
  const field = COLUMN_FIELDS.find((one) => headersOf(`directory_${one}`).includes(header));
  return field === undefined ? null : { field, group: '' };
}

/** Headers of columns that say whether a row is a company. */
const COMPANY_FLAG_HEADERS: ReadonlySet<string> = new Set(headersOf('company_flag'));
/** Headers of numbers that are record ids in a table without other ids, if each row has another one: `MRN`, `Permit #`. */
export const UNIQUE_NUMBER_HEADERS: ReadonlySet<string> = new Set(
  headersOf('unique_number').map(toComparableHeader),
);
/** Headers of columns with initials. They are used as given names if the table has none. */
export const INITIALS_HEADERS: ReadonlySet<string> = new Set(headersOf('initials'));
/** Column group of a family name at birth. It is used only in rows without another family name. */
export const BIRTH_NAME_COLUMN_GROUP = 'birth';
/** Headers of columns with family names at birth. */
export const BIRTH_NAME_HEADERS: ReadonlySet<string> = new Set(headersOf('birth_name'));
/** Headers of Swedish personal numbers, which begin with the birth date. */
export const SWEDISH_PERSONAL_NUMBER_HEADERS: ReadonlySet<string> = new Set(headersOf('personal_number'));
/** Headers that mean a house number in a table with a street column, and any number in other tables. */
export const HOUSE_NUMBER_HEADERS: ReadonlySet<string> = new Set(headersOf('house_number'));
/** Headers of area codes directly before a column of phones. */
export const AREA_CODE_HEADERS: ReadonlySet<string> = new Set(headersOf('area_code').map(toComparableHeader));
/** Headers that mean a part of an address only directly after a street or a house number. */
export const FLOOR_AND_FLAT_HEADERS: ReadonlySet<string> = new Set(
  headersOf('house_addition').map(toComparableHeader),
);
/** Headers that mean a part of an address only after a house number, because they have other meanings after a street. */
export const AMBIGUOUS_FLOOR_AND_FLAT_HEADERS: ReadonlySet<string> = new Set(
  headersOf('ambiguous_house_addition').map(toComparableHeader),
);
/** Matches headers of values that belong to another person or a thing. The field of such a column is not guessed from its values. */
export const OTHER_PERSON_OR_THING_HEADER_PATTERN = pattern('other_person');
/**
 * Matches headers for the contact person at a company. In a list of companies, the contact person is the person of the record. In other lists, it may
 * be an employee of the company that wrote the list.
 */
export const CONTACT_PERSON_HEADER_PATTERN = pattern('contact_person', ['^', '(?:name)?$']);
/** Matches headers for contact data of an unknown type, such as `Kontakt`. */
export const CONTACT_DATA_HEADER_PATTERN = pattern('contact', ['^', '\\d*$']);
/** Matches the beginning of phone headers such as `Tel./Mobil`. The pattern is used only if the values of the column look like phone numbers. */
export const PHONE_HEADER_PATTERN = pattern('phone_start', ['^', '']);

const GROUP = new RegExp(`^(${headersOf('group').join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** Column group of a second family name, which is written after the first. */
export const SECOND_FAMILY_NAME_COLUMN_GROUP = 'second';
/** Matches headers of a second family name. */
const SECOND = /^(?:segundo|second|2(?:do|o)?)(?:apellido|familyname|lastname|surname)|^ap(?:ellido)?materno/;
/** Headers of numbered contacts in Google and Outlook exports: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface ColumnGuess extends TableColumn {
  /** True for an uncertain guess, which is used only if no other column certainly has the field. */
  isWeak?: boolean;
  /** True for the address of a rented property, which is used only if the table lists tenants. */
  isOfProperty?: boolean;
}

/** Converts a header to the form in which headers are looked up: without punctuation, accents and letter case. */
export const toHeaderKey = (header: string): string =>
  toComparableHeader(header.replace(/[°º]/g, '')).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** Maximum length of a header key that is looked up. */
const MOST_KEY = 200;

/**
 * Returns the import field of a known header, and the group of columns to which it belongs; null for an unknown header.
 *
 * @param key header as converted by `toHeaderKey`
 */
export function findTableColumnOfKnownHeader(key: string): TableColumn | null {
  const exact = getFieldOfHeader(key);
  if (exact !== undefined)
    return { field: exact, group: SECOND.test(key) ? SECOND_FAMILY_NAME_COLUMN_GROUP : partyIn(exact, key) };
  const identifier = getIdentifierOfHeader(key);
  if (identifier !== undefined) return { field: 'identifier', group: identifier };
  if (key.length > MOST_KEY) return null;
  const bare = key.replace(/\d+$/, '');
  const plain = getFieldOfHeader(bare);
  if (plain === 'address' && bare !== 'addresses') return toAddressLine(Number(key.slice(bare.length)));
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const value = NUMBERED_VALUE.exec(key)?.[1];
  if (value !== undefined) return grouped(value, '');
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  if (prefix !== null) return grouped(key.slice(prefix[0].length), prefix[1] ?? '');
  return key.startsWith('address') ? partOfAddress(key.slice('address'.length), '') : null;
}

/** Returns the column of one numbered line of an address: `住所1`, `住所2`. */
const toAddressLine = (line: number): TableColumn => ({
  field: line === 1 ? 'address' : 'street2',
  group: '',
});

function grouped(key: string, group: string): TableColumn | null {
  const field =
    getFieldOfHeader(key) ?? getFieldOfHeader(key.length > MOST_KEY ? '' : key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id' || field === 'source' || field === 'identity') return null;
  return createTableColumn(field, group);
}

/** Creates a column. The group is dropped for fields that cannot belong to another person or another address. */
export const createTableColumn = (field: ColumnField, group: string): TableColumn => ({
  field,
  group:
    ADDRESS_FIELDS.has(field) || (NAME_EMAIL_AND_PHONE_FIELDS.has(field) && isColumnGroupOfOtherPerson(group))
      ? group
      : '',
});

/**
 * Returns the column group of the person that a header is about: `shipto` for `Ship To`, `Recipient` and `Ship Phone`. Empty for the main person of a
 * row.
 */
function partyIn(field: ColumnField, key: string): string {
  if (!NAME_EMAIL_AND_PHONE_FIELDS.has(field)) return '';
  if (isColumnGroupOfOtherPerson(key)) return key;
  return GROUP.exec(key)?.[1] ?? (key.startsWith('shipto') || key.startsWith('recipient') ? 'shipto' : '');
}

/**
 * Returns the column for the last part of a header such as `Billing Address City`, `Address 1 - Formatted` or `_address_firstname`. Null if this
 * is no part of an address.
 */
function partOfAddress(part: string, group: string): TableColumn | null {
  const field = part === 'formatted' ? 'address' : getFieldOfHeader(part);
  if (group === '' && (field === 'given' || field === 'family'))
    return { field, group: ADDRESSEE_COLUMN_GROUP };
  return field !== undefined && ADDRESS_FIELDS.has(field) ? { field, group } : null;
}

/** Returns the field for a cell that contains all given fields, such as a full address; null if there is none. */
export function getFieldOfCombinedCell(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // Outlook calls a country `Land/Region`.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAME_FIELDS.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
}

/** Headers of company names in Google address books, current and earlier versions. */
const GOOGLE_COMPANY = /^organization (?:1 - )?name$/i;
/** Headers of company names in Outlook address books: English, German, French, Spanish, Portuguese, Italian, Dutch. */
const OUTLOOK_COMPANY =
  /^(?:company|firma|soci[ée]t[ée]|compañ[ií]a|organización|empresa|societ[àa]|bedrijf)$/i;
/** Header words by which Outlook marks private e-mails, phones and addresses, in contrast to those at work. */
const HOME =
  /(?:^|[\s(])(?:home|privat|domicile|particular|residencial|abitazione|thuis|domow[ya])(?:$|[\s)])/i;
const WORK =
  /(?:^|[\s(])(?:business|geschäftlich|bureau|trabajo|comercial|ufficio|werk|służbow[ya])(?:$|[\s)])/i;

/**
 * Returns the index of the column with company names in an address book, or -1. Address books list people and companies in one table; the row of
 * a company has no other name.
 */
export function findCompanyNameColumnIndex(headers: readonly string[]): number {
  const google = headers.findIndex((header) => GOOGLE_COMPANY.test(header));
  if (google >= 0) return google;
  const has = (pattern: RegExp) => headers.some((header) => pattern.test(header));
  return has(HOME) && has(WORK) ? headers.findIndex((header) => OUTLOOK_COMPANY.test(header)) : -1;
}

/** Returns the index of the column that says whether a row is a company, or -1. */
export const findCompanyFlagColumnIndex = (headers: readonly string[]): number =>
  headers.findIndex((header) => COMPANY_FLAG_HEADERS.has(toHeaderKey(header)));
