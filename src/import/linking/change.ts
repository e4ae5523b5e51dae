// Takes changed records into what linking remembers, and tells whose pairs that concerns.
import type { LinkCache } from '../../graph/linking.ts';
import { isWeak, weakMost } from '../../link/blocking.ts';
import { COUNTED, type Count, type Counted, type Facts } from '../../link/counted/facts.ts';
import { type Common, effectOf, nameEffect, streetEffect } from '../../link/counted/effects.ts';
import { levelled } from '../../link/counted/levels.ts';
import { everyTwo, FREQUENT, pairsOfName } from '../../link/pairing.ts';
import { type CountOf, recount } from '../../link/counted/survey.ts';

/** What was known of a record, and what is now: nothing where it is gone. */
export interface RecordChange {
  row: number;
  before: Facts | null;
  after: Facts | null;
}

/** More records behind a key than this are many to every rule. */
const MANY = FREQUENT + 1;

/** What has to be compared again. */
export interface AffectedPairs {
  /** Records all of whose pairs are. */
  rows: Set<number>;
  /** Pairs of other records. */
  pairs: [number, number][];
}

/**
 * Takes the changes in. The answer holds every pair that is compared now and was not, or the other way round, or whose weight may be
 * another one now. What concerns all records is not its matter.
 *
 * @param common what held for all records so far
 */
export function applyChanges(index: LinkCache, changes: RecordChange[], common: Common): AffectedPairs {
  const touched = new Set(changes.map(({ row }) => row));
  const pairs: [number, number][] = [];
  const behind = (key: number) => {
    for (const { row } of index.listHolders(key, Infinity)) touched.add(row);
  };
  const moves = movesOf(changes);
  const keys = Array.from(moves.keys, ([key, by]) => ({ key, by, before: stateOf(index, key) }));
  const groups = moves.groups.map((one) => ({ ...one, rows: index.listRowsOfPerson(one.key, one.person) }));
  const labels = new Set(changes.flatMap(({ before: was, after }) => [was?.label ?? 0, after?.label ?? 0]));
  labels.delete(0);
  for (const label of labels) behind(label);
  // Asked while the old facts are there.
  const pairsBefore = groups.map(({ rows }) => pairsNamed(index, rows));

  for (const { row, after } of changes) index.replaceFacts(row, after);

  const counts = recounted(index, changes);
  for (const { what, key, to } of counts) index.setCount(what, key, to);
  for (const row of namedOtherwise(index, counts, common)) touched.add(row);
  for (const count of counts) for (const row of concerned(index, count, common)) touched.add(row);
  for (const { key, ...count } of resized(index, keys, groups)) {
    index.setCount(COUNTED.people, key, count.to > 1 ? count.to : 0);
    if (!isWeighed(COUNTED.people, count, common)) continue;
    const rows = index.listHolders(key, MANY).map(({ row }) => row);
    // Behind a key of few all are compared with all, and only these pairs have it in common.
    if (rows.length <= FREQUENT) pairs.push(...everyTwo(rows));
    else behind(key);
  }
  for (const { key, by, before } of keys) {
    const most = isWeak(key) ? weakMost(common.perPerson) : FREQUENT;
    if (before > most !== stateAfter(index, { key, by, before }) > most) behind(key);
  }
  for (const label of labels) behind(label);
  for (const [i, { key, person, by, rows }] of groups.entries())
    if (Math.max(rows.length, rows.length + by) > FREQUENT)
      for (const row of others(
        pairsBefore[i] ?? null,
        pairsNamed(index, index.listRowsOfPerson(key, person)),
      ))
        touched.add(row);
  return { rows: touched, pairs };
}

type Recount = Count & { from: number; to: number };

type Moved = Pick<Recount, 'from' | 'to'>;

/** Is a pair weighed otherwise where this was counted? */
const isWeighed = (what: Counted, { from, to }: Moved, common: Common) =>
  effectOf(what, from, common) !== effectOf(what, to, common);

const isStreetWeighed = ({ from, to }: Moved, common: Common) =>
  streetEffect(from, common) !== streetEffect(to, common);

/** The records whose pairs a count weighs otherwise in. */
function concerned(index: LinkCache, count: Recount, common: Common): number[] {
  const { what, key, under } = count;
  const behind = (one: number) => index.listHolders(one, Infinity).map(({ row }) => row);
  const rows = under !== 0 && isWeighed(what, count, common) ? behind(under) : [];
  if (what === COUNTED.place && isStreetWeighed(count, common)) return [...rows, ...behind(key)];
  return what === COUNTED.nameAndBirth ? rows.filter((row) => index.facts(row)?.dated === key) : rows;
}

