// Conversion of a record in the record format: values are normalised, and unusable values are left out with a
// reason.
import type { SourceRecordId } from '../graph/records.ts';
import type { Address, Contact, EmailOrPhoneContact, PostalAddressContact } from '../model.ts';
import { joinNameParts, removeRelation } from '../names/index.ts';
import { findAddressCountry } from '../normalise/address.ts';
import { toCountryCode } from '../normalise/address/place.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { normaliseDate, parseTimestamp } from '../normalise/date.ts';
import { findEmailInCell } from '../normalise/email.ts';
import {
  findCountriesOfPhoneNumber,
  findLikeliestPhoneNumber,
  isPhoneWithoutAreaCode,
  removePhoneRemarks,
} from '../normalise/phone.ts';
import { joinLinesWithCommas } from '../normalise/text.ts';
import {
  isSpreadsheetRoundedNumber,
  NO_AREA_CODE_REASON,
  SPREADSHEET_ROUNDED_NUMBER_REASON,
} from './columns/cells.ts';
import {
  isAmbiguousDate,
  isEmptyDate,
  isPlaceholderBirthDate,
  PLACEHOLDER_DATE_REASON,
} from './columns/dates.ts';
import { NAME_PARTS } from './columns/headers.ts';
import type { UnvalidatedAddress } from './columns/parties.ts';
import { RELATION_REASON } from './columns/persons.ts';
import { parseDeletedFlag, type RawRecord, toTrimmedText } from './columns/raw.ts';
import { INPUT_LIMITS } from './formats/limits.ts';
import type { RecordReadSettings } from './settings.ts';
import { parsePersonTraits, type PersonTraits } from './traits.ts';

/** Record of a source with normalised values, as the graph stores it. */
export interface ImportRecord extends PersonTraits {
  recordId: string;
  source: string;
  /** Full names as written. If a name has parts, they are joined as given, middle, family, suffix. */
  names: string[];
  /** Normalised e-mails, phones and addresses. A phone is normalised for its most likely country; the `plus4` of an address is part of `zip`. */
  contacts: Contact[];
  /** Date as `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; null if unknown. */
  birthDate: string | null;
  /** First activity of the person in the source, in milliseconds since 1970; null if unknown. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** Person to whom the operator assigned the record, or null. Records with the same value are always linked. */
  identity: string | null;
}

/** Findings about one record (country, phones, dates) that can be judged only together with all other records of the file. */
export interface RecordParsingNotes {
  /** Country of a record without an address: ISO code, or an empty text. */
  country?: string;
  /** Number of phones without a country code in a record without a country. */
  regionPhones?: number;
  /** For each phone that is invalid in the default region: the countries in which it is valid. The list may be empty. */
  validElsewhere?: string[][];
  againstOrder?: string[];
}

/** Result of reading a raw record: the record, the id of a record to remove, or the reason why it is unusable. Reasons never contain values. */
export type RecordParseResult =
  | { record: ImportRecord; recordId: string; dropped: string[]; notes?: RecordParsingNotes }
  | { removed: SourceRecordId; problem?: undefined; recordId: string; dropped: string[] }
  | { problem: string; recordId: string | null; dropped: string[] };

/** Rejection reason for a date whose order of day and month is unknown. */
export const AMBIGUOUS_DATE_REASON = 'is ambiguous: day and month may be swapped';
export const FUTURE_DATE_REASON = 'is in the future';
const DAY = 24 * 60 * 60 * 1000;

const MAX_TEXT = 200;
const LETTER = /\p{L}/u;
const PHONE_DIGITS = { least: 7, most: 15 };

/**
 * Parses a record in the record format. A record needs a `record_id` and a name or contact; a removal (`deleted`) needs only the id. Numbers are
 * read as texts, and unknown fields are ignored.
 */
