// Look-up keys of a prepared name: two names that compare as the same nearly always share one.
import type { PreparedName, Token } from './prepare.ts';

/** Folded given, middle and family names and the suffix of a prepared name. */
export function nameParts(p: PreparedName): {
  given: string[];
  middle: string[];
  family: string[];
  suffix: string;
} {
  const of = (role: Token['role']) => p.tokens.filter((t) => t.role === role).map((t) => t.prefix + t.text);
  return { given: of('given'), middle: of('middle'), family: of('family'), suffix: p.suffix };
}

function ends(p: PreparedName): [Token, Token] | undefined {
  const given = p.tokens.find((t) => t.role === 'given');
  const family = p.tokens.findLast((t) => t.role === 'family');
  if (given && family) return [given, family];
  return p.tokens[0] ? [p.tokens[0], p.tokens[0]] : undefined;
}

const ordered = (x: string, y: string) => (x === y ? x : x < y ? `${x} ${y}` : `${y} ${x}`);
const skeleton = (sound: string) =>
  sound[0] +
  sound
    .slice(1)
    .replace(/[aeiouyhw]/g, '')
    .replaceAll('v', 'b')
    .replaceAll('l', 'r');

function canonicalGiven(t: Token): string {
  const { formals, spellings, cultures } = t.info ?? { formals: [], spellings: [], cultures: [] };
  if (spellings[0]) return `s${spellings[0]}`;
  if (formals[0]) return `f${formals[0]}`;
  if (cultures[0]) return `c${cultures[0]}`;
  return t.info ? `f${t.info.id}` : t.text;
}

/** One to four look-up keys: the exact one first, then given name by its table entry, then by sound. */
export function nameKeys(p: PreparedName): string[] {
  const pair = ends(p);
  if (!pair) return [];
  const [given, family] = pair;
  const keys = [
    `n:${ordered(given.text, family.text)}`,
    `c:${ordered(canonicalGiven(given), family.text)}`,
    `s:${ordered(skeleton(given.sound), skeleton(family.sound))}`,
  ];
  return [...new Set(keys)];
}
