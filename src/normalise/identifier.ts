// A number that somebody gave to a person, and what stands in its place where there is none.
import { toCountryCode } from './address/place.ts';
import { foldToAscii } from './text.ts';

/** In one spelling. */
export interface Identifier {
  /** `passport`, `drivers licence`, `customer of shop` … */
  type: string;
  /** ISO code; empty where none was given. */
  country: string;
  value: string;
  /** As it was read, where that is another spelling. */
  written?: string;
}

/** A person has one number of the type, and keeps it; has one at a time, which is renewed under another; or may have any. */
export type Uniqueness = boolean | 'at a time';

export const MAX_IDENTIFIER_LENGTH = 200;
const SHORTEST = 3;
const WORD = /[^\p{L}\p{N}]+/gu;

/** Types that a person has one number of, and keeps it. */
const ONCE =
  /\b(ssn|social security|national (id|insurance|identity)|nin|nhs|tax|tin|itin|cpf|dni|nie|curp|rfc|aadhaar|permanent account|personnummer|pesel|codice fiscale|cedula|birth certificate)\b/;
/** In India a tax number; elsewhere, that of a payment card. */
const PAN = /\bpan\b/;
/** Types that a person has one of at a time. */
const RENEWED =
  /\b(passports?|reisepass|passeport|pasaporte|passaporto|licen[cs]e|driving permit|fuhrerschein|permis de conduire|carnet de conducir|id(entity)? card|personalausweis|residence permit|visa)\b/;

export function uniquenessOf({ type, country }: Pick<Identifier, 'type' | 'country'>): Uniqueness {
  // A national identity card is a card before it is a national number.
  if (RENEWED.test(type)) return 'at a time';
  return ONCE.test(type) || (PAN.test(type) && country === 'IN');
}

/** What is written where nobody knows the number, in the languages of most exports. */
const NOTHING = new Set(
  `unknown, none, null, nil, nan, n a, not provided, not known, not available, not applicable, not given, not on file, no number, refused,
  pending, missing, withheld, test, tbd, todo, void, empty, keine, keiner, unbekannt, nicht bekannt, nicht vorhanden, inconnu, inconnue,
  aucun, aucune, desconocido, desconocida, ninguno, ninguna, sconosciuto, sconosciuta, nessuno, nessuna, desconhecido, desconhecida,
  nenhum, nenhuma, onbekend, geen, brak, nieznany`
    .split(',')
    .map((words) => words.replaceAll(/\s/g, '')),
);
/** Marks in the place of digits, or of all digits but the last: one mark alone is part of a number, as in #4711. */
const MARKS = /[*•●#]{2}|…/;
/** The same by letters, of which there are no others: XX-XX-8812, but neither Exxon-12 nor the passport XX1234567. */
const CROSSES = /^x{3,}$/i;
const NO_LETTER = /\P{L}+/gu;
const ALL_ONE = /^(.)\1*$/;
const ROW = '01234567890123456789';
const BACK = '98765432109876543210';
/** So long a row of digits that follow each other is nobody's number. */
const LONG_ROW = 6;
/** Social security numbers that were printed on cards in wallets and in advertisements (Social Security Administration). */
const PRINTED = new Set(['078051120', '219099999', '457555462']);

const isHidden = (written: string): boolean =>
  MARKS.test(written) || CROSSES.test(written.replace(NO_LETTER, ''));

function saysNothing(value: string, once: Uniqueness): boolean {
  if (NOTHING.has(value) || PRINTED.has(value)) return true;
  if (once !== false && !/\d/.test(value)) return true;
  // Somebody is customer 777.
  if (ALL_ONE.test(value)) return once !== false || value.startsWith('0') || value.length >= LONG_ROW;
  return value.length >= LONG_ROW && (ROW.includes(value) || BACK.includes(value));
}

/** Text as it is compared: `fold`, whatever is neither letter nor digit a space. */
export const toPlainWords = (text: string): string => foldToAscii(text).replace(WORD, ' ').trim();

/** How it was written, where that is not how it is compared. */
export const originalSpelling = (written: string, compared: string): string | undefined =>
  written === compared || written.length > MAX_IDENTIFIER_LENGTH ? undefined : written;

/**
 * @param given texts as they were read
 * @returns null where it cannot tell people apart: without a type, too short or too long, hidden, or what is written in place of a number
 */
export function normaliseIdentifier(given: {
  type: string;
  value: string;
  country: string;
}): Identifier | null {
  const [type, country] = [toPlainWords(given.type), toCountryCode(given.country)];
  const value = toPlainWords(given.value).replaceAll(' ', '');
  const once = uniquenessOf({ type, country });
  const isUsable =
    type !== '' &&
    value.length >= SHORTEST &&
    type.length + value.length <= MAX_IDENTIFIER_LENGTH &&
    !isHidden(given.value) &&
    !saysNothing(value, once);
  const written = originalSpelling(given.value, value);
  return isUsable ? { type, country, value, ...(written !== undefined && { written }) } : null;
}
