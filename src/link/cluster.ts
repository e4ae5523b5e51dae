import { encodeOrderedPair, encodePair } from './candidate-pairs.ts';
import type { RowColumns } from './statistics/record-facts.ts';

/** Two records that the pair comparison holds for one person. */
export interface LinkEdge {
  a: number;
  b: number;
  /** How strongly: a match weight in bits. */
  bits: number;
  /** The orders of the two, the lower first: what decides between edges of one strength. See `orderOf`. */
  low: number;
  high: number;
}

/** The record of the lower order comes first, so that nothing depends on which was imported first. @param orders see `orderOf` */
export function toLinkEdge(
  [one, two]: [number, number],
  bits: number,
  orders: Pick<RowColumns, 'orders'>['orders'],
): LinkEdge {
  const [x, y] = [orders[one] ?? 0, orders[two] ?? 0];
  return x < y ? { a: one, b: two, bits, low: x, high: y } : { a: two, b: one, bits, low: y, high: x };
}

/** What speaks for two records being one person, in bits, before the odds of any two; -Infinity where they can't be. */
export type PairSupport = (a: number, b: number) => number | Promise<number>;

/** Of two clusters the members support each other at least so much, on the average of all pairs: in bits. */
const MEAN = 0;
/** One pair says no more than this for or against. */
const MOST = 16;
/** Of the pairs between two large clusters so many are looked at. */
const PAIRS = 2048;

/** Who fits two people is the one's where that says so much more than what speaks for the other, in bits: odds of 4 to 1. */
export const MIN_SUPPORT_MARGIN = 2;
/** What so many records or more agree on is somebody, whoever else they fit. */
const SOMEBODY = 256;

/**
 * Joins records along edges, strongest first, but never two clusters of which any two members conflict, nor two whose members on
 * the average speak against each other: a record with little more than a name may be two people's, and must not make them one.
 * What then fits another cluster as well as its own, or nearly, may be either's: it is taken out, and stays with what is like it.
 * The result depends on the edges only, not on their order.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export async function clusterRecords(edges: LinkEdge[], asking: PairSupport): Promise<number[][]> {
  const support = askedOnce(asking);
  const ordered = edges.toSorted((x, y) => y.bits - x.bits || x.low - y.low || x.high - y.high);
  const joined = await joinAlong(ordered, support);
  const { of } = joined;
  // Edges that lead from one cluster to another tell that the two are not one.
  const fitsTwo = ordered.some(({ a, b }) => of(a) !== of(b));
  const unclear = fitsTwo ? await unclearIn(joined, ordered, support) : new Set<number>();
  if (unclear.size === 0) return joined.clusters();
  const alike = ordered.filter(({ a, b }) => of(a) === of(b) && unclear.has(a) === unclear.has(b));
  return (await joinAlong(alike, support)).clusters();
}

/**
 * Returns the same support, compared once for every two contents: of records that say exactly the same, thousands may be one person's, and
 * each two clusters of them are compared in up to 2,048 pairs. The results are those of comparing every pair.
 *
 * @param firstOf returns the first of the rows that have the same content as a row
 */
export function supportByContent(
  support: PairSupport,
  { firstOf, orders }: { firstOf: (row: number) => number } & Pick<RowColumns, 'orders'>,
): PairSupport {
  const known = new Map<number, number>();
  return (a, b) => {
    // A comparison can depend on which of the two records has the lower order.
    const [low, high] = (orders[a] ?? 0) < (orders[b] ?? 0) ? [a, b] : [b, a];
    const contents = encodeOrderedPair(firstOf(low), firstOf(high));
    const bits = known.get(contents);
    if (bits !== undefined) return bits;
    const remember = (compared: number) => {
      if (known.size < MOST_REMEMBERED) known.set(contents, compared);
      return compared;
    };
    const compared = support(a, b);
    return typeof compared === 'number' ? remember(compared) : compared.then(remember);
  };
}

/** Compared pairs that are remembered: a Map has 2^24 entries at most, and half as many take a gigabyte. */
const MOST_REMEMBERED = 2 ** 20;

/** What has to be found out is asked once: a pair comes up with each edge between its clusters, and again when some are taken out. */
function askedOnce(support: PairSupport): PairSupport {
  const asked = new Map<number, number>();
  return (a, b) => {
    const pair = encodePair(a, b);
    const told = asked.get(pair) ?? support(a, b);
    if (typeof told === 'number') return told;
    return told.then((bits) => {
      if (asked.size < MOST_REMEMBERED) asked.set(pair, bits);
      return bits;
    });
  };
}

