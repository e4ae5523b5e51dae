// Rewrites the marks and abbreviations of an address line before its words are parsed.
import { rewriteEastAsianNumbers } from './east-asian.ts';
import { STREET_TYPE_SUFFIXES, UNIT_MARKS } from './words.ts';

const HAS_DIGIT = /\d/;
/** Words that are written together with their number: `APT4B`, `#4`, `HWY701`. */
const ATTACHED_NUMBER =
  /\b(APT|APTO|APPT|AP|KV|LGH|UNIT|STE|SUITE|RM|LOT|HWY|RTE|CR|SR|FM|US|NO|NR|I)-?(\d+[A-Z]?)\b/g;
/**
 * Matches the place between a house number and a floor or building that is attached to it: Dutch `12-III` and `12-hs`, Russian `12к2`, Swedish `2tr`,
 * German `2OG`.
 */
const UNIT_AFTER_NUMBER = /(?<=\d)(?:-(?=(?:HS|HUIS|HOOG|I{1,3}|IV)\b)|(?=K\d|(?:TR|OG)\b))/g;
/** Matches the mark of a floor before other parts, as in Hong Kong: `12/F, Block 3`. In `Via Roma 5/F`, F belongs to the house number. */
const FLOOR_BEFORE_HOUSE = /(?<=(?:^|,) ?\d{1,3})\/F(?=,)/g;
/** Matches the full stop inside an abbreviated street type: `P.zza`, `V.le`, `C.so`. */
const INNER_STOP = /\b([BCLPV])\.(?=(?:DA|GO|LE|LO|SO|ZA|ZZA)\b)/g;
/** Matches lines that `separateMarks` must change. Most lines do not match. */
const HAS_MARK =
  /['"`.#()&:]| -|[A-Z]-?\d|\d(?:-[HI]|TR|OG|[TRD]?O\b|ER\b|[A-Z] \d|\/F)|\d,? [IVX]+\/|AJTO|  /;
/** Matches initials of a street's name without spaces: Indian `M.G. Road`, `M.L.K. Blvd`. */
const INITIALS = /\b(?:[A-Z]\.){2,4}(?= ?[A-Z]{2})/g;
/** Street types that are abbreviated to their first letter before a house number: Hungarian `Váci u. 12`, Austrian `Neubaug. 12`, Swedish `Sveav. 10`. */
const FIRST_LETTER_TYPE = /\b(U|[A-Z]{4,}[GTV])\. ?(?=\d)/g;
const TYPES_BY_FIRST_LETTER: Readonly<Record<string, string>> = { U: 'UTCA', G: 'GASSE', T: 'TIE', V: 'VEJ' };
/** Matches a Finnish staircase and flat written together with the house number: `Mannerheimintie 12A5`. */
const STAIRCASE_AND_FLAT = /(?<=(?:TIE|KATU|GATAN|VAGEN) )(\d{1,3})([A-Z]) ?(\d{1,3})$/;
/** Matches the mark of an Indian house number, `H.No.` or `D.No.` (door), at the start of a part. In `Block D No. 5`, D is the block. */
const HOUSE_NUMBER_MARK = /(?<=^|[,;|\n] ?)[HD]\.? ?NO\b\.?(?= ?\d)/;
/** Matches a block of flats with the unit as it is written in Singapore: `Blk 123 Ang Mo Kio Ave 6 #08-12`. The block is the house number. */
const SINGAPORE_BLOCK = /^(?:BLK|BLOCK) (\d+[A-Z]?),? (?=.*# ?\d{1,2}-\d)/;
/** Matches a floor in Roman numerals with its door, as in Hungarian: `12. II/3`. */
const ROMAN_FLOOR = /(?<=\d\.?,? )(I{1,3}|IV|V|VI{1,3}|IX|X)\/(\d+)\b/;
/** Matches a door after its number: `3. ajtó`. */
const HUNGARIAN_DOOR = /\b(\d{1,3})\.? AJTO\b/;
/** Matches a line with a Belgian box after the house number: `Meir 12 b3`. In a line with other numbers (`100 Route 9 B2`), B belongs to the unit. */
const BELGIAN_BOX = /^(\D+\d+,?) B(?=\d{1,3}$)/;
/** Matches an ordinal of a floor before its door: Spanish `5 3o B`, `1234, 5to B`. */
const ORDINAL_BEFORE_DOOR = /(?<=\d,? )(\d{1,2})(?:O|TO|RO|DO|ER)(?= [A-Z]\b)/;
const NUMBER_SIGN = /#/g;
const QUOTES = /['"`]/g;
const STOPS = /[.()&:]/g;

/**
 * Writes marks of an upper-case address line in one way: units and floors become words with spaces (`APT4B` to `APT 4B`), stops and quotes are
 * removed, and street types that are abbreviated to one letter before a house number are written in full.
 */
export function separateMarks(line: string): string {
  if (!HAS_MARK.test(line)) return line;
  const spaced = line
    .replace(INITIALS, (initials) => `${initials.replaceAll('.', '')} `)
    .replace(FIRST_LETTER_TYPE, writeStreetType)
    .replace(HOUSE_NUMBER_MARK, 'NO ')
    .replace(SINGAPORE_BLOCK, '$1 ')
    .replace(ROMAN_FLOOR, ', FL $1, $2')
    .replace(HUNGARIAN_DOOR, 'APT $1')
    .replace(BELGIAN_BOX, '$1 BUS ')
    .replace(ORDINAL_BEFORE_DOOR, '$1ST')
    .replace(STAIRCASE_AND_FLAT, '$1 $2 $3')
    .replace(INNER_STOP, '$1')
    .replace(QUOTES, '')
    .replace(STOPS, ' ')
    .replace(NUMBER_SIGN, ' # ')
    .replace(/ -+ /g, ' , ');
  return spaced
    .replace(ATTACHED_NUMBER, '$1 $2')
    .replace(UNIT_AFTER_NUMBER, ' ')
    .replace(FLOOR_BEFORE_HOUSE, ' FL')
    .replace(/(?<=\d )K(?=\d)/g, 'K ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Writes a street type that is abbreviated to its first letter. Other words stay: `Main Street. 12`, and units after a number: `12, Apart. 5`. */
function writeStreetType(all: string, word: string, at: number, line: string): string {
  if (UNIT_MARKS.has(word) || STREET_TYPE_SUFFIXES.has(word) || HAS_DIGIT.test(line.slice(0, at))) return all;
  return `${word.slice(0, -1)}${TYPES_BY_FIRST_LETTER[word.at(-1) ?? '']} `;
}

/**
 * Rewrites fractions (½), ordinals (3º), the sign №, Greek ου and East Asian numbers, which would be lost or changed when other scripts are converted
 * to Latin letters.
 */
export function rewriteNumberSigns(text: string): string {
  const rewritten = text
    .replace(/(\d?) ?½/g, '$1 1/2')
    .replace(/\bn\.?[°º]|№/gi, 'No ')
    .replace(/[οΟ][υΥύΎ]/g, 'ou')
    .replace(/(\d)\.? ?[º°]|(\d)ª(?= planta)/gi, '$1$2st ')
    .replace(/(^|[,;|\n] ?)(\d+)ª/g, '$1$2st ');
  return rewriteEastAsianNumbers(rewritten);
}
