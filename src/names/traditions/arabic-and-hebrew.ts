// Arabic and Hebrew letters, which omit most vowels; the Arabic article; and given names of two words (Abd al-Rahman, Salah al-Din).
import {
  createFirstMatchingRuleReplacer,
  parseAlphabet,
  createEndingSoundsFinder,
  transliterateWordWithSounds,
} from './alphabet.ts';
import { findNameEntry } from '../lexicon.ts';
import {
  applyTextReplacements,
  parseTextReplacements,
  readBuiltInTable,
  splitTableLines,
} from '../tables.ts';
import { createTokenComparisonResult, type Token, type WordTransliteration, type Word } from '../types.ts';
import type { VariantFormRule, NamingTradition } from './tradition.ts';

const ARABIC_LETTERS = parseAlphabet(`
  تش ch C  تس ts T  طس ts T  دج j +  أو o V  إي i E  ا a A  أ a A  إ i A  آ a A  ٱ a A  ب b "  ت t t  ث th ^  ج j G  ح h H  خ kh X  د d d  ذ dh ~  ر r r  ز z z  س s s  ش sh S
  ص s s  ض d ~  ط t t  ظ z ~  ع a A  غ gh Y  ف f f  ق q q  ك k k  ل l l  م m m  ن n n  ه h H  و w V  ي y E  ى a A
  ة a A  ء - -  ؤ w V  ئ y E  پ p p  چ ch C  ژ zh Z  گ g g  ک k k  ی y E  ڤ v v  ڨ g g  ہ h H  ے e E  ں n n  ٹ t t  ڈ d d  ڑ r r  ھ h H  ۆ o V  ێ e E  ە a A
  َ a a  ِ i i  ُ u u  ّ - -
`);

/** Transliterates an Arabic word without its article. Allah at the end is written as pronounced. */
function readArabic(word: string): WordTransliteration {
  return transliterateWordWithSounds(word.replace(/^ال(?=..)/u, '').replace(/لله$/u, 'له'), ARABIC_LETTERS);
}

/** True for an Arabic word with the article, which its Latin spelling lacks. */
export const hasArabicArticle = ({ script, raw }: Token): boolean =>
  script === 'arabic' && raw.startsWith('ال');

const ABD = /^(abd|abdu|abdo|abdi|abde|abdul|abdal|abdel|abdol|abdur|abdus|abdour|abdoul|عبد)$/;
const DIN = /^(din|deen|dine|eddin|eddine|uddin|ud|aldin|addin|الدين|دين)$/;

/** Matches the word for son or daughter before the father's name. */
const CHILD_OF = /^(?:بن|ابن|بنت)$/;

const matches = (word: Word, pattern: RegExp) => pattern.test(word.folded || word.text);

/** Spellings of Muhammad that South Asian men have before their own given name. Origin: written by hand from general knowledge. */
const MUHAMMAD = new Set('md mohd mhd muhammad mohammad mohammed muhammed mohamed mohamad'.split(' '));
/** Last words of names that are South Asian and not Arabic. Origin: written by hand from general knowledge. */
const SOUTH_ASIAN_LAST_NAMES = new Set(
  `uddin hossain hussain khan miah mia chowdhury choudhury islam sarkar sarker mollah howlader hawlader sikder talukder talukdar bhuiyan
  bhuiya majumder mondal biswas iqbal butt qureshi siddiqui siddique chaudhry chaudhary akhtar akram mirza baig bhatti ansari`.split(
    /\s+/,
  ),
);

/** True if the first word of a name is Muhammad as an honorific: Mohammad Rahim Uddin goes by Rahim Uddin. */
export const startsWithHonorificMuhammad = (tokens: readonly Token[]): boolean =>
  tokens.length > 2 &&
  MUHAMMAD.has(tokens[0]?.text ?? '') &&
  SOUTH_ASIAN_LAST_NAMES.has(tokens.at(-1)?.text ?? '');

/** True for Uddin as a family name: after a given name alone, which Muhammad may precede. */
function isUddinFamilyName(words: readonly Word[], word: Word): boolean {
  if (word.folded !== 'uddin' || word !== words.at(-1)) return false;
  return words.length === 2 || (words.length === 3 && MUHAMMAD.has(words[0]?.folded ?? ''));
}

/** Joins given names of two words, such as Abd al-Rahman and Salah al-Din, which are one name. The word for son becomes a particle. */
function joinCompounds(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  let abd: Word | undefined;
  let prefix = '';
  for (const written of words) {
    if (joined.length > 0 && written !== words.at(-1) && CHILD_OF.test(written.text)) {
      prefix = 'ben';
      continue;
    }
    const word = prefix ? { ...written, prefix } : written;
    prefix = '';
    const isEnd = matches(word, DIN) && !isUddinFamilyName(words, word);
    const before = abd ?? (isEnd ? joined.pop() : undefined);
    const whole = before ? joinWords(before, word) : word;
    const opens = !abd && !before && matches(word, ABD);
    abd = opens ? word : undefined;
    if (!opens) joined.push(whole);
  }
  return abd ? [...joined, abd] : joined;
}

