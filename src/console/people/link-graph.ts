// Links between the records of an identity: the links that keep the records connected, and the positions of the records in a drawing.
import type { IdentityLinks } from '../app/types.ts';

type RecordLink = IdentityLinks['links'][number];

export interface MarkedLink extends RecordLink {
  /** True if the link belongs to the maximum spanning tree, which connects all records by the strongest links. */
  isRequired: boolean;
  mark: 'strongest' | 'weakest' | null;
}

const weightOf = ({ bits, conflict }: RecordLink): number =>
  conflict || bits === null ? Number.NEGATIVE_INFINITY : bits;

/**
 * Sorts links by weight, and marks those of the maximum spanning tree (Kruskal 1956), with its strongest and weakest link. Without the weakest
 * link, the identity would break into two.
 */
export function markSpanningTreeLinks(links: readonly RecordLink[]): MarkedLink[] {
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

/** Describes the role of a link, such as `weakest link` or `additional`. */
export function describeLinkRole({ bits, conflict, needed, mark, isRequired }: MarkedLink): string {
  if (conflict || bits === null) return 'never one person';
  const isWeak = bits < needed;
  if (mark) return isWeak ? `${mark} link, below the threshold` : `${mark} link`;
  return isWeak ? 'below the threshold' : isRequired ? 'required' : 'additional';
}

/** Point of a drawing, in SVG units. */
export interface DrawingPoint {
  x: number;
  y: number;
}

/** Returns `count` points at equal distances on an ellipse, starting at the left. */
export const listPointsOnEllipse = (count: number, width: number, height: number): DrawingPoint[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / count;
    return {
      x: Math.round(width / 2 + (width / 2 - 40) * Math.cos(angle)),
      y: Math.round(height / 2 + (height / 2 - 34) * Math.sin(angle)),
    };
  });
