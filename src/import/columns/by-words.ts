// Guess of a column's field by the words of its header.
import {
  ADDRESS_FIELDS,
  CONTACT_DATA_HEADER_PATTERN,
  HOUSE_NUMBER_HEADERS,
  NAME_FIELDS,
  OTHER_PERSON_OR_THING_HEADER_PATTERN,
  createTableColumn,
  getFieldOfCombinedCell,
  getFieldOfHeader,
  toHeaderKey,
  type ColumnField,
  type ColumnGuess,
} from './headers.ts';
import { isColumnGroupOfOtherPerson } from './parties.ts';
import {
  allHeaderWordsHaveMeaning,
  endsInWordMeaningEvent,
  toComparableHeader,
  headerWordHasMeaning,
  anyHeaderWordHasMeaning,
  splitCompoundWord,
  type HeaderWordMeaning,
} from './words.ts';

const isKnown = (word: string): boolean => headerWordHasMeaning(word) || getFieldOfHeader(word) !== undefined;
const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** Maximum length in characters of a header whose field is guessed. */
export const MAX_HEADER_LENGTH = 200;

/** True if a text consists only of words that occur in known headers. Such a text is a header and contains no personal value. */
export const hasOnlyKnownHeaderWords = (text: string): boolean =>
  text.length <= MAX_HEADER_LENGTH &&
  splitHeaderAndCompoundWords(text, Infinity).every((word) => isKnown(word) || /^\d{1,2}$/.test(word)) &&
  !/[^\p{L}\p{N}\s.,:;&/()#+'°º_-]/u.test(text);

interface HeaderWords {
  all: string[];
  /** Words of the header without numbers, owners (such as `billing` or `home`) and filler words. */
  rest: string[];
  /** Words of `rest` that the tables of header words do not contain. */
  unknown: string[];
  group: string;
  has(...classes: HeaderWordMeaning[]): boolean;
}

const CAMEL_CASE = /(\p{Ll})(\p{Lu})/gu;
/** True if a word with a capital inside is one known word, and not two joined words: `WhatsApp`. */
const isKnownAsWritten = (word: string): boolean =>
  word.search(CAMEL_CASE) >= 0 && headerWordHasMeaning(toComparableHeader(word));

/** Maximum number of words of a header from which its field is guessed. */
const MOST_WORDS = 12;

/** Splits a header into words. Words beyond the maximum are left out. */
export function splitHeaderIntoWords(header: string, most = MOST_WORDS): string[] {
  const spaced = header
    .replace(/[°º]/g, ' ')
    .replace(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
      isKnownAsWritten(word) ? word : word.replace(CAMEL_CASE, '$1 $2'),
    );
  return toComparableHeader(spaced)
    .replace(/(\p{L})(?=\d)|(\d)(?=\p{L})/gu, '$1$2 ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, most);
}

/** Splits a header into words, and compound words into their parts: `homeAddress`, `rechnungsanschrift`. */
export const splitHeaderAndCompoundWords = (header: string, most = MOST_WORDS): string[] =>
  splitHeaderIntoWords(header, most).flatMap((word) => splitCompoundWord(word, isKnown));

/** Returns the words of a header with their meanings; null if the header is about another person or about a thing. */
function wordsOf(header: string): HeaderWords | null {
  const all = splitHeaderAndCompoundWords(header);
  if (OTHER_PERSON_OR_THING_HEADER_PATTERN.test(toHeaderKey(header)) || anyHeaderWordHasMeaning(all, 'veto'))
    return null;
  const words = all.filter((word) => !isNumber(word));
  const rest = words.filter(
    (word) =>
      headerWordHasMeaning(word, 'people', 'person') ||
      (!headerWordHasMeaning(word, 'billing', 'shipping', 'whose', 'company', 'property') && !isNoise(word)),
  );
  const unknown = rest.filter((word) => !isKnown(word));
  const has = (...classes: HeaderWordMeaning[]) => anyHeaderWordHasMeaning(words, ...classes);
  return { all, rest, unknown, group: groupIn(all, rest), has };
}

const isNoise = (word: string): boolean =>
  headerWordHasMeaning(word, 'noise') || (/^[a-z]$/.test(word) && word !== 'n');

/** Returns the column group that a header names: `billing` or `shipping`, an owner such as `home` or `work`, or a number before the last word. */
function groupIn(all: string[], rest: string[]): string {
  const party = all.find((word) => headerWordHasMeaning(word, 'billing', 'shipping'));
  if (party !== undefined) return party;
  const last = all.lastIndexOf(rest.at(-1) ?? '');
  return all
    .filter((word, i) => headerWordHasMeaning(word, 'whose', 'company') || (isNumber(word) && i < last))
    .join('');
}

/** Fields that occur once per row, so that their columns belong to no group (such as an address). */
const DATED = new Set<ColumnField>(['birth_date', 'birth_place', 'first_seen', 'last_seen']);
/** Fields that are accepted although the header also contains unknown words. */
const WITH_UNKNOWN_WORDS = new Set<ColumnField>(['email', 'phone', ...ADDRESS_FIELDS]);

/** Returns the column that the words of a header suggest. Null if they suggest no field, or if too many words are unknown. */
export function guessColumnByWords(header: string): ColumnGuess | null {
  const words = wordsOf(header);
  if (!words || words.all.length === 0) return null;
  const { all, rest, unknown } = words;
  const read = fieldOf(words) ?? houseNumberIn(header);
  const field = read ?? namePartIn(header);
  if (field === null) return null;
  if (DATED.has(field)) return { field, group: '' };
  // `Default Address Company` is a company.
  if (field === 'address' && headerWordHasMeaning(all.at(-1) ?? '', 'company')) return null;
  const isInPath = unknown.every((word) => isOnlyInPath(header, word));
  const hasUnknown = unknown.length > 0 && read !== null;
  if (hasUnknown && !isInPath && !WITH_UNKNOWN_WORDS.has(field)) return null;
  const isWeak = hasUnknown || (field === 'name' && allHeaderWordsHaveMeaning(rest, 'people'));
  return { ...createTableColumn(field, words.group || addressPathIn(header)), ...(isWeak && { isWeak }) };
}

/** Returns the words of the property path that mean an address: `anschrift` in `anschrift.ort`. An object may have several addresses. */
const addressPathIn = (header: string): string =>
  toComparableHeader(header.slice(0, Math.max(0, header.lastIndexOf('.'))))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => headerWordHasMeaning(word, 'address'))
    .join('');

/** Returns `street` if the header is a house number inside an address (`domicilio.numero`), else null. */
function houseNumberIn(header: string): ColumnField | null {
  const last = toHeaderKey(header.slice(header.lastIndexOf('.')));
  return addressPathIn(header) !== '' && HOUSE_NUMBER_HEADERS.has(last) ? 'street' : null;
}

/**
 * Returns the field of a part of a name, or of a title, inside a person's property that means a name: `name.given`, `profile.name.familyName`, or after
 * a question of a form: `Full Name - First Name`. Null for other headers, such as `dog.name.given`.
 */
function namePartIn(header: string): ColumnField | null {
  const [part = '', name = '', ...owners] = header.split(/\.|: | [-–/] /).toReversed();
  const nameWords = splitHeaderIntoWords(name);
  const meansName =
    anyHeaderWordHasMeaning(nameWords, 'name') &&
    allHeaderWordsHaveMeaning(nameWords, 'name', 'whole', 'noise');
  const words = splitHeaderAndCompoundWords(owners.join('.'));
  if (!meansName || !allHeaderWordsHaveMeaning(words, 'people', 'person', 'billing', 'shipping', 'noise'))
    return null;
  const field = getFieldOfHeader(toHeaderKey(part)) ?? null;
  return field !== null && (field === 'title' || (field !== 'name' && NAME_FIELDS.has(field))) ? field : null;
}

/** True if a word occurs in the path of a property but not in the last part: `buyer` in `payload.buyer.mail`. */
function isOnlyInPath(header: string, word: string): boolean {
  const end = header.lastIndexOf('.');
  return end > 0 && end < header.length - 1 && !toComparableHeader(header.slice(end)).includes(word);
}

function fieldOf(words: HeaderWords): ColumnField | null {
  const { rest, unknown, has } = words;
  const known = rest.filter((word) => !unknown.includes(word));
  const about = known.filter((word) => !headerWordHasMeaning(word, 'people', 'person'));
  const date = dateFieldOf(words);
  if (date !== null) return date;
  if (has('email')) return 'email';
  if (has('phone')) return 'phone';
  if (isNumberOf(known, 'people', 'person') || isNumberOf(known, 'event'))
    return has('whose', 'company') ? null : 'record_id';
  if (has('given') && has('family')) return 'name';
  if (has('people') && has('name') && allHeaderWordsHaveMeaning(known, 'people', 'person', 'name'))
    return 'name';
  if (known.length > 1 && isNumberOf(known, 'street', 'house')) return 'street';
  return (
    knownField(known) ??
    knownField(about) ??
    addressPartOf(about, isColumnGroupOfOtherPerson(words.group)) ??
    wholeValueOf(known, about)
  );
}

/** True if the words are a word for number and the name of the numbered thing: `Nº de cliente`, `numer domu`. */
const isNumberOf = (words: string[], ...classes: HeaderWordMeaning[]): boolean =>
  words.length > 1 &&
  anyHeaderWordHasMeaning(words, 'number') &&
  anyHeaderWordHasMeaning(words, ...classes) &&
  allHeaderWordsHaveMeaning(words, 'number', ...classes);

/**
 * True if a header means only the phone number of a contact: `Contact no.`, `Kontakt-Nr.`, `Número de contacto`. False for an id or a code of a contact, and
 * if a word may mean another number or another person: `Contact passport no.`, `Guardian contact no.`, `Warden contact no.`.
 */
export function isContactPhoneHeader(header: string): boolean {
  const words = splitHeaderAndCompoundWords(header).filter((word) => !isNumber(word));
  const isContact = (word: string) => CONTACT_DATA_HEADER_PATTERN.test(word);
  const isOther = (word: string) =>
    !isContact(word) &&
    !NEUTRAL_WORDS.has(word) &&
    !isNoise(word) &&
    !headerWordHasMeaning(word, 'number', 'people', 'person', 'whose');
  return (
    words.some(isContact) &&
    anyHeaderWordHasMeaning(words, 'number') &&
    !words.some((word) => ID_WORDS.has(word) || isOther(word)) &&
    !isHeaderOfOtherPersonOrThing(header)
  );
}

/** Words that may be in a header of a contact's number without changing its meaning: `Preferred contact no.`. */
const NEUTRAL_WORDS = new Set(
  'preferred bevorzugte preferido prefere preferito best registered local active direct day daytime evening enter please optional digits'.split(
    ' ',
  ),
);

/** Words for a number that never mean a phone number. */
const ID_WORDS = new Set(
  'id ids ident code key ref reference kennung codigo codice chave clave kod uid cod'.split(' '),
);

/** True if a header means a number of any kind, for example a row number (`Nr karty`), or an account (`Konto`, `A/C`). */
export function isNumberOrAccountHeader(header: string): boolean {
  if (headerWordHasMeaning(toHeaderKey(header), 'account')) return true;
  const words = wordsOf(header);
  return words !== null && words.group === '' && anyHeaderWordHasMeaning(words.rest, 'number');
}

/** True if a header is about another person or a thing. The cells of such a column are not examined. */
export function isHeaderOfOtherPersonOrThing(header: string): boolean {
  const words = wordsOf(header);
  return words === null || words.has('company', 'account', 'property', 'seller', 'relative');
}

/** Returns the field of the known header that the joined words form. Null if there is none, and for ids, sources and identity labels. */
function knownField(words: string[]): ColumnField | null {
  const field = getFieldOfHeader(words.join('')) ?? null;
  return field === 'record_id' || field === 'source' || field === 'identity' ? null : field;
}

/**
 * Returns the field for one part of an address (`anschrift.ort`, `Adresse: PLZ`) or for several parts in one cell (`PLZ Ort`). Null if the words
 * name no such part.
 */
function addressPartOf(words: string[], isOfParty: boolean): ColumnField | null {
  const inside = words.filter((word) => !headerWordHasMeaning(word, 'address'));
  const part = knownField(inside);
  if (part !== null && (isOfParty || ADDRESS_FIELDS.has(part))) return part;
  const parts = inside.flatMap((word) => knownField([word]) ?? []);
  if (inside.length < 2 || parts.length < inside.length) return null;
  return parts.every((field) => ADDRESS_FIELDS.has(field)) ? getFieldOfCombinedCell(parts) : null;
}

function wholeValueOf(known: string[], about: string[]): ColumnField | null {
  if (known.length === 0) return null;
  if (about.length > 0) return allHeaderWordsHaveMeaning(about, 'address') ? 'address' : null;
  return allHeaderWordsHaveMeaning(known, 'people') ? 'name' : null;
}

/** Returns the date field that the words of a header suggest, or null: `Letzter Besuch`, `Customer since`, `Paid at`, `fecha de nacimiento`. */
function dateFieldOf({ rest, unknown, has }: HeaderWords): ColumnField | null {
  if (
    !unknown.every(endsInWordMeaningEvent) ||
    has('number', 'email', 'phone', 'address', 'street', 'company')
  )
    return null;
  // The values of `From` are rarely dates; those of `Lease from` are.
  if (rest.every((word) => word === 'from')) return null;
  const isEvent = has('event') || unknown.length > 0;
  if (has('birth')) {
    if (!allHeaderWordsHaveMeaning(rest, 'birth', 'date', 'place', 'people', 'person')) return null;
    return has('place') && !has('date') ? 'birth_place' : 'birth_date';
  }
  if (has('last')) return isEvent || has('change') ? 'last_seen' : null;
  if (has('change')) return has('date') ? 'last_seen' : null;
  if (has('given') && !isEvent) return null;
  if (has('begun')) return has('date', 'event') || !has('family', 'name') ? 'first_seen' : null;
  // The person was seen on the day of an order or visit. A beginning (`Customer since`) does not tell when they were last seen.
  return isEvent && has('date') ? 'last_seen' : null;
}