function joinWords(one: Word, two: Word): Word {
  return {
    ...one,
    text: one.text + two.prefix + two.text,
    folded: one.folded + two.prefix + two.folded,
  };
}

/** Unifies the many spellings of names with Abd al- or ud-din. */
const COMPOUND_FORM: VariantFormRule = {
  appliesTo: /^abd|^(?=.{6}).*d[ie]+ne?$/,
  toForm: createFirstMatchingRuleReplacer([
    [/^abd[aeiou]?[lr]?/, ''],
    [/[aeiou]?[ld]?d(?:i|ee|e|ii)ne?$/, 'din'],
  ]),
  ifBothChanged: createTokenComparisonResult('spelling', 0.9),
  ifOneChanged: createTokenComparisonResult('part', 0.75),
};

export const ARABIC_TRADITION: NamingTradition = {
  scripts: {
    arabic: {
      readWord: readArabic,
      sounds: { mode: 'bare', rank: 2 },
      omitsVowels: true,
      exactText: (token) => token.raw,
      // ي is often written for ى (مصطفي for Mustafa), and ه for ة, which may sound as t (Nimat).
      endingSounds: createEndingSoundsFinder([
        [/[اىيی]$/, 'av'],
        [/ة$/, 'avt'],
        [/[هءعےوئؤأإآھہە]$/, 'avc'],
        [/[\u0621-\u064a\u0671-\u06d3]$/, 'c'],
      ]),
    },
  },
  // Vowel marks, and the tatweel that only stretches a word.
  ignoredMarks: /(?<=[ء-يٮ-ۓ])\p{Mn}+|ـ/gu,
  wordJoiner: {
    appliesTo: new RegExp(`${ABD.source}|${DIN.source}|${CHILD_OF.source}`),
    join: joinCompounds,
  },
  articlePatterns: {
    hyphenated: /^(al|el|ul|ad|as|ar|an|ash|az|at)$/,
    separate: /^([aeu]l)?$/,
    attached: /^[aeu]l(?=.{4})/,
  },
  variantForm: COMPOUND_FORM,
};

const HEBREW_LETTERS = parseAlphabet(`
  ג׳ j J  ז׳ zh Z  צ׳ ch C  ץ׳ ch C  ת׳ th ^  ט׳ th ^  ד׳ d D  ח׳ kh X  וו v w  יי y E  טש ch C  טס ts T  תס ts T  ŋ ng N  א a A  ב b B  ג g g  ד d d  ה h H  ו v V  ז z z  ח h (
  ט t t  י y E  כ k (  ך k (  ל l l  מ m m  ם m m  נ n n  ן n n  ס s s  ע a A  פ p P  ף f P  צ tz )  ץ tz )  ק k k
  ר r r  ש sh :  ת t ^
`);

/** Hebrew letters of a final ng sound, as in King and Young. Inside a word, a vowel is often between them (Noga). */
const LAST_NG = /נג$/;
/** Matches a silent alef or ayin at the start of a word, before the letter for the vowel: אורי, עידו. */
const CARRIER = /^[אע](?=ו(?!ו)|י(?!י))/;
const HEBREW_POINTS = /[\u0591-\u05c7]/g;

export const HEBREW_TRADITION: NamingTradition = {
  scripts: {
    hebrew: {
      readWord: (word) =>
        transliterateWordWithSounds(
          word.replace(HEBREW_POINTS, '').replace(CARRIER, '').replace(LAST_NG, 'ŋ'),
          HEBREW_LETTERS,
        ),
      sounds: { mode: 'bare', rank: 2 },
      omitsVowels: true,
      exactText: (token) => token.raw,
      // The last letter of Noa and Yehoshua is not a vowel sign.
      endingSounds: createEndingSoundsFinder([
        [/[הא]$/, 'av'],
        [/י$/, 'v'],
        [/[עחו]$/, 'avc'],
        [/[א-ת]׳?$/, 'c'],
      ]),
    },
  },
  ignoredMarks: /(?<=[א-ת])\p{Mn}+/gu,
};

