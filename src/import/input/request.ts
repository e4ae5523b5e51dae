// Check requests from the rows and lines of a file of people to check.
import { joinNameParts } from '../../names/index.ts';
import { toCountryCode } from '../../normalise/address/place.ts';
import { findEmailInCell, normaliseEmail } from '../../normalise/email.ts';
import {
  findCountriesOfPhoneNumber,
  hasPhoneLengthForCheck,
  MIN_PHONE_DIGITS_OF_CHECK,
  normalisePhone,
  parsePhoneDigits,
  removePhoneRemarks,
} from '../../normalise/phone.ts';
import { getTypoDistance } from '../../normalise/typo.ts';
import { isCellTooLong, isSpreadsheetRoundedNumber, withoutContactsOfRelatives } from '../columns/cells.ts';
import { guessColumn } from '../columns/guess.ts';
import { type ColumnField, NAME_PARTS, type TableColumn } from '../columns/headers.ts';
import { isHumanWrittenEmptyMarker, isPlaceholderEmail, isPlaceholderPhone } from '../columns/persons.ts';
import type { RawRecord } from '../columns/raw.ts';
import { isColumnGroupOfRelative } from '../columns/words.ts';

type Fields = Record<string, unknown>;

/** Text in place of the e-mails or phones of a cell that is too long, if the row has no other contact. A check refuses it. */
const OVERLONG_CELL = 'too long a cell';

/** Text in place of a phone that a spreadsheet rounded. A check refuses it; `4.917123456E+11` has enough digits for the phone of somebody else. */
const ROUNDED_PHONE = 'rounded by a spreadsheet';

/**
 * Reason for which an e-mail or phone of a row is not in its check request: a marker such as `n/a`, a contact of a relative, a value such as `none@none.com`,
 * a number that a spreadsheet rounded, or any other value that a check would refuse; or for which a cell is not: it is longer than any value.
 */
type LeftOutReason = 'no_value' | 'relative' | 'placeholder' | 'rounded' | 'unusable' | 'too_long';

/** E-mail or phone of a row, or overlong cell, that is left out, without the value. `column` is the header in the form for output; null if unknown. */
export interface LeftOutValue {
  field: ColumnField;
  column: string | null;
  reason: LeftOutReason;
}

/** Check request of a table row. */
export interface RowRequest {
  request: Fields;
  leftOut: LeftOutValue[];
}

/** Cells of a row, and the columns and headers of its table. The headers are in the form for output. */
interface RowCells {
  cells: readonly string[];
  columns: readonly (TableColumn | null)[];
  headers: readonly string[];
}

/**
 * Converts a table row to a check request. If the row has several names, only the first is used. E-mails and phones that a check would refuse are left
 * out, so that one cell does not prevent the check of the person; so are placeholders, and phones of which a spreadsheet kept the first digits only
 * (`4.91712E+11`). If no contact would be left, all are kept, and the check reports what is wrong with them.
 *
 * @param region ISO country for short phones of a row without a country
 */
export function createCheckRequestFromRow(
  raw: RawRecord,
  row: RowCells = { cells: [], columns: [], headers: [] },
  region = '',
): RowRequest {
  const { name, names, country } = raw;
  const [emails, phones, addresses] = [raw.emails, raw.phones, raw.addresses] as [
    string[],
    string[],
    Fields[],
  ];
  const [first = joinParts(name)] = names as string[];
  const code = toCountryCode(String(country ?? ''));
  const written = {
    emails: emails.map(findEmailInCell),
    phones: phones.map((phone) => {
      if (isSpreadsheetRoundedNumber(phone)) return ROUNDED_PHONE;
      const whole = completeShortPhone(phone, [code, ...addresses.map(countryOf), region]);
      return code === '' || whole !== phone ? whole : addCountryCode(phone, code);
    }),
  };
  const reasons = {
    emails: written.emails.map((email): LeftOutReason | null =>
      isPlaceholderEmail(email) ? 'placeholder' : normaliseEmail(email) === null ? 'unusable' : null,
    ),
    phones: written.phones.map((phone): LeftOutReason | null => {
      if (phone === ROUNDED_PHONE) return 'rounded';
      if (isPlaceholderPhone(phone)) return 'placeholder';
      return hasPhoneLengthForCheck(parsePhoneDigits(phone)) ? null : 'unusable';
    }),
  };
  const usable = {
    emails: written.emails.filter((_, i) => reasons.emails[i] === null),
    phones: written.phones.filter((_, i) => reasons.phones[i] === null),
  };
  const unread = listUnreadCells(row);
  const listOverlong = (field: ColumnField) =>
    unread.some((one) => one.field === field && one.reason === 'too_long') ? [OVERLONG_CELL] : [];
  const refused = {
    emails: [...written.emails, ...listOverlong('email')],
    phones: [...written.phones, ...listOverlong('phone')],
  };
  const isKept = usable.emails.length + usable.phones.length + addresses.length > 0;
  const toLeftOut = (field: LeftOutValue['field'], values: string[], given: (LeftOutReason | null)[]) =>
    given.flatMap((reason, i): LeftOutValue[] =>
      reason === null || !isKept
        ? []
        : [{ field, column: findHeaderOfValue(field, values[i] ?? '', row), reason }],
    );
  return {
    request: {
      ...(first && { name: first }),
      ...(isKept ? usable : refused),
      addresses: addresses.map(toAddress),
    },
    leftOut: [
      ...unread,
      ...toLeftOut('email', emails, reasons.emails),
      ...toLeftOut('phone', phones, reasons.phones),
    ],
  };
}