interface Joined {
  /** The cluster of a node. */
  of(node: number): number[];
  clusters(): number[][];
  /** Every two that were joined, the last first: the first so many of these nodes. */
  groups(): { nodes: number[]; count: number }[];
}

async function joinAlong(ordered: LinkEdge[], support: PairSupport): Promise<Joined> {
  const home = new Map<number, number[]>();
  const groups: { nodes: number[]; count: number }[] = [];
  const of = (node: number) => {
    let own = home.get(node);
    if (!own) home.set(node, (own = [node]));
    return own;
  };
  for (const { a, b } of ordered) {
    const [one, two] = [of(a), of(b)];
    if (one === two || (await meanSupport(one, two, support)) < MEAN) continue;
    const [into, from] = one.length < two.length ? [two, one] : [one, two];
    for (const nodes of [from, into]) groups.push({ nodes, count: nodes.length });
    into.push(...from);
    for (const node of from) home.set(node, into);
  }
  return {
    of,
    clusters: () => [...new Set(home.values())].filter(({ length }) => length > 1),
    groups: () => groups.toReversed(),
  };
}

/** The nodes of all groups that fit another cluster as well as the rest of their own, or nearly. */
async function unclearIn(
  { of, groups }: Joined,
  ordered: LinkEdge[],
  support: PairSupport,
): Promise<ReadonlySet<number>> {
  const edgesOf = byNode(ordered);
  const crossing = new Set(ordered.flatMap(({ a, b }) => (of(a) === of(b) ? [] : [a, b])));
  const unclear = new Set<number>();
  for (const { nodes, count } of groups()) {
    const group = count < SOMEBODY ? nodes.slice(0, count) : [];
    if (!group.some((node) => crossing.has(node) && !unclear.has(node))) continue;
    const own = of(group[0] ?? 0);
    const fits = fitsOf(group, { of, edgesOf });
    const least = (fits.get(own) ?? 0) - MIN_SUPPORT_MARGIN;
    for (const [other, bits] of fits) {
      if (other === own || bits <= least || (await meanSupport(group, other, support)) < MEAN) continue;
      for (const node of group) unclear.add(node);
      break;
    }
  }
  return unclear;
}

function byNode(edges: LinkEdge[]): Map<number, LinkEdge[]> {
  const found = new Map<number, LinkEdge[]>();
  for (const edge of edges)
    for (const node of [edge.a, edge.b]) {
      const known = found.get(node);
      if (known) known.push(edge);
      else found.set(node, [edge]);
    }
  return found;
}

/** What joins a group to each cluster: as likely as that any of its edges is right, in bits. */
function fitsOf(
  group: number[],
  { of, edgesOf }: Pick<Joined, 'of'> & { edgesOf: Map<number, LinkEdge[]> },
): Map<number[], number> {
  const inside = new Set(group);
  const fits = new Map<number[], number>();
  for (const node of group)
    for (const { a, b, bits } of edgesOf.get(node) ?? []) {
      const other = a === node ? b : a;
      if (inside.has(other)) continue;
      const cluster = of(other);
      fits.set(cluster, addedTo(fits.get(cluster) ?? -Infinity, bits));
    }
  return fits;
}

/** The logarithm of the sum of two numbers, from theirs; the second is finite. */
function addedTo(one: number, two: number): number {
  return Math.max(one, two) + Math.log2(1 + 2 ** -Math.abs(one - two));
}

async function meanSupport(one: number[], two: number[], support: PairSupport): Promise<number> {
  const step = Math.max(1, Math.ceil((one.length * two.length) / PAIRS));
  let [sum, pairs] = [0, 0];
  for (let place = 0; place < one.length * two.length; place += step) {
    const told = support(one[Math.floor(place / two.length)] ?? 0, two[place % two.length] ?? 0);
    const bits = typeof told === 'number' ? told : await told;
    if (bits === -Infinity) return bits;
    // In whole hundredths, which add up to the same in any order.
    sum += Math.round(100 * Math.max(-MOST, Math.min(MOST, bits)));
    pairs++;
  }
  return sum / pairs / 100;
}