export function parseImportRecord(
  raw: RawRecord,
  { source: defaultSource = '', region = 'US', now }: Pick<RecordReadSettings, 'source' | 'region' | 'now'>,
): RecordParseResult {
  const dropped: string[] = [];
  const recordId = toTrimmedText(raw.record_id);
  const source = toTrimmedText(raw.source) || defaultSource;
  const identity = toTrimmedText(raw.identity);
  const reject = (problem: string) => ({ problem, recordId, dropped });
  const isTooLong = (field: string) => `${field} is longer than ${MAX_TEXT} characters`;
  if (recordId === '') return { ...reject('record_id is missing'), recordId: null };
  if (recordId.length > MAX_TEXT) return { ...reject(isTooLong('record_id')), recordId: null };
  if (source.length > MAX_TEXT) return reject(isTooLong('source'));
  const deleted = parseDeletedFlag(raw);
  if (deleted === null) return reject('deleted is neither true nor false');
  if (deleted) return { removed: { source, recordId }, recordId, dropped };
  if (identity.length > MAX_TEXT) return reject(isTooLong('identity'));
  const names = readValues('names', [raw.name, raw.names], {
    dropped,
    read: readName,
    explain: (_, value) => (toNameText(value) === '' ? null : RELATION_REASON),
  });
  const emails = readValues('emails', [raw.email, raw.emails], { dropped, read: readEmail });
  const addresses = readValues('addresses', [raw.address, raw.addresses], { dropped, read: readAddress });
  const country = toCountryCode(toTrimmedText(raw.country));
  const places = addresses.flatMap((parts) => normaliseContact('address', parts, region) ?? []);
  const countries = new Set([...places.map(findCountryOfPlace), country]);
  countries.delete('');
  const hasCountry = countries.size > 0;
  const regions = [...countries.add(region)];
  const phones = readValues('phones', [raw.phone, raw.phones], {
    dropped,
    read: (value) => readPhone(value, regions),
    explain: (text) => (isPhoneWithoutAreaCode(text, regions) ? NO_AREA_CODE_REASON : null),
  });
  if (names.length + emails.length + phones.length + addresses.length === 0)
    return reject('it has no usable name and no usable contact');
  const traits = parsePersonTraits(raw, dropped);
  const { birthDate, firstSeen, lastSeen } = readDates(raw, dropped, now);
  // V8 copies an object fast only if its spread comes first.
  const record = {
    ...traits,
    recordId,
    source,
    names,
    contacts: [...emails, ...phones, ...places],
    birthDate,
    firstSeen,
    lastSeen,
    identity: identity || null,
  };
  if (country !== '') return { record, recordId, dropped, notes: { country } };
  const notes = hasCountry ? null : notesOnPhones([raw.phone, raw.phones].flat().map(toTrimmedText), region);
  return notes === null ? { record, recordId, dropped } : { record, recordId, dropped, notes };
}

/**
 * Counts the phones without a country code, including unusable ones. Lists the countries in which phones that are invalid in the default region are
 * valid. Returns null if there are no such phones.
 */
function notesOnPhones(phones: readonly string[], region: string): RecordParsingNotes | null {
  const countries = phones
    .flatMap((written) => removePhoneRemarks(written) ?? [])
    .filter((text) => mayBePhone(text) && !isSpreadsheetRoundedNumber(text))
    .flatMap((text) => {
      const valid = findCountriesOfPhoneNumber(text, region);
      return valid === null ? [] : [valid];
    });
  const validElsewhere = countries.filter((valid) => !valid.includes(region));
  return countries.length === 0
    ? null
    : { regionPhones: countries.length, ...(validElsewhere.length > 0 && { validElsewhere }) };
}