/** The records whose names are reckoned to be borne by so many more or fewer that they say something else. */
function* namedOtherwise(index: LinkCache, counts: Recount[], common: Common): Iterable<number> {
  const moved = counts.filter(({ what }) => what === COUNTED.name || what === COUNTED.word);
  const were = new Map<Counted, Map<number, number>>(
    [COUNTED.name, COUNTED.word].map((what) => [what, new Map()]),
  );
  for (const { what, key, from } of moved) were.get(what)?.set(key, from);
  const was: CountOf = (what, key) => were.get(what)?.get(key) ?? index.count(what, key);
  const level = (count: number) => levelled(Math.max(1, count));
  const rows = new Set<number>();
  for (const { under, from, to } of moved)
    if (level(from) !== level(to)) for (const { row } of index.listHolders(under, Infinity)) rows.add(row);
  for (const row of rows) {
    const facts = index.facts(row);
    if (facts && nameEffect(facts, was, common) !== nameEffect(facts, index.count, common)) yield row;
  }
}

/** How many records are behind a key, of many just that. */
const stateOf = (index: LinkCache, key: number) => index.listHolders(key, MANY).length;

/** The same once the changes are taken in. */
function stateAfter(index: LinkCache, { key, by, before }: Key): number {
  return before === MANY && by < 0 ? stateOf(index, key) : Math.min(MANY, before + by);
}

/** A key that the changes concern. */
interface Key {
  key: number;
  /** How many more records are behind it than there were. */
  by: number;
  /** How many there were, of many just that. */
  before: number;
}

/** The equally named records behind a key that the changes concern. */
interface Group {
  key: number;
  person: number;
  /** How many more they are than they were. */
  by: number;
}

/** By how many more records the changes are behind each key, and of each name behind it. */
function movesOf(changes: RecordChange[]): { keys: Map<number, number>; groups: Group[] } {
  const keys = new Map<number, number>();
  const groups = new Map<string, Group>();
  const move = ({ contacts, keys: others, person }: Facts, by: number) => {
    for (const key of [...contacts, ...others]) {
      keys.set(key, (keys.get(key) ?? 0) + by);
      if (isWeak(key)) continue;
      const name = `${key} ${person}`;
      groups.set(name, { key, person, by: (groups.get(name)?.by ?? 0) + by });
    }
  };
  for (const { before, after } of changes) {
    if (before) move(before, -1);
    if (after) move(after, 1);
  }
  return { keys, groups: [...groups.values()] };
}

/** The pairs of many equally named records, which one record more or less moves; null where all are compared with all. */
function pairsNamed(index: LinkCache, rows: number[]): Set<string> | null {
  if (rows.length <= FREQUENT) return null;
  return new Set(pairsOfName(rows, getFactsByRow(index, rows)).map((pair) => pair.toSorted().join(' ')));
}

/** What pairing asks of these rows. */
export function getFactsByRow(index: LinkCache, rows: number[]) {
  const [persons, orders, dated]: Record<number, number>[] = [{}, {}, {}];
  for (const row of rows) {
    const facts = index.facts(row);
    if (!facts || !persons || !orders || !dated) continue;
    persons[row] = facts.person;
    orders[row] = facts.order;
    dated[row] = facts.dated;
  }
  return { persons: persons ?? {}, orders: orders ?? {}, dated: dated ?? {} };
}

/** The rows of pairs that are in one of two sets only. Of groups in which all are compared, the changed record is touched anyway. */
function others(one: Set<string> | null, two: Set<string> | null): Set<number> {
  const rows = new Set<number>();
  const from = (pairs: Set<string> | null, without: Set<string> | null) => {
    for (const pair of pairs ?? [])
      if (!without?.has(pair)) for (const row of pair.split(' ')) rows.add(Number(row));
  };
  from(one, two);
  from(two, one);
  return rows;
}

/** The counts that the changes change, from what to what; the totals are set. */
function recounted(index: LinkCache, changes: RecordChange[]): Recount[] {
  const found = new Map<string, Count & { by: number }>();
  const add = (counts: Count[], by: number) => {
    for (const { what, key, under } of counts) {
      const known = found.get(`${what} ${key}`);
      if (known) known.by += by;
      else found.set(`${what} ${key}`, { what, key, under, by });
    }
  };
  for (const { before, after } of changes) {
    add(before?.counts ?? [], -1);
    add(after?.counts ?? [], 1);
  }
  const totals = index.totals();
  for (const { before, after } of changes) totals.records += Number(after !== null) - Number(before !== null);
  const moved = [...found.values()].flatMap(({ what, key, under, by }) => {
    if (by === 0) return [];
    const from = index.count(what, key);
    recount(totals, what, [from, from + by]);
    return [{ what, key, under, from, to: from + by }];
  });
  index.setTotals(totals);
  return moved;
}

/** Of each key that people may share, how many they were and are. */
function resized(index: LinkCache, keys: Key[], groups: (Group & { rows: number[] })[]) {
  const people = new Map<number, number>();
  for (const { key, by, rows } of groups) {
    const [had, has] = [rows.length > 0, rows.length + by > 0];
    people.set(key, (people.get(key) ?? 0) + Number(has) - Number(had));
  }
  return keys.flatMap(({ key, before }) => {
    if (isWeak(key)) return [];
    const from = index.count(COUNTED.people, key) || Math.min(1, before);
    return [{ key, from, to: from + (people.get(key) ?? 0) }];
  });
}
