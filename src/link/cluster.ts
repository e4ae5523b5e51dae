import { decodeRowPair, encodeDirectedRowPair, encodeRowPair } from './candidate-pairs.ts';
import { createFirstEqualRecordFinder } from './packed-records.ts';
import type { RecordFieldsByRow } from './statistics/link-cache-record.ts';

/** Pair of records that a comparison found to be one person. */
export interface LinkEdge {
  a: number;
  b: number;
  bits: number;
  /** Lower of the two records' sort numbers (see `orderOf`); `high` is the higher one. They decide the order of edges with equal weight. */
  low: number;
  high: number;
}

/**
 * Creates the edge between two rows. The record with the lower sort number is first, so that the edge does not depend on the order of import.
 * @param orders sort number of each row; see `orderOf`
 */
export function createLinkEdge(
  [one, two]: [number, number],
  bits: number,
  orders: Pick<RecordFieldsByRow, 'orders'>['orders'],
): LinkEdge {
  const [x, y] = [orders[one] ?? 0, orders[two] ?? 0];
  return x < y ? { a: one, b: two, bits, low: x, high: y } : { a: two, b: one, bits, low: y, high: x };
}

/** Returns the evidence in bits that two records are one person, without the prior odds. -Infinity if they cannot be one person. */
export type PairEvidenceFunction = (a: number, b: number) => number | Promise<number>;

/** Returns true for two rows that are likely to conflict. Costs much less than a comparison. */
type LikelyConflictTest = (a: number, b: number) => boolean;

/**
 * Creates a test for pairs with different birth dates, which are the most frequent conflict.
 * @param dates number of the birth date of each row; 0 if it is missing
 */
export const createBirthDateConflictTest =
  (dates: Readonly<Record<number, number>>): LikelyConflictTest =>
  (a, b) => {
    const [one, two] = [dates[a] ?? 0, dates[b] ?? 0];
    return one !== 0 && two !== 0 && one !== two;
  };

/** Minimum average evidence, in bits per pair of one member of each cluster, for merging two clusters. */
const MIN_MEAN_BITS = 0;
/** Maximum evidence in bits that one pair of members adds to the average, or subtracts from it. */
const MAX_PAIR_BITS = 16;
/** Maximum number of member pairs that are compared to decide whether two clusters are merged. */
const MAX_COMPARED_PAIRS = 2048;
/** Maximum number of members of each cluster that are compared if one cluster has at least `LARGE_CLUSTER` records. */
const MAX_COMPARED_MEMBERS = 64;

/** Minimum difference in bits (4 to 1) between the best and the second best cluster for a record. With less, the record is ambiguous. */
const MIN_EVIDENCE_MARGIN_BITS = 2;
/**
 * Number of records from which a cluster is large. Only a sample of the members of a large cluster is compared, and it remains one person even if it
 * also matches another cluster.
 */
const LARGE_CLUSTER = 256;

/**
 * Clusters records along edges, the strongest edge first. Two clusters are not merged if two of their members conflict, or if the average
 * evidence between their members is negative. A record that matches another cluster nearly as strongly as its own, or more strongly, is
 * ambiguous; ambiguous records are clustered only among themselves. The result does not depend on the order of the edges. Algorithm: greedy
 * agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 * @param options.toKey returns equal numbers for pairs with the same evidence
 * @param options.mayConflict pairs of members for which it is true are compared first; it changes only the number of comparisons
 * @returns the members of each cluster of two or more records
 */
export async function listRecordClusters(
  edges: LinkEdge[],
  compare: PairEvidenceFunction,
  {
    toKey = encodeRowPair,
    mayConflict = () => false,
  }: { toKey?: typeof encodeRowPair; mayConflict?: LikelyConflictTest } = {},
): Promise<number[][]> {
  const support = { of: cacheSupport(compare, toKey), mayConflict };
  const ordered = edges.toSorted((x, y) => y.bits - x.bits || x.low - y.low || x.high - y.high);
  const joined = await joinAlong(ordered, support);
  const { of } = joined;
  // Only an edge between two clusters can make a record ambiguous.
  const fitsTwo = ordered.some(({ a, b }) => of(a) !== of(b));
  const unclear = fitsTwo ? await findAmbiguousRows(joined, ordered, support) : new Set<number>();
  if (unclear.size === 0) return joined.clusters();
  const unambiguousEdges = ordered.filter(({ a, b }) => of(a) === of(b) && unclear.has(a) === unclear.has(b));
  return (await joinAlong(unambiguousEdges, support)).clusters();
}

/**
 * Groups the rows that pairs connect, directly or indirectly. Returns a function from a row to the lowest row of its group. @param rows highest
 * row plus one
 */
