// Which links hold the records of an identity together, and where a drawing has them.
import type { Why } from './types.ts';

/** What was weighed between two records, each by its place in the list. */
export interface Link {
  a: number;
  b: number;
  why: Why;
}

export interface Marked extends Link {
  /** It is one of the fewest and strongest links by which all hang together. */
  holds: boolean;
  mark: 'strongest' | 'weakest' | null;
}

/** More records than this make no small graph, and each pair is a request that reads all records. */
export const MOST_NODES = 8;

/** Every pair of so many, each once. */
export const pairsOf = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (__, i): [number, number] => [a, a + 1 + i]),
  ).flat();

const weight = ({ why: { bits, conflict } }: Link): number =>
  conflict || bits === null ? Number.NEGATIVE_INFINITY : bits;

/**
 * The links, the strongest first, with those marked that hold the records together: a spanning tree of the greatest weight (Kruskal
 * 1956). Its weakest link is where an identity would come apart first; the strongest is that of all.
 */
export function markLinks(links: readonly Link[]): Marked[] {
  const sorted = links.toSorted((one, two) => weight(two) - weight(one) || one.a - two.a || one.b - two.b);
  const group = new Map<number, number>();
  const groupOf = (node: number): number => group.get(node) ?? node;
  const tree = new Set<Link>();
  for (const link of sorted) {
    const [a, b] = [groupOf(link.a), groupOf(link.b)];
    if (a === b || weight(link) === Number.NEGATIVE_INFINITY) continue;
    tree.add(link);
    for (const node of new Set(links.flatMap((one) => [one.a, one.b])))
      if (groupOf(node) === b) group.set(node, a);
  }
  const holding = sorted.filter((link) => tree.has(link));
  const [strongest, weakest] = [holding[0], holding.length > 1 ? holding.at(-1) : undefined];
  return sorted.map((link) => ({
    ...link,
    holds: tree.has(link),
    mark: link === strongest ? 'strongest' : link === weakest ? 'weakest' : null,
  }));
}

/** What a link says, in words. */
export function linkWords({ why: { bits, conflict, needed }, mark, holds }: Marked): string {
  if (conflict || bits === null) return 'cannot be one person';
  const alone = bits >= needed ? '' : ', too weak alone';
  if (mark === 'strongest') return `the strongest${alone}`;
  if (mark === 'weakest') return `the weakest that holds${alone}`;
  return bits < needed ? 'too weak alone' : holds ? 'holds' : 'agrees as well';
}

/** Places on a circle, the first at the left, in a field of this width and height. */
export function placesOf(count: number, width: number, height: number): { x: number; y: number }[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / count;
    return {
      x: Math.round(width / 2 + (width / 2 - 40) * Math.cos(angle)),
      y: Math.round(height / 2 + (height / 2 - 34) * Math.sin(angle)),
    };
  });
}
