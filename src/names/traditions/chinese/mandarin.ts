// Mandarin: how characters are read, and how that sounds.
import { createRequire } from 'node:module';

import { hanTable, MANDARIN_READINGS } from '../han/table.ts';

type Pinyin = (text: string, options: object) => string[];
let pinyinOf: Pinyin | undefined;

/** Mandarin syllables of a Han word. pinyin-pro is loaded when the first character comes that the table lacks. */
export function mandarin(word: string, family: boolean): string[] {
  const { surnames } = hanTable();
  const surname = family ? surnames.get(word) : undefined;
  if (surname) return [surname[MANDARIN_READINGS]?.[0] ?? ''];
  const known: string[] = [];
  for (const c of word) {
    const reading = knownReading(c, family);
    if (reading === undefined) return looked(word, family);
    known.push(reading);
  }
  return known;
}

function knownReading(character: string, family: boolean): string | undefined {
  const { surnames, characters } = hanTable();
  const surname = family ? surnames.get(character)?.[MANDARIN_READINGS]?.[0] : undefined;
  return characters.get(character)?.[MANDARIN_READINGS]?.[0] ?? surname;
}

function looked(word: string, family: boolean): string[] {
  pinyinOf ??= (createRequire(import.meta.url)('pinyin-pro') as { pinyin: Pinyin }).pinyin;
  return pinyinOf(word, { toneType: 'none', type: 'array', ...(family ? { mode: 'surname' } : {}) }).map(
    (s) => s.replace('ü', 'u'),
  );
}

const INITIALS: Record<string, string> = {
  b: '=',
  p: 'P',
  m: 'm',
  f: 'F',
  d: '>',
  t: '^',
  n: 'n',
  l: 'R',
  g: '<',
  k: '&',
  h: '(',
  j: '+',
  q: 'C',
  x: '/',
  zh: '?',
  ch: 'C',
  sh: ':',
  r: ',',
  z: ')',
  c: ')',
  s: '!',
  w: 'W',
  y: 'y',
};
const FINALS: Record<string, string> = { ng: '-', n: 'M' };
/** Syllables whose vowel only carries the consonant of a foreign name. */
const CARRIERS = new Set(
  'e te de ke ge le ze ce se he re bu pu fu mu du tu ku gu si zi ci shi zhi chi ri li'.split(' '),
);

const SYLLABLE = /^([zcs]h|[bpmfdtnlgkhjqxrzcswy])?([aeiou]+)(ng|n)?$/;

/** Sounds of Mandarin syllables: as Chinese names are spelt, and as foreign names are rendered with them. */
export function mandarinSound(list: readonly string[]): string {
  return list.map((syllable) => (syllable === 'er' ? ',' : syllableSound(syllable))).join('');
}

function syllableSound(syllable: string): string {
  const [, start = '', middle = '', end = ''] = SYLLABLE.exec(syllable) ?? ['', '', syllable, ''];
  const vowel = CARRIERS.has(syllable)
    ? 'U'
    : middle
        .replace(/^i(?=[aou])/, '3')
        .replace(/^u(?=[aeio])/, '5')
        .replace(/(?<=[ae])i$/, '3')
        .replace(/(?<=[ao])[uo]$/, '5');
  return (INITIALS[start] ?? '') + vowel + (FINALS[end] ?? '');
}