export function createLowestConnectedRowLookup(pairs: Float64Array, rows: number): (row: number) => number {
  const lower = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) lower[row] = row;
  const findRoot = (row: number): number => {
    let root = row;
    for (let next = lower[root] ?? 0; next !== root; next = lower[root] ?? 0) {
      // Path halving (Tarjan and van Leeuwen 1984).
      lower[root] = lower[next] ?? 0;
      root = next;
    }
    return root;
  };
  for (const pair of pairs) {
    const members = decodeRowPair(pair);
    const rootA = findRoot(members[0]);
    const rootB = findRoot(members[1]);
    lower[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }
  return findRoot;
}

/**
 * Maximum number of edges in one group of connected records without a search for equal records. With more edges, clustering compares two pairs of
 * equal records only once.
 */
export const MAX_EDGES_WITHOUT_PAIR_DEDUPLICATION = 500;

/**
 * Creates a function that computes the cache key of a pair of rows. Pairs with equal content have the same key, because a person may have
 * thousands of equal records. @param read returns the record of a row
 */
export function createPairContentCacheKeyFunction(
  edges: LinkEdge[],
  read: Parameters<typeof createFirstEqualRecordFinder>[1],
  { orders }: Pick<RecordFieldsByRow, 'orders'>,
): (a: number, b: number) => number {
  const firstOf = createFirstEqualRecordFinder(new Set(edges.flatMap(({ a, b }) => [a, b])), read);
  return (a, b) => {
    // A comparison can depend on which record has the lower sort number.
    const [low, high] = (orders[a] ?? 0) < (orders[b] ?? 0) ? [a, b] : [b, a];
    return encodeDirectedRowPair(firstOf(low), firstOf(high));
  };
}

/** Maximum number of compared pairs in the cache. A Map is limited to 2^24 entries, and half of that needs a gigabyte. */
const MOST_CACHED_PAIRS = 2 ** 20;

/** Adds a cache to an evidence function, because clustering asks for the same pair once for each edge between two clusters. */
function cacheSupport(
  support: PairEvidenceFunction,
  toKey: (a: number, b: number) => number,
): PairEvidenceFunction {
  const known = new Map<number, number>();
  return (a, b) => {
    const key = toKey(a, b);
    const bits = known.get(key);
    if (bits !== undefined) return bits;
    const remember = (compared: number) => {
      if (known.size < MOST_CACHED_PAIRS) known.set(key, compared);
      return compared;
    };
    const compared = support(a, b);
    return typeof compared === 'number' ? remember(compared) : compared.then(remember);
  };
}

/** Functions for two members of clusters: `of` returns their evidence; `mayConflict` is true if they should be compared first. */
interface MemberSupport {
  of: PairEvidenceFunction;
  mayConflict: LikelyConflictTest;
}

interface Joined {
  of(node: number): number[];
  clusters(): number[][];
  /**
   * Returns the two groups of rows that each merge joined, the last merge first. The first `count` rows of `nodes` are the group before the merge;
   * later merges added the other rows.
   */
  groups(): { nodes: number[]; count: number }[];
}

async function joinAlong(ordered: LinkEdge[], support: MemberSupport): Promise<Joined> {
  const home = new Map<number, number[]>();
  const groups: { nodes: number[]; count: number }[] = [];
  /** Pairs of clusters that were not merged, with the sum of their sizes: they are compared again only when one of them has grown. */
  const refusedMerges = new Map<number[], Map<number[], number>>();
  const of = (node: number) => {
    let own = home.get(node);
    if (!own) home.set(node, (own = [node]));
    return own;
  };
  for (const { a, b } of ordered) {
    const one = of(a);
    const two = of(b);
    if (one === two) continue;
    const size = one.length + two.length;
    const refused = refusedMerges.get(one);
    if (refused?.get(two) === size) continue;
    if ((await meanSupport(one, two, support)) < MIN_MEAN_BITS) {
      refusedMerges.set(one, (refused ?? new Map<number[], number>()).set(two, size));
      continue;
    }
    const [into, from] = one.length < two.length ? [two, one] : [one, two];
    for (const nodes of [from, into]) groups.push({ nodes, count: nodes.length });
    for (const node of from) {
      into.push(node);
      home.set(node, into);
    }
  }
  return {
    of,
    clusters: () => [...new Set(home.values())].filter(({ length }) => length > 1),
    groups: () => groups.toReversed(),
  };
}

