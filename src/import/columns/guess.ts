// Guess of a column's field by its header: by the whole header if programs are known to write it, otherwise
// by its words.
import {
  MAX_HEADER_LENGTH,
  guessColumnByWords,
  isHeaderOfOtherPersonOrThing,
  splitHeaderIntoWords,
  splitHeaderAndCompoundWords,
} from './by-words.ts';
import {
  ADDRESS_FIELDS,
  AMBIGUOUS_FLOOR_AND_FLAT_HEADERS,
  type TableColumn,
  type ColumnGuess,
  CONTACT_PERSON_HEADER_PATTERN,
  getFieldOfHeader,
  findTableColumnOfKnownHeader,
  getFieldOfCombinedCell,
  NAME_FIELDS,
  NAME_EMAIL_AND_PHONE_FIELDS,
  toHeaderKey,
} from './headers.ts';
import {
  allHeaderWordsHaveMeaning,
  anyHeaderWordHasMeaning,
  findHeaderWordCorrections,
  headerWordHasMeaning,
} from './words.ts';

/**
 * Returns the field and group that a column header suggests, or null. Examples of headers: `Home Phone`, `e-mail 2`, `address_2_city`, `Straße
 * (privat)`, `anschrift.ort`.
 */
export function guessColumn(header: string): TableColumn | null {
  const guess = guessColumnWithUncertaintyFlag(header);
  return guess && { field: guess.field, group: guess.group };
}

/** Path prefixes that only wrap the properties of a record, such as `data.attributes.`. */
const WRAPPERS = /^(?:(?:properties|attributes|fields|data|record|node)\.)+(?=.)/;

/** Prefixes of Raiser's Edge: `CnBio_First_Name`, `CnAdrPrf_City`. */
const PREFIXES = ['CnBio_', 'CnAdrPrf_'];

/** Returns the column that a header suggests; `isWeak` marks an uncertain guess. Null if the header suggests nothing. */
export function guessColumnWithUncertaintyFlag(text: string): ColumnGuess | null {
  if (text.length > MAX_HEADER_LENGTH) return null;
  const prefix = PREFIXES.find((start) => text.startsWith(start)) ?? '';
  const header = text.slice(prefix.length).replace(WRAPPERS, '');
  const key = toHeaderKey(header);
  // `Card Last4` is no family name.
  if (key === '' || /last\d$/.test(key)) return null;
  if (CONTACT_PERSON_HEADER_PATTERN.test(key)) return { field: 'name', group: '', isWeak: true };
  return (
    guessAddressPart(header) ??
    ofPerson(findTableColumnOfKnownHeader(key), header) ??
    guessOfRelative(header) ??
    guessByAlternatives(header) ??
    ofPerson(guessColumnByWords(header), header)
  );
}

/** Returns the column of a header with misspelled words (`Frist Name`, `Zipp Code`). Null if it suggests nothing, or several fields. */
export function guessColumnOfMisspelledHeader(header: string): ColumnGuess | null {
  if (header.length > MAX_HEADER_LENGTH || isHeaderOfOtherPersonOrThing(header)) return null;
  // `Portal` is no misspelled `postal`.
  if (AMBIGUOUS_FLOOR_AND_FLAT_HEADERS.has(toHeaderKey(header))) return null;
  const words = splitHeaderIntoWords(header);
  const isKnown = (word: string) => headerWordHasMeaning(word) || getFieldOfHeader(word) !== undefined;
  const meant = words.map((word) => (isKnown(word) ? [] : findHeaderWordCorrections(word)));
  const corrected = words.map((word, i) => meant[i]?.[0] ?? word).join(' ');
  const others = meant.flatMap((spellings, i) => spellings.map((word) => words.with(i, word).join(' ')));
  const guesses = [
    ...(others.length > 0 ? [corrected] : []),
    ...findHeaderWordCorrections(toHeaderKey(header)),
  ].map(guessColumnWithUncertaintyFlag);
  const [guess = null] = guesses;
  return guess && guesses.every((other) => other?.field === guess.field) ? guess : null;
}

/** Returns the column of a header that names an address, and in brackets a part of it: `Postal address (City/town)`. */
function guessAddressPart(header: string): ColumnGuess | null {
  const [, whole = '', inside = ''] = /^([^()]+)\(([^()]+)\)$/.exec(header) ?? [];
  const part = inside === '' ? null : guessColumn(inside);
  if (part === null || !ADDRESS_FIELDS.has(part.field)) return null;
  const address = guessColumn(whole);
  return address?.field === 'address' ? { field: part.field, group: address.group } : null;
}

/**
 * Corrects a guess for columns that do not belong to a person. Returns null for the name of a thing, and a weak guess for contacts of a company or a
 * rented property. Returns other guesses unchanged.
 */
function ofPerson(guess: ColumnGuess | null, header: string): ColumnGuess | null {
  if (guess === null) return null;
  const words = splitHeaderAndCompoundWords(header);
  if (NAME_FIELDS.has(guess.field)) return isNameOfThing(words, header) ? null : guess;
  const isAddress = ADDRESS_FIELDS.has(guess.field);
  if (isAddress && anyHeaderWordHasMeaning(words, 'property'))
    return { ...guess, isWeak: true, isOfProperty: true };
  const isContact = isAddress || guess.field === 'phone' || guess.field === 'email';
  return isContact && (isOfCompany(words) || isSite(words)) ? { ...guess, isWeak: true } : guess;
}

