// Chinese names: characters, pinyin and Wade-Giles, usual renderings of foreign names.
import { DIFFERENT, relation } from '../../relation.ts';
import { foldLatin, mainScript } from '../../script.ts';
import type { Reading, Token, TokenComparison } from '../../types.ts';
import { cutAt, isForeign } from '../han/customs.ts';
import { hanTable, IN_CHINA, plainHan } from '../han/table.ts';
import type { Draft, Tradition } from '../tradition.ts';
import { mandarin, mandarinSound } from './mandarin.ts';
import { isPinyin, syllablesForm } from './syllables.ts';

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
