// Look-up keys of a prepared name: two names that compare as the same nearly always share one.
import { foldLatin } from '../script.ts';
import { headOf, type NameInfo } from '../lexicon.ts';
import { MASCULINE } from '../traditions/index.ts';
import type { PreparedName, Role, Token } from '../types.ts';

/** Folded given, middle and family names (particles joined in front) and the suffix of a prepared name. */
export function nameParts(p: PreparedName): {
  given: string[];
  middle: string[];
  family: string[];
  suffix: string;
} {
  const tokens = wordsOf(p);
  const of = (role: Role) => tokens.filter((t) => t.role === role).map((t) => t.prefix + t.text);
  return { given: of('given'), middle: of('middle'), family: of('family'), suffix: foldLatin(p.suffix) };
}

/** One half of a name: its words joined, and whether all of them are real names, by the tables or by the syllables of their tradition. */
export interface NameHalf {
  text: string;
  real: boolean;
}

/** The given and the family name of a prepared name, as `nameParts` has them. */
export function nameHalves(p: PreparedName): Record<'given' | 'family', NameHalf> {
  const tokens = wordsOf(p);
  const half = (role: Role): NameHalf => {
    const words = tokens.filter((t) => t.role === role);
    return { text: words.map((t) => t.prefix + t.text).join(''), real: words.every(isReal) };
  };
  return { given: half('given'), family: half('family') };
}

/** Whoever writes East Asian characters picks one, and mistypes none. */
const isReal = ({ info, chinese, korean, eastern, script }: Token) =>
  info !== undefined || chinese !== '' || korean !== '' || (eastern && script !== 'latin');

/** The first of the given names, as `nameParts` has it. */
export function firstGivenName(p: PreparedName): string | undefined {
  const token = wordsOf(p).find((t) => t.role === 'given');
  return token && token.prefix + token.text;
}

/** The words of the name, cut where it was written undivided. */
function wordsOf(p: PreparedName): Token[] {
  return p.tokens.length === 1 && p.others[0] ? p.others[0] : p.tokens;
}

/** Given names and the last family name; a single word is both. */
function ends(tokens: Token[]): { given: Token[]; family: Token } | undefined {
  const family = tokens.findLast((t) => t.role === 'family') ?? tokens.at(-1);
  if (!family) return undefined;
  const given = tokens.filter((t) => t.role === 'given' && t !== family);
  return { given: given.length > 0 ? given : [family], family };
}

const ordered = (x: string, y: string) => (x <= y ? `${x} ${y}` : `${y} ${x}`);
/** Consonant classes of symbols; h, w and v are left out, since scripts and languages disagree on them most. */
const CLASSES: Record<string, string> = {};
for (const [name, symbols] of [
  ['p', 'pbfBFP="'],
  ['t', 'tdD^~>79*;'],
  ['k', "kgqGY<&'xKCJjZ?0+"],
  ['s', 'szSTc!:%8.)/'],
  ['n', 'mnNM-'],
  ['r', 'rlR$,L'],
] as const)
  for (const symbol of symbols) CLASSES[symbol] = name;

/** Consonant classes of a word, the first four: alike in most spellings and scripts. */
function skeleton(sound: string): string {
  let out = '';
  let last = '';
  for (let i = 0; i < sound.length && out.length < 4; i++) {
    const c = CLASSES[sound.charAt(i)];
    if (c === undefined || c === last) continue;
    if (c === 'r' && !/[aeiou1-5E@VAy]/.test(sound.charAt(i + 1))) continue;
    out += c;
    last = c;
  }
  return out || 'a';
}

/** One name for a name, its spellings, its short forms and its foreign equivalents. */
function canonicalGiven(t: Token): string {
  let info: NameInfo | undefined = t.info;
  if (!info) return t.text;
  for (let step = 0; step < 2; step++) {
    const formal: NameInfo | undefined = info.formals[0];
    if (!formal || info.cultures.length > 0) break;
    info = formal;
  }
  const group = info.cultures[0] ?? info.spellings[0];
  return group ? headOf(group) : info.name;
}

/**
 * One to four look-up keys, deterministic: `n:` the folded given and family name whatever their order, without middle
 * names, titles and suffixes; `c:` with the given name by its family of short forms and equivalents; `s:` both by the
 * consonants they sound with, which also meets across scripts; `i:` the initial of the given name by the family name.
 */
export function nameKeys(p: PreparedName): string[] {
  const parts = ends(wordsOf(p));
  if (!parts) return [];
  const { given, family } = parts;
  const givenText = given.map((t) => t.text).join('');
  const sounds = given.map((t) => t.sound).join('');
  const masculine = family.forms[MASCULINE] ?? family.text;
  const [first = family] = given;
  return [
    `n:${ordered(givenText, family.prefix + family.text)}`,
    `c:${ordered(canonicalGiven(first), masculine)}`,
    `s:${ordered(skeleton(sounds), skeleton(family.sound))}`,
    `i:${givenText.charAt(0)} ${masculine}`,
  ];
}

/** Key of the given name alone, by which a changed family name is noticed; null for an initial or none. */
export function givenNameKey(p: PreparedName): string | null {
  const given = firstGivenName(p);
  return given !== undefined && given.length > 1 ? `g:${given}` : null;
}
