// Protection against text injected through a submitted name. A name may be repeated as a name, but may not add a link, a number, a banned
// subject or a sentence. A repeated part of two or more words is put in quotation marks.
import type { Facts, NameFacts } from '../plugin/facts.ts';
import { listBannedContentProblems } from './banned.ts';

/** Maximum number of consecutive words of a submitted name that a text may repeat. More words could be a whole sentence. */
const MAX_NAME_WORDS = 4;
/** Matches accusing words that a submitted name must not contain, in addition to the banned subjects. */
const ACCUSATION =
  /\b(?:theft|rap(?:e|ed|ist)|drugs?|police|wanted|owes?|owing|unpaid|money|loans?)\b|\b(?:stole|steal|robb\w|murder|cheat|scam|fraud)/i;
const REPLACEMENT_TEXT = 'The submitted name holds words that are not repeated here.';

/** True if a name contains a digit, an accusation or banned content. Such a name is not sent to models, and no text repeats it. */
export function isNameUnsafeForModels(name: string): boolean {
  return /\p{Nd}/u.test(name) || ACCUSATION.test(name) || listBannedContentProblems(name, {}).length > 0;
}

const toPlainWord = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => toPlainWord(word) !== '');

interface NameRun {
  /** Index of the first character; `to` is the index after the last character. */
  from: number;
  to: number;
  words: number;
}

/** Finds the places in a text that repeat two or more consecutive words of a name. */
function findNameRuns(text: string, name: string): NameRun[] {
  const own = splitWords(name).map(toPlainWord);
  const wordMatches = Array.from(text.matchAll(/[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{M}\p{N}]/gu));
  const runs: NameRun[] = [];
  for (let at = 0; at < wordMatches.length; at += 1) {
    const words = countMatchingWords(
      own,
      wordMatches.slice(at).map(([word]) => toPlainWord(word)),
    );
    const [first, last] = [wordMatches[at], wordMatches[at + words - 1]];
    if (words < 2 || !first || !last) continue;
    runs.push({ from: first.index, to: last.index + last[0].length, words });
    at += words - 1;
  }
  return runs;
}

function countMatchingWords(own: readonly string[], said: readonly string[]): number {
  let longest = 0;
  for (let start = 0; start < own.length; start += 1) {
    let words = 0;
    while (said[words] !== undefined && said[words] === own[start + words]) words += 1;
    longest = Math.max(longest, words);
  }
  return longest;
}

/**
 * Finds misuse of the submitted name in a text: the text consists only of it, or repeats more than `MAX_NAME_WORDS` of its words in a row that are
 * not on record. Returns one sentence per problem.
 */
export function listSubmittedNameMisuseProblems(text: string, names: NameFacts | undefined): string[] {
  if (!names) return [];
  const own = new Set(splitWords(names.provided).map(toPlainWord));
  const matchedWords = new Set(splitWords(names.matched ?? '').map(toPlainWord));
  const problems: string[] = [];
  if (splitWords(text).every((word) => own.has(toPlainWord(word))))
    problems.push('it says nothing but the submitted name');
  const long = findNameRuns(text, names.provided).filter(({ words }) => words > MAX_NAME_WORDS);
  const isOnRecord = ({ from, to }: NameRun) =>
    splitWords(text.slice(from, to)).every((word) => matchedWords.has(toPlainWord(word)));
  if (long.some((run) => !isOnRecord(run))) problems.push('it repeats the submitted name at length');
  return problems;
}

/** Puts each repeated part of the submitted name (two or more words) in a text into quotation marks. */
function putNameInQuotes(text: string, name: string): string {
  let [marked, done] = ['', 0];
  for (const { from, to } of findNameRuns(text, name)) {
    const isMarked = text[from - 1] === '“' && text.slice(to, to + 2).includes('”');
    const passage = text.slice(from, to);
    // Two words of the name beside a semicolon belong to two statements.
    const isSplit = passage.includes(';') && !name.includes(';');
    marked += text.slice(done, from) + (isMarked || isSplit ? passage : `“${passage}”`);
    done = to;
  }
  return marked + text.slice(done);
}

/** Returns the name facts with safe texts: a text that misuses the submitted name is replaced by a fixed sentence. */
export function replaceUnsafeTextsInNameFacts(names: NameFacts): NameFacts {
  const { provided, comparison } = names;
  if (!comparison) return names;
  const toSafeText = (text: string): string =>
    repeatsNameText(text, names) ? REPLACEMENT_TEXT : putNameInQuotes(text, provided);
  const explanation = toSafeText(comparison.explanation);
  const concerns = new Set(comparison.concerns.map(toSafeText).filter((text) => text !== explanation));
  return { ...names, comparison: { ...comparison, concerns: [...concerns], explanation } };
}

/**
 * True if a text misuses the submitted name. If the name is unsafe for models, also true if the text repeats a word of it that is not on record.
 */
function repeatsNameText(text: string, names: NameFacts): boolean {
  if (isNameUnsafeForModels(text) || listSubmittedNameMisuseProblems(text, names).length > 0) return true;
  if (!isNameUnsafeForModels(names.provided)) return false;
  const matchedLetters = new Set(splitLetters(names.matched ?? ''));
  const own = new Set(splitLetters(names.provided).filter((part) => !matchedLetters.has(part)));
  return splitLetters(text).some((part) => own.has(part));
}

const splitLetters = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Puts the submitted name into quotation marks in all texts of a model's answer. */
export function quoteSubmittedNameInAnswer(value: unknown, { names }: Partial<Facts>): unknown {
  if (!names) return value;
  if (typeof value === 'string') return putNameInQuotes(value, names.provided);
  if (Array.isArray(value)) return value.map((item) => quoteSubmittedNameInAnswer(item, { names }));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, quoteSubmittedNameInAnswer(item, { names })]),
  );
}
