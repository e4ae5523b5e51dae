// Detection of encodings with one byte per character: a text is decoded in each encoding, and the result is
// compared with the letters or words of its languages.
import { toUnicodeNormalForm } from '../../normalise/text.ts';

export type SingleByteEncoding =
  | 'Windows-1252'
  | 'Windows-1250'
  | 'Windows-1254'
  | 'ISO-8859-2'
  | 'Mac Roman'
  | 'CP850'
  | 'Windows-1251'
  | 'KOI8-R'
  | 'CP866'
  | 'Windows-1253'
  | 'ISO-8859-7'
  | 'Windows-1255'
  | 'Windows-1256'
  | 'Windows-874';

/** Letters beyond ASCII in Western European languages, one word per language. Origin: common knowledge of their alphabets. */
const WEST =
  'äöüß éèêëàâçîïôùûüœæÿ áéíóúñüç ãõáàâéêíóôúçü àèéìíòóùúî åäöéæøü ëïéèöüáóú áéíóúýþæöð äöüõ àèéíòóúüçï';
/** Letters beyond ASCII in Central European languages, one word per language. */
const CENTRAL = 'ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž äöüß';
const TURKISH = 'çğıöşüâîûİ';

/** Characters 128 to 255 of code page 850 (MS-DOS in Western Europe), which TextDecoder does not support. */
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

type Decode = (bytes: Uint8Array) => string;

const dosText: Decode = (bytes) =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (DOS[byte - 128] ?? ''))).join('');

interface Candidate {
  encoding: SingleByteEncoding;
  decode: Decode;
  languages: ReadonlySet<string>[];
  all: ReadonlySet<string>;
}

const candidate = (encoding: SingleByteEncoding, label: string | null, letters: string): Candidate => {
  const decoder = label === null ? null : new TextDecoder(label);
  const languages = letters.split(' ').map((one) => new Set(one));
  return {
    encoding,
    decode: (bytes) => decoder?.decode(bytes) ?? dosText(bytes),
    languages,
    all: new Set(languages.flatMap((one) => [...one])),
  };
};

/** Encodings to try, the most likely first. A later encoding is chosen only if its score is better. */
const CANDIDATES = [
  candidate('Windows-1252', 'windows-1252', WEST),
  candidate('Windows-1250', 'windows-1250', CENTRAL),
  candidate('ISO-8859-2', 'iso-8859-2', CENTRAL),
  candidate('Windows-1254', 'windows-1254', TURKISH),
  candidate('Mac Roman', 'macintosh', WEST),
  candidate('CP850', null, WEST),
];
const CYRILLIC_DECODERS: readonly [SingleByteEncoding, Decode][] = (
  [
    ['Windows-1251', 'windows-1251'],
    ['KOI8-R', 'koi8-r'],
    ['CP866', 'ibm866'],
  ] as const
).map(([encoding, label]) => {
  const decoder = new TextDecoder(label);
  return [encoding, (bytes) => decoder.decode(bytes)];
});
/** Minimum difference (0-1) by which the score of a later encoding must be higher, so that it is chosen. */
const BETTER = 0.02;
/** Minimum number of letters beyond ASCII for choosing a non-Western encoding although a Western encoding fits completely. */
const FEWEST_LETTERS = 6;
/** Minimum score (0-1) with which an encoding is accepted, for encodings in which every byte sequence is valid. */
const LOWEST_SCORES: ReadonlyMap<SingleByteEncoding, number> = new Map([
  ['Mac Roman', 0.7],
  ['CP850', 0.7],
]);