/** Returns the rows of groups whose evidence for another cluster is higher than for their own, or lower by less than `MIN_EVIDENCE_MARGIN_BITS`. */
async function findAmbiguousRows(
  { of, groups }: Joined,
  ordered: LinkEdge[],
  support: MemberSupport,
): Promise<ReadonlySet<number>> {
  const edgesOf = byNode(ordered);
  const crossing = new Set(ordered.flatMap(({ a, b }) => (of(a) === of(b) ? [] : [a, b])));
  const unclear = new Set<number>();
  for (const { nodes, count } of groups()) {
    const group = count < LARGE_CLUSTER ? nodes.slice(0, count) : [];
    if (!group.some((node) => crossing.has(node) && !unclear.has(node))) continue;
    const own = of(group[0] ?? 0);
    const fits = weighClusters(group, { of, edgesOf });
    const least = (fits.get(own) ?? 0) - MIN_EVIDENCE_MARGIN_BITS;
    for (const [other, bits] of fits) {
      if (other === own || bits <= least || (await meanSupport(group, other, support)) < MIN_MEAN_BITS)
        continue;
      for (const node of group) unclear.add(node);
      break;
    }
  }
  return unclear;
}

function byNode(edges: LinkEdge[]): Map<number, LinkEdge[]> {
  const edgesByCluster = new Map<number, LinkEdge[]>();
  for (const edge of edges)
    for (const node of [edge.a, edge.b]) {
      const known = edgesByCluster.get(node);
      if (known) known.push(edge);
      else edgesByCluster.set(node, [edge]);
    }
  return edgesByCluster;
}

/** Returns the match weight in bits between a group and each cluster that has an edge to the group. The odds of several edges are added. */
function weighClusters(
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
      fits.set(cluster, addOdds(fits.get(cluster) ?? -Infinity, bits));
    }
  return fits;
}

/** Adds two odds given in bits: 3 bits (8 to 1) and 3 bits give 4 bits (16 to 1). `two` must be finite. */
function addOdds(one: number, two: number): number {
  return Math.max(one, two) + Math.log2(1 + 2 ** -Math.abs(one - two));
}

/** Returns the average evidence in bits between the members of two clusters. -Infinity if two members conflict. */
async function meanSupport(one: number[], two: number[], support: MemberSupport): Promise<number> {
  if (one.length === 1 && two.length === 1)
    return roundMemberBits(await support.of(one[0] ?? 0, two[0] ?? 0)) / 100;
  let [sum, pairs] = [0, 0];
  for (const isFirstPass of [true, false])
    for (const [a, b] of drawPairs(one, two)) {
      if (support.mayConflict(a, b) !== isFirstPass) continue;
      const compared = support.of(a, b);
      const bits = typeof compared === 'number' ? compared : await compared;
      if (bits === -Infinity) return bits;
      sum += roundMemberBits(bits);
      pairs++;
    }
  return sum / pairs / 100;
}

/**
 * Returns the evidence of one pair of members, limited to `MAX_PAIR_BITS`, in hundredths of a bit. Integers give the same sum in any order.
 * -Infinity if the members conflict.
 */
const roundMemberBits = (bits: number) =>
  bits === -Infinity ? bits : Math.round(100 * Math.max(-MAX_PAIR_BITS, Math.min(MAX_PAIR_BITS, bits)));

/**
 * Yields the pairs of members to compare between two clusters: all pairs if there are at most `MAX_COMPARED_PAIRS`, otherwise evenly spread
 * pairs.
 */
function* drawPairs(one: number[], two: number[]): Iterable<[number, number]> {
  if (Math.max(one.length, two.length) >= LARGE_CLUSTER) {
    const [some, others] = drawMembers(one, two);
    for (const a of some) for (const b of others) yield [a, b];
    return;
  }
  const step = Math.max(1, Math.ceil((one.length * two.length) / MAX_COMPARED_PAIRS));
  for (let place = 0; place < one.length * two.length; place += step)
    yield [one[Math.floor(place / two.length)] ?? 0, two[place % two.length] ?? 0];
}

/**
 * Chooses evenly spread members of large clusters for comparison: every 2nd, 4th or 8th member and so on, so that the chosen members hardly change
 * when the cluster grows.
 */
function drawMembers(one: number[], two: number[]): [number[], number[]] {
  let [step, otherStep] = [1, 1];
  for (;;) {
    const [some, others] = [Math.ceil(one.length / step), Math.ceil(two.length / otherStep)];
    if (some * others <= MAX_COMPARED_PAIRS && Math.max(some, others) <= MAX_COMPARED_MEMBERS) break;
    if (some > others) step *= 2;
    else otherStep *= 2;
  }
  return [pickEvery(step, one), pickEvery(otherStep, two)];
}

function pickEvery(step: number, members: number[]): number[] {
  const picked: number[] = [];
  for (let i = 0; i < members.length; i += step) picked.push(members[i] ?? 0);
  return picked;
}
