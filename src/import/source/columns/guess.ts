// What a header says: as a whole, where it is one that programs are known to write, else by its words.
import { type Column, SPOKEN_WITH } from './headers.ts';
import { byWords, partsOf, textsOf } from './by-words.ts';
import { ADDRESS_FIELDS, asKnown, type Guess, keyOf, NAMES, PERSONAL, together } from './known.ts';
import { isNameOfThing, isOfFirm, isOfProperty, isSite, saysResident } from './whose.ts';
import { means } from './words.ts';

/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Straße (privat)`, `anschrift.ort`. */
export function guessColumn(header: string): Column | null {
  const { isWeak: _, isOfProperty: __, ...column } = guessed(header) ?? {};
  return 'field' in column ? (column as Column) : null;
}

const LONGEST = 200;
/** What only wraps the properties of an object. */
const WRAPPED = /^(?:(?:properties|attributes|fields|data|record|node)\.)+(?=.)/;

/** As `guessColumn`, and how sure that is. */
export function guessed(header: string): Guess | null {
  if (header.length > LONGEST) return null;
  const said = header.replace(WRAPPED, '');
  const key = keyOf(said);
  // `Card Last4` is no family name.
  if (key === '' || /last\d$/.test(key)) return null;
  if (SPOKEN_WITH.test(key)) return { field: 'name', group: '', isWeak: true };
  return owned(asKnown(key), said) ?? ofRelative(said) ?? byAlternatives(said) ?? owned(byWords(said), said);
}

/** A guess as far as it is the person's own: nothing of a thing's name, and less of a firm's or a house's address. */
function owned(guess: Guess | null, header: string): Guess | null {
  if (guess === null) return null;
  const words = partsOf(header);
  if (NAMES.has(guess.field))
    return isNameOfThing(words, partsOf(header.slice(header.lastIndexOf('.') + 1))) ? null : guess;
  if (ADDRESS_FIELDS.has(guess.field) && isOfProperty(words))
    return { ...guess, isWeak: true, isOfProperty: true };
  const isReached = ADDRESS_FIELDS.has(guess.field) || guess.field === 'phone' || guess.field === 'email';
  return isReached && (isOfFirm(words) || isSite(words)) ? { ...guess, isWeak: true } : guess;
}

/** Whether a list of that name is of people: `customers`, `kunden`. */
export const isOfPeople = (name: string): boolean =>
  partsOf(name).some((word) => means(word, 'people', 'person')) &&
  partsOf(name).every((word) => means(word, 'people', 'person', 'noise'));

/** Whether the headers of a table say that its people live in what is let to them. */
export const areResidents = (headers: readonly string[]): boolean =>
  headers.some((header) => saysResident(partsOf(header)));

/** `Nachname, Vorname`, `PLZ / Ort`, `Tel./Mobil`: several things in one cell, or one by several words. */
function byAlternatives(header: string): Guess | null {
  const pieces = header.split(/[/,&+|]|\s(?:oder|or|ou|und|and|et)\s/).filter((piece) => keyOf(piece) !== '');
  if (pieces.length < 2 || pieces.length > 4) return null;
  const whole = byWords(header);
  if (whole && !whole.isWeak) return whole;
  const found = pieces.flatMap((piece) => owned(asKnown(keyOf(piece)) ?? byWords(piece), piece) ?? []);
  if (found.length === 0) return null;
  const group = found.find((one) => one.group !== '')?.group ?? '';
  const isWeak = found.length < pieces.length && found.length === 1;
  const field = together(found.map((one) => one.field));
  return field && { field, group, ...(isWeak && { isWeak }) };
}

/** `Parent 1 Email`, `Name der Mutter`: what is somebody else's of the row. */
function ofRelative(header: string): Guess | null {
  const words = textsOf(header);
  const place = words.findIndex((word) => means(word, 'relative'));
  if (place < 0 || words.length < 2) return null;
  const number = /^\d$/.test(words[place + 1] ?? '') ? words[place + 1] : '';
  const rest = words.filter((_, i) => i !== place && (number === '' || i !== place + 1)).join(' ');
  const guess: Guess | null = asKnown(keyOf(rest)) ?? byWords(rest);
  if (!guess || guess.isWeak || !(PERSONAL.has(guess.field) || ADDRESS_FIELDS.has(guess.field))) return null;
  return { field: guess.field, group: `${words[place] ?? ''}${number}` };
}
