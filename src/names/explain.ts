// Explains a comparison of two names to a reviewer: the alignment, one sentence on what was found, and concerns.
import { getNameAlignment, type NamePairAssessment } from './compare/assess.ts';
import { GIVEN_NAME_FLAG, hasNameFlag, SURNAME_FLAG, type NameEntry } from './lexicon.ts';
import { findNonPersonNameType, isNameOfCouple } from './non-person.ts';
import { foldLatin } from './script.ts';
import { getTitleWordSets, areParticleAndItsAbbreviation } from './title-words.ts';
import { areGenderVariants } from './traditions/western.ts';
import type {
  AlignedWordPair,
  NameAlignment,
  PreparedName,
  Token,
  AlignedTokenPair,
  WordRelation,
} from './types.ts';

const joinRawWords = (tokens: Token[]) => tokens.map(({ raw }) => raw).join(' ');

/** Returns the aligned words in the order of the first name. Words without a partner come last. */
export function listAlignedWords(
  assessment: NamePairAssessment,
  a: PreparedName,
  b: PreparedName,
): AlignedWordPair[] {
  const { links, onlyA, onlyB } = getNameAlignment(assessment, a, b);
  const positionOf = (token: Token) => a.tokens.indexOf(token);
  const rows: AlignedWordPair[] = [...links]
    .sort((x, y) => positionOf(x.a[0]) - positionOf(y.a[0]))
    .map((link) => ({
      a: joinRawWords(link.a),
      b: joinRawWords(link.b),
      relation: link.comparison.relation,
      quality: link.comparison.quality,
    }));
  for (const { raw } of onlyA) rows.push({ a: raw, b: '', relation: 'missing', quality: 0 });
  for (const { raw } of onlyB) rows.push({ a: '', b: raw, relation: 'missing', quality: 0 });
  return rows;
}

/** Quality (0-1) of a pair of words below which the explanation says that they may be different names. */
const MIN_SURE_QUALITY = 0.5;

/** Sentences about two words, by their relation. Equal words need none; `slip` means a typing error. */
const WORD_SENTENCES: Record<
  WordRelation,
  (x: string, y: string, link: AlignedTokenPair) => string | undefined
> = {
  equal: () => undefined,
  initial: (x, y, { a }) => (a[0].isInitial ? `${x} may stand for ${y}` : `${y} may stand for ${x}`),
  nickname: (_x, _y, link) => nicknameSentence(link),
  cultural: (x, y) => `${x} and ${y} are one name in two languages`,
  spelling: (x, y) => `${x} and ${y} are spellings of one name`,
  script: scriptSentence,
  gendered: (x, y) => `${x} and ${y} are forms of one family name`,
  slip: (x, y) => `${x} and ${y} differ by a typing error`,
  part: (x, y, { a, b }) => particleSentence(x, y, [a[0].prefix, b[0].prefix]),
  joined: (x, y) => `${x} and ${y} differ in spacing`,
  different: (x, y) => `${x} and ${y} differ`,
};

/** Sentence endings about two words that may be different names, by the relation of the words. */
const DOUBTFUL_RELATIONS: Partial<Record<WordRelation, string>> = {
  nickname: 'are related names',
  cultural: 'are related names',
  spelling: 'look alike',
  slip: 'look alike',
  gendered: 'end like a name for men and a name for women',
};

function particleSentence(x: string, y: string, [first, second]: [string, string]): string {
  if (first === second) return `${x} and ${y} have the main part in common`;
  if (areParticleAndItsAbbreviation(first, second)) return `a particle before ${x} is abbreviated`;
  if (first && second) return `the names have different particles before ${x}`;
  return `only one of the names has a particle before ${x.length < y.length ? y : x}`;
}

function wordSentence(link: AlignedTokenPair): string | undefined {
  const { relation, quality } = link.comparison;
  const [x, y] = [joinRawWords(link.a), joinRawWords(link.b)];
  if (relation === 'equal') return alternativeNameSentence(link);
  const doubt = quality < MIN_SURE_QUALITY ? DOUBTFUL_RELATIONS[relation] : undefined;
  return doubt ? `${x} and ${y} ${doubt}` : WORD_SENTENCES[relation](x, y, link);
}