/** Returns the header of the column of an e-mail or phone: the column whose cell contains the value, else the first one with a cell. */
function findHeaderOfValue(
  field: string,
  value: string,
  { cells, columns, headers }: RowCells,
): string | null {
  const indexes = columns.flatMap((column, i) => (column?.field === field && cells[i] ? [i] : []));
  const index = indexes.find((i) => cells[i]?.includes(value)) ?? indexes[0] ?? -1;
  return headers[index] ?? null;
}

/** Lists the cells that are too long, and those of e-mails and phones with a marker such as `n/a` or with a contact of a relative. */
function listUnreadCells({ cells, columns, headers }: RowCells): LeftOutValue[] {
  return columns.flatMap((column, i): LeftOutValue[] => {
    const field = column?.field;
    if (field === undefined || isColumnGroupOfRelative(column?.group ?? '')) return [];
    const entry = { field, column: headers[i] ?? null };
    if (isCellTooLong(cells[i])) return [{ ...entry, reason: 'too_long' }];
    if (field !== 'email' && field !== 'phone') return [];
    const cell = cells[i]?.trim() ?? '';
    if (isHumanWrittenEmptyMarker(cell)) return [{ ...entry, reason: 'no_value' }];
    return withoutContactsOfRelatives(cell, field) === cell ? [] : [{ ...entry, reason: 'relative' }];
  });
}

/**
 * Adds the country code to a phone of a row that has a country and no address. A number that can be read as several phone numbers stays unchanged.
 */
function addCountryCode(phone: string, country: string): string {
  const { standardized = phone, keys = [] } = normalisePhone(phone, country) ?? {};
  return keys.length === 1 ? standardized : phone;
}

const countryOf = ({ country }: Fields): string => toCountryCode(String(country ?? ''));

/** Adds the country code to a phone that has too few digits for a check, for the first country in which it is a whole number. */
function completeShortPhone(phone: string, countries: readonly string[]): string {
  if (parsePhoneDigits(phone).digits.length >= MIN_PHONE_DIGITS_OF_CHECK) return phone;
  const text = removePhoneRemarks(phone) ?? phone;
  const country = countries.find(
    (code) => code !== '' && findCountriesOfPhoneNumber(text, code)?.[0] === code,
  );
  return (country && normalisePhone(text, country)?.standardized) ?? phone;
}

const PLURALS = new Map(Object.entries({ email: 'emails', phone: 'phones', address: 'addresses' }));
/** Fields of check requests in both versions of the API, and the singular forms that records have. */
export const CHECK_REQUEST_FIELDS = [
  ...'name emails phones addresses intent operation nameAddresses emailAddresses phoneNumbers'.split(' '),
  ...PLURALS.keys(),
];
const MAX_FIELD_LENGTH = 40;

/** True for a field such as `emials`. It is sent, so that the check call reports it. */
export const isMisspelledRequestField = (field: string): boolean =>
  field.length <= MAX_FIELD_LENGTH &&
  guessColumn(field) === null &&
  CHECK_REQUEST_FIELDS.some((known) => getTypoDistance(field.toLowerCase(), known.toLowerCase(), 1) === 1);

/**
 * Converts an object to a check request. The object is an import record, or an API request in the format of either version. Its other fields are left
 * out, unless they may be misspelled.
 *
 * @param region ISO country for short phones of an object without a country
 */
export function createCheckRequestFromObject({ names, ...fields }: Fields, region = ''): Fields {
  const request: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    const isKnown = CHECK_REQUEST_FIELDS.includes(field) || isMisspelledRequestField(field);
    if (value === null || !isKnown) continue;
    const list = PLURALS.get(field) ?? field;
    const added = field === list ? value : [value].flat();
    const before = request[list];
    request[list] = Array.isArray(before) && Array.isArray(added) ? [...before, ...added] : added;
  }
  const name = request.name ?? (Array.isArray(names) ? names[0] : names);
  if (name !== undefined) request.name = isObject(name) ? joinParts(name) : name;
  if (Array.isArray(request.addresses)) request.addresses = request.addresses.map(toAddress);
  const countries = [request.addresses ?? []].flat().map((place) => countryOf(isObject(place) ? place : {}));
  if (Array.isArray(request.phones))
    request.phones = request.phones.map((phone: unknown) =>
      typeof phone === 'string' ? completeShortPhone(phone, [...countries, region]) : phone,
    );
  return request;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function joinParts(name: unknown): string {
  const parts = (name ?? {}) as Record<string, string>;
  return parts.full ?? joinNameParts(NAME_PARTS.map((part) => parts[part] ?? ''));
}

/**
 * Converts an address to an object of its parts. A text becomes an address on one line. The four extra digits of a US zip are added to the zip.
 */
function toAddress(address: unknown): unknown {
  if (!isObject(address)) return typeof address === 'string' ? { street: address } : address;
  const { plus4, ...parts } = address;
  return { ...parts, ...(plus4 ? { zip: `${String(parts.zip ?? '')}-${String(plus4)}` } : {}) };
}

/** True if a phone without a country code is invalid in the region (ISO code), and valid in another country. */
export function isPhoneOfOtherCountry(phone: string, region: string): boolean {
  const countries = findCountriesOfPhoneNumber(phone, region) ?? [];
  return countries.length > 0 && !countries.includes(region);
}
