// How two single words of names stand to each other.
import { FEMALE, GIVEN, MALE, SURNAME } from './lexicon.ts';
import type { Token } from './prepare.ts';

export type Relation =
  | 'equal'
  | 'initial'
  | 'nickname'
  | 'cultural'
  | 'spelling'
  | 'script'
  | 'slip'
  | 'joined'
  | 'different';

/** How likely two words are one person's name word, 0-1, given that the rest of the name agrees. */
export interface Related {
  quality: number;
  relation: Relation;
}

const make = (relation: Relation, quality: number): Related => ({ relation, quality });
const EQUAL = make('equal', 1);
const DIFFERENT = make('different', 0);

function shares(a: readonly number[], b: readonly number[]): boolean {
  for (const x of a) if (b.includes(x)) return true;
  return false;
}

function known(a: Token, b: Token): Related | undefined {
  const x = a.info;
  const y = b.info;
  if (!x || !y) return undefined;
  if (x.formals.includes(y.id) || y.formals.includes(x.id)) return make('nickname', 0.93);
  if (shares(x.spellings, y.spellings)) return make('spelling', 0.93);
  if (shares(x.formals, y.formals)) return make('nickname', 0.75);
  if (shares(x.cultures, y.cultures)) return make('cultural', 0.85);
  return undefined;
}

/** Optimal string alignment distance, at most `limit` + 1. */
export function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(old[j]! + 1, row[j - 1]! + 1, old[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, older[j - 2]! + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    older = old;
    old = row;
  }
  return old[b.length]!;
}

function bothReal(a: Token, b: Token): boolean {
  const real = GIVEN | SURNAME;
  return ((a.info?.flags ?? 0) & real) !== 0 && ((b.info?.flags ?? 0) & real) !== 0;
}

/** Maria and Mario, Daniel and Danielle: one name of men and one of women. */
export function genderVariant(a: Token, b: Token): boolean {
  const x = (a.info?.flags ?? 0) & (MALE | FEMALE);
  const y = (b.info?.flags ?? 0) & (MALE | FEMALE);
  if ((x === MALE && y === FEMALE) || (x === FEMALE && y === MALE)) return true;
  const short = a.text.length < b.text.length ? a.text : b.text;
  const long = short === a.text ? b.text : a.text;
  if (
    long === short + 'a' ||
    (long.startsWith(short) && /^(l?le|n?ne|t?te|e)$/.test(long.slice(short.length)))
  )
    return true;
  return a.text.slice(0, -1) === b.text.slice(0, -1) && /[aoe]$/.test(a.text) && /[aoe]$/.test(b.text);
}

/** Compares two words. Symmetric. */
export function relate(a: Token, b: Token): Related {
  if (a.text === b.text) return a.script === b.script ? EQUAL : make('script', 0.97);
  const long = a.prefix + a.text;
  const other = b.prefix + b.text;
  if (long === b.text || other === a.text || long === other) return make('equal', 0.98);
  if (a.initial || b.initial) return a.text[0] === b.text[0] ? make('initial', 0.85) : DIFFERENT;
  const table = known(a, b);
  if (table) return table;
  const foreign = a.script !== b.script;
  if (a.sound === b.sound)
    return bothReal(a, b) ? make('spelling', 0.8) : make(foreign ? 'script' : 'spelling', 0.92);
  const size = Math.min(a.text.length, b.text.length);
  if (size < 4 || Math.abs(a.text.length - b.text.length) > 2) return DIFFERENT;
  const distance = slips(a.text, b.text, 2);
  if (distance > 2) return DIFFERENT;
  if (bothReal(a, b) || (!foreign && genderVariant(a, b))) return make('slip', 0.12);
  if (distance === 1) return make(foreign ? 'script' : 'slip', size >= 5 ? 0.85 : 0.4);
  return size >= 8 || foreign ? make(foreign ? 'script' : 'slip', 0.65) : DIFFERENT;
}
