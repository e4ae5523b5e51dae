/** Two records that the pair comparison holds for one person. `bits` is the strength. */
export interface Edge {
  a: number;
  b: number;
  bits: number;
}

export interface ClusterOptions {
  /** The order that does not depend on the order of import: a string per node. */
  rank(node: number): string;
  /** May these two nodes never be in one cluster? */
  conflict(a: number, b: number): boolean;
}

/**
 * Joins nodes along edges, strongest first, but never two clusters of which any two members conflict.
 * The result depends on the edges and the ranks only, not on the order of either.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export function cluster(edges: Edge[], options: ClusterOptions): number[][] {
  const { rank, conflict } = options;
  const ordered = edges.map((edge) => {
    const [low, high] = [rank(edge.a), rank(edge.b)].sort();
    return { ...edge, order: `${low} ${high}` };
  });
  ordered.sort((x, y) => y.bits - x.bits || (x.order < y.order ? -1 : 1));
  const home = new Map<number, number[]>();
  const of = (node: number) => home.get(node) ?? [node];
  for (const { a, b } of ordered) {
    const [one, two] = [of(a), of(b)];
    if (one === two || one.includes(b)) continue;
    if (one.some((x) => two.some((y) => conflict(x, y)))) continue;
    const joined = [...one, ...two];
    for (const node of joined) home.set(node, joined);
  }
  return [...new Set(home.values())];
}
