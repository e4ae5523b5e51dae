// With whom a record is compared, by what linking remembers.
import type { LinkIndex } from '../../graph/linking.ts';
import { isWeak, weakMost } from '../../link/blocking.ts';
import type { Facts } from '../../link/counted/facts.ts';
import { FREQUENT, pairsOfLabel, pairsOfName } from '../../link/pairing.ts';
import { pairOf } from '../../link/pairs.ts';
import { factsByRow, type Touched } from './change.ts';

/** The pairs that are compared of which one of the rows is one, and these pairs: each once, ascending. */
export function candidatesOf(index: LinkIndex, { rows, pairs: alone }: Touched, perPerson: number) {
  const partners = partnersIn(index, perPerson);
  const pairs = new Set<number>();
  for (const [a, b] of alone) pairs.add(pairOf(a, b));
  for (const row of rows) {
    const facts = index.facts(row);
    for (const other of facts ? partners(row, facts) : []) if (other !== row) pairs.add(pairOf(row, other));
  }
  return [...pairs].sort((a, b) => a - b);
}

/** Blocks are kept at hand: those who are asked for share many. */
function partnersIn(index: LinkIndex, perPerson: number) {
  const blocks = new Map<string, Map<number, number[]> | number[]>();
  const kept = <T extends Map<number, number[]> | number[]>(name: string, make: () => T): T => {
    const known = blocks.get(name) as T | undefined;
    if (known) return known;
    const made = make();
    blocks.set(name, made);
    return made;
  };
  const most = weakMost(perPerson);
  const behind = (key: number) => kept(`${key}`, () => index.behind(key, FREQUENT + 1).map(({ row }) => row));
  const chained = (key: number, person: number) =>
    kept(`${key} ${person}`, () => {
      const rows = index.named(key, person);
      return neighbours(pairsOfName(rows, factsByRow(index, rows)));
    });
  const labelled = (label: number) =>
    kept(`label ${label}`, () => {
      const rows = index.behind(label, Infinity).map(({ row }) => row);
      return neighbours(pairsOfLabel(rows, factsByRow(index, rows)));
    });
  return (row: number, { contacts, keys, label, person }: Facts): Set<number> => {
    const found = new Set(label === 0 ? [] : labelled(label).get(row));
    for (const key of [...contacts, ...keys]) {
      const rows = behind(key);
      const all = isWeak(key) ? rows.length <= most : rows.length <= FREQUENT;
      if (!all && isWeak(key)) continue;
      for (const other of all ? rows : (chained(key, person).get(row) ?? [])) found.add(other);
    }
    return found;
  };
}

function neighbours(pairs: [number, number][]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (row: number, other: number) => {
    const known = found.get(row);
    if (known) known.push(other);
    else found.set(row, [other]);
  };
  for (const [a, b] of pairs) {
    add(a, b);
    add(b, a);
  }
  return found;
}
