// Where numbers lead that are no identity's any more.

/** Of numbers that lead elsewhere: the rows that bore each when it was an identity's last. */
export type Bore = Map<number, number[]>;

export interface Redirects {
  /** Numbers given earlier that are no identity's any more, and the number that stands for each now (null: its records are gone). */
  redirects: Map<number, number | null>;
  /** Of those that were an identity's until now: the rows that bore each. To be remembered; of a number that is an identity's nothing is. */
  parted: Bore;
}

export interface Redirecting {
  /** Every row there is, and the identity it had so far. */
  previous: Map<number, number | null>;
  /** Every number that was ever given, and the one that stood for it so far (null: itself, or nobody). */
  known: Map<number, number | null>;
  /** What is remembered of numbers of `known`, each with all of its rows that are there. */
  bore?: Bore;
  /** The identities of those of its rows that are none of `previous`, which stay what they are. */
  elsewhere?: Map<number, number>;
}

type Identities = { number: number; rows: number[] }[];

/** See `numberIdentities`. */
export function redirectsOf(
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
