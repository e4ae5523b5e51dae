// Which encoding of one byte a character it is that bytes make words of: told by the letters that would come of each.
import { toNormalForm } from '../../normalise/text.ts';

export type SingleByteEncoding =
  | 'Windows-1252'
  | 'Windows-1250'
  | 'Windows-1254'
  | 'ISO-8859-2'
  | 'Mac Roman'
  | 'CP850';

/** Letters beyond ASCII, a language each: common knowledge of their alphabets. */
const WEST =
  'äöüß éèêëàâçîïôùûüœæÿ áéíóúñüç ãõáàâéêíóôúçü àèéìíòóùúî åäöéæøü ëïéèöüáóú áéíóúýþæöð äöüõ àèéíòóúüçï';
const CENTRAL = 'ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž äöüß';
const TURKISH = 'çğıöşüâîûİ';

/** The upper half of the code page of MS-DOS in the West, which no decoder knows. */
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

/** The likeliest first: who is to win against those in front must be better. */
const CANDIDATES = [
  candidate('Windows-1252', 'windows-1252', WEST),
  candidate('Windows-1250', 'windows-1250', CENTRAL),
  candidate('ISO-8859-2', 'iso-8859-2', CENTRAL),
  candidate('Windows-1254', 'windows-1254', TURKISH),
  candidate('Mac Roman', 'macintosh', WEST),
  candidate('CP850', null, WEST),
];
/** How each is read. */
export const SINGLE_BYTE_DECODERS: ReadonlyMap<string, Decode> = new Map(
  CANDIDATES.map(({ encoding, decode }) => [encoding, decode]),
);
const BETTER = 0.02;
/** Letters that say too little against the West. */
const FEW = 6;
/** In these every sequence of bytes is a text: so much of it must be letters. */
const LEAST: ReadonlyMap<SingleByteEncoding, number> = new Map([
  ['Mac Roman', 0.7],
  ['CP850', 0.7],
]);

/** No text has them: control characters but for blanks and line ends. */
const NO_TEXT = /[\p{Cc}--[\t\n\v\f\r]]/v;
const WORD = /[^\s\d,;:."()<>@/|\\&+_-]+/gu;
const BEYOND = /[^\0-\x7f]/gu;
/** Signs that stand beside words or, as an apostrophe, in them. */
const NEUTRAL = /[’‘“”„…°ºª€«»´`·\u00a0]/gu;
/** A capital behind a small letter, one of them beyond ASCII: `MŸller`. */
const MIXED = /\p{Ll}[\p{Lu}--[A-Z]]|[\p{Ll}--[a-z]]\p{Lu}/v;
const VOWEL = /[aeiouyıøæœ]/i;

interface Score {
  /** How much of what is beyond ASCII are letters of any of its languages (0-1). */
  all: number;
  /** And of the one that has most of them. */
  one: number;
  /** How many there are. */
  letters: number;
}

/** The encoding of bytes of one byte a character; null where they are a text in none. */
export function detectSingleByteEncoding(bytes: Uint8Array): SingleByteEncoding | null {
  const scored = CANDIDATES.map((one) => ({ ...one, score: scoreOf(bytes, one) }));
  const [western] = scored;
  // Words of several languages of the West may all look like Czech.
  const isWestern = western?.score?.all === 1;
  let best: { encoding: SingleByteEncoding; worth: number } | null = null;
  for (const { encoding, score } of scored) {
    if (score === null || worthOf(score) < (LEAST.get(encoding) ?? 0)) continue;
    if (best && isWestern && (score.one < 1 || score.letters < FEW)) continue;
    if (best === null || worthOf(score) > best.worth + BETTER) best = { encoding, worth: worthOf(score) };
  }
  return best && (asTurkish(bytes, scored, best.worth) ?? best.encoding);
}

const worthOf = ({ all, one }: Score): number => (all + one) / 2;

/** ş and ğ are þ and ð elsewhere: Icelandic, which has other letters beside. */
function asTurkish(
  bytes: Uint8Array,
  scored: (Candidate & { score: Score | null })[],
  best: number,
): SingleByteEncoding | null {
  const turkish = scored.find(({ encoding }) => encoding === 'Windows-1254');
  if (!turkish?.score || worthOf(turkish.score) < best) return null;
  return /[ğşĞŞ]/.test(turkish.decode(bytes)) ? turkish.encoding : null;
}

/** Null where it is no text. */
function scoreOf(bytes: Uint8Array, { decode, languages, all }: Candidate): Score | null {
  const text = decode(bytes);
  if (NO_TEXT.test(text)) return null;
  const letters = new Map<string, number>();
  let total = 0;
  for (const [word] of text.matchAll(WORD)) {
    const beyond = word.replace(NEUTRAL, '').match(BEYOND) ?? [];
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

/** How likely a word is one (0-1). */
function plausible(word: string): number {
  if (MIXED.test(word)) return 0;
  return word.length > 2 && !VOWEL.test(toNormalForm(word, 'NFD')) ? 0.5 : 1;
}
