import { type Bore, redirectsOf, type Redirecting, type Redirects } from './numbers/redirects.ts';

export interface Numbering extends Redirects {
  /** Every identity: its number and its rows, ascending; in the order of their first rows. */
  identities: { number: number; rows: number[] }[];
}

export interface NumberOptions extends Redirecting {
  /** Rows of each cluster of two or more records, in any order. */
  clusters: number[][];
  /** Numbers that rows had before what is taken back now: they count in the place of those that they have. */
  before?: Map<number, number> | undefined;
  /** The first number that was never given, where it is not the one after the highest of `known`. */
  next?: number;
}

/**
 * Numbers the identities of a partition.
 *
 * A group keeps the lowest number that any of its records has. Where two groups claim one number (an identity fell apart), the one keeps it
 * that has a record which bore the fewest others before (it came to the number by no merging, or by the fewest); of several the one with
 * more of these, then with more records of the number, then with the earlier record. A group that has no number by that takes the lowest
 * which its records bore before they were merged, if it is nobody's now, by the same rule. Only who has neither gets a new number.
 *
 * So it is promised of every number, for as long as there are records that bore it when it was somebody's last:
 * - it is given to nobody who holds none of them, and leads to nobody who holds none of them;
 * - while it is nobody's, it leads to who holds one: to the same as before, else to the lowest number;
 * - where a merging ends, and nothing else has come of it, everybody has the number of before.
 * A number whose records are all gone leads where it led, or to nobody, and is never given again. A number that is somebody's again is
 * his alone: who else bore it is forgotten.
 *
 * It is the same whether all identities are numbered at once or those alone whose records changed, if these come with `bore` of all numbers
 * that lead to them and of all that their records bore, and with `elsewhere`.
 */
export function numberIdentities({ clusters, before, next = 1, ...it }: NumberOptions): Numbering {
  const { previous, known, bore = new Map() } = it;
  const groups = groupRows(clusters, previous.keys());
  const kept = keptNumbers(groups, {
    has: (row) => before?.get(row) ?? previous.get(row),
    bore: numbersByRow(bore),
  });
  let free = next;
  for (const number of known.keys()) free = Math.max(free, number + 1);
  const identities = groups.map((rows) => ({ number: kept.get(rows) ?? free++, rows }));
  return { identities, ...redirectsOf(identities, it) };
}

/** All rows in groups, each ascending; the groups ordered by their first row. */
function groupRows(clusters: number[][], all: Iterable<number>): number[][] {
  const groups = clusters.map((rows) => rows.toSorted((a, b) => a - b));
  const grouped = new Set(groups.flat());
  for (const row of all) if (!grouped.has(row)) groups.push([row]);
  return groups.sort(([a = 0], [b = 0]) => a - b);
}

function numbersByRow(bore: Bore): Map<number, number[]> {
  const numbers = new Map<number, number[]>();
  for (const [number, rows] of bore)
    for (const row of rows) numbers.set(row, [...(numbers.get(row) ?? []), number]);
  return numbers;
}

interface Numbers {
  has(row: number): number | null | undefined;
  bore: Map<number, number[]>;
}

/** Which group keeps which of the numbers that its records have, or else bore. */
function keptNumbers(groups: number[][], { has, bore }: Numbers): Map<number[], number> {
  const kept = new Map<number[], number>();
  const taken = new Set<number>();
  const give = (claims: Claim[]) => {
    for (const { rows, number } of claims.sort(byStrength))
      if (!kept.has(rows) && !taken.has(number)) {
        kept.set(rows, number);
        taken.add(number);
      }
  };
  give(
    claimsOf(groups, bore, (row, claim) => {
      const number = has(row);
      if (typeof number === 'number') claim(number);
    }),
  );
  const left = bore.size > 0 ? groups.filter((rows) => !kept.has(rows)) : [];
  give(claimsOf(left, bore, (row, claim) => bore.get(row)?.forEach(claim)));
  return kept;
}

/** A group that would have a number. */
interface Claim {
  rows: number[];
  /** The place of the group. */
  group: number;
  number: number;
  records: number;
  /** Of the record that bore the fewest: how many numbers beside this one. */
  others: number;
  /** How many records bore as few. */
  first: number;
}

const byStrength = (a: Claim, b: Claim) =>
  a.number - b.number ||
  a.others - b.others ||
  b.first - a.first ||
  b.records - a.records ||
  a.group - b.group;

type Claiming = (row: number, claim: (number: number) => void) => void;

function claimsOf(groups: number[][], bore: Numbers['bore'], claiming: Claiming): Claim[] {
  const claims: Claim[] = [];
  for (const [group, rows] of groups.entries()) {
    const own = new Map<number, Claim>();
    for (const row of rows)
      claiming(row, (number) => {
        const others = bore.get(row)?.filter((one) => one !== number).length ?? 0;
        let claim = own.get(number);
        if (!claim) own.set(number, (claim = { rows, group, number, records: 0, others, first: 0 }));
        claim.records++;
        if (others < claim.others) [claim.others, claim.first] = [others, 0];
        if (others === claim.others) claim.first++;
      });
    claims.push(...own.values());
  }
  return claims;
}
