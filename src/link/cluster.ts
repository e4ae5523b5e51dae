/** Two records that the pair comparison holds for one person. */
export interface Edge {
  a: number;
  b: number;
  /** How strongly: a match weight in bits. */
  bits: number;
  /** What decides between edges of one strength; see `edgeOrder`. */
  order: string;
}

/** The order of edges that depends on what the two records are, not on when they were imported. */
export function edgeOrder(one: string, two: string): string {
  return one < two ? `${one} ${two}` : `${two} ${one}`;
}

/** May these two never be in one cluster? */
export type Conflict = (a: number, b: number) => boolean | Promise<boolean>;

/**
 * Joins records along edges, strongest first, but never two clusters of which any two members conflict.
 * The result depends on the edges only, not on their order.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export async function cluster(edges: Edge[], conflict: Conflict): Promise<number[][]> {
  const ordered = edges.toSorted((x, y) => y.bits - x.bits || (x.order < y.order ? -1 : 1));
  const home = new Map<number, number[]>();
  const of = (node: number) => home.get(node) ?? [node];
  for (const { a, b } of ordered) {
    const [one, two] = [of(a), of(b)];
    if (one === two || one.includes(b)) continue;
    if (await anyConflict(one, two, conflict)) continue;
    const joined = [...one, ...two];
    for (const node of joined) home.set(node, joined);
  }
  return [...new Set(home.values())];
}

async function anyConflict(one: number[], two: number[], conflict: Conflict): Promise<boolean> {
  for (const x of one) for (const y of two) if (await conflict(x, y)) return true;
  return false;
}
