// Hebrew letters, which leave most vowels out.
import { alphabet, byEnding, readLetters } from './alphabet.ts';
import type { Tradition } from './tradition.ts';

const LETTERS = alphabet(`
  ג׳ j J  ג' j J  ז׳ zh Z  ז' zh Z  צ׳ ch C  ץ׳ ch C  צ' ch C  ץ' ch C  וו v w  יי y E  א a A  ב b B  ג g g  ד d d  ה h H  ו v V  ז z z  ח h (
  ט t t  י y E  כ k (  ך k (  ל l l  מ m m  ם m m  נ n n  ן n n  ס s s  ע a A  פ p P  ף f P  צ tz )  ץ tz )  ק k k
  ר r r  ש sh :  ת t ^
`);

const POINTS = /[\u0591-\u05c7]/g;

export const HEBREW: Tradition = {
  writings: {
    hebrew: {
      read: (word) => readLetters(word.replace(POINTS, ''), LETTERS),
      sounds: { mode: 'bare', rank: 2 },
      consonants: true,
      exact: (token) => token.raw,
      // Of Noa and Yehoshua the last letter is no vowel; what ends in a consonant may have an e in Latin letters, as Rachelle.
      ends: byEnding([
        [/[הא]$/, 'av'],
        [/[עחיו]$/, 'avc'],
        [/[א-ת]$/, 'cv'],
      ]),
    },
  },
  pointing: /(?<=[א-ת])\p{Mn}+/gu,
};
