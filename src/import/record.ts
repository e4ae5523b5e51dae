import type { RecordName } from '../graph/records.ts';
import type { Address, Contact, TextContact } from '../model.ts';
import { toCountryCode } from '../normalise/address/place.ts';
import { joinNameParts } from '../names/index.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { likeliestNumber } from '../normalise/phone.ts';
import { normaliseDate, parseTimestamp } from '../normalise/date.ts';
import { joinLines } from '../normalise/text.ts';
import type { RawAddress } from './columns/parties.ts';
import { parseDeleted, type RawRecord, toText } from './columns/raw.ts';
import { isEmptyDate, isAmbiguousDate } from './columns/dates.ts';
import { isRoundedNumber, ROUNDED_NUMBER } from './columns/cells.ts';
import type { ReadSettings } from './settings.ts';
import { parseTraits, type PersonTraits } from './traits.ts';

/** One record of a source, ready for the graph: tidy texts, unusable values gone. */
export interface ImportRecord extends PersonTraits {
  recordId: string;
  source: string;
  /** As written, the parts of a name joined in the order given, middle, family, suffix. */
  names: string[];
  /** Normalised: e-mails, phones (of each only its likeliest reading), addresses that can be looked up (`plus4` is part of `zip`). */
  contacts: Contact[];
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  birthDate: string | null;
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** Records with the same one are one person, whatever the linker would say. */
  identity: string | null;
}

/** What became of a raw record: the record and what was left out of it, or why it can't be used. Reasons never hold values. */
export type RecordOutcome =
  | { record: ImportRecord; recordId: string; dropped: string[] }
  | { removed: RecordName; problem?: undefined; recordId: string; dropped: string[] }
  | { problem: string; recordId: string | null; dropped: string[] };

type RecordSettings = Pick<ReadSettings, 'source' | 'region' | 'now'>;

/** Of a date that its table does not tell how to read. */
export const AMBIGUOUS_DATE = 'could be two days';
/** Of a date that has not come yet. */
export const FUTURE_DATE = 'lies in the future';
const DAY = 24 * 60 * 60 * 1000;
/** Dates of a program may be ahead, as those of what is booked. */
const AHEAD = 366 * DAY;

const MAX_TEXT = 200;
const MAX_VALUES = 100;
const LETTER = /\p{L}/u;

/**
 * Reads one raw record. `record_id` and either a name or a contact must be there. Numbers count as texts; the
 * singular `email`, `phone` and `address` are read too; unknown fields are ignored. One that is `deleted` needs its id alone.
 */