/** Returns a sentence about a word that one of the names gives as a nickname, or as a birth or former name. */
function alternativeNameSentence({ a: [a], b: [b] }: AlignedTokenPair): string | undefined {
  if (a.isBirthName || b.isBirthName) return `one of the names has ${a.raw} as a former name`;
  return a.isBracketed || b.isBracketed ? `one of the names has ${a.raw} as a nickname` : undefined;
}

/**
 * Returns a sentence about two words of two scripts: the word in the other script can be read as the Latin word. Two names of the tables are forms
 * of one name: Elena and Олена.
 */
function scriptSentence(x: string, y: string, { a: [a], b: [b] }: AlignedTokenPair): string {
  if (a.entry && b.entry && a.entry !== b.entry) return `${x} and ${y} are forms of one name`;
  return a.script === 'latin' ? `${y} can be read as ${x}` : `${x} can be read as ${y}`;
}

/**
 * True if the tables have a name as a short form of the other one, it is not longer (Katie and Kate are both forms of Katherine), and it is not the
 * same name in another language (George and Georgios).
 */
const isShortFormOf = (short: NameEntry | undefined, full: NameEntry | undefined) =>
  short !== undefined &&
  full !== undefined &&
  short.fullForms.includes(full) &&
  short.name.length <= full.name.length &&
  !short.cultureGroups.some((group) => full.cultureGroups.includes(group));

function nicknameSentence({ a, b }: AlignedTokenPair): string {
  const [x, y] = [joinRawWords(a), joinRawWords(b)];
  // The name tables have the forms of other languages among the short forms: George and Γεώργιος.
  if (a[0].script !== b[0].script) return `${x} and ${y} are forms of one name`;
  if (isShortFormOf(a[0].entry, b[0].entry)) return `${x} is a short form of ${y}`;
  if (isShortFormOf(b[0].entry, a[0].entry)) return `${y} is a short form of ${x}`;
  return `${x} and ${y} are forms of one name`;
}

/** First names that often form one given name together with the next word: Maria Grazia, Jean Luc, José Luis. */
const FIRST_OF_COMPOUND = new Set(
  'ana anna anne carlos gian giovanni hans jean joao jose juan karl luis maria marie pierre'.split(' '),
);

/** True if a word is the second given name in a western name of three words, of which the last one is a family name: Robert James Miller. */
function isMiddleName(word: Token, { tokens: [first, middle, last, ...more] }: PreparedName): boolean {
  if (!first || !last || more.length > 0 || middle !== word || last.role !== 'family') return false;
  const { entry, script, mayBeEastAsian, isArabicNameWord, role } = word;
  if (!entry || script !== 'latin' || role !== 'middle' || mayBeEastAsian || isArabicNameWord) return false;
  // A word that is also a family name may be one here (Ana Santos Cruz), unless it is a form of a known given name.
  const isGiven = !(entry.flags & SURNAME_FLAG) || entry.cultureGroups.length + entry.fullForms.length > 0;
  return (
    isGiven &&
    hasNameFlag(entry, GIVEN_NAME_FLAG) &&
    hasNameFlag(last.entry, SURNAME_FLAG) &&
    !FIRST_OF_COMPOUND.has(first.text)
  );
}

/**
 * Describes a word of a name that the other name lacks. The position alone does not show the kind of a word (Khalid, Silva, Tessema), so it is
 * called a given or family name only if the name tables have it as nothing else.
 */
function describeWord(word: Token, from: PreparedName): string {
  const { raw, role, entry, mayBeTitle, isInitial, mayBeEastAsian } = word;
  // The prefix of an Irish name may be separate: Ó Gallchóir.
  if (isInitial) return `${raw === 'O' ? 'prefix or initial' : 'initial'} ${raw}`;
  if (mayBeTitle) return `title or name ${raw}`;
  if (isMiddleName(word, from)) return `middle name ${raw}`;
  const flags = entry && !mayBeEastAsian ? entry.flags & (GIVEN_NAME_FLAG | SURNAME_FLAG) : 0;
  if (role === 'given' && flags === GIVEN_NAME_FLAG) return `given name ${raw}`;
  return `${role === 'family' && flags === SURNAME_FLAG ? 'family name' : 'name part'} ${raw}`;
}

