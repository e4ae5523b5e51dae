// Which word of one name belongs to which word of the other.
import type { Token } from '../types.ts';
import { type Alignment, FIRM, type Link } from './alignment.ts';
import { joinSplit, writtenTogether } from './joined.ts';
import { compareTokens } from './words.ts';

/** Pairs that are no better are none. */
const WORTH = 0.05;

/** Best pairs first; words that fit nothing stay alone. Joined and split words are tried on what is left. */
export function align(a: readonly Token[], b: readonly Token[]): Alignment {
  if (a.length === b.length) return bestPairs(a, b);
  const together = writtenTogether(a, b);
  if (!together) return bestPairs(a, b);
  const rest = align(
    a.filter((token) => !together.a.includes(token)),
    b.filter((token) => !together.b.includes(token)),
  );
  rest.links.push(together);
  return rest;
}

function bestPairs(a: readonly Token[], b: readonly Token[]): Alignment {
  const pairs = pairUp(a, b);
  const found: Alignment = { links: [], onlyA: without(a, pairs, 'a'), onlyB: without(b, pairs, 'b') };
  if (a.length === b.length || found.onlyA.length + found.onlyB.length === 0) {
    found.links = [...pairs.filter(isFirm), ...pairs.filter((link) => !isFirm(link))];
    return found;
  }
  found.links = pairs.filter(isFirm);
  found.onlyA = without(a, found.links, 'a');
  found.onlyB = without(b, found.links, 'b');
  joinSplit(found);
  for (const link of pairs) if (!isFirm(link)) keep(found, link);
  return found;
}

const isFirm = (link: Link) => link.comparison.quality >= FIRM;

function without(tokens: readonly Token[], links: readonly Link[], side: 'a' | 'b'): Token[] {
  return tokens.filter((token) => !links.some((link) => link[side][0] === token));
}

/** Links two words that are still alone. */
function keep(found: Alignment, link: Link): void {
  const [i, j] = [found.onlyA.indexOf(link.a[0]), found.onlyB.indexOf(link.b[0])];
  if (i < 0 || j < 0) return;
  found.onlyA.splice(i, 1);
  found.onlyB.splice(j, 1);
  found.links.push(link);
}

interface Cell extends Link {
  i: number;
  j: number;
  rank: number;
}

/** Every word at most once, the best pairs first. */
function pairUp(a: readonly Token[], b: readonly Token[]): Link[] {
  let takenA = 0;
  let takenB = 0;
  const links: Link[] = [];
  for (const cell of cellsOf(a, b)) {
    if (takenA & (1 << cell.i) || takenB & (1 << cell.j)) continue;
    takenA |= 1 << cell.i;
    takenB |= 1 << cell.j;
    links.push(cell);
  }
  return links;
}

function cellsOf(a: readonly Token[], b: readonly Token[]): Cell[] {
  const cells: Cell[] = [];
  for (const [i, one] of a.entries()) {
    for (const [j, two] of b.entries()) {
      const comparison = compareTokens(one, two);
      if (comparison.quality <= WORTH) continue;
      const sameRole = one.role === two.role ? 0.02 : 0;
      const rank = comparison.quality + sameRole - (comparison.relation === 'initial' ? 0.3 : 0);
      cells.push({ a: [one], b: [two], comparison, i, j, rank });
    }
  }
  return cells.length > 1 ? cells.sort(byRank) : cells;
}

const byRank = (x: Cell, y: Cell) =>
  y.rank - x.rank || Math.abs(x.i - x.j) - Math.abs(y.i - y.j) || x.i + x.j - y.i - y.j;
