// Which word of one name belongs to which word of the other.
import type { PreparedName, Token } from './prepare.ts';
import { relate, type Related, type Relation } from './relate.ts';

/** One pair of aligned words, or one word that has no partner (its other side is empty). */
export interface AlignedToken {
  a: string;
  b: string;
  relation: Relation | 'missing';
  /** 0-1: how likely the two words are one person's name word, given that the rest agrees. */
  quality: number;
}

export interface Link {
  a: Token[];
  b: Token[];
  related: Related;
}
export interface Alignment {
  links: Link[];
  /** Words without a partner. */
  onlyA: Token[];
  onlyB: Token[];
}

const worth = 0.05;

/** Best pairs first; words that fit nothing stay alone. Joined and split words are tried on what is left. */
export function align(a: PreparedName, b: PreparedName): Alignment {
  const cells: { i: number; j: number; related: Related; rank: number }[] = [];
  for (const [i, x] of a.tokens.entries()) {
    for (const [j, y] of b.tokens.entries()) {
      const related = relate(x, y);
      if (related.quality <= worth) continue;
      const rank =
        related.quality + (x.role === y.role ? 0.02 : 0) - (related.relation === 'initial' ? 0.3 : 0);
      cells.push({ i, j, related, rank });
    }
  }
  cells.sort((x, y) => y.rank - x.rank || Math.abs(x.i - x.j) - Math.abs(y.i - y.j));
  const takenA = new Set<number>();
  const takenB = new Set<number>();
  const links: Link[] = [];
  for (const { i, j, related } of cells) {
    if (takenA.has(i) || takenB.has(j)) continue;
    takenA.add(i);
    takenB.add(j);
    links.push({ a: [a.tokens[i]!], b: [b.tokens[j]!], related });
  }
  const onlyA = a.tokens.filter((_, i) => !takenA.has(i));
  const onlyB = b.tokens.filter((_, j) => !takenB.has(j));
  joinSplit(links, onlyA, onlyB, false);
  joinSplit(links, onlyB, onlyA, true);
  return { links, onlyA, onlyB };
}

/** `Mary Ann` against `Maryann`: one word of one side made of two neighbouring words of the other. */
function joinSplit(links: Link[], parts: Token[], wholes: Token[], swapped: boolean): void {
  for (let k = 0; k < wholes.length; k++) {
    const whole = wholes[k]!;
    for (let i = 0; i + 1 < parts.length; i++) {
      const one = parts[i]!;
      const two = parts[i + 1]!;
      const joined = one.prefix + one.text + two.prefix + two.text;
      if (joined !== whole.text && joined !== whole.prefix + whole.text) continue;
      const pair = [one, two];
      links.push({
        a: swapped ? [whole] : pair,
        b: swapped ? pair : [whole],
        related: { relation: 'joined', quality: 0.97 },
      });
      parts.splice(i, 2);
      wholes.splice(k--, 1);
      break;
    }
  }
}
