// Given names that are one name by the tables.
import { typoDistance } from '../../normalise/typo.ts';
import { relation } from '../relation.ts';
import { entryOf, type NameInfo, sexOf } from '../tables/lexicon.ts';
import { genderForms, genderVariant } from '../traditions/western/gender.ts';
import type { Token, TokenComparison } from '../types.ts';
import { soundDistance } from './sound.ts';

const LATIN = { mode: 'latin', far: Infinity } as const;

function shares(a: readonly number[], b: readonly number[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  for (const x of a) if (b.includes(x)) return true;
  return false;
}

/** `short` is a short form of a name that is spelt otherwise than `full`, or of its foreign equivalent. */
function throughFull(short: NameInfo, full: NameInfo): 'spelling' | 'culture' | undefined {
  let found: 'culture' | undefined;
  for (const id of short.formals) {
    const formal = entryOf(id);
    if (!formal) continue;
    if (shares(formal.spellings, full.spellings)) return 'spelling';
    if (shares(formal.cultures, full.cultures)) found = 'culture';
  }
  return found;
}

/** Two equivalents that look alike and do not sound so (Adam, Adan) are more often two people's names. */
function equivalent(a: Token, b: Token): number {
  if (genderVariant(a, b)) return 0.3;
  if (a.script !== b.script || typoDistance(a.text, b.text, 1) > 1) return 0.82;
  return soundDistance(a.sound, b.sound, LATIN) > 0.12 ? 0.5 : 0.82;
}

/** Gigi is short for Luigi too, but Jana is more often a woman than a Jan. */
const crossNickname = (a: Token, b: Token) => (genderForms(a, b) ? 0.3 : 0.75);

/** A short form and a foreign equivalent of its full name: likelier when the one begins the other (Al, Alfredo). */
const abroad = (a: Token, b: Token) => (a.text.startsWith(b.text) || b.text.startsWith(a.text) ? 0.8 : 0.45);

/** What the tables say of two words; undefined when nothing. */
export function byTables(a: Token, b: Token): TokenComparison | undefined {
  const x = a.info;
  const y = b.info;
  if (!x || !y) return undefined;
  const sexes = sexOf(x) && sexOf(y) && sexOf(x) !== sexOf(y);
  if (x.formals.includes(y.id) || y.formals.includes(x.id))
    return relation('nickname', sexes ? crossNickname(a, b) : 0.89);
  if (shares(x.spellings, y.spellings)) return relation('spelling', sexes ? 0.4 : 0.9);
  if (shares(x.cultures, y.cultures)) return relation('cultural', sexes ? 0.15 : equivalent(a, b));
  const through = throughFull(x, y) ?? throughFull(y, x);
  if (through === 'spelling') return relation('nickname', 0.85);
  if (!sexes && shares(x.formals, y.formals)) return relation('nickname', 0.75);
  if (through === 'culture') return relation('nickname', sexes || genderForms(a, b) ? 0.05 : abroad(a, b));
  return undefined;
}