export function readRecord(raw: RawRecord, settings: RecordSettings): RecordOutcome {
  const { source: defaultSource = '', region = 'US', now } = settings;
  const dropped: string[] = [];
  const recordId = toText(raw.record_id);
  const deleted = parseDeleted(raw);
  if (recordId === '') return { problem: 'record_id is missing', recordId: null, dropped };
  if (recordId.length > MAX_TEXT)
    return { problem: `record_id is longer than ${MAX_TEXT} characters`, recordId: null, dropped };
  const source = toText(raw.source) || defaultSource;
  if (source.length > MAX_TEXT)
    return { problem: `source is longer than ${MAX_TEXT} characters`, recordId, dropped };
  if (deleted === null) return { problem: 'deleted is neither true nor false', recordId, dropped };
  if (deleted) return { removed: { source, recordId }, recordId, dropped };
  const identity = toText(raw.identity);
  if (identity.length > MAX_TEXT)
    return { problem: `identity is longer than ${MAX_TEXT} characters`, recordId, dropped };
  const names = values({ field: 'names', given: [raw.name, raw.names], dropped, read: readName });
  const emails = values({ field: 'emails', given: [raw.email, raw.emails], dropped, read: readEmail });
  const addresses = values({
    field: 'addresses',
    given: [raw.address, raw.addresses],
    dropped,
    read: readAddress,
  });
  const regions = phoneRegions(addresses, [toCountryCode(toText(raw.country)), region]);
  const read = (value: unknown) => readPhone(value, regions);
  const phones = values({ field: 'phones', given: [raw.phone, raw.phones], dropped, read });
  if (names.length + emails.length + phones.length + addresses.length === 0) {
    return { problem: 'it has no usable name and no usable contact', recordId, dropped };
  }
  const located = addresses.flatMap((parts) => normaliseContact('address', parts, region) ?? []);
  const record = {
    recordId,
    source,
    names,
    contacts: [...emails, ...phones, ...located],
    identity: identity || null,
    ...parseTraits(raw, dropped),
    ...readDates(raw, dropped, now),
  };
  return { record, recordId, dropped };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The usable values of one kind, each once; the others are told in `dropped` by their place in the list. */
function values<T extends string | TextContact | Address>(from: {
  field: string;
  given: unknown[];
  dropped: string[];
  read: (value: unknown) => T | null;
}): T[] {
  const { field, given, dropped, read } = from;
  const all = given.filter((value) => !isEmpty(value)).flat();
  if (all.length === 0) return [];
  const usable = new Map<string, T>();
  for (const [index, value] of all.slice(0, MAX_VALUES).entries()) {
    if (isEmpty(value)) continue;
    const result = read(value);
    if (result === null)
      dropped.push(
        `${field}[${index}] ${isRoundedNumber(toText(value)) ? ROUNDED_NUMBER : 'cannot be used'}`,
      );
    else usable.set(textOfValue(result), result);
  }
  if (all.length > MAX_VALUES) dropped.push(`${field} has more than ${MAX_VALUES} values`);
  return [...usable.values()];
}

/** What tells two values of a record apart. */
function textOfValue(value: string | TextContact | Address): string {
  if (typeof value === 'string') return value;
  return 'standardized' in value ? value.standardized : JSON.stringify(value);
}

/** A name: a text, `{ full }` or its parts. */
function readName(value: unknown): string | null {
  const parts = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  const whole = parts === null ? toText(value) : toText(parts.full);
  const name =
    whole || joinNameParts([parts?.given, parts?.middle, parts?.family, parts?.suffix].map(toText));
  return LETTER.test(name) && name.length <= MAX_TEXT ? name : null;
}

/** An address as it is, or as programs write it: `"Jay Doe" <jay@example.com>`, `mailto:jay@example.com`. */
function readEmail(value: unknown): TextContact | null {
  const text = toText(value).replace(/^mailto:([^?]*).*$/i, '$1');
  return normaliseContact('email', /<([^<>]+)>$/.exec(text)?.[1] ?? text, '');
}

/** A number in its likeliest reading: a record says in which country it is at home, which who asks for it need not know. None where none is likelier. */
function readPhone(value: unknown, regions: readonly string[]): TextContact | null {
  const text = toText(value);
  const phone =
    text.length > MAX_TEXT || isRoundedNumber(text) ? null : normaliseContact('phone', text, regions);
  if (phone === null) return null;
  const number = likeliestNumber(phone.keys.map((key) => key.text));
  return number === null ? null : { ...phone, standardized: number, keys: [{ type: 'phone', text: number }] };
}

/** People write their number as they dial it at home: the countries of a record's addresses come first. */
function phoneRegions(addresses: Address[], others: string[]): readonly string[] {
  const countries = addresses.map((address) => toCountryCode(address.country));
  return [...new Set([...countries, ...others].filter((code) => code !== ''))];
}

/** An address in parts, or as one line. */
function readAddress(value: unknown): Address | null {
  const parts: RawAddress =
    typeof value === 'object' && value !== null ? (value as RawAddress) : { street: value };
  const [street, street2, city, state, zip, plus4, country] = [
    parts.street,
    parts.street2,
    parts.city,
    parts.state,
    parts.zip,
    parts.plus4,
    parts.country,
  ].map(lineOf) as [string, string, string, string, string, string, string];
  const address = {
    street,
    street2,
    city,
    state,
    zip: plus4 !== '' && /^\d{5}$/.test(zip) ? `${zip}-${plus4}` : zip,
    country,
  };
  const texts = Object.values(address);
  return texts.every((text) => text === '') || texts.some((text) => text.length > MAX_TEXT) ? null : address;
}

/** Lines of an address part become parts with commas. */
const lineOf = (value: unknown): string => toText(typeof value === 'string' ? joinLines(value) : value);

/** Whether a birth date, or a time in milliseconds, has not come yet: here it may be a day later than there. */
const isToCome = (value: string | number, now: number): boolean =>
  typeof value === 'number'
    ? value > now + AHEAD
    : value > new Date(now + DAY).toISOString().slice(0, value.length);

function readDates(
  raw: RawRecord,
  dropped: string[],
  now?: number,
): Pick<ImportRecord, 'birthDate' | 'firstSeen' | 'lastSeen'> {
  const read = <T extends string | number>(
    field: 'birth_date' | 'first_seen' | 'last_seen',
    parse: (text: string) => T | null,
  ): T | null => {
    const isGiven = !isEmpty(raw[field]) && !isEmptyDate(toText(raw[field]));
    const value = isGiven ? parse(toText(raw[field])) : null;
    if (value === null && isGiven)
      dropped.push(
        `${field} ${isAmbiguousDate(toText(raw[field])) ? AMBIGUOUS_DATE : 'cannot be read without guessing'}`,
      );
    if (value === null || now === undefined || !isToCome(value, now)) return value;
    dropped.push(`${field} ${FUTURE_DATE}`);
    return null;
  };
  const firstSeen = read('first_seen', parseTimestamp);
  const lastSeen = read('last_seen', parseTimestamp);
  const swapped = firstSeen !== null && lastSeen !== null && firstSeen > lastSeen;
  return {
    birthDate: read('birth_date', normaliseDate),
    firstSeen: swapped ? lastSeen : firstSeen,
    lastSeen: swapped ? firstSeen : lastSeen,
  };
}