/**
 * True if a name column contains names of companies, accounts, properties or logins: `Account Name`, `Firmenname`, `Nombre de usuario`. False
 * for paths such as `user.name`, which may be the user's own name.
 */
function isNameOfThing(words: readonly string[], header: string): boolean {
  if (anyHeaderWordHasMeaning(words, 'company', 'seller')) return true;
  if (anyHeaderWordHasMeaning(words, 'given', 'whole')) return false;
  const last = splitHeaderAndCompoundWords(header.slice(header.lastIndexOf('.') + 1));
  return (
    anyHeaderWordHasMeaning(words, 'account', 'property', 'site') || anyHeaderWordHasMeaning(last, 'login')
  );
}

/** True if a contact column belongs to a company. Such a column is used only if the table has no other contacts. */
const isOfCompany = (words: readonly string[]): boolean =>
  anyHeaderWordHasMeaning(words, 'account') ||
  words.some((word) => headerWordHasMeaning(word, 'company') && !headerWordHasMeaning(word, 'whose'));

/** True for headers such as `Location`, which may be the place of a person or of a shop. */
const isSite = (words: readonly string[]): boolean =>
  words.length > 0 && allHeaderWordsHaveMeaning(words, 'site');

/** True if the name of a list means people: `customers`, `kunden`. */
export function isPeopleListName(name: string): boolean {
  const words = splitHeaderAndCompoundWords(name);
  return (
    anyHeaderWordHasMeaning(words, 'people', 'person') &&
    allHeaderWordsHaveMeaning(words, 'people', 'person', 'noise')
  );
}

/** True if a table lists rented homes, so that the tenants live at the addresses in it. */
export const isTenantList = (headers: readonly string[]): boolean =>
  headers.some((header) => anyHeaderWordHasMeaning(splitHeaderAndCompoundWords(header), 'resident'));

/** Maximum number of names in one header: PayPal writes `State/Province/Region/County/Territory/Prefecture/Republic`. */
const MOST_ALTERNATIVES = 8;

/**
 * Returns the column of a header that names several fields (`Nachname, Vorname`, `PLZ / Ort`), or one field twice (`Tel./Mobil`). Null for other
 * headers.
 */
function guessByAlternatives(header: string): ColumnGuess | null {
  const pieces = header
    .split(/[/,&+|]|\s(?:oder|or|ou|und|and|et)\s/)
    .filter((piece) => toHeaderKey(piece) !== '');
  if (pieces.length < 2 || pieces.length > MOST_ALTERNATIVES) return null;
  const whole = guessColumnByWords(header);
  if (whole && !whole.isWeak) return whole;
  const guesses = pieces.flatMap(
    (piece) =>
      ofPerson(findTableColumnOfKnownHeader(toHeaderKey(piece)) ?? guessColumnByWords(piece), piece) ?? [],
  );
  if (guesses.length === 0) return null;
  const group = guesses.find((guess) => guess.group !== '')?.group ?? '';
  const isWeak = guesses.length < pieces.length && guesses.length === 1;
  const field = getFieldOfCombinedCell(guesses.map((guess) => guess.field));
  return field && { field, group, ...(isWeak && { isWeak }) };
}

/** Words of one name for a relative besides the words for relatives: `Erziehungsberechtigte/r`, `tutor legal`, `encarregado de educação`. */
const RELATIVE_ADDITIONS = new Set('n r s legal legale legaux educacao'.split(' '));
/** Words between two words for one relative: `Parent or Guardian`, `Mutter und Vater`. */
const RELATIVE_JOINTS = new Set('or and oder und o e y ou et of en de'.split(' '));

/**
 * Returns the column of a header about a relative or guarantor of the row's person: `Parent 1 Email`, `Parent/Carer 1 Phone`, `Name der Mutter`. A header without
 * another word means the name. Null for other headers.
 */
function guessOfRelative(header: string): ColumnGuess | null {
  const words = splitHeaderAndCompoundWords(header);
  // A business partner is no relative.
  const isRelative = (i: number) =>
    headerWordHasMeaning(words[i] ?? '', 'relative', 'guarantor') &&
    !headerWordHasMeaning(words[i - 1] ?? '', 'company');
  const isPart = (i: number) => isRelative(i) || RELATIVE_ADDITIONS.has(words[i] ?? '');
  const start = words.findIndex((_, i) => isRelative(i));
  if (start < 0) return null;
  let end = start + 1;
  while (isPart(end) || (RELATIVE_JOINTS.has(words[end] ?? '') && isPart(end + 1))) end++;
  const number = /^\d$/.test(words[end] ?? '') ? words[end] : '';
  const rest = words.toSpliced(start, end - start + Number(number !== '')).join(' ');
  const group = `${words[start] ?? ''}${number}`;
  if (rest === '') return { field: 'name', group };
  const field = ofPerson(
    findTableColumnOfKnownHeader(toHeaderKey(rest)) ?? guessColumnByWords(rest),
    rest,
  )?.field;
  const isOfRelative =
    field !== undefined && (NAME_EMAIL_AND_PHONE_FIELDS.has(field) || ADDRESS_FIELDS.has(field));
  return isOfRelative ? { field, group } : null;
}
