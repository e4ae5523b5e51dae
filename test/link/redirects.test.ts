// Guarantees about identity numbers, on arbitrary histories: records come and go, identities are merged and split at random.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignIdentityNumbers, type RowsByRetiredIdentityNumber } from '../../src/link/identity-numbers.ts';

interface World {
  /** Record and identity by row. The row of a removed record is used again. */
  rows: Map<number, { record: number; identity: number | null }>;
  leads: Map<number, number | null>;
  bore: RowsByRetiredIdentityNumber;
}

interface Step {
  come: number;
  /** Positions of the rows that are removed. */
  go: number[];
  /** Positions of the identities whose rows are grouped again. */
  touched: number[];
  /** Group of each of these rows, in rotation. */
  into: number[];
}

const places = (most: number) => fc.array(fc.nat(20), { maxLength: most });
const step: fc.Arbitrary<Step> = fc.record({
  come: fc.nat(1),
  go: places(1),
  touched: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
  into: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
});
/** The first step adds some records, each with an identity, so that later steps can merge them. */
const history = fc
  .array(step, { minLength: 6, maxLength: 16 })
  .map((steps): Step[] => [{ come: 9, go: [], touched: [], into: [0, 1, 2, 3, 4, 5, 6, 7, 8] }, ...steps]);

/** Returns the rows of each identity; under null the rows without an identity. */
const groupsOf = (world: World) => {
  const groups = new Map<number | null, number[]>();
  for (const [row, { identity }] of world.rows) groups.set(identity, [...(groups.get(identity) ?? []), row]);
  return groups;
};

/** Removes and adds records of a world, and returns its new groups of rows. */
function changed(world: World, { come, go, touched, into }: Step, nextRecord: () => number) {
  const rows = new Map(world.rows);
  const gone = go.flatMap((place) => [...world.rows.keys()][place] ?? []);
  const bereft = new Set(gone.flatMap((row) => rows.get(row)?.identity ?? []));
  for (const row of gone) rows.delete(row);
  const bore: RowsByRetiredIdentityNumber = new Map(
    [...world.bore].map(([number, all]) => [number, all.filter((row) => rows.has(row))]),
  );
  for (let i = 0; i < come; i++)
    rows.set(Math.max(0, ...rows.keys()) + 1, { record: nextRecord(), identity: null });
  const now = { ...world, rows, bore };
  const numbers = [...groupsOf(now).keys()];
  const concerned = new Set<number | null>([
    null,
    ...bereft,
    ...touched.flatMap((i) => numbers[i % numbers.length] ?? []),
  ]);
  const part = [...rows].flatMap(([row, { identity }]) => (concerned.has(identity) ? [row] : []));
  const anew = Map.groupBy(part, (row) => into[part.indexOf(row) % into.length] ?? 0);
  const others = [...groupsOf(now)].flatMap(([identity, all]) => (concerned.has(identity) ? [] : [all]));
  return { now, bereft, part: part.toSorted((a, b) => a - b), clusters: [...anew.values()], others };
}

type Changed = ReturnType<typeof changed>;
const previousOf = ({ rows }: World, some: Iterable<number>) =>
  new Map([...some].map((row) => [row, rows.get(row)?.identity ?? null]));
const aliveIn = (world: World) => [...groupsOf(world).keys()].filter((number) => number !== null);

/** Numbers all identities. */
function whole({ now, bereft, clusters, others }: Changed, alive: number[]): World {
  const known = new Map([...alive, ...bereft].map((number): [number, number | null] => [number, null]));
  for (const [number, heir] of now.leads) known.set(number, heir);
  const all = [...clusters, ...others];
  const it = assignIdentityNumbers({
    clusters: all,
    previous: previousOf(now, now.rows.keys()),
    known,
    bore: now.bore,
  });
  const rows = new Map(now.rows);
  for (const { number, rows: own } of it.identities)
    for (const row of own) rows.set(row, { record: now.rows.get(row)?.record ?? 0, identity: number });
  const bore = new Map([...now.bore, ...it.parted]);
  for (const { number } of it.identities) bore.delete(number);
  return { rows, leads: it.redirects, bore };
}

