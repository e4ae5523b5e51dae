// A submitted name is anybody's text. It may be told as a name, and may say nothing: no link, no figure, no banned subject,
// no sentence of its own; and where more than a word of it is repeated, it stands in quotation marks.
import type { Facts, NameFacts } from '../plugin/facts.ts';
import { findBannedContent } from './banned.ts';

/** So many words of a name one after the other are a name; more are a sentence. */
const MAX_NAME_WORDS = 4;
/** Beside the banned subjects: what makes a story of a name. A family name among them costs no more than a plainer text. */
const ACCUSATION =
  /\b(theft|stole\w*|steal\w*|robb\w+|murder\w*|rap(e|ed|ist)|drugs?|police|wanted|owes?|owing|unpaid|money|loans?|cheat\w*|scam\w*|fraud\w*)\b/i;
const REPLACEMENT_TEXT = 'The submitted name holds words that are not repeated here.';

/** Whether a name says something (a link, a figure, a subject): then no model is asked about it, and no text repeats it. */
export function isSuspectName(name: string): boolean {
  return /\p{Nd}/u.test(name) || ACCUSATION.test(name) || findBannedContent(name, {}).length > 0;
}

const toPlainWord = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => toPlainWord(word) !== '');

interface NameRun {
  /** Places in the text: of the first letter, and after the last. */
  from: number;
  to: number;
  words: number;
}

/** Where two and more words of a name stand one after the other in a text, in the name's own order. */
function findNameRuns(text: string, name: string): NameRun[] {
  const own = splitWords(name).map(toPlainWord);
  const said = Array.from(text.matchAll(/[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{M}\p{N}]/gu));
  const runs: NameRun[] = [];
  for (let at = 0; at < said.length; at += 1) {
    const words = countMatchingWords(
      own,
      said.slice(at).map(([word]) => toPlainWord(word)),
    );
    const [first, last] = [said[at], said[at + words - 1]];
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

/** What a text says with a name's words that is more than a name: one entry each. */
export function findNameMisuse(text: string, names: NameFacts | undefined): string[] {
  if (!names) return [];
  const own = new Set(splitWords(names.provided).map(toPlainWord));
  const known = new Set(splitWords(names.matched ?? '').map(toPlainWord));
  const problems: string[] = [];
  if (splitWords(text).every((word) => own.has(toPlainWord(word))))
    problems.push('it says nothing but the submitted name');
  const long = findNameRuns(text, names.provided).filter(({ words }) => words > MAX_NAME_WORDS);
  const isOnRecord = ({ from, to }: NameRun) =>
    splitWords(text.slice(from, to)).every((word) => known.has(toPlainWord(word)));
  if (long.some((run) => !isOnRecord(run))) problems.push('it repeats the submitted name at length');
  return problems;
}

/** A text with quotation marks around what it repeats of the submitted name, where that is more than a word. */
export function quoteName(text: string, name: string): string {
  let [marked, done] = ['', 0];
  for (const { from, to } of findNameRuns(text, name)) {
    const isMarked = text[from - 1] === '“' && text.slice(to, to + 2).includes('”');
    const said = text.slice(from, to);
    marked += text.slice(done, from) + (isMarked ? said : `“${said}”`);
    done = to;
  }
  return marked + text.slice(done);
}

/** The names with texts that repeat of them nothing but names: what else they say is left untold. */
export function removeNameText(names: NameFacts): NameFacts {
  const { provided, comparison } = names;
  if (!comparison) return names;
  const toSafeText = (text: string): string =>
    repeatsNameText(text, names) ? REPLACEMENT_TEXT : quoteName(text, provided);
  const explanation = toSafeText(comparison.explanation);
  const concerns = new Set(comparison.concerns.map(toSafeText).filter((text) => text !== explanation));
  return { ...names, comparison: { ...comparison, concerns: [...concerns], explanation } };
}

/** Whether a text repeats of the submitted name what is no name: of one that says something, any word that is not on record. */
function repeatsNameText(text: string, names: NameFacts): boolean {
  if (isSuspectName(text) || findNameMisuse(text, names).length > 0) return true;
  if (!isSuspectName(names.provided)) return false;
  const known = new Set(splitLetters(names.matched ?? ''));
  const own = new Set(splitLetters(names.provided).filter((part) => !known.has(part)));
  return splitLetters(text).some((part) => own.has(part));
}

const splitLetters = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** An answer with the submitted name quoted in all of its texts. */
export function quoteNames(value: unknown, { names }: Partial<Facts>): unknown {
  if (!names) return value;
  if (typeof value === 'string') return quoteName(value, names.provided);
  if (Array.isArray(value)) return value.map((item) => quoteNames(item, { names }));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quoteNames(item, { names })]));
}
