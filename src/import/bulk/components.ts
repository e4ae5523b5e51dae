import { orderOf } from '../../graph/external-sort.ts';
import { cluster, type Edge, edgeOf, type Support } from '../../link/cluster.ts';
import type { Rows } from '../../link/rows.ts';
import type { Pairs } from './pair-list.ts';

/**
 * The clusters of all joined pairs. Nothing of clustering reaches beyond what pairs lead to, and of that there are a few dozen records at
 * most: so each such part is clustered by itself.
 */
export async function clusterParts(
  joined: Pairs,
  { orders }: Pick<Rows, 'orders'>,
  support: Support,
): Promise<number[][]> {
  const parts = partsOf(joined);
  const order = orderOf(parts);
  const clusters: number[][] = [];
  let edges: Edge[] = [];
  for (const [i, place] of order.entries()) {
    const [a, b, bits] = joined.at(place);
    edges.push(edgeOf([a, b], bits, orders));
    if (parts[order[i + 1] ?? -1] === parts[place]) continue;
    clusters.push(...(await cluster(edges, support)));
    edges = [];
  }
  return clusters;
}

/** Of every pair, by its place, the lowest row that pairs lead to from it. */
function partsOf(joined: Pairs): Float64Array {
  let highest = 0;
  for (const [, b] of joined) highest = Math.max(highest, b);
  const lower = Uint32Array.from({ length: highest + 1 }, (_, row) => row);
  const rootOf = (row: number): number => {
    let root = row;
    for (let next = lower[root] ?? 0; next !== root; next = lower[root] ?? 0) {
      // Halves the way for who comes next (Tarjan and van Leeuwen 1984).
      lower[root] = lower[next] ?? 0;
      root = next;
    }
    return root;
  };
  for (const [a, b] of joined) {
    const [one, two] = [rootOf(a), rootOf(b)];
    lower[Math.max(one, two)] = Math.min(one, two);
  }
  const parts = new Float64Array(joined.length);
  for (let place = 0; place < parts.length; place++) parts[place] = rootOf(joined.at(place)[0]);
  return parts;
}
