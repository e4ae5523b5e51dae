// What a header says: as a whole, where it is one that programs are known to write, else by its words.
import {
  type Column,
  CONTACT_PERSON_HEADER,
  ADDRESS_FIELDS,
  findKnownHeader,
  type ColumnGuess,
  toHeaderKey,
  NAME_FIELDS,
  PERSONAL_FIELDS,
  mergeFields,
} from './headers.ts';
import { guessByWords, splitHeaderWords, splitHeader } from './by-words.ts';
import { hasMeaning, type WordClass } from './words.ts';

/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Straße (privat)`, `anschrift.ort`. */
export function guessColumn(header: string): Column | null {
  const { isWeak: _, isOfProperty: __, ...column } = guessHeader(header) ?? {};
  return 'field' in column ? (column as Column) : null;
}

const LONGEST = 200;
/** What only wraps the properties of an object. */
const WRAPPED = /^(?:(?:properties|attributes|fields|data|record|node)\.)+(?=.)/;

/** As `guessColumn`, and how sure that is. */
export function guessHeader(header: string): ColumnGuess | null {
  if (header.length > LONGEST) return null;
  const said = header.replace(WRAPPED, '');
  const key = toHeaderKey(said);
  // `Card Last4` is no family name.
  if (key === '' || /last\d$/.test(key)) return null;
  if (CONTACT_PERSON_HEADER.test(key)) return { field: 'name', group: '', isWeak: true };
  return (
    owned(findKnownHeader(key), said) ??
    ofRelative(said) ??
    byAlternatives(said) ??
    owned(guessByWords(said), said)
  );
}

/** A guess as far as it is the person's own: nothing of a thing's name, and less of a firm's or a house's address. */
function owned(guess: ColumnGuess | null, header: string): ColumnGuess | null {
  if (guess === null) return null;
  const words = splitHeaderWords(header);
  if (NAME_FIELDS.has(guess.field))
    return isNameOfThing(words, splitHeaderWords(header.slice(header.lastIndexOf('.') + 1))) ? null : guess;
  if (ADDRESS_FIELDS.has(guess.field) && isOfProperty(words))
    return { ...guess, isWeak: true, isOfProperty: true };
  const isReached = ADDRESS_FIELDS.has(guess.field) || guess.field === 'phone' || guess.field === 'email';
  return isReached && (isOfFirm(words) || isSite(words)) ? { ...guess, isWeak: true } : guess;
}

/** Whether a list of that name is of people: `customers`, `kunden`. */
export const isListOfPeople = (name: string): boolean =>
  splitHeaderWords(name).some((word) => hasMeaning(word, 'people', 'person')) &&
  splitHeaderWords(name).every((word) => hasMeaning(word, 'people', 'person', 'noise'));

/** Whether the headers of a table say that its people live in what is let to them. */
export const hasResidentHeader = (headers: readonly string[]): boolean =>
  headers.some((header) => saysResident(splitHeaderWords(header)));

/** `Nachname, Vorname`, `PLZ / Ort`, `Tel./Mobil`: several things in one cell, or one by several words. */
function byAlternatives(header: string): ColumnGuess | null {
  const pieces = header
    .split(/[/,&+|]|\s(?:oder|or|ou|und|and|et)\s/)
    .filter((piece) => toHeaderKey(piece) !== '');
  if (pieces.length < 2 || pieces.length > 4) return null;
  const whole = guessByWords(header);
  if (whole && !whole.isWeak) return whole;
  const found = pieces.flatMap(
    (piece) => owned(findKnownHeader(toHeaderKey(piece)) ?? guessByWords(piece), piece) ?? [],
  );
  if (found.length === 0) return null;
  const group = found.find((one) => one.group !== '')?.group ?? '';
  const isWeak = found.length < pieces.length && found.length === 1;
  const field = mergeFields(found.map((one) => one.field));
  return field && { field, group, ...(isWeak && { isWeak }) };
}

/** `Parent 1 Email`, `Name der Mutter`: what is somebody else's of the row. */
function ofRelative(header: string): ColumnGuess | null {
  const words = splitHeader(header);
  const place = words.findIndex((word) => hasMeaning(word, 'relative'));
  if (place < 0 || words.length < 2) return null;
  const number = /^\d$/.test(words[place + 1] ?? '') ? words[place + 1] : '';
  const rest = words.filter((_, i) => i !== place && (number === '' || i !== place + 1)).join(' ');
  const guess: ColumnGuess | null = findKnownHeader(toHeaderKey(rest)) ?? guessByWords(rest);
  if (!guess || guess.isWeak || !(PERSONAL_FIELDS.has(guess.field) || ADDRESS_FIELDS.has(guess.field)))
    return null;
  return { field: guess.field, group: `${words[place] ?? ''}${number}` };
}

// Whose or of what a header says that something is: an account, a company, a house that is let or a login has a name, and it is nobody's.
const some = (words: readonly string[], ...classes: WordClass[]): boolean =>
  words.some((word) => hasMeaning(word, ...classes));

/**
 * Whether a name is a thing's, by the words of its header: `Account Name`, `Firmenname`, `Nombre de usuario`. Behind a dot, as in `user.name`,
 * stands what an object is called, and a user's own name may be in it.
 */
function isNameOfThing(words: readonly string[], last: readonly string[]): boolean {
  if (some(words, 'company', 'seller')) return true;
  if (some(words, 'given') || some(words, 'whole')) return false;
  return some(words, 'account', 'property', 'site') || some(last, 'login');
}

/** Whether a contact is a firm's rather than a person's: used where the table has no other. */
const isOfFirm = (words: readonly string[]): boolean =>
  some(words, 'account') || words.some((word) => hasMeaning(word, 'company') && !hasMeaning(word, 'whose'));

/** Whether an address is that of what is let or sold: somebody's who lives there, and of nobody else. */
const isOfProperty = (words: readonly string[]): boolean => some(words, 'property');

/** Whether a header says that the table is of people who live in what is let to them. */
const saysResident = (words: readonly string[]): boolean => some(words, 'resident');

/** `Location`: a person's, or the shop's where they bought. */
const isSite = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => hasMeaning(word, 'site'));
