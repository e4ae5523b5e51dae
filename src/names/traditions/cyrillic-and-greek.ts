// Cyrillic and Greek letters, and family names that have a male and a female form (Slavic and Lithuanian).
import { getTypoDistance } from '../../normalise/typo.ts';
import { GIVEN_NAME_FLAG, hasNameFlag } from '../lexicon.ts';
import { createTokenComparisonResult, type PreparedName, type Token, type Word } from '../types.ts';
import {
  createFirstMatchingRuleReplacer,
  parseAlphabet,
  stripAccents,
  createEndingSoundsFinder,
  transliterateWordWithSounds,
} from './alphabet.ts';
import type { VariantFormRule, NamingTradition } from './tradition.ts';

const CYRILLIC_LETTERS = parseAlphabet(`
  дж j +  дз dz .  си si :i  сю syu :u  ся sya :a  сё se :o  ти ti ;i  тю tyu ;u  тё te ;o  тя tya ;a  тц tz T  кс ks ks  кх kh X  щ shch S  ж zh Z  ч ch C  ш sh S  ц ts )  х kh (  ю yu y5  я ya ya  ё e o  є ye ye  ї yi i  э e e
  а a a  б b b  в v v  г g '  ґ g g  д d d  е e e  з z z  и i i  і i i  й y 3  к k k  л l l  м m m  н n n  о o o  п p p  р r r  с s s
  т t t  у u u  ў w u  ф f f  ъ - -  ь - -  ы y i  ј j y  љ lj ly  њ nj ny  ђ dj J  ћ c C  џ dz J  ѓ gj g  ќ kj k  ѕ dz T
  ә a a  ғ g Y  қ k q  ң ng N  ө o o  ұ u u  ү u u  һ h H  ҳ h H  ҷ j J  ӣ i i  ӯ u u  җ j J
`);

/**
 * Returns the possible last sounds of a Cyrillic word, one letter for each (see `ScriptRules.endingSounds`). After а or я: the vowel a, or e
 * (Наталья, Natalie). After й: a consonant, or a vowel (Евгений, Evgeny).
 */
const cyrillicEndingSounds = createEndingSoundsFinder([
  [/[ая]$/, 'av'],
  [/й$/, 'cv'],
  [/[бвгджзклмнпрстфхцчшщьъђјљњћџґўқғңһҳҷҗ]$/, 'c'],
  [/[оую]$/, 'vu'],
  [/[еёиыэ]$/, 'v'],
]);

const GENDERED = createTokenComparisonResult('gendered', 0.8);
/** Converts a Slavic family name to the masculine form: Ivanova -> ivanov, Iwanowa -> iwanow, Kowalska -> kowalsky. */
const MASCULINE_FORM: VariantFormRule = {
  appliesTo: /.{4}[aeijy]$/,
  toForm: createFirstMatchingRuleReplacer([
    [/([oe][vw])a$/, '$1'],
    [/(in|yn)a$/, '$1'],
    [/(sk|tsk|ck|zk)(aya|aia|aja|aa|a)$/, '$1y'],
    [/(sk|tsk|ck|zk)(yi|iy|ii|ij|i|yj|oy|oi)$/, '$1y'],
    [/(aite|yte|iene|ute|iute)$/, 'as'],
  ]),
  ifBothChanged: GENDERED,
  ifOneChanged: GENDERED,
};

export const SLAVIC_TRADITION: NamingTradition = {
  scripts: {
    cyrillic: {
      readWord: (word) => transliterateWordWithSounds(stripAccents(word), CYRILLIC_LETTERS),
      sounds: { mode: 'full', rank: 0 },
      endingSounds: (raw) => cyrillicEndingSounds(raw.toLowerCase()),
    },
  },
  variantForm: MASCULINE_FORM,
};

/** Matches the ending of a patronymic in Latin letters: Petrovich, Petrovna, Ukrainian Petrovych and Petrivna. */
const PATRONYMIC_ENDING = /[oeiy]v(?:[iy]t?ch|na)$/;
/** Matches the ending of a patronymic of a name that ends in a: Ilyich and Ilyinichna of Ilya, Nikitich of Nikita. */
const PATRONYMIC_ENDING_AFTER_A = /(?<!v)(?:[iy]n)?[iy]ch(?:na)?$/;

/** Removes what differs between a given name and its patronymic: up to three last vowels, the vowels of Pyotr and Fyodor, ks for x. */
const toPatronymicStem = (text: string) =>
  text
    .replace(/[iy]o/g, 'e')
    .replaceAll('ks', 'x')
    .replace(/[aeiouy]{1,3}$/, '');

