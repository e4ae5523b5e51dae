export interface IdentityNumbering extends Redirects {
  /** Identities in the order of their first rows. The rows of each are ascending. */
  identities: { number: number; rows: number[] }[];
}

export interface IdentityNumberingOptions extends RedirectInput {
  clusters: number[][];
  /** Identity numbers that rows had before the operation that is being undone. They replace the present numbers of these rows. */
  before?: Map<number, number> | undefined;
  /** Number of the next new identity. Needed only if it is higher than the highest number in `known` plus one. */
  next?: number;
}

/**
 * Assigns identity numbers to the clusters of a partition.
 *
 * A cluster keeps the lowest number of its records. If two clusters claim a number (an identity was split),
 * these rules decide in order: the record that had the fewest other numbers before (fewest merges); more
 * records of this kind; more records with the number; the earlier record. A cluster without a number takes
 * the lowest unused number that its records had before a merge, by the same rules. Otherwise it gets a new
 * number.
 *
 * Guarantees for a number, as long as a record exists that had it when it was last in use:
 * - It is assigned to, and redirects to, only an identity with one of these records.
 * - While it is unused, it redirects to such an identity: to the same one as before, otherwise to the lowest
 *   number.
 * - When a merge is undone without other changes, all identities have their earlier numbers again.
 *
 * A number whose records are all gone keeps its redirect, or has none, and is never assigned again. When a
 * number is in use again, its other earlier records are forgotten.
 *
 * The result is the same for all identities at once or only for the changed ones, if `bore` contains all
 * numbers that redirect to them or that their records had, and `elsewhere` is given.
 */
export function assignIdentityNumbers({
  clusters,
  before,
  next = 1,
  ...it
}: IdentityNumberingOptions): IdentityNumbering {
  const { previous, known, bore = new Map() } = it;
  const groups = groupRows(clusters, previous.keys());
  const keptNumberByGroup = keptNumbers(groups, {
    has: (row) => before?.get(row) ?? previous.get(row),
    bore: numbersByRow(bore),
  });
  let free = next;
  for (const number of known.keys()) free = Math.max(free, number + 1);
  const identities = groups.map((rows) => ({ number: keptNumberByGroup.get(rows) ?? free++, rows }));
  return { identities, ...redirectsOf(identities, it) };
}

/**
 * Groups all rows: each cluster is a group, and so is each row without a cluster. Rows are ascending, groups are in the order of their first
 * rows.
 */
function groupRows(clusters: number[][], all: Iterable<number>): number[][] {
  const groups = clusters.map((rows) => rows.toSorted((a, b) => a - b));
  const grouped = new Set(groups.flat());
  for (const row of all) if (!grouped.has(row)) groups.push([row]);
  return groups.sort(([a = 0], [b = 0]) => a - b);
}

function numbersByRow(bore: RowsByRetiredIdentityNumber): Map<number, number[]> {
  const numbers = new Map<number, number[]>();
  for (const [number, rows] of bore)
    for (const row of rows) numbers.set(row, [...(numbers.get(row) ?? []), number]);
  return numbers;
}

interface Numbers {
  has(row: number): number | null | undefined;
  bore: Map<number, number[]>;
}

/** Chooses the number that each group keeps, from the present and previous numbers of its records. */
function keptNumbers(groups: number[][], { has, bore }: Numbers): Map<number[], number> {
  const keptNumberByGroup = new Map<number[], number>();
  const usedNumbers = new Set<number>();
  const give = (claims: Claim[]) => {
    for (const { rows, number } of claims.sort(byStrength))
      if (!keptNumberByGroup.has(rows) && !usedNumbers.has(number)) {
        keptNumberByGroup.set(rows, number);
        usedNumbers.add(number);
      }
  };
  give(
    claimsOf(groups, bore, (row, claim) => {
      const number = has(row);
      if (typeof number === 'number') claim(number);
    }),
  );
  const left = bore.size > 0 ? groups.filter((rows) => !keptNumberByGroup.has(rows)) : [];
  give(claimsOf(left, bore, (row, claim) => bore.get(row)?.forEach(claim)));
  return keptNumberByGroup;
}

interface Claim {
  rows: number[];
  group: number;
  number: number;
  records: number;
  /** Lowest number of other identity numbers that any record of the group had before. */
  others: number;
  /** Number of records of the group that had only `others` other identity numbers before. */
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

/** Rows by retired identity number (no longer in use): the rows that had the number when it was last in use. */
export type RowsByRetiredIdentityNumber = Map<number, number[]>;

interface Redirects {
  /** Redirect of each number that is no longer in use: the present number of the identity, or null if its records are gone. */
  redirects: Map<number, number | null>;
  /** Rows that had each number that this change retired. The caller stores them, and deletes stored rows of numbers in use. */
  parted: RowsByRetiredIdentityNumber;
}

interface RedirectInput {
  /** Identity number of each row before the change; null for a row without one. */
  previous: Map<number, number | null>;
  /** All numbers ever assigned, each with the number that it redirected to before the change; null if it was in use, or if its records were gone. */
  known: Map<number, number | null>;
  /** Rows that had each retired number, as stored by earlier changes (their `parted`), without rows that no longer exist. */
  bore?: RowsByRetiredIdentityNumber;
  /** Identity numbers of the rows in `bore` that the change does not affect and that are therefore not in `previous`. */
  elsewhere?: Map<number, number>;
}

type Identities = { number: number; rows: number[] }[];

/** Returns the redirects after a renumbering, by the rules of `assignIdentityNumbers`. */
function redirectsOf(
  identities: Identities,
  { previous, known, bore = new Map(), elsewhere = new Map() }: RedirectInput,
): Redirects {
  const usedNumbers = new Set(identities.map(({ number }) => number));
  const numbers = new Map([...elsewhere, ...numbersOf(identities, new Set([...bore.values()].flat()))]);
  const { heirs, parted } = leftBehind(identities, previous, usedNumbers);
  const redirects = new Map<number, number | null>();
  for (const [number, into] of known) {
    if (usedNumbers.has(number)) continue;
    const holders = new Set((bore.get(number) ?? []).flatMap((row) => numbers.get(row) ?? []));
    for (const { holder } of parted.get(number) ?? []) holders.add(holder);
    const led = into === null ? null : usedNumbers.has(into) ? into : (heirs.get(into) ?? null);
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

function numbersOf(identities: Identities, some: ReadonlySet<number>): Map<number, number> {
  const numbers = new Map<number, number>();
  if (some.size > 0)
    for (const { number, rows } of identities)
      for (const row of rows) if (some.has(row)) numbers.set(row, number);
  return numbers;
}

/** Returns two maps: for each previous number the lowest number that its rows have now, and for each retired number the rows that had it. */
function leftBehind(identities: Identities, previous: RedirectInput['previous'], taken: ReadonlySet<number>) {
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