/** Matches control characters that text never contains: all except spaces and line ends. */
const NO_TEXT = /[\p{Cc}--[\t\n\v\f\r]]/v;
const WORD = /[^\s\d,;:."()<>@/|\\&+_-]+/gu;
const BEYOND = /[^\0-\x7f]/gu;
/** Characters that occur in text of every language, such as quotation marks. They are no evidence for an encoding. */
const NEUTRAL = /[’‘“”„…°ºª€«»´`·\u00a0]/gu;
/** Signs that text programs write before and after words and numbers. In this position they are no evidence for an encoding. */
const EDGE = /^[–—•€£™®§¿¡]{1,4}|[–—•€£™®§]{1,4}$/gu;
/** Capital letter after a small letter, one of them beyond ASCII: `MŸller`. Real words rarely contain this. */
const MIXED = /\p{Ll}[\p{Lu}--[A-Z]]|[\p{Ll}--[a-z]]\p{Lu}/v;
const VOWEL = /[aeiouyıøæœ]/i;

interface Score {
  /** Share (0-1) of the characters beyond ASCII that are letters in any language of the encoding. */
  all: number;
  /** Share (0-1) of the characters beyond ASCII that are letters in the language of the encoding that fits best. */
  one: number;
  letters: number;
}

/** Detects the encoding of a text with one byte per character. Returns null if no known encoding fits. */
export function detectSingleByteEncoding(bytes: Uint8Array): SingleByteEncoding | null {
  const scored = CANDIDATES.map((one) => ({ ...one, score: scoreOf(bytes, one) }));
  const [western] = scored;
  // Words of several Western languages together may look like Czech.
  const isWestern = western?.score?.all === 1;
  let best: { encoding: SingleByteEncoding; worth: number } | null = null;
  for (const { encoding, score } of scored) {
    if (score === null || worthOf(score) < (LOWEST_SCORES.get(encoding) ?? 0)) continue;
    if (best && isWestern && (score.one < 1 || score.letters < FEWEST_LETTERS)) continue;
    if (best === null || worthOf(score) > best.worth + BETTER) best = { encoding, worth: worthOf(score) };
  }
  return best && (asTurkish(bytes, scored, best.worth) ?? best.encoding);
}

/** Well-formed Cyrillic word: small letters with or without a first capital, or capitals only. */
const CYRILLIC_WORD = /^[А-ЯЁЄІЇҐЎЈЉЊЋЂЏЅ]?[а-яёєіїґўјљњћђџѕ]+$|^[А-ЯЁЄІЇҐЎЈЉЊЋЂЏЅ]+$/;
/** Most frequent vowels of Cyrillic text. A wrong Cyrillic encoding shows other letters instead. */
const CYRILLIC_VOWEL = /[аеиоі]/giu;
/**
 * Minimum shares (0-1) in a text that counts as Cyrillic: words in Cyrillic letters, frequent vowels among their letters, and words with a capital,
 * which Hebrew does not have.
 */
const [CYRILLIC_WORDS, CYRILLIC_VOWELS, CYRILLIC_CAPITALS] = [0.9, 0.3, 0.1];

/** Returns the Cyrillic encoding in which nearly all words beyond ASCII are well-formed; null if there is none. */
export function detectCyrillicEncoding(bytes: Uint8Array): SingleByteEncoding | null {
  for (const [encoding, decode] of CYRILLIC_DECODERS) {
    const words = (decode(bytes).match(WORD) ?? []).filter((word) => /[^\0-\x7f№]{3}/.test(word));
    const wellFormed = words.filter((word) =>
      CYRILLIC_WORD.test(word.replace(NEUTRAL, '').replace(EDGE, '')),
    );
    const letters = wellFormed.join('');
    const vowels = letters.match(CYRILLIC_VOWEL)?.length ?? 0;
    const capitals = wellFormed.filter((word) => /^\p{Lu}/u.test(word)).length;
    if (
      words.length > 0 &&
      wellFormed.length >= words.length * CYRILLIC_WORDS &&
      vowels >= letters.length * CYRILLIC_VOWELS &&
      capitals >= words.length * CYRILLIC_CAPITALS
    )
      return encoding;
  }
  return null;
}

/** Alphabet by which an encoding is recognised. Decoded with the right encoding, words beyond ASCII consist only of letters of the alphabet. */
interface Alphabet {
  encoding: SingleByteEncoding;
  decode: Decode;
  word: RegExp;
  frequent: RegExp;
  /** Minimum share (0-1) of the most frequent letters among all letters. In a wrong encoding, other letters are frequent. */
  fewest: number;
}

const alphabet = (
  encoding: SingleByteEncoding,
  label: string,
  [word, frequent, fewest]: readonly [RegExp, RegExp, number],
): Alphabet => {
  const decoder = new TextDecoder(label);
  return { encoding, decode: (bytes) => decoder.decode(bytes), word, frequent, fewest };
};

const GREEK = [
  // A small ς is only at the end of a word.
  /^[Α-ΡΣ-ΫΆΈΉΊΌΎΏ]?[α-ρσ-ωάέήίόύώϊϋΐΰ]*[α-ωάέήίόύώϊϋΐΰ]$|^[Α-ΡΣ-ΫΆΈΉΊΌΎΏ]+$/,
  /[αεηιουωάέήίόύώΑΕΗΙΟΥΩΆΈΉΊΌΎΏ]/gu,
  0.35,
] as const;
/**
 * Pattern, most frequent letters, and minimum share of these letters in Hebrew words. Final letter forms occur only at the end of a word, which
 * distinguishes Hebrew from Cyrillic capitals.
 */
const HEBREW = [/^[אבגדהוזחטיכלמנסעפצקרשת]*[א-ת]$/, /[אהוילמרת]/gu, 0.35] as const;
const ARABIC = [/^[ء-غف-يًٌٍَُِّْـپچژگ]+$/, /[الويمنرة]/gu, 0.4] as const;
const THAI = [/^[ก-ฺเ-๎]+$/, /[ะ-ฺเ-๎]/gu, 0.25] as const;

const ALPHABETS: readonly Alphabet[] = [
  alphabet('Windows-1253', 'windows-1253', GREEK),
  alphabet('ISO-8859-7', 'iso-8859-7', GREEK),
  alphabet('Windows-1255', 'windows-1255', HEBREW),
  alphabet('Windows-1256', 'windows-1256', ARABIC),
  alphabet('Windows-874', 'windows-874', THAI),
];

/**
 * Returns the encoding of another alphabet (Greek, Hebrew and others) in which nearly all words beyond ASCII are well-formed. Null if there is
 * none, or if several fit equally.
 */
export function detectGreekHebrewArabicThaiEncoding(bytes: Uint8Array): SingleByteEncoding | null {
  let best: { encoding: SingleByteEncoding; share: number } | null = null;
  for (const { encoding, decode, word, frequent, fewest } of ALPHABETS) {
    const words = (decode(bytes).match(WORD) ?? [])
      .map((one) => one.replace(NEUTRAL, '').replace(EDGE, ''))
      .filter((one) => one.length > 1 && /[^\0-\x7f]/.test(one));
    const wellFormed = words.filter((one) => word.test(one));
    const share = wellFormed.length / words.length;
    const letters = wellFormed.join('');
    const capitals = wellFormed.filter((one) => /^\p{Lu}/u.test(one)).length;
    if (/\p{Lu}/u.test(letters) ? capitals < words.length * CYRILLIC_CAPITALS : /\p{Ll}/u.test(letters))
      continue;
    if (!(share >= CYRILLIC_WORDS) || (letters.match(frequent)?.length ?? 0) < letters.length * fewest)
      continue;
    if (best === null || share > best.share) best = { encoding, share };
  }
  return best?.encoding ?? null;
}

export const SINGLE_BYTE_DECODERS: ReadonlyMap<string, Decode> = new Map([
  ...[...CANDIDATES, ...ALPHABETS].map(({ encoding, decode }): [string, Decode] => [encoding, decode]),
  ...CYRILLIC_DECODERS,
]);

const worthOf = ({ all, one }: Score): number => (all + one) / 2;

/**
 * Returns the Turkish encoding if its score is at least `best` and the text contains ş or ğ; else null. In other encodings, the bytes of these
 * letters mean þ and ð, which only Icelandic uses.
 */
function asTurkish(
  bytes: Uint8Array,
  scored: (Candidate & { score: Score | null })[],
  best: number,
): SingleByteEncoding | null {
  const turkish = scored.find(({ encoding }) => encoding === 'Windows-1254');
  if (!turkish?.score || worthOf(turkish.score) < best) return null;
  return /[ğşĞŞ]/.test(turkish.decode(bytes)) ? turkish.encoding : null;
}

/** Returns how well a text fits an encoding; null if its bytes are invalid in the encoding. */
function scoreOf(bytes: Uint8Array, { decode, languages, all }: Candidate): Score | null {
  const text = decode(bytes);
  if (NO_TEXT.test(text)) return null;
  const letters = new Map<string, number>();
  let total = 0;
  for (const [word] of text.matchAll(WORD)) {
    const beyond = word.replace(NEUTRAL, '').replace(EDGE, '').match(BEYOND) ?? [];
    total += beyond.length;
    const worth = beyond.length > 0 ? plausible(word) : 0;
    for (const letter of beyond) {
      const small = letter === 'İ' ? letter : letter.toLowerCase();
      letters.set(small, (letters.get(small) ?? 0) + worth);
    }
  }
  if (total === 0) return { all: 1, one: 1, letters: 0 };
  const inside = (set: ReadonlySet<string>) =>
    [...letters].reduce((sum, [letter, worth]) => sum + (set.has(letter) ? worth : 0), 0);
  return { all: inside(all) / total, one: Math.max(...languages.map(inside)) / total, letters: total };
}

/** Returns a rough estimate (0, 0.5 or 1) of how likely it is that a word belongs to a language of the encoding. */
function plausible(word: string): number {
  if (MIXED.test(word)) return 0;
  return word.length > 2 && !VOWEL.test(toUnicodeNormalForm(word, 'NFD')) ? 0.5 : 1;
}
