// Reduces a recorded name to the words that the submitted name contains too.
import { assessNamePair } from './compare/assess.ts';
import { listAlignedWords } from './explain.ts';
import { prepareName } from './prepare/name.ts';
import { foldLatin } from './script.ts';
import type { AlignedWordPair, PreparedName } from './types.ts';

/**
 * Returns the recorded name without the words, titles and suffix that the submitted name lacks. A word is shortened to its initial if only
 * the initial was submitted. If the words cannot be found in the text of the recorded name, returns the submitted name.
 */
export function limitNameToSubmittedWords(submitted: string, record: string): string {
  const [a, b] = [prepareName(submitted), prepareName(record)];
  if (a.letters === b.letters) return record;
  const rows = listAlignedWords(assessNamePair(a, b), a, b);
  const hidden = rows.filter((row) => row.a === '').map((row) => row.b);
  const shortened = rows.filter(isShortened).map((row) => row.b);
  const shown = b.tokens.map(({ raw }) => raw);
  for (const word of hidden) takeFrom(shown, word);
  const kept = keepWords(record, { a, b, hidden, shortened, shown });
  return hidden.length + shortened.length + shown.length === 0 && kept !== '' ? kept : submitted;
}

const isShortened = ({ a, b, relation }: AlignedWordPair) => relation === 'initial' && a.length < b.length;

interface Removal {
  a: PreparedName;
  b: PreparedName;
  /** Words that still must be removed from the recorded name. A removed word is deleted from this list. */
  hidden: string[];
  /** Words that still must be shortened to their initials in the recorded name. A shortened word is deleted from this list. */
  shortened: string[];
  /** Words that still must be found in the recorded name. A word that was found is deleted from this list. */
  shown: string[];
}

/** Matches each word, and each separator between words. */
const WORDS_AND_SEPARATORS = /[\s,-]+|[^\s,-]+/gu;

/** Splits a name at `WORDS_AND_SEPARATORS`. Two written words that are one known word stay together: عبد الله. */
function splitAtKnownWords(record: string, known: ReadonlySet<string>): string[] {
  const pieces: string[] = [];
  for (const piece of record.match(WORDS_AND_SEPARATORS) ?? []) {
    const [first = '', separator = ''] = pieces.slice(-2);
    if (!known.has(toRaw(first)) && known.has(toRaw(first) + toRaw(piece)) && toRaw(piece) !== '')
      pieces.splice(-2, 2, first + separator + piece);
    else pieces.push(piece);
  }
  return pieces;
}

/** Returns the separator in the place of a hidden word: a comma if one was beside it, else a space. */
const joinSeparators = (...separators: string[]) =>
  separators.some((one) => one.includes(',')) ? ', ' : ' ';

function keepWords(record: string, { a, b, hidden, shortened, shown }: Removal): string {
  const known = new Set(b.tokens.map(({ raw }) => raw));
  let [text, pending, mark] = ['', '', ''];
  let isAfterHidden = false;
  for (const piece of splitAtKnownWords(record, known)) {
    const word = toRaw(piece);
    if (word === '') mark = isAfterHidden ? joinSeparators(mark, piece) : piece;
    isAfterHidden = takeFrom(hidden, word) || (isAfterHidden && word === '');
    if (word === '') continue;
    if (isAfterHidden) pending = '';
    else if (!known.has(word)) {
      // A particle belongs to the next word. A title is kept only if the submitted name has a title too.
      if (a.titles.length > 0 || !b.titles.includes(foldLatin(word))) pending += (pending && mark) + piece;
    } else {
      takeFrom(shown, word);
      const visible = takeFrom(shortened, word) ? `${[...piece][0] ?? ''}.` : piece;
      text += (text && (mark || ' ')) + (pending && `${pending} `) + visible;
      pending = '';
    }
  }
  return pending !== '' && a.suffix !== '' ? `${text} ${pending}` : text;
}

/** Returns a word of a recorded name in the spelling of `Token.raw`: without apostrophes and dots. */
const toRaw = (piece: string): string =>
  prepareName(piece).tokens[0]?.raw ?? piece.replace(/[^\p{L}\p{N}]/gu, '');

function takeFrom(list: string[], word: string): boolean {
  const at = list.indexOf(word);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
