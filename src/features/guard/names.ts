// A submitted name is anybody's text. It may be told as a name, and may say nothing: no link, no figure, no banned subject,
// no sentence of its own; and where more than a word of it is repeated, it stands in quotation marks.
import type { Facts, NameFacts } from '../plugin/facts.ts';
import { bannedIn } from './banned.ts';

/** So many words of a name one after the other are a name; more are a sentence. */
const LONGEST_QUOTE = 4;
/** Beside the banned subjects: what makes a story of a name. A family name among them costs no more than a plainer text. */
const STORY =
  /\b(theft|stole\w*|steal\w*|robb\w+|murder\w*|rap(e|ed|ist)|drugs?|police|wanted|owes?|owing|unpaid|money|loans?|cheat\w*|scam\w*|fraud\w*)\b/i;
const UNTOLD = 'The submitted name holds words that are not repeated here.';

/** Whether a name says something (a link, a figure, a subject): then no model is asked about it, and no text repeats it. */
export function speaks(name: string): boolean {
  return /\p{Nd}/u.test(name) || STORY.test(name) || bannedIn(name, {}).length > 0;
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => plain(word) !== '');

interface Run {
  /** Places in the text: of the first letter, and after the last. */
  from: number;
  to: number;
  words: number;
}

/** Where two and more words of a name stand one after the other in a text, in the name's own order. */
function runsOf(text: string, name: string): Run[] {
  const own = wordsOf(name).map(plain);
  const said = Array.from(text.matchAll(/[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{M}\p{N}]/gu));
  const runs: Run[] = [];
  for (let at = 0; at < said.length; at += 1) {
    const words = longestAt(
      own,
      said.slice(at).map(([word]) => plain(word)),
    );
    const [first, last] = [said[at], said[at + words - 1]];
    if (words < 2 || !first || !last) continue;
    runs.push({ from: first.index, to: last.index + last[0].length, words });
    at += words - 1;
  }
  return runs;
}

function longestAt(own: readonly string[], said: readonly string[]): number {
  let longest = 0;
  for (let start = 0; start < own.length; start += 1) {
    let words = 0;
    while (said[words] !== undefined && said[words] === own[start + words]) words += 1;
    longest = Math.max(longest, words);
  }
  return longest;
}

/** What a text says with a name's words that is more than a name: one entry each. */
export function quoteProblems(text: string, names: NameFacts | undefined): string[] {
  if (!names) return [];
  const own = new Set(wordsOf(names.provided).map(plain));
  const known = new Set(wordsOf(names.matched ?? '').map(plain));
  const problems: string[] = [];
  if (wordsOf(text).every((word) => own.has(plain(word))))
    problems.push('it says nothing but the submitted name');
  const long = runsOf(text, names.provided).filter(({ words }) => words > LONGEST_QUOTE);
  const isOnRecord = ({ from, to }: Run) =>
    wordsOf(text.slice(from, to)).every((word) => known.has(plain(word)));
  if (long.some((run) => !isOnRecord(run))) problems.push('it repeats the submitted name at length');
  return problems;
}

/** A text with quotation marks around what it repeats of the submitted name, where that is more than a word. */
export function quoted(text: string, name: string): string {
  let [marked, done] = ['', 0];
  for (const { from, to } of runsOf(text, name)) {
    const isMarked = text[from - 1] === '“' && text.slice(to, to + 2).includes('”');
    const said = text.slice(from, to);
    marked += text.slice(done, from) + (isMarked ? said : `“${said}”`);
    done = to;
  }
  return marked + text.slice(done);
}

/** The names with texts that repeat of them nothing but names: what else they say is left untold. */
export function withPlainTexts(names: NameFacts): NameFacts {
  const { provided, comparison } = names;
  if (!comparison) return names;
  const told = (text: string): string => (repeats(text, names) ? UNTOLD : quoted(text, provided));
  const explanation = told(comparison.explanation);
  const concerns = new Set(comparison.concerns.map(told).filter((text) => text !== explanation));
  return { ...names, comparison: { ...comparison, concerns: [...concerns], explanation } };
}

/** Whether a text repeats of the submitted name what is no name: of one that says something, any word that is not on record. */
function repeats(text: string, names: NameFacts): boolean {
  if (speaks(text) || quoteProblems(text, names).length > 0) return true;
  if (!speaks(names.provided)) return false;
  const known = new Set(partsOf(names.matched ?? ''));
  const own = new Set(partsOf(names.provided).filter((part) => !known.has(part)));
  return partsOf(text).some((part) => own.has(part));
}

const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** An answer with the submitted name quoted in all of its texts. */
export function withQuotes(value: unknown, { names }: Partial<Facts>): unknown {
  if (!names) return value;
  if (typeof value === 'string') return quoted(value, names.provided);
  if (Array.isArray(value)) return value.map((item) => withQuotes(item, { names }));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withQuotes(item, { names })]));
}