/** Words for son, daughter and "and" that are not joined with the next word. */
const LINK_WORDS = new Set(['and', 'und', 'et', 'בן', 'בת', 'ابن', 'بن', 'بنت', 'и', 'و']);
const isLinkWord = ({ raw, text }: Token) =>
  LINK_WORDS.has(raw.toLowerCase()) || (text.length > 1 && getTitleWordSets().particles.has(text));

const missingIn = (what: string, name: 'first' | 'second', is = 'is') =>
  `the ${what} ${is} missing in the ${name} name`;

/** Returns words of a name as the name contains them, such as `c/o`. If the words are not neighbours, returns them joined by spaces. */
function formatAsWritten(words: Token[], { text }: PreparedName): string {
  const joined = joinRawWords(words);
  const start = text.indexOf(words[0]?.raw ?? '');
  const written = text.slice(start, start + joined.length);
  return written.replaceAll('/', ' ') === joined ? written : joined;
}

/**
 * Returns sentences about the words of a name that the other name lacks. If `hasKinds` is false (a name is not a person's), they are not called
 * given or family names.
 */
function missingSentences(words: Token[], from: PreparedName, name: 'first' | 'second', hasKinds: boolean) {
  if (!hasKinds && words.length > 1) return [missingIn(`words ${formatAsWritten(words, from)}`, name, 'are')];
  return words.map((word) => {
    if (from.tokens.some((other) => other !== word && other.raw === word.raw))
      return `the ${name === 'second' ? 'first' : 'second'} name repeats ${word.raw}`;
    return missingIn(!hasKinds || isLinkWord(word) ? `word ${word.raw}` : describeWord(word, from), name);
  });
}

const isPerson = ({ text }: PreparedName) => findNonPersonNameType(text) === null && !text.includes('/');

/** Aligns two names. Initials that abbreviate a particle of the other name are left out: v. Stein and von Stein. */
function alignForExplanation(assessment: NamePairAssessment, a: PreparedName, b: PreparedName) {
  const { links, onlyA, onlyB } = getNameAlignment(assessment, a, b);
  const isParticle = ({ isInitial, text }: Token, side: 'a' | 'b') =>
    isInitial && links.some(({ [side]: [{ prefix }] }) => prefix.startsWith(text));
  const alignment: NameAlignment = {
    links,
    onlyA: onlyA.filter((token) => !isParticle(token, 'b')),
    onlyB: onlyB.filter((token) => !isParticle(token, 'a')),
  };
  const hasParticleInitial = alignment.onlyA.length + alignment.onlyB.length < onlyA.length + onlyB.length;
  return { ...alignment, hasParticleInitial };
}