/** Matches particles and beginnings of names that occur almost only in Arabic and Muslim names. */
const ARABIC_PARTICLES = /^(?:al|el|ul|bin|ibn|bint|abu|abou|ould)/;
const ARABIC_NAMES = new Set(
  `ahmad ahmed ali hassan hasan hussein hussain husayn hussien muhammad mohammad mohammed mohamed muhammed mohamad mahmoud mahmud mustafa
  mostafa omar umar othman uthman osman ibrahim ismail yusuf youssef yousef khalid khaled said saeed salim salem hamid hamed rashid rachid
  karim kareem jamal gamal nasser nasir tariq tarek walid waleed faisal faysal fahd fahad sultan abdullah abdallah abdul fatima fatma aisha
  aicha khadija zainab zaynab maryam mariam bilal hamza idris idriss salah saleh salih sami samir yasin yassin yasser zayd zaid jaber jabir
  nabil naji qasim kassem rami ramzi riad riyad shaykh sheikh haji hajj mullah mulla abbas adel adil aziz bashir faruq farouk ghassan habib
  haider haydar hadi imad issa isa jafar kamal kamel latif majid mansour mansur marwan mourad murad musa moussa rahman rahim rauf reza riza
  sabir sadiq siddiq sulayman suleiman taha talib yahya yaqub zakariya ziad ziyad`.split(/\s+/),
);

/** True for a word (lower-case a-z) that occurs almost only in Arabic names. */
export const isArabicNameWord = (text: string): boolean => ARABIC_NAMES.has(text) || /^abd[aeu]l./.test(text);

/** True for a word in a name that is probably Arabic because of this word. */
export const indicatesArabicName = (token: Token): boolean =>
  token.isArabicNameWord || (token.prefix !== '' && ARABIC_PARTICLES.test(token.prefix));

/** Replacements that reduce a Latin spelling of an Arabic word to its consonants. w and y are removed too, because they often spell vowels. */
const CONSONANT_RULES = parseTextReplacements(`
  ^(?:el|al)(?=.{4}) -  dj|zh j  g(?=[eiy]) j  dh z  kh x  gh g  sch|sh|ch S  ph f  th t  [qck] k  p b  v w  h$ -  [aeiouwy] -  (.)\\1+ $1
`);
const toConsonants = (text: string) => applyTextReplacements(text, CONSONANT_RULES);

/** Agreement (0-1) of two spellings of an Arabic word with equal consonants, by the number of consonants. */
const SAME_CONSONANTS = [0, 0, 0.45, 0.6, 0.7];

/**
 * Compares two Latin words as spellings of one Arabic word. Returns the quality (0-1), and 0 if the consonants differ. Given names with two
 * consonants are often two names: Omar and Amr.
 */
export function computeArabicSpellingSimilarity(a: Token, b: Token): number {
  const consonants = toConsonants(a.text);
  if (consonants.length < 3 && (a.role !== 'family' || b.role !== 'family')) return 0;
  return consonants === toConsonants(b.text) ? (SAME_CONSONANTS[Math.min(consonants.length, 4)] ?? 0) : 0;
}

interface OwnScriptNames {
  /** Latin names by their spelling in another script. */
  bySpelling: Map<string, readonly string[]>;
  /** Latin names by the number of each group of spellings that contains them. */
  byGroup: Map<number, string[]>;
  latin: Set<string>;
}

let ownScriptNames: OwnScriptNames | undefined;

/** Reads the table data/names/scripts.txt: given names with like consonants, as other scripts write them. */
function loadOwnScriptNames(): OwnScriptNames {
  const loaded: OwnScriptNames = { bySpelling: new Map(), byGroup: new Map(), latin: new Set() };
  for (const line of splitTableLines(readBuiltInTable('scripts.txt'))) {
    const [spellings = [], names = []] = line.split(':').map((words) => words.trim().split(' '));
    for (const spelling of spellings) loaded.bySpelling.set(spelling, names);
    for (const name of names) {
      loaded.latin.add(name);
      for (const group of findNameEntry(name)?.spellingGroups ?? [])
        loaded.byGroup.set(group, [...(loaded.byGroup.get(group) ?? []), name]);
    }
  }
  return loaded;
}

/**
 * True if the table of names in other scripts has both words, and they are two names whose vowels the scripts may omit: محمود (Mahmoud) and
 * Muhammad.
 */
export function areOtherNamesInOwnScript(a: Token, b: Token): boolean {
  const [namesOfA, namesOfB] = [listNamesInOwnScript(a), listNamesInOwnScript(b)];
  return namesOfA.length > 0 && namesOfB.length > 0 && !namesOfA.some((name) => namesOfB.includes(name));
}

function listNamesInOwnScript({ script, raw, text, entry }: Token): readonly string[] {
  const { bySpelling, byGroup, latin } = (ownScriptNames ??= loadOwnScriptNames());
  if (script !== 'latin') return bySpelling.get(raw.toLowerCase()) ?? [];
  const ofGroups = entry?.spellingGroups.flatMap((group) => byGroup.get(group) ?? []) ?? [];
  return latin.has(text) ? [text, ...ofGroups] : ofGroups;
}
