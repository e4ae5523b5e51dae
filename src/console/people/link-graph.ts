// Links between the records of an identity: which of them hold the records together, and where a drawing places the records.
import type { PairEvidence } from '../app/types.ts';

/** Evidence for two records, which are indexes into the list of records. */
export interface PairLink {
  a: number;
  b: number;
  evidence: PairEvidence;
}

export interface MarkedLink extends PairLink {
  /** True if the link is part of the spanning tree of the strongest links. */
  isRequired: boolean;
  mark: 'strongest' | 'weakest' | null;
}

/** Returns every pair of `count` records. */
export const listPairs = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (__, i): [number, number] => [a, a + 1 + i]),
  ).flat();

const weightOf = ({ evidence: { bits, conflict } }: PairLink): number =>
  conflict || bits === null ? Number.NEGATIVE_INFINITY : bits;

/**
 * Sorts links by weight and marks those of the maximum spanning tree (Kruskal 1956): the strongest, and the weakest, at which the
 * identity would break apart first.
 */
export function markLinks(links: readonly PairLink[]): MarkedLink[] {
  const sorted = links.toSorted((x, y) => weightOf(y) - weightOf(x) || x.a - y.a || x.b - y.b);
  const groups = new Map<number, number>();
  const groupOf = (record: number): number => groups.get(record) ?? record;
  const tree = sorted.filter((link) => {
    const [a, b] = [groupOf(link.a), groupOf(link.b)];
    if (a === b || weightOf(link) === Number.NEGATIVE_INFINITY) return false;
    for (const record of links.flatMap((other) => [other.a, other.b]))
      if (groupOf(record) === b) groups.set(record, a);
    return true;
  });
  const strongest = tree[0];
  const weakest = tree.length > 1 ? tree.at(-1) : undefined;
  return sorted.map((link) => ({
    ...link,
    isRequired: tree.includes(link),
    mark: link === strongest ? 'strongest' : link === weakest ? 'weakest' : null,
  }));
}

/** Returns what a link does, in words. */
export function describeLink({ evidence: { bits, conflict, needed }, mark, isRequired }: MarkedLink): string {
  if (conflict || bits === null) return 'never one person';
  const isWeak = bits < needed;
  if (mark) return isWeak ? `${mark} link, below the threshold` : `${mark} link`;
  return isWeak ? 'below the threshold' : isRequired ? 'required' : 'additional';
}

export interface Point {
  x: number;
  y: number;
}

/** Returns points on an ellipse in a drawing of this size, the first at the left. */
export const placeRecords = (count: number, width: number, height: number): Point[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / count;
    return {
      x: Math.round(width / 2 + (width / 2 - 40) * Math.cos(angle)),
      y: Math.round(height / 2 + (height / 2 - 34) * Math.sin(angle)),
    };
  });
