// The traditions of naming, in the order in which they are asked, and what they know, collected.
import type { Script } from '../script.ts';
import type { SoundMode } from '../types.ts';
import { ARABIC, HEBREW } from './arabic-and-hebrew.ts';
import { CHINESE } from './east-asia/chinese.ts';
import { GREEK, SLAVIC } from './cyrillic-and-greek.ts';
import { HAN } from './east-asia/han-readings.ts';
import { INDIAN, THAI } from './indian-and-thai.ts';
import { JAPANESE } from './east-asia/japanese.ts';
import { KOREAN } from './east-asia/korean.ts';
import type { Tradition, Writing } from './tradition.ts';
import { VIETNAMESE } from './east-asia/customs.ts';
import { WESTERN } from './western.ts';

const TRADITIONS: readonly Tradition[] = [
  WESTERN,
  SLAVIC,
  GREEK,
  ARABIC,
  HEBREW,
  INDIAN,
  THAI,
  JAPANESE,
  CHINESE,
  KOREAN,
  HAN,
  VIETNAMESE,
];

/** One part of every tradition that has it. */
function all<Part extends keyof Tradition>(part: Part): NonNullable<Tradition[Part]>[] {
  return TRADITIONS.flatMap((tradition) => tradition[part] ?? []) as NonNullable<Tradition[Part]>[];
}

/** How each script is read; `other` are all scripts without a reader of their own. */
export const WRITINGS = Object.assign({}, ...all('writings')) as Record<Script, Writing>;
export const POINTING = all('pointing');
export const GATHERINGS = all('gather');
export const ARTICLES = all('article');
export const FORMS = all('form');
/** Place of the man's form among the forms of a word. */
export const MASCULINE = TRADITIONS.filter((tradition) => tradition.form).indexOf(SLAVIC);
export const ARRANGE = all('arrange');
export const INITIALS = all('initials');
export const SAME = all('same');
export const UNLIKE = all('unlike');
export const TRUST = all('trust');

/** How the sounds of words in two scripts are compared. */
export function soundMode(a: Script, b: Script): SoundMode {
  const [x, y] = [WRITINGS[a].sounds, WRITINGS[b].sounds];
  return x.rank >= y.rank ? x.mode : y.mode;
}
