// Reduces a name on record to the words that a submitted name has a counterpart for.
import { assessNames } from './compare/assess.ts';
import { describeAlignment } from './explain.ts';
import { prepareName } from './prepare/name.ts';
import { foldLatin } from './script.ts';
import type { AlignedWord, PreparedName } from './types.ts';

/**
 * Returns the name on record without words, titles and suffix that the submitted name lacks, and with an initial in place of a word of
 * which only the initial was submitted. Returns the submitted name if the words to remove are not found in the text.
 */
export function limitToSubmittedWords(submitted: string, record: string): string {
  const [a, b] = [prepareName(submitted), prepareName(record)];
  if (a.letters === b.letters) return record;
  const rows = describeAlignment(assessNames(a, b), a, b);
  const hidden = rows.filter((row) => row.a === '').map((row) => row.b);
  const shortened = rows.filter(isShortened).map((row) => row.b);
  const kept = keepWords(record, { a, b, hidden, shortened });
  return hidden.length + shortened.length === 0 && kept !== '' ? kept : submitted;
}

const isShortened = ({ a, b, relation }: AlignedWord) => relation === 'initial' && a.length < b.length;

interface Removal {
  a: PreparedName;
  b: PreparedName;
  /** Words to remove from the text; a word is deleted from the list when it was found in the text. */
  hidden: string[];
  /** Words of which the text keeps the initial; a word is deleted from the list when it was found in the text. */
  shortened: string[];
}

/** Pattern of the words, and of the separators between the words. */
const PIECES = /[\s,-]+|[^\s,-]+/gu;

function keepWords(record: string, { a, b, hidden, shortened }: Removal): string {
  const known = new Set(b.tokens.map(({ raw }) => raw));
  let [text, pending, mark] = ['', '', ''];
  for (const piece of record.match(PIECES) ?? []) {
    const word = toRaw(piece);
    if (word === '') mark = piece;
    else if (takeFrom(hidden, word)) [pending, mark] = ['', ''];
    else if (!known.has(word)) {
      // A particle belongs to the next word. A title is kept only if the submitted name has a title too.
      if (a.titles.length > 0 || !b.titles.includes(foldLatin(word))) pending += (pending && mark) + piece;
    } else {
      const shown = takeFrom(shortened, word) ? `${[...piece][0] ?? ''}.` : piece;
      text += (text && (mark || ' ')) + (pending && `${pending} `) + shown;
      pending = '';
    }
  }
  return pending !== '' && a.suffix !== '' ? `${text} ${pending}` : text;
}

/** Returns a piece as the words of a prepared name are written: without apostrophes and dots. */
const toRaw = (piece: string): string =>
  prepareName(piece).tokens[0]?.raw ?? piece.replace(/[^\p{L}\p{N}]/gu, '');

function takeFrom(list: string[], word: string): boolean {
  const at = list.indexOf(word);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
