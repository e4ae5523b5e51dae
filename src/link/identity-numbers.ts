export interface IdentityNumbering extends Redirects {
  /** Every identity: its number and its rows, ascending; in the order of their first rows. */
  identities: { number: number; rows: number[] }[];
}

export interface NumberingOptions extends Redirecting {
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
export function numberIdentities({ clusters, before, next = 1, ...it }: NumberingOptions): IdentityNumbering {
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

function numbersByRow(bore: PreviousHolders): Map<number, number[]> {
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

// Where numbers lead that are no identity's any more.

/** Of numbers that lead elsewhere: the rows that bore each when it was an identity's last. */
export type PreviousHolders = Map<number, number[]>;

interface Redirects {
  /** Numbers given earlier that are no identity's any more, and the number that stands for each now (null: its records are gone). */
  redirects: Map<number, number | null>;
  /** Of those that were an identity's until now: the rows that bore each. To be remembered; of a number that is an identity's nothing is. */
  parted: PreviousHolders;
}

interface Redirecting {
  /** Every row there is, and the identity it had so far. */
  previous: Map<number, number | null>;
  /** Every number that was ever given, and the one that stood for it so far (null: itself, or nobody). */
  known: Map<number, number | null>;
  /** What is remembered of numbers of `known`, each with all of its rows that are there. */
  bore?: PreviousHolders;
  /** The identities of those of its rows that are none of `previous`, which stay what they are. */
  elsewhere?: Map<number, number>;
}

type Identities = { number: number; rows: number[] }[];

/** See `numberIdentities`. */
function redirectsOf(
  identities: Identities,
  { previous, known, bore = new Map(), elsewhere = new Map() }: Redirecting,
): Redirects {
  const taken = new Set(identities.map(({ number }) => number));
  const numbers = new Map([...elsewhere, ...numbersOf(identities, new Set([...bore.values()].flat()))]);
  const { heirs, parted } = leftBehind(identities, previous, taken);
  const redirects = new Map<number, number | null>();
  for (const [number, into] of known) {
    if (taken.has(number)) continue;
    const holders = new Set((bore.get(number) ?? []).flatMap((row) => numbers.get(row) ?? []));
    for (const { holder } of parted.get(number) ?? []) holders.add(holder);
    const led = into === null ? null : taken.has(into) ? into : (heirs.get(into) ?? null);
    redirects.set(number, into !== null && holders.has(into) ? into : (lowest(holders) ?? led));
  }
  const rowsOf = (number: number) => (parted.get(number) ?? []).map(({ row }) => row);
  return {
    redirects,
    parted: new Map([...parted.keys()].filter((it) => redirects.has(it)).map((it) => [it, rowsOf(it)])),
  };
}

const lowest = (numbers: Iterable<number>) =>
  [...numbers].reduce<number | null>((least, one) => Math.min(least ?? one, one), null);

/** The numbers that some rows have now. */
function numbersOf(identities: Identities, some: ReadonlySet<number>): Map<number, number> {
  const numbers = new Map<number, number>();
  if (some.size > 0)
    for (const { number, rows } of identities)
      for (const row of rows) if (some.has(row)) numbers.set(row, number);
  return numbers;
}

/** Of numbers that rows had: the lowest that some of these have now; and of those that are nobody's, which rows they were. */
function leftBehind(identities: Identities, previous: Redirecting['previous'], taken: ReadonlySet<number>) {
  const heirs = new Map<number, number>();
  const parted = new Map<number, { row: number; holder: number }[]>();
  for (const { number, rows } of identities)
    for (const row of rows) {
      const old = previous.get(row);
      if (typeof old !== 'number') continue;
      heirs.set(old, Math.min(number, heirs.get(old) ?? Infinity));
      if (taken.has(old)) continue;
      const left = parted.get(old);
      if (left) left.push({ row, holder: number });
      else parted.set(old, [{ row, holder: number }]);
    }
  return { heirs, parted };
}