/** True if a text has as many digits as a phone number can have. */
function mayBePhone(text: string): boolean {
  const { length } = text.replace(/\P{Nd}/gu, '');
  return length >= PHONE_DIGITS.least && length <= PHONE_DIGITS.most;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

interface ValueReader<T> {
  dropped: string[];
  read(value: unknown): T | null;
  /** Returns why a value is unusable; null for no particular reason. */
  explain?(text: string, value: unknown): string | null;
}

/** Normalises all values of one field and removes duplicates. Adds a reason to `dropped` for each unusable value, with its index in the list. */
function readValues<T extends string | EmailOrPhoneContact | Address>(
  field: string,
  given: unknown[],
  { dropped, read, explain }: ValueReader<T>,
): T[] {
  const all = given.flatMap((value) => (isEmpty(value) ? [] : value));
  if (all.length === 0) return [];
  const usable: T[] = [];
  for (let index = 0; index < all.length && index < INPUT_LIMITS.values; index++) {
    const value = all[index];
    if (isEmpty(value)) continue;
    const result = read(value);
    if (result !== null) usable.push(result);
    else {
      const text = toTrimmedText(value);
      const reason = isSpreadsheetRoundedNumber(text)
        ? SPREADSHEET_ROUNDED_NUMBER_REASON
        : (explain?.(text, value) ?? 'cannot be used');
      dropped.push(`${field}[${index}] ${reason}`);
    }
  }
  if (all.length > INPUT_LIMITS.values) dropped.push(`${field} has more than ${INPUT_LIMITS.values} values`);
  return usable.length > 1 ? [...new Map(usable.map((one) => [textOf(one), one])).values()] : usable;
}

/** Returns the normalised value as a text, by which duplicates are recognised. */
function textOf(value: string | EmailOrPhoneContact | Address): string {
  if (typeof value === 'string') return value;
  return 'standardized' in value ? value.standardized : JSON.stringify(value);
}

/** Reads a name: a text, `{ full }`, or an object with the parts of the name. Returns an empty text if there is no name. */
function toNameText(value: unknown): string {
  const parts = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  const whole = toTrimmedText(parts === null ? value : parts.full);
  const name = whole || joinNameParts(NAME_PARTS.map((part) => toTrimmedText(parts?.[part])));
  return LETTER.test(name) && name.length <= MAX_TEXT ? name : '';
}

/** Reads a name as `toNameText`, without a relation such as `Zara's mum`. Null if there is no name. */
const readName = (value: unknown): string | null => removeRelation(toNameText(value)) || null;

/** Reads an e-mail in any form of `findEmailInCell`. Null if it is invalid. */
const readEmail = (value: unknown): EmailOrPhoneContact | null =>
  normaliseContact('email', findEmailInCell(toTrimmedText(value)), '');

/**
 * Reads a phone number for the most likely country, which follows from the record's addresses. Null if it is invalid, or if several countries
 * are equally likely.
 */
function readPhone(value: unknown, regions: readonly string[]): EmailOrPhoneContact | null {
  const written = toTrimmedText(value);
  const text = removePhoneRemarks(written);
  if (text === null || written.length > MAX_TEXT || isSpreadsheetRoundedNumber(written)) return null;
  const phone = normaliseContact('phone', text, regions);
  if (phone === null) return null;
  const number = findLikeliestPhoneNumber(phone.keys.map((key) => key.text));
  return number === null ? null : { ...phone, standardized: number, keys: [{ type: 'phone', text: number }] };
}

/** Returns the ISO code of the country that an address names, in a separate part or at the end of a single line. Empty if it names none. */
const findCountryOfPlace = ({ standardized }: PostalAddressContact): string =>
  toCountryCode(findAddressCountry(standardized));

function readAddress(value: unknown): Address | null {
  const parts: UnvalidatedAddress =
    typeof value === 'object' && value !== null ? (value as UnvalidatedAddress) : { street: value };
  const [zip, plus4] = [toLine(parts.zip), toLine(parts.plus4)];
  const address = {
    street: toLine(parts.street),
    street2: toLine(parts.street2),
    city: toLine(parts.city),
    state: toLine(parts.state),
    zip: plus4 !== '' && /^\d{5}$/.test(zip) ? `${zip}-${plus4}` : zip,
    country: toLine(parts.country),
  };
  const texts = Object.values(address);
  return texts.every((text) => text === '') || texts.some((text) => text.length > MAX_TEXT) ? null : address;
}

/** Joins the lines of an address part with commas. */
const toLine = (value: unknown): string =>
  toTrimmedText(typeof value === 'string' ? joinLinesWithCommas(value) : value);

/** True if a birth date, or a time in milliseconds, is in the future. A tolerance allows for other time zones. */
const isFuture = (value: string | number, now: number): boolean =>
  (typeof value === 'number' ? value : Date.parse(value)) > now + DAY;

function readDates(
  raw: RawRecord,
  dropped: string[],
  now?: number,
): Pick<ImportRecord, 'birthDate' | 'firstSeen' | 'lastSeen'> {
  const read = <T extends string | number>(
    field: 'birth_date' | 'first_seen' | 'last_seen',
    parse: (text: string) => T | null,
  ): T | null => {
    const text = isEmpty(raw[field]) ? null : toTrimmedText(raw[field]);
    if (text === null || isEmptyDate(text)) return null;
    const value = parse(text);
    if (field === 'birth_date' && isPlaceholderBirthDate(String(value ?? text))) {
      dropped.push(`${field} ${PLACEHOLDER_DATE_REASON}`);
      return null;
    }
    if (value === null)
      dropped.push(
        `${field} ${isAmbiguousDate(text) ? AMBIGUOUS_DATE_REASON : 'cannot be read without guessing'}`,
      );
    if (value === null || now === undefined || !isFuture(value, now)) return value;
    dropped.push(`${field} ${FUTURE_DATE_REASON}`);
    return null;
  };
  const firstSeen = read('first_seen', parseTimestamp);
  const lastSeen = read('last_seen', parseTimestamp);
  const areSwapped = firstSeen !== null && lastSeen !== null && firstSeen > lastSeen;
  return {
    birthDate: read('birth_date', normaliseDate),
    firstSeen: areSwapped ? lastSeen : firstSeen,
    lastSeen: areSwapped ? firstSeen : lastSeen,
  };
}
