// Chinese names: characters, pinyin and Wade-Giles, usual renderings of foreign names.
import { DIFFERENT, relation, type Reading, type Token, type TokenComparison } from '../../types.ts';
import { foldLatin, mainScript } from '../../script.ts';
import { cutAt, isForeign } from './customs.ts';
import { hanTable, IN_CHINA, plainHan, MANDARIN_READINGS } from './han-table.ts';
import type { Draft, Tradition } from '../tradition.ts';
import { isPinyin, syllablesForm } from './pinyin.ts';
import { createRequire } from 'node:module';

/** Characters of one word that are read; no name has as many. */
const LONGEST = 16;

function read(word: string, family: boolean): Reading {
  const han = [...word].filter((c) => mainScript(c) === 'han').slice(0, LONGEST);
  const characters = plainHan(han.join(''));
  const syllables = mandarin(characters, family);
  const text = foldLatin(syllables.join(''));
  return { text, sound: mandarinSound(syllables), characters, chinese: syllablesForm(text) ?? '' };
}

function cuts(word: string): [string, string][] {
  const letters = word.match(/\p{L}/gu) ?? [];
  return cutAt(letters, familySizes(letters.join('')));
}

/** How many characters the family name may have, by the family names of China and Korea. */
function familySizes(word: string): number[] {
  const { surnames } = hanTable();
  if (word.length > 2 && surnames.has(word.slice(0, 2))) return [2];
  return surnames.has(word.charAt(0)) ? [1, 2, 3] : [2, 1, 3];
}

/** Only beside a Chinese family name are words read as Chinese syllables. */
function arrange({ tokens, text }: Draft): void {
  if (isForeign(text)) for (const t of tokens) t.chinese = '';
  if (!tokens.some((t) => t.surnameOf & IN_CHINA)) return;
  const forms = tokens.map((t) => (t.script === 'latin' && syllablesForm(t.text)) || '');
  if (forms.includes('')) return;
  const wadeGiles = !tokens.every((t) => isPinyin(t.text));
  for (const [i, t] of tokens.entries()) {
    t.chinese = forms[i] ?? '';
    t.wadeGiles = wadeGiles;
    t.eastern = true;
  }
}

const EQUAL = relation('equal', 1);
const OTHER_CHARACTERS = relation('spelling', 0.35);
const READ = relation('script', 0.96);
const RENDERED = relation('script', 0.94);
const PINYIN = relation('spelling', 0.5);
const OTHER_SYSTEM = relation('spelling', 0.88);
const OTHER_SYLLABLES = relation('slip', 0.15);

/** Sounds that Wade-Giles writes otherwise: two such words are of one system, and so two names (Jing, Qing). */
const PINYIN_ALONE = /[bdqrx]|j(?=i)|(?<!t)z|(?<!n)g/;

function same(a: Token, b: Token): TokenComparison | undefined {
  if (a.characters && b.characters) {
    if (a.characters === b.characters) return EQUAL;
    return a.text === b.text ? OTHER_CHARACTERS : DIFFERENT;
  }
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters) {
    if (other.text === han.text) return READ;
    return hanTable().foreign.get(han.characters)?.includes(other.text) ? RENDERED : undefined;
  }
  if (a.script !== 'latin' || b.script !== 'latin' || !a.chinese) return undefined;
  if (a.chinese !== b.chinese) return undefined;
  if (PINYIN_ALONE.test(a.text) && PINYIN_ALONE.test(b.text)) return OTHER_SYLLABLES;
  return a.wadeGiles !== b.wadeGiles ? OTHER_SYSTEM : PINYIN;
}

/** Two words in good pinyin that are spelt differently. */
function unlike(a: Token, b: Token): TokenComparison | undefined {
  if (a.script !== 'latin' || b.script !== 'latin') return undefined;
  return a.chinese && b.chinese && !a.wadeGiles && !b.wadeGiles ? OTHER_SYLLABLES : undefined;
}

/** One or two characters against good pinyin that is not theirs: another Chinese name, however alike. */
function trust(a: Token, b: Token): number {
  const [han, other] = a.characters ? [a, b] : [b, a];
  const short = han.characters.length > 0 && han.characters.length <= 2;
  return short && han.chinese !== '' && other.script === 'latin' && isPinyin(other.text) ? 0.4 : 1;
}

export const CHINESE: Tradition = {
  writings: {
    han: {
      read,
      sounds: { mode: 'eastern', rank: 3 },
      syllabic: true,
      exact: (token) => token.characters || token.prefix + token.text,
      familyLeads: (_tokens, text) => !isForeign(text),
      cuts,
    },
  },
  arrange,
  same,
  unlike,
  trust,
};

// Mandarin: how characters are read, and how that sounds.
type Pinyin = (text: string, options: object) => string[];
let pinyinOf: Pinyin | undefined;

/** Mandarin syllables of a Han word. pinyin-pro is loaded when the first character comes that the table lacks. */
function mandarin(word: string, family: boolean): string[] {
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
function mandarinSound(list: readonly string[]): string {
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