/** Numbers only the affected identities. */
function inPart({ now, bereft, part, clusters }: Changed, alive: number[]): World {
  const previous = previousOf(now, part);
  const old = new Set([...bereft, ...[...previous.values()].flatMap((number) => number ?? [])]);
  const isOurs = (number: number, heir: number | null) =>
    (heir !== null && old.has(heir)) || (now.bore.get(number) ?? []).some((row) => previous.has(row));
  const leading = [...now.leads].filter(([number, heir]) => isOurs(number, heir));
  const bore: RowsByRetiredIdentityNumber = new Map(
    leading.flatMap(([number]) => [[number, now.bore.get(number) ?? []]]),
  );
  const known = new Map<number, number | null>([...old].map((number) => [number, null]));
  for (const [number, heir] of leading) known.set(number, heir);
  const next = Math.max(0, ...alive, ...now.leads.keys()) + 1;
  const elsewhere = new Map<number, number>();
  for (const row of [...bore.values()].flat())
    if (!previous.has(row)) elsewhere.set(row, now.rows.get(row)?.identity ?? 0);
  const it = assignIdentityNumbers({ clusters, previous, known, bore, elsewhere, next });
  const [rows, leads, remembered] = [new Map(now.rows), new Map(now.leads), new Map(now.bore)];
  for (const { number, rows: own } of it.identities) {
    for (const row of own) rows.set(row, { record: now.rows.get(row)?.record ?? 0, identity: number });
    leads.delete(number);
  }
  for (const [number, heir] of it.redirects) leads.set(number, heir);
  for (const [number, own] of it.parted) remembered.set(number, own);
  for (const { number } of it.identities) remembered.delete(number);
  return { rows, leads, bore: remembered };
}

const sorted = <T>(map: Map<number, T>) => [...map].toSorted(([a], [b]) => a - b);
const told = ({ rows, leads, bore }: World) => ({
  rows: sorted(rows),
  leads: sorted(leads),
  bore: sorted(bore)
    .filter(([, own]) => own.length > 0)
    .map(([number, own]) => [number, own.toSorted()]),
});
const recordsOf = (world: World, number: number) =>
  new Set([...world.rows.values()].filter(({ identity }) => identity === number).map(({ record }) => record));
const EMPTY: World = { rows: new Map(), leads: new Map(), bore: new Map() };

const shareAny = (some: Set<number>, others: Set<number>) => [...some].some((one) => others.has(one));

/** Applies the steps, and returns each number that is given, or leads, to an identity without a record of its previous one, although such a record exists. */
function brokenBy(steps: Step[], see: (change: Changed, alive: number[]) => World): string[] {
  let [world, records] = [EMPTY, 0];
  const bearers = new Map<number, Set<number>>();
  const broken: string[] = [];
  for (const one of steps) {
    const highest = Math.max(0, ...bearers.keys());
    const alive = aliveIn(world);
    const change = changed(world, one, () => ++records);
    world = see(change, alive);
    const there = new Set([...world.rows.values()].map(({ record }) => record));
    for (const number of aliveIn(world)) {
      const [own, bore] = [recordsOf(world, number), bearers.get(number)];
      if (bore ? !shareAny(own, bore) : number <= highest) broken.push(`${number} is given`);
      bearers.set(number, own);
    }
    for (const [number, heir] of world.leads) {
      const left = new Set([...(bearers.get(number) ?? [])].filter((record) => there.has(record)));
      if (left.size > 0 && !shareAny(left, recordsOf(world, heir ?? 0))) broken.push(`${number} leads`);
    }
  }
  return broken;
}

test('a number is given, and leads, only to an identity with a record that had the number, if such a record exists', () => {
  fc.assert(
    fc.property(history, (steps) => {
      expect(brokenBy(steps, whole)).toEqual([]);
    }),
    { numRuns: 250 },
  );
});

test('numbering only the changed identities gives the same numbers as numbering all of them', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const both = (change: Changed, alive: number[]) => {
        const part = inPart(change, alive);
        expect(told(part)).toEqual(told(whole(change, alive)));
        return part;
      };
      expect(brokenBy(steps, both)).toEqual([]);
    }),
    { numRuns: 250 },
  );
});

test('after any merges, each person has the same number again when they are split', () => {
  const merging = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 8 });
  fc.assert(
    fc.property(
      merging,
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 10 }),
      (pairs, sizes) => {
        const people = sizes.map((size, i) => Array.from({ length: size }, (_, j) => i + 1 + j * 100));
        const rows = new Map(
          people.flat().map((row) => [row, { record: row, identity: null as number | null }]),
        );
        const grouped = (world: World, clusters: number[][]) =>
          whole({ now: world, bereft: new Set(), part: [], clusters, others: [] }, aliveIn(world));
        const first = grouped({ ...EMPTY, rows }, people);
        let [world, groups] = [first, people];
        for (const [a, b] of pairs) {
          const [one, other] = [groups[a % groups.length], groups[b % groups.length]];
          if (!one || !other || one === other) continue;
          groups = [...groups.filter((group) => group !== one && group !== other), [...one, ...other]];
          world = grouped(world, groups);
        }
        expect(told(grouped(world, people))).toEqual(told(first));
      },
    ),
    { numRuns: 300 },
  );
});
