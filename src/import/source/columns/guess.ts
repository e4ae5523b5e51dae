// What a header says: as a whole, where it is one that programs are known to write, else by its words.
import { fold } from '../../../normalise/text.ts';
import { isParty } from '../cells/parties.ts';
import { type Column, type ColumnField, HEADERS, NUMBERS, OTHERS, PREFIXES } from './headers.ts';
import { endsInEvent, means, parted, type WordClass } from './words.ts';

export const FIELDS = Object.keys(HEADERS) as ColumnField[];
const GUESSES = new Map(
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
const PERSONAL = new Set<ColumnField>(['name', 'given', 'middle', 'family', 'suffix', 'email', 'phone']);
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
}

/** A header without its signs, accents and letter case. */
export const keyOf = (header: string): string => fold(header.replace(/[°º]/g, '')).replace(/[^a-z0-9]+/g, '');

/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Straße (privat)`, `anschrift.ort`. */
export function guessColumn(header: string): Column | null {
  const { isWeak: _, ...column } = guessed(header) ?? {};
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
  return asKnown(key) ?? ofRelative(said) ?? byAlternatives(said) ?? byWords(said);
}

function asKnown(key: string): Column | null {
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
const columnOf = (field: ColumnField, group: string): Column => ({
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

/** `Nachname, Vorname`, `PLZ / Ort`, `Tel./Mobil`: several things in one cell, or one by several words. */
function byAlternatives(header: string): Guess | null {
  const pieces = header.split(/[/,&+|]|\s(?:oder|or|ou|und|and|et)\s/).filter((piece) => keyOf(piece) !== '');
  if (pieces.length < 2 || pieces.length > 4) return null;
  const whole = byWords(header);
  if (whole && !whole.isWeak) return whole;
  const found = pieces.flatMap((piece) => asKnown(keyOf(piece)) ?? byWords(piece) ?? []);
  if (found.length === 0) return null;
  const group = found.find((one) => one.group !== '')?.group ?? '';
  const isWeak = found.length < pieces.length && found.length === 1;
  const field = together(found.map((one) => one.field));
  return field && { field, group, ...(isWeak && { isWeak }) };
}

/** What a cell holds that holds all of these. */
function together(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // `Land/Region` is Outlook's word for a country.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAMES.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
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

/** A word that means something in headers, or is one. */
const isKnown = (word: string): boolean => means(word) || GUESSES.has(word);

/** Whether all words of a text are words of headers, so that none can be somebody's. */
export const isAllWords = (text: string): boolean =>
  textsOf(text)
    .flatMap((word) => parted(word, isKnown))
    .every((word) => isKnown(word) || /^\d{1,2}$/.test(word)) &&
  !/[^\p{L}\p{N}\s.,:;&/()#+'°º_-]/u.test(text);

interface Words {
  all: string[];
  /** Without whose, of what kind and in which language. */
  rest: string[];
  unknown: string[];
  group: string;
  has(...classes: WordClass[]): boolean;
}

function textsOf(header: string): string[] {
  const spaced = header.replace(/[°º]/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return fold(spaced)
    .replace(/([a-z])(\d)|(\d)([a-z])/g, '$1$3 $2$4')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 12);
}

/** The words of a header, `homeAddress` and `rechnungsanschrift` taken apart; null where it is about something else. */
function wordsOf(header: string): Words | null {
  const all = textsOf(header).flatMap((word) => parted(word, isKnown));
  if (OTHERS.test(keyOf(header)) || all.some((word) => means(word, 'veto'))) return null;
  const words = all.filter((word) => !/^\d+$/.test(word));
  const rest = words.filter(
    (word) => !means(word, 'billing', 'shipping', 'whose', 'company') && !isNoise(word),
  );
  const has = (...classes: WordClass[]) => words.some((word) => means(word, ...classes));
  return {
    all,
    rest,
    unknown: rest.filter((word) => !isKnown(word)),
    group: groupIn(all, rest),
    has,
  };
}

const isNoise = (word: string): boolean => means(word, 'noise') || (word.length === 1 && word !== 'n');

/** Whose or which of several it is: a party, a place, a number in front of what is numbered. */
function groupIn(all: string[], rest: string[]): string {
  const party = all.find((word) => means(word, 'billing', 'shipping'));
  if (party !== undefined) return party;
  const last = all.lastIndexOf(rest.at(-1) ?? '');
  const parts = all.filter((word, i) => means(word, 'whose', 'company') || (/^\d+$/.test(word) && i < last));
  return parts.join('');
}

function byWords(header: string): Guess | null {
  const words = wordsOf(header);
  if (!words || words.all.length === 0) return null;
  const field = fieldOf(words) ?? houseIn(header);
  if (field === null) return null;
  if (DATED.has(field)) return { field, group: '' };
  const { unknown } = words;
  const group = words.group || homeIn(header);
  if (NAMES.has(field) && words.has('company')) return null;
  // `Default Address Company` is a company.
  if (field === 'address' && means(words.all.at(-1) ?? '', 'company')) return null;
  const isWeak =
    unknown.length > 0 || (field === 'name' && words.rest.every((word) => means(word, 'people')));
  const inWay = unknown.every((word) => isInWay(header, word));
  if (isWeak && unknown.length > 0 && !inWay && !WITH_MORE.has(field)) return null;
  return { ...columnOf(field, group), ...(isWeak && { isWeak }) };
}

/** An object may have several addresses: `anschrift.ort`, `domicilio.ciudad`. */
const homeIn = (header: string): string =>
  fold(header.slice(0, Math.max(0, header.lastIndexOf('.'))))
    .split(/[^a-z0-9]+/)
    .filter((word) => means(word, 'address'))
    .join('');

const DATED = new Set<ColumnField>(['birth_date', 'birth_place', 'first_seen', 'last_seen']);
/** `domicilio.numero` is a house's number. */
const houseIn = (header: string): ColumnField | null =>
  homeIn(header) !== '' && NUMBERS.has(keyOf(header.slice(header.lastIndexOf('.')))) ? 'street' : null;

/** Whose other words need not be known. */
const WITH_MORE = new Set<ColumnField>(['email', 'phone', ...ADDRESS_FIELDS]);

/** Whether a word is only in front of the last property of a way through an object: `payload.buyer.mail`. */
function isInWay(header: string, word: string): boolean {
  const end = header.lastIndexOf('.');
  return end > 0 && end < header.length - 1 && !fold(header.slice(end)).includes(word);
}

function fieldOf(words: Words): ColumnField | null {
  const { rest, unknown, has } = words;
  const known = rest.filter((word) => !unknown.includes(word));
  const about = known.filter((word) => !means(word, 'people', 'person'));
  const date = dateOf(words);
  if (date !== null) return date;
  if (has('email')) return 'email';
  if (has('phone')) return 'phone';
  if (isNumberOf(known, 'people', 'person') || isNumberOf(known, 'event'))
    return has('whose', 'company') ? null : 'record_id';
  if (has('given') && has('family')) return 'name';
  if (known.length > 1 && isNumberOf(known, 'street', 'house')) return 'street';
  return inTable(known) ?? inTable(about) ?? partIn(about, isParty(words.group)) ?? aloneIn(known, about);
}

/** `Nº de cliente`, `numer domu`: a number and what is numbered, and nothing else. */
const isNumberOf = (words: string[], ...classes: WordClass[]): boolean =>
  words.length > 1 &&
  words.some((word) => means(word, 'number')) &&
  words.some((word) => means(word, ...classes)) &&
  words.every((word) => means(word, 'number', ...classes));

/** `Nr karty`: in front of a list, a number of whatever it is. */
export function isNumbered(header: string): boolean {
  const words = wordsOf(header);
  return words !== null && words.group === '' && words.rest.some((word) => means(word, 'number'));
}

/** Found again as one that is known, now without what stood around it. */
function inTable(words: string[]): ColumnField | null {
  const field = GUESSES.get(words.join(''));
  return field === undefined || field === 'record_id' || field === 'source' || field === 'identity'
    ? null
    : field;
}

/** `anschrift.ort`, `Adresse: PLZ`, `lieferanschrift.name`; and `PLZ Ort`, several parts in one cell. */
function partIn(words: string[], isOfParty: boolean): ColumnField | null {
  const inside = words.filter((word) => !means(word, 'address'));
  const part = inTable(inside);
  if (part !== null && (isOfParty || ADDRESS_FIELDS.has(part))) return part;
  const parts = inside.flatMap((word) => inTable([word]) ?? []);
  if (inside.length < 2 || parts.length < inside.length) return null;
  return parts.every((one) => ADDRESS_FIELDS.has(one)) ? together(parts) : null;
}

function aloneIn(known: string[], about: string[]): ColumnField | null {
  if (known.length === 0) return null;
  if (about.length > 0) return about.every((word) => means(word, 'address')) ? 'address' : null;
  return known.every((word) => means(word, 'people')) ? 'name' : null;
}

/** `Letzter Besuch`, `Customer since`, `Paid at`, `fecha de nacimiento`. */
function dateOf({ rest, unknown, has }: Words): ColumnField | null {
  if (!unknown.every(endsInEvent) || has('number', 'email', 'phone', 'address', 'street', 'company'))
    return null;
  const happens = has('event') || unknown.length > 0;
  if (has('birth')) {
    if (!rest.every((word) => means(word, 'birth', 'date', 'place', 'people', 'person'))) return null;
    return has('place') && !has('date') ? 'birth_place' : 'birth_date';
  }
  if (has('last')) return happens || has('change') ? 'last_seen' : null;
  if (has('change')) return has('date') ? 'last_seen' : null;
  if (has('given') && !happens) return null;
  if (has('begun'))
    return has('date', 'event', 'people', 'person') || !has('family', 'name') ? 'first_seen' : null;
  return happens && has('date') ? 'first_seen' : null;
}
