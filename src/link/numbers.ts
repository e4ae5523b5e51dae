export interface Numbering {
  /** Every identity: its number and its rows, ascending; in the order of their first rows. */
  identities: { number: number; rows: number[] }[];
  /** Numbers given earlier that are no identity's any more, and the number that stands for each now (null: its records are gone). */
  redirects: Map<number, number | null>;
}

export interface NumberOptions {
  /** Rows of each cluster of two or more records, in any order. */
  clusters: number[][];
  /** Every row there is, and the identity it had so far. */
  previous: Map<number, number | null>;
  /** Numbers that rows had before what is taken back now: they count in the place of those that they have. */
  before?: Map<number, number> | undefined;
  /** Every number that was ever given, and the one that stood for it so far (null: itself, or nobody). */
  known: Map<number, number | null>;
  /** The first number that was never given, where it is not the one after the highest of `known`. */
  next?: number;
}

/**
 * Numbers the identities of a partition. A group keeps the lowest number that any of its records had. Where two groups claim one number
 * (an identity fell apart), the group with more of its records keeps it, then the one with the earlier record. Groups without a number
 * get new ones, and a number that was ever given is not given to somebody else.
 */
export function numberIdentities({ clusters, previous, before, known, next = 1 }: NumberOptions): Numbering {
  const groups = groupRows(clusters, previous.keys());
  const kept = keptNumbers(groups, (row) => before?.get(row) ?? previous.get(row));
  let free = next;
  for (const number of known.keys()) free = Math.max(free, number + 1);
  const identities = groups.map((rows) => ({ number: kept.get(rows) ?? free++, rows }));
  return { identities, redirects: redirectsOf(identities, { previous, known }) };
}

/** All rows in groups, each ascending; the groups ordered by their first row. */
function groupRows(clusters: number[][], all: Iterable<number>): number[][] {
  const groups = clusters.map((rows) => rows.toSorted((a, b) => a - b));
  const grouped = new Set(groups.flat());
  for (const row of all) if (!grouped.has(row)) groups.push([row]);
  return groups.sort(([a = 0], [b = 0]) => a - b);
}

/** Which group keeps which of the numbers that its records had. */
function keptNumbers(groups: number[][], numberOf: NumberOf): Map<number[], number> {
  const kept = new Map<number[], number>();
  const taken = new Set<number>();
  for (const { rows, number } of claimsOf(groups, numberOf))
    if (!kept.has(rows) && !taken.has(number)) {
      kept.set(rows, number);
      taken.add(number);
    }
  return kept;
}

type NumberOf = (row: number) => number | null | undefined;

function claimsOf(groups: number[][], numberOf: NumberOf) {
  const claims: { rows: number[]; number: number; records: number; group: number }[] = [];
  for (const [group, rows] of groups.entries()) {
    const counts = new Map<number, number>();
    for (const row of rows) {
      const number = numberOf(row);
      if (typeof number === 'number') counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    for (const [number, records] of counts) claims.push({ rows, number, records, group });
  }
  return claims.sort((a, b) => a.number - b.number || b.records - a.records || a.group - b.group);
}

function redirectsOf(
  identities: Numbering['identities'],
  { previous, known }: Pick<NumberOptions, 'previous' | 'known'>,
): Numbering['redirects'] {
  const taken = new Set(identities.map(({ number }) => number));
  const heirs = new Map<number, number>();
  for (const { number, rows } of identities)
    for (const row of rows) {
      const old = previous.get(row);
      if (typeof old === 'number') heirs.set(old, Math.min(number, heirs.get(old) ?? Infinity));
    }
  const redirects = new Map<number, number | null>();
  for (const [number, into] of known) {
    if (taken.has(number)) continue;
    const led = into === null ? null : taken.has(into) ? into : (heirs.get(into) ?? null);
    redirects.set(number, heirs.get(number) ?? led);
  }
  return redirects;
}
