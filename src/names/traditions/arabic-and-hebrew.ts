// Arabic letters, which leave most vowels out; the article; and given names of two words, Abd al-Rahman and Salah al-Din.
import { byFirstRule, alphabet, byEnding, readLetters } from './alphabet.ts';
import { relation, type Reading, type Word } from '../types.ts';
import type { Form, Tradition } from './tradition.ts';

const ARABIC_LETTERS = alphabet(`
  تش ch C  دج j +  نغ ng N  ا a A  أ a A  إ i A  آ a A  ٱ a A  ب b "  ت t t  ث th ^  ج j G  ح h H  خ kh X  د d d  ذ dh ~  ر r r  ز z z  س s s  ش sh S
  ص s s  ض d ~  ط t t  ظ z ~  ع a A  غ gh Y  ف f f  ق q q  ك k k  ل l l  م m m  ن n n  ه h H  و w V  ي y E  ى a A
  ة a A  ء - -  ؤ w V  ئ y E  پ p p  چ ch C  ژ zh Z  گ g g  ک k k  ی y E  ڤ v v  ڨ g g  ہ h H  ے e E  ں n n  ٹ t t  ڈ d d  ڑ r r  ھ h H  ۆ o V  ێ e E  ە a A
  َ a a  ِ i i  ُ u u  ّ - -
`);

/** Without the article, and with Allah as it is heard. */
function read(word: string): Reading {
  return readLetters(word.replace(/^ال(?=..)/u, '').replace(/لله$/u, 'له'), ARABIC_LETTERS);
}

const ABD = /^(abd|abdu|abdo|abdi|abde|abdul|abdal|abdel|abdol|abdur|abdus|abdour|abdoul|عبد)$/;
const DIN = /^(din|deen|dine|eddin|eddine|uddin|ud|aldin|addin|الدين|دين)$/;

const isOne = (word: Word, pattern: RegExp) => pattern.test(word.folded || word.text);

/** Abd al-Rahman and Salah al-Din are one given name each, however they are divided. */
function join(words: readonly Word[]): Word[] {
  const out: Word[] = [];
  let abd: Word | undefined;
  for (const word of words) {
    const before = abd ?? (isOne(word, DIN) ? out.pop() : undefined);
    const whole = before ? joinWords(before, word) : word;
    const opens = !abd && !before && isOne(word, ABD);
    abd = opens ? word : undefined;
    if (!opens) out.push(whole);
  }
  return abd ? [...out, abd] : out;
}

function joinWords(one: Word, two: Word): Word {
  return {
    ...one,
    text: one.text + two.prefix + two.text,
    folded: one.folded + two.prefix + two.folded,
  };
}

/** Abd al- and ud-din, whose article and vowels are written in many ways. */
const COMPOUNDS: Form = {
  when: /^abd|^(?=.{6}).*d[ie]+ne?$/,
  make: byFirstRule([
    [/^abd[aeiou]?[lr]?/, ''],
    [/[aeiou]?[ld]?d(?:i|ee|e|ii)ne?$/, 'din'],
  ]),
  both: relation('spelling', 0.9),
  one: relation('part', 0.75),
};

export const ARABIC: Tradition = {
  writings: {
    arabic: {
      read,
      sounds: { mode: 'bare', rank: 2 },
      consonants: true,
      exact: (token) => token.raw,
      // Many write ي for ى, as in مصطفي for Mustafa, and ه for ة, which may be a t, as in Nimat.
      ends: byEnding([
        [/[اى]$/, 'av'],
        [/ة$/, 'avt'],
        [/[هءعيیےوئؤأإآھہە]$/, 'avc'],
        [/[\u0621-\u064a\u0671-\u06d3]$/, 'cv'],
      ]),
    },
  },
  // The stretching line is a sign for the eye only.
  pointing: /(?<=[ء-يٮ-ۓ])\p{Mn}+|ـ/gu,
  gather: { when: new RegExp(`${ABD.source}|${DIN.source}`), join },
  article: {
    tied: /^(al|el|ul|ad|as|ar|an|ash|az|at)$/,
    apart: /^([aeu]l)?$/,
    joined: /^[aeu]l(?=.{4})/,
  },
  form: COMPOUNDS,
};

// Hebrew letters, which leave most vowels out.
const HEBREW_LETTERS = alphabet(`
  ג׳ j J  ג' j J  ז׳ zh Z  ז' zh Z  צ׳ ch C  ץ׳ ch C  צ' ch C  ץ' ch C  וו v w  יי y E  א a A  ב b B  ג g g  ד d d  ה h H  ו v V  ז z z  ח h (
  ט t t  י y E  כ k (  ך k (  ל l l  מ m m  ם m m  נ n n  ן n n  ס s s  ע a A  פ p P  ף f P  צ tz )  ץ tz )  ק k k
  ר r r  ש sh :  ת t ^
`);

const POINTS = /[\u0591-\u05c7]/g;

export const HEBREW: Tradition = {
  writings: {
    hebrew: {
      read: (word) => readLetters(word.replace(POINTS, ''), HEBREW_LETTERS),
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