function unmatchedSentences({ onlyA, onlyB }: NameAlignment, a: PreparedName, b: PreparedName): string[] {
  if (onlyA.length + onlyB.length === 0) return [];
  // One name is a couple's (Ann and Bob Lee), the other one a person's: the name of the second person is not missing.
  const [isCoupleFirst, isCoupleSecond] = [isNameOfCouple(a.text), isNameOfCouple(b.text)];
  if (isCoupleFirst !== isCoupleSecond)
    return [`the ${isCoupleFirst ? 'first' : 'second'} name is that of two people`];
  if (onlyA.length > 0 && onlyB.length > 0)
    return [`${joinRawWords(onlyA)} does not match ${joinRawWords(onlyB)}`];
  const hasKinds = isPerson(a) && isPerson(b);
  return [
    ...missingSentences(onlyA, a, 'second', hasKinds),
    ...missingSentences(onlyB, b, 'first', hasKinds),
  ];
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the suffix of a name in the usual spelling: Jr, Sr, III. */
const formatSuffix = ({ suffix }: PreparedName) =>
  /^[ivx]+$/i.test(suffix) ? suffix.toUpperCase() : capitalise(suffix);

function suffixSentences(a: PreparedName, b: PreparedName): string[] {
  if (a.generation === b.generation) return [];
  if (a.generation && b.generation) return [`${formatSuffix(a)} and ${formatSuffix(b)} are two generations`];
  return [missingIn(`suffix ${formatSuffix(a.suffix ? a : b)}`, a.suffix ? 'second' : 'first')];
}

export function explainNameComparison(
  assessment: NamePairAssessment,
  a: PreparedName,
  b: PreparedName,
): string {
  if (a.tokens.length === 0 || b.tokens.length === 0) return 'One of the two texts contains no name.';
  const alignment = alignForExplanation(assessment, a, b);
  const sentenceOf = (link: AlignedTokenPair) =>
    alignment.hasParticleInitial && link.comparison.relation === 'part'
      ? `a particle before ${joinRawWords(link.a)} is abbreviated`
      : wordSentence(link);
  const differences = [
    ...alignment.links.map(sentenceOf).filter((part) => part !== undefined),
    ...unmatchedSentences(alignment, a, b),
  ];
  const hasSameWords = assessment.same && differences.length > 0 && sortWords(a) === sortWords(b);
  const parts = hasSameWords ? [] : differences;
  for (const [{ repeatedWords = [] }, name] of [
    [a, 'first'],
    [b, 'second'],
  ] as const)
    for (const word of repeatedWords) parts.push(`the ${name} name repeats ${word}`);
  parts.push(...suffixSentences(a, b));
  if (a.titles.length !== b.titles.length) {
    const name = a.titles.length > b.titles.length ? 'second' : 'first';
    parts.push(`a title or degree is missing in the ${name} name`);
  }
  if (parts.length > 0) return `${capitalise(parts.join('; '))}.`;
  if (a.canonical === b.canonical) return 'The names are equal.';
  return a.letters === b.letters || hasSameWords || sortTokens(a) === sortTokens(b)
    ? 'The names have the same words in another order or with other spaces.'
    : 'The names differ only in the spelling of single letters.';
}

const sortTokens = ({ tokens }: PreparedName) =>
  tokens
    .map(({ prefix, text }) => prefix + text)
    .sort()
    .join(' ');

/**
 * Returns the words of a name in alphabetical order, with particles as words of their own, because the order of the words decides what is a
 * particle.
 */
const sortWords = ({ text }: PreparedName) =>
  text
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .map((word) => foldLatin(word) || word)
    .filter((word) => word !== '')
    .sort()
    .join(' ');

/** Confidence (0-100) of a comparison from which words without a counterpart are no evidence of two people: María García and María García López. */
const SURE_CONFIDENCE = 95;

/** Returns sentences with the evidence that two names belong to two people. Empty if there is none. */
export function listConcernsAboutNamePair(
  assessment: NamePairAssessment,
  a: PreparedName,
  b: PreparedName,
): string[] {
  const { links, onlyA, onlyB } = alignForExplanation(assessment, a, b);
  const concerns: string[] = [];
  for (const { a: left, b: right, comparison } of links) {
    if (comparison.quality >= MIN_SURE_QUALITY) continue;
    concerns.push(`${joinRawWords(left)} and ${joinRawWords(right)} ${describeDoubt(left[0], right[0])}.`);
  }
  const unmatched = [...onlyA, ...onlyB];
  if (onlyA.length > 0 && onlyB.length > 0) {
    const names = unmatched.some((token) => token.role === 'given') ? 'given names' : 'names';
    concerns.push(`Different ${names}: ${joinRawWords(onlyA)} and ${joinRawWords(onlyB)}.`);
  } else if (
    assessment.confidence < SURE_CONFIDENCE &&
    isNameOfCouple(a.text) === isNameOfCouple(b.text) &&
    unmatched.some((token) => token.role !== 'middle' && !token.mayBeTitle)
  )
    concerns.push(`Only part of the name can be compared: ${listWithoutCounterpart(unmatched)}.`);
  if (a.generation && b.generation && a.generation !== b.generation)
    concerns.push(`${formatSuffix(a)} and ${formatSuffix(b)} are usually parent and child.`);
  return concerns;
}

function listWithoutCounterpart(words: Token[]): string {
  const last = words.at(-1)?.raw ?? '';
  if (words.length === 1) return `${last} has no counterpart`;
  return `${words
    .slice(0, -1)
    .map(({ raw }) => raw)
    .join(', ')} and ${last} have no counterpart`;
}

function describeDoubt(x: Token, y: Token): string {
  if (x.role !== 'family' && areGenderVariants(x, y)) return 'look like a name for men and a name for women';
  return x.entry && y.entry ? 'are two different names' : 'differ by more than a usual typing error';
}