/** True if a word (a-z) is the patronymic of a given name: Ivanovich or Ivanovna of Ivan, Lvovich of Lev. */
export function isPatronymicOf(patronymic: string, given: string): boolean {
  if (given.length < 3 || patronymic[0] !== given[0] || PATRONYMIC_ENDING.test(given)) return false;
  const stem = toPatronymicStem(given);
  if (PATRONYMIC_ENDING.test(patronymic))
    return getTypoDistance(toPatronymicStem(patronymic.replace(PATRONYMIC_ENDING, '')), stem, 1) <= 1;
  const root = given.endsWith('a') ? patronymic.replace(PATRONYMIC_ENDING_AFTER_A, '') : patronymic;
  return root !== patronymic && toPatronymicStem(root) === stem;
}

/** Minimum number of words of a name with a patronymic. Of two words, the second one is a family name: Ivan Petrovich. */
const WORDS_WITH_PATRONYMIC = 3;

/** Endings of a woman's patronymic, which no family name has. A man's patronymic may also be a family name. */
const WOMANS_PATRONYMIC_ENDINGS = ['ovna', 'evna', 'ivna', 'yvna', 'ichna', 'ychna'];
const isWomansPatronymic = ({ text }: Token) =>
  WOMANS_PATRONYMIC_ENDINGS.some((ending) => text.endsWith(ending));
const endsLikePatronymic = (token: Token) => PATRONYMIC_ENDING.test(token.text) || isWomansPatronymic(token);
const isGivenName = ({ entry }: Token) => hasNameFlag(entry, GIVEN_NAME_FLAG);

/**
 * Returns the number of words of a family name that is followed by a given name and a patronymic (Orlova Anna Petrovna), with those of a
 * double name. Returns 0 for a name in another order.
 */
export function countFamilyWordsBeforePatronymic(tokens: readonly Token[], words: readonly Word[]): number {
  const count = tokens.length - 2;
  const [given, patronymic] = tokens.slice(count);
  const family = count > 0 ? tokens.slice(0, count) : [];
  if (!given || !patronymic || family.some((_, i) => i > 0 && !words[i]?.isHyphenated)) return 0;
  if (family.some(isGivenName) || endsLikePatronymic(given)) return 0;
  // In Latin letters, the last word of an unknown name may be a family name: Jovana Rae Stankovich.
  const isSure = isWomansPatronymic(patronymic) || given.script === 'cyrillic' || isGivenName(given);
  return isSure && endsLikePatronymic(patronymic) ? count : 0;
}

/** True if one name has a patronymic of the other name's given name: Petr Ivanovich Orlov and Ivan Petrovich Orlov. */
export const areNamesOfParentAndChild = (a: PreparedName, b: PreparedName): boolean =>
  isNameOfChild(a, b) || isNameOfChild(b, a);

const isNameOfChild = ({ tokens }: PreparedName, parent: PreparedName) =>
  tokens.length >= WORDS_WITH_PATRONYMIC &&
  tokens.some((token) => parent.tokens.some((given) => isPatronymicOf(token.text, given.text)));

const GREEK_LETTERS = parseAlphabet(`
  μπ b "  ντ d >  γκ g g  γγ ng N  τζ tz .  τσ ts )  ου ou u  αυ av aV  ευ ev eV  αι ai e  ει ei i  οι oi i  ού ou u
  α a a  β v v  γ g '  δ d ~  ε e e  ζ z z  η i i  θ th ^  ι i 3  κ k k  λ l l  μ m m  ν n n  ξ x ks  ο o o  π p p  ρ r r
  σ s s  ς s s  τ t t  υ y i  φ f f  χ ch (  ψ ps ps  ω o o  ŋ nt >  ɱ mp "
`);

/** Matches the letters for d and b that are spelt nt and mp within a word: Κωνσταντίνος is Konstantinos, and Ντίνος is Dinos. */
const INNER_D = /(?<=.)ντ/g;
const INNER_B = /(?<=.)μπ/g;

/** Removes an added feminine ending from a family name: Nováková -> novak, Papadopoulou -> papadopoulos. */
const WITHOUT_FEMININE_ENDING: VariantFormRule = {
  appliesTo: /.{4}(?:ova|oulou)$/,
  toForm: createFirstMatchingRuleReplacer([
    [/ova$/, ''],
    [/oulou$/, 'oulos'],
  ]),
  ifBothChanged: GENDERED,
  ifOneChanged: GENDERED,
};

export const GREEK_TRADITION: NamingTradition = {
  scripts: {
    greek: {
      readWord: (word) =>
        transliterateWordWithSounds(
          stripAccents(word).replace(INNER_D, 'ŋ').replace(INNER_B, 'ɱ'),
          GREEK_LETTERS,
        ),
      sounds: { mode: 'full', rank: 0 },
    },
  },
  variantForm: WITHOUT_FEMININE_ENDING,
};
