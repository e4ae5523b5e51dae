// What a header says by its words.
import { foldToAscii } from '../../normalise/text.ts';
import { isPartyGroup } from './parties.ts';
import {
  type ColumnField,
  HOUSE_NUMBER_HEADERS,
  OTHER_PERSON_HEADER,
  ADDRESS_FIELDS,
  toColumn,
  FIELD_BY_HEADER,
  type ColumnGuess,
  toHeaderKey,
  mergeFields,
} from './headers.ts';
import { endsInEventWord, hasMeaning, splitCompound, type WordClass } from './words.ts';

/** A word that means something in headers, or is one. */
const isKnown = (word: string): boolean => hasMeaning(word) || FIELD_BY_HEADER.has(word);

/** Whether all words of a text are words of headers, so that none can be somebody's. */
export const isMadeOfKnownWords = (text: string): boolean =>
  splitHeaderWords(text).every((word) => isKnown(word) || /^\d{1,2}$/.test(word)) &&
  !/[^\p{L}\p{N}\s.,:;&/()#+'°º_-]/u.test(text);

interface Words {
  all: string[];
  /** Without whose, of what kind and in which language. */
  rest: string[];
  unknown: string[];
  group: string;
  has(...classes: WordClass[]): boolean;
}

/** The words of a header, as they stand. */
export function splitHeader(header: string): string[] {
  const spaced = header.replace(/[°º]/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return foldToAscii(spaced)
    .replace(/([a-z])(\d)|(\d)([a-z])/g, '$1$3 $2$4')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 12);
}

/** The same, `homeAddress` and `rechnungsanschrift` taken apart. */
export const splitHeaderWords = (header: string): string[] =>
  splitHeader(header).flatMap((word) => splitCompound(word, isKnown));

/** The words of a header, `homeAddress` and `rechnungsanschrift` taken apart; null where it is about something else. */
function wordsOf(header: string): Words | null {
  const all = splitHeaderWords(header);
  if (OTHER_PERSON_HEADER.test(toHeaderKey(header)) || all.some((word) => hasMeaning(word, 'veto')))
    return null;
  const words = all.filter((word) => !/^\d+$/.test(word));
  const rest = words.filter(
    (word) => !hasMeaning(word, 'billing', 'shipping', 'whose', 'company', 'property') && !isNoise(word),
  );
  const has = (...classes: WordClass[]) => words.some((word) => hasMeaning(word, ...classes));
  return {
    all,
    rest,
    unknown: rest.filter((word) => !isKnown(word)),
    group: groupIn(all, rest),
    has,
  };
}

const isNoise = (word: string): boolean => hasMeaning(word, 'noise') || (word.length === 1 && word !== 'n');

/** Whose or which of several it is: a party, a place, a number in front of what is numbered. */
function groupIn(all: string[], rest: string[]): string {
  const party = all.find((word) => hasMeaning(word, 'billing', 'shipping'));
  if (party !== undefined) return party;
  const last = all.lastIndexOf(rest.at(-1) ?? '');
  const parts = all.filter(
    (word, i) => hasMeaning(word, 'whose', 'company') || (/^\d+$/.test(word) && i < last),
  );
  return parts.join('');
}

/** The field that the words of a header tell; null where it is about something else, or too much of it is unknown. */
export function guessByWords(header: string): ColumnGuess | null {
  const words = wordsOf(header);
  if (!words || words.all.length === 0) return null;
  const field = fieldOf(words) ?? houseIn(header);
  if (field === null) return null;
  if (DATED.has(field)) return { field, group: '' };
  const { unknown } = words;
  const group = words.group || homeIn(header);
  // `Default Address Company` is a company.
  if (field === 'address' && hasMeaning(words.all.at(-1) ?? '', 'company')) return null;
  const isWeak =
    unknown.length > 0 || (field === 'name' && words.rest.every((word) => hasMeaning(word, 'people')));
  const inWay = unknown.every((word) => isInWay(header, word));
  if (isWeak && unknown.length > 0 && !inWay && !WITH_MORE.has(field)) return null;
  return { ...toColumn(field, group), ...(isWeak && { isWeak }) };
}

/** An object may have several addresses: `anschrift.ort`, `domicilio.ciudad`. */
const homeIn = (header: string): string =>
  foldToAscii(header.slice(0, Math.max(0, header.lastIndexOf('.'))))
    .split(/[^a-z0-9]+/)
    .filter((word) => hasMeaning(word, 'address'))
    .join('');

const DATED = new Set<ColumnField>(['birth_date', 'birth_place', 'first_seen', 'last_seen']);
/** `domicilio.numero` is a house's number. */
const houseIn = (header: string): ColumnField | null =>
  homeIn(header) !== '' && HOUSE_NUMBER_HEADERS.has(toHeaderKey(header.slice(header.lastIndexOf('.'))))
    ? 'street'
    : null;

/** Whose other words need not be known. */
const WITH_MORE = new Set<ColumnField>(['email', 'phone', ...ADDRESS_FIELDS]);

/** Whether a word is only in front of the last property of a way through an object: `payload.buyer.mail`. */
function isInWay(header: string, word: string): boolean {
  const end = header.lastIndexOf('.');
  return end > 0 && end < header.length - 1 && !foldToAscii(header.slice(end)).includes(word);
}

function fieldOf(words: Words): ColumnField | null {
  const { rest, unknown, has } = words;
  const known = rest.filter((word) => !unknown.includes(word));
  const about = known.filter((word) => !hasMeaning(word, 'people', 'person'));
  const date = dateOf(words);
  if (date !== null) return date;
  if (has('email')) return 'email';
  if (has('phone')) return 'phone';
  if (isNumberOf(known, 'people', 'person') || isNumberOf(known, 'event'))
    return has('whose', 'company') ? null : 'record_id';
  if (has('given') && has('family')) return 'name';
  if (known.length > 1 && isNumberOf(known, 'street', 'house')) return 'street';
  return (
    inTable(known) ?? inTable(about) ?? partIn(about, isPartyGroup(words.group)) ?? aloneIn(known, about)
  );
}

/** `Nº de cliente`, `numer domu`: a number and what is numbered, and nothing else. */
const isNumberOf = (words: string[], ...classes: WordClass[]): boolean =>
  words.length > 1 &&
  words.some((word) => hasMeaning(word, 'number')) &&
  words.some((word) => hasMeaning(word, ...classes)) &&
  words.every((word) => hasMeaning(word, 'number', ...classes));

/** `Nr karty`: in front of a list, a number of whatever it is. */
export function isNumberHeader(header: string): boolean {
  const words = wordsOf(header);
  return words !== null && words.group === '' && words.rest.some((word) => hasMeaning(word, 'number'));
}

/** Found again as one that is known, now without what stood around it. */
function inTable(words: string[]): ColumnField | null {
  const field = FIELD_BY_HEADER.get(words.join(''));
  return field === undefined || field === 'record_id' || field === 'source' || field === 'identity'
    ? null
    : field;
}

/** `anschrift.ort`, `Adresse: PLZ`, `lieferanschrift.name`; and `PLZ Ort`, several parts in one cell. */
function partIn(words: string[], isOfParty: boolean): ColumnField | null {
  const inside = words.filter((word) => !hasMeaning(word, 'address'));
  const part = inTable(inside);
  if (part !== null && (isOfParty || ADDRESS_FIELDS.has(part))) return part;
  const parts = inside.flatMap((word) => inTable([word]) ?? []);
  if (inside.length < 2 || parts.length < inside.length) return null;
  return parts.every((one) => ADDRESS_FIELDS.has(one)) ? mergeFields(parts) : null;
}

function aloneIn(known: string[], about: string[]): ColumnField | null {
  if (known.length === 0) return null;
  if (about.length > 0) return about.every((word) => hasMeaning(word, 'address')) ? 'address' : null;
  return known.every((word) => hasMeaning(word, 'people')) ? 'name' : null;
}

/** `Letzter Besuch`, `Customer since`, `Paid at`, `fecha de nacimiento`. */
function dateOf({ rest, unknown, has }: Words): ColumnField | null {
  if (!unknown.every(endsInEventWord) || has('number', 'email', 'phone', 'address', 'street', 'company'))
    return null;
  const happens = has('event') || unknown.length > 0;
  if (has('birth')) {
    if (!rest.every((word) => hasMeaning(word, 'birth', 'date', 'place', 'people', 'person'))) return null;
    return has('place') && !has('date') ? 'birth_place' : 'birth_date';
  }
  if (has('last')) return happens || has('change') ? 'last_seen' : null;
  if (has('change')) return has('date') ? 'last_seen' : null;
  if (has('given') && !happens) return null;
  if (has('begun'))
    return has('date', 'event', 'people', 'person') || !has('family', 'name') ? 'first_seen' : null;
  return happens && has('date') ? 'first_seen' : null;
}
