// A word of any script -> Latin letters a-z and sounds.
import anyAscii from 'any-ascii';

import { foldLatin, type Script } from '../script.ts';
import { latinSound } from '../sound.ts';
import { readLetters, thaiOrder, type Reading } from './alphabets.ts';
import { hangulLatin, hangulSound } from './hangul.ts';
import { kanaSound, kanaSyllables } from './kana.ts';

export type { Reading };

const marks = /[\u0300-\u036f]/g;

/** Scripts that leave short vowels unwritten. */
export function isBare(script: Script): boolean {
  return script === 'arabic' || script === 'hebrew' || script === 'thai';
}

/** Without the article, and with Allah as it is heard. */
function arabic(word: string): Reading {
  return readLetters(word.replace(/^ال(?=..)/u, '').replace(/لله$/u, 'له'), 'arabic');
}

const tamil = /[\u0b80-\u0bff]/u;

/** An m before a consonant is any nasal; Tamil does not write whether a stop is voiced. */
function indicSound(word: string, text: string): string {
  const ksh = tamil.test(word) ? text.replace(/tcu?(?=m)/, 'ksh') : text;
  const sound = latinSound(ksh).replace(/m(?=[kgKGYcCjJtdTpb])/g, 'M');
  if (!tamil.test(word)) return sound;
  return sound
    .replace(/k(?!S)|g/g, '<')
    .replace(/[cC]/g, '0')
    .replace(/[td^7]/g, '>')
    .replace(/[pb]/g, '=');
}

/** Reads one word of a script. The empty text means that nothing in it can be read. */
export function readWord(word: string, script: Script): Reading {
  switch (script) {
    case 'latin': {
      const text = foldLatin(word);
      return { text, sound: latinSound(text) };
    }
    case 'cyrillic':
    case 'greek':
      return readLetters(word.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC'), script);
    case 'hebrew':
      return readLetters(word.replace(/[\u0591-\u05c7]/g, ''), script);
    case 'arabic':
      return arabic(word);
    case 'thai':
      return readLetters(thaiOrder(word), script);
    case 'kana': {
      const syllables = kanaSyllables(word);
      return { text: syllables.join(''), sound: kanaSound(syllables) };
    }
    case 'hangul':
      return { text: hangulLatin(word), sound: hangulSound(word) };
    default: {
      const text = foldLatin(anyAscii(word));
      return { text, sound: indicSound(word, text) };
    }
  }
}
