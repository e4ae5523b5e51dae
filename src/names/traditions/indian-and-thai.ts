// The scripts of India, and all others that have no reader of their own.
import anyAscii from 'any-ascii';

import { foldLatin } from '../script.ts';
import type { Reading } from '../types.ts';
import type { Tradition } from './tradition.ts';
import { latinSound } from './western.ts';
import { alphabet, readLetters } from './alphabet.ts';

const INDIC = /[\u0900-\u0dff]/u;
const TAMIL = /[\u0b80-\u0bff]/u;
const KILLERS = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/u;

/** Letters of India to Latin, with the short a that a consonant carries unless a vowel sign or a killer follows. */
function indicLatin(word: string): string {
  let out = '';
  const chars = [...word];
  for (const [i, c] of chars.entries()) {
    const latin = KILLERS.test(c) ? '' : foldLatin(anyAscii(c));
    const next = chars[i + 1] ?? '';
    const carries = /\p{Lo}/u.test(c) && latin !== '' && !/[aeiou]$/.test(latin);
    const sign = /\p{M}/u.test(next) && (KILLERS.test(next) || /^[aeiouy]/.test(anyAscii(next)));
    out += carries && !sign ? `${latin}a` : latin;
  }
  return out.replace(/(?<=[aeiou][^aeiou]h?)a$/, '');
}

/** An m before a consonant is any nasal, c is ch, s may be sh. */
function indicReading(word: string): Reading {
  const text = indicLatin(word);
  const tamil = TAMIL.test(word);
  const heard = tamil ? text.replace(/tacu?(?=m)|tcu?(?=m)/, 'ksh') : text;
  const sound = latinSound(heard.replaceAll('c', 'ch'))
    .replace(/m(?=[kgKGYCjJtdTpb])/g, 'M')
    .replaceAll('s', '!');
  return { text, sound: tamil ? tamilSound(sound) : sound };
}

/** Tamil does not write whether a stop is voiced. */
const tamilSound = (sound: string) =>
  sound
    .replace(/k(?!S)|g/g, '<')
    .replaceAll('K', '0')
    .replace(/[td^79]/g, '>')
    .replace(/[pb]/g, '=');

function anyReading(word: string): Reading {
  const text = foldLatin(anyAscii(word));
  return { text, sound: latinSound(text) };
}

export const INDIAN: Tradition = {
  writings: {
    other: {
      read: (word) => (INDIC.test(word) ? indicReading(word) : anyReading(word)),
      sounds: { mode: 'indic', rank: 1 },
    },
  },
};

// Thai letters.
const THAI_LETTERS = alphabet(`
  ก k <  ข kh &  ฃ kh &  ค kh &  ฅ kh &  ฆ kh &  ง ng N  จ ch ?  ฉ ch C  ช ch C  ซ s s  ฌ ch C  ญ y n  ฎ d >  ฏ t >  ฐ th ^  ฑ th >  ฒ th ^
  ณ n n  ด d >  ต t >  ถ th ^  ท th ^  ธ th ^  น n n  บ b =  ป p =  ผ ph P  ฝ f f  พ ph P  ฟ f f  ภ ph P  ม m m  ย y E  ร r R  ล l R  ว w V
  ศ s s  ษ s s  ส s s  ห h H  ฬ l R  อ o A  ฮ h h  ะ a a  ั a a  า a a  ำ am am  ิ i i  ี i i  ึ ue u  ื ue u  ุ u u  ู u u  เ e e  แ ae e  โ o o  ใ ai a3  ไ ai a3
  ฤ rue Ru  ็ - -  ่ - -  ้ - -  ๊ - -  ๋ - -
`);

/** Vowels that are written before the consonant they follow, and letters that a mark silences. */
const inSpokenOrder = (word: string) =>
  word.replace(/[ก-ฮ][ิุ]?\u0e4c/gu, '').replace(/([เแโใไ])([ก-ฮ])/gu, '$2$1');

export const THAI: Tradition = {
  writings: {
    thai: {
      read: (word) => readLetters(inSpokenOrder(word), THAI_LETTERS),
      sounds: { mode: 'bare', rank: 4 },
      consonants: true,
    },
  },
};
