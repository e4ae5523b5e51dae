// Identifiers: numbers that an institution gave to a person, and texts that replace a missing number.
import { toCountryCode } from './address/place.ts';
import { foldToAscii } from './text.ts';

export interface Identifier {
  /** Type of the identifier in words: `passport`, `drivers licence`, `customer of shop`. */
  type: string;
  country: string;
  value: string;
  /** Original spelling, if it differs from `value`. */
  written?: string;
}

/**
 * Number of identifiers of one type that a person can have. `true`: one for life. `'at a time'`: one, until it expires and is replaced. `false`:
 * any number.
 */
export type OnePerPersonRule = boolean | 'at a time';

export const MAX_IDENTIFIER_LENGTH = 200;
const MIN_VALUE_LENGTH = 3;
const NON_WORD = /[^\p{L}\p{N}]+/gu;

const FOR_LIFE =
  /\b(ssn|social security|national (id|insurance|identity)|nin|nhs|tax|tin|itin|cpf|dni|nie|curp|rfc|aadhaar|permanent account|personnummer|pesel|codice fiscale|cedula|sin|nir|bsn|amka|snils|my number|birth certificate)\b/;
/** Matches the word PAN, which is a tax number in India and a payment card elsewhere. */
const PAN = /\bpan\b/;
const AT_A_TIME =
  /\b(passports?|reisepass|passeport|pasaporte|passaporto|licen[cs]e|driving permit|fuhrerschein|permis de conduire|carnet de conducir|id(entity)? card|personalausweis|residence permit|visa)\b/;

export function getOnePerPersonRule({
  type,
  country,
}: Pick<Identifier, 'type' | 'country'>): OnePerPersonRule {
  // A national identity card is a card, which expires, although "national identity" is also in `FOR_LIFE`.
  if (AT_A_TIME.test(type)) return 'at a time';
  return FOR_LIFE.test(type) || (PAN.test(type) && country === 'IN');
}

/** Words that stand for an unknown number, in the languages of most exported files. */
const MISSING_WORDS = new Set(
  `unknown, none, null, nil, nan, n a, not provided, not known, not available, not applicable, not given, not on file, no number, refused,
  pending, missing, withheld, test, tbd, todo, void, empty, keine, keiner, unbekannt, nicht bekannt, nicht vorhanden, inconnu, inconnue,
  aucun, aucune, desconocido, desconocida, ninguno, ninguna, sconosciuto, sconosciuta, nessuno, nessuna, desconhecido, desconhecida,
  nenhum, nenhuma, onbekend, geen, brak, nieznany`
    .split(',')
    .map((words) => words.replaceAll(/\s/g, '')),
);
/** Matches marks in place of hidden digits: two in a row, or an ellipsis. A single `#` hides no digit (#4711). */
const HIDING_MARKS = /[*•●#]{2}|…/;
/**
 * Matches the letters of a value (all other characters removed) if they stand for hidden digits: those of XX-XX-8812. Does not match Exxon-12 or the
 * passport XX1234567.
 */
const HIDING_LETTERS = /^x{3,}$/i;
const NON_LETTERS = /\P{L}+/gu;
const ONE_REPEATED = /^(.)\1*$/;
const ASCENDING_DIGITS = '01234567890123456789';
const DESCENDING_DIGITS = '98765432109876543210';
/** Minimum number of consecutive (123456) or equal digits from which a number counts as invented. */
const MIN_SEQUENCE_LENGTH = 6;
/** Social security numbers that were printed on sample cards and in advertisements (Social Security Administration). */
const SAMPLE_NUMBERS = new Set(['078051120', '219099999', '457555462']);

const isHidden = (written: string): boolean =>
  HIDING_MARKS.test(written) || HIDING_LETTERS.test(written.replace(NON_LETTERS, ''));

function isPlaceholder(value: string, uniqueness: OnePerPersonRule): boolean {
  if (MISSING_WORDS.has(value) || SAMPLE_NUMBERS.has(value)) return true;
  if (uniqueness !== false && !/\d/.test(value)) return true;
  // Short numbers of equal digits can be real, such as customer 777.
  if (ONE_REPEATED.test(value))
    return uniqueness !== false || value.startsWith('0') || value.length >= MIN_SEQUENCE_LENGTH;
  return (
    value.length >= MIN_SEQUENCE_LENGTH &&
    (ASCENDING_DIGITS.includes(value) || DESCENDING_DIGITS.includes(value))
  );
}

/** Converts a text to lower-case ASCII words for comparison. Every character that is not a letter or digit becomes a space. */
export const toAsciiWords = (text: string): string => foldToAscii(text).replace(NON_WORD, ' ').trim();

/** Returns the original spelling of a value if it differs from the compared form and is not too long; otherwise undefined. */
export const getOriginalSpellingIfDifferent = (written: string, compared: string): string | undefined =>
  written === compared || written.length > MAX_IDENTIFIER_LENGTH ? undefined : written;

/**
 * Normalises an identifier. Returns null if it cannot distinguish people: it has no type, is too short or too long, hides digits, or is a word for an
 * unknown number.
 */
export function normaliseIdentifier(identifier: {
  type: string;
  value: string;
  country: string;
}): Identifier | null {
  const [type, country] = [toAsciiWords(identifier.type), toCountryCode(identifier.country)];
  const value = toAsciiWords(identifier.value).replaceAll(' ', '');
  const uniqueness = getOnePerPersonRule({ type, country });
  const isUsable =
    type !== '' &&
    value.length >= MIN_VALUE_LENGTH &&
    type.length + value.length <= MAX_IDENTIFIER_LENGTH &&
    !isHidden(identifier.value) &&
    !isPlaceholder(value, uniqueness);
  const written = getOriginalSpellingIfDifferent(identifier.value, value);
  return isUsable ? { type, country, value, ...(written !== undefined && { written }) } : null;
}
