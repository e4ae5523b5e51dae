// The scripts of India and Thailand, and every script that has no rules of its own.
import anyAscii from 'any-ascii';

import { foldLatin } from '../script.ts';
import type { WordTransliteration } from '../types.ts';
import type { NamingTradition } from './tradition.ts';
import { toLatinSounds } from './western.ts';
import { parseAlphabet, transliterateWordWithSounds } from './alphabet.ts';

const INDIC = /[\u0900-\u0dff]/u;
const TAMIL = /[\u0b80-\u0bff]/u;
const VOWEL_KILLERS = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/u;

/** Converts an Indian word to Latin letters. A consonant contains a short a, unless a vowel sign or the sign for no vowel follows. */
function romaniseIndic(word: string): string {
  let latinWord = '';
  const chars = [...word];
  for (const [i, c] of chars.entries()) {
    const latin = VOWEL_KILLERS.test(c) ? '' : foldLatin(anyAscii(c));
    const next = chars[i + 1] ?? '';
    const carries = /\p{Lo}/u.test(c) && latin !== '' && !/[aeiou]$/.test(latin);
    const sign = /\p{M}/u.test(next) && (VOWEL_KILLERS.test(next) || /^[aeiouy]/.test(anyAscii(next)));
    latinWord += carries && !sign ? `${latin}a` : latin;
  }
  return latinWord.replace(/(?<=[aeiou][^aeiou]h?)a$/, '');
}

/** Reads an Indian word as Latin letters and sounds. An m before a consonant may be any nasal, c sounds as ch, s may sound as sh. */
function readIndic(word: string): WordTransliteration {
  const text = romaniseIndic(word);
  const tamil = TAMIL.test(word);
  const heard = tamil ? text.replace(/tacu?(?=m)|tcu?(?=m)/, 'ksh') : text;
  const sound = toLatinSounds(heard.replaceAll('c', 'ch'))
    .replace(/m(?=[kgKGYCjJtdTpb])/g, 'M')
    .replaceAll('s', '!');
  return { text, sound: tamil ? toTamilSounds(sound) : sound };
}

/** Replaces stop consonants by symbols that may be voiced or voiceless. Tamil script does not distinguish the two. */
const toTamilSounds = (sound: string) =>
  sound
    .replace(/k(?!S)|g/g, '<')
    .replaceAll('K', '0')
    .replace(/[td^79]/g, '>')
    .replace(/[pb]/g, '=');

function readAnyScript(word: string): WordTransliteration {
  const text = foldLatin(anyAscii(word));
  return { text, sound: toLatinSounds(text) };
}

export const INDIAN_TRADITION: NamingTradition = {
  scripts: {
    other: {
      readWord: (word) => (INDIC.test(word) ? readIndic(word) : readAnyScript(word)),
      sounds: { mode: 'indic', rank: 1 },
    },
  },
};

const THAI_LETTERS = parseAlphabet(`
  ก k <  ข kh &  ฃ kh &  ค kh &  ฅ kh &  ฆ kh &  ง ng N  จ ch ?  ฉ ch C  ช ch C  ซ s s  ฌ ch C  ญ y n  ฎ d >  ฏ t >  ฐ th ^  ฑ th >  ฒ th ^
  ณ n n  ด d >  ต t >  ถ th ^  ท th ^  ธ th ^  น n n  บ b =  ป p =  ผ ph P  ฝ f f  พ ph P  ฟ f f  ภ ph P  ม m m  ย y E  ร r R  ล l R  ว w V
  ศ s s  ษ s s  ส s s  ห h H  ฬ l R  อ o A  ฮ h h  ะ a a  ั a a  า a a  ำ am am  ิ i i  ี i i  ึ ue u  ื ue u  ุ u u  ู u u  เ e e  แ ae e  โ o o  ใ ai a3  ไ ai a3
  ฤ rue Ru  ็ - -  ่ - -  ้ - -  ๊ - -  ๋ - -
`);

/** Moves vowels that are written before their consonant behind it, and drops silent letters. */
const toSpokenOrder = (word: string) =>
  word.replace(/[ก-ฮ][ิุ]?\u0e4c/gu, '').replace(/([เแโใไ])([ก-ฮ])/gu, '$2$1');

export const THAI_TRADITION: NamingTradition = {
  scripts: {
    thai: {
      readWord: (word) => transliterateWordWithSounds(toSpokenOrder(word), THAI_LETTERS),
      sounds: { mode: 'bare', rank: 4 },
      omitsVowels: true,
    },
  },
};
