// Takes changed records into what linking remembers, and tells whose pairs that concerns.
import type { LinkIndex } from '../../graph/link-index.ts';
import { isWeak, weakMost } from '../../link/blocking.ts';
import { COUNTED, type Count, type Counted, type Facts } from '../../link/counted/facts.ts';
import { borneIn, type Common, effectOf } from '../../link/counted/effects.ts';
import { levelled } from '../../link/counted/levels.ts';
import { everyTwo, FREQUENT, pairsOfName } from '../../link/pairing.ts';
import { type CountOf, recount } from '../../link/counted/survey.ts';

/** What was known of a record, and what is now: nothing where it is gone. */
export interface Change {
  row: number;
  before: Facts | null;
  after: Facts | null;
}

/** More records behind a key than this are many to every rule. */
const MANY = FREQUENT + 1;

/** What has to be compared again. */
export interface Touched {
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
export function takeIn(index: LinkIndex, changes: Change[], common: Common): Touched {
  const touched = new Set(changes.map(({ row }) => row));
  const pairs: [number, number][] = [];
  const behind = (key: number) => {
    for (const { row } of index.behind(key, Infinity)) touched.add(row);
  };
  const keys = keysOf(changes);
  const before = keys.map((key) => stateOf(index, key));
  const groups = groupsOf(changes).map((one) => ({ ...one, rows: index.named(one.key, one.person) }));
  const labels = new Set(changes.flatMap(({ before: was, after }) => [was?.label ?? 0, after?.label ?? 0]));
  labels.delete(0);
  for (const label of labels) behind(label);
  // Asked while the old facts are there.
  const pairsBefore = groups.map(({ rows }) => pairsNamed(index, rows));

  for (const { row, after } of changes) index.replace(row, after);

  const changed = (what: Counted, { from, to }: { from: number; to: number }) =>
    effectOf(what, from, common) !== effectOf(what, to, common);
  const counts = recounted(index, changes);
  for (const { what, key, to } of counts) index.setCount(what, key, to);
  for (const row of borneOtherwise(index, counts, common)) touched.add(row);
  for (const count of counts)
    if (count.under !== 0 && changed(count.what, count))
      for (const row of concerned(index, count)) touched.add(row);
  for (const { key, ...count } of resized(index, { keys, before, groups })) {
    index.setCount(COUNTED.people, key, count.to > 1 ? count.to : 0);
    if (!changed(COUNTED.people, count)) continue;
    const rows = index.behind(key, MANY).map(({ row }) => row);
    // Behind a key of few all are compared with all, and only these pairs have it in common.
    if (rows.length <= FREQUENT) pairs.push(...everyTwo(rows));
    else behind(key);
  }
  for (const [i, key] of keys.entries()) {
    const most = isWeak(key) ? weakMost(common.perPerson) : FREQUENT;
    const [was, is] = [before[i] ?? 0, stateOf(index, key)];
    if (was > most !== is > most) behind(key);
  }
  for (const label of labels) behind(label);
  for (const [i, { key, person }] of groups.entries())
    for (const row of others(pairsBefore[i] ?? null, pairsNamed(index, index.named(key, person))))
      touched.add(row);
  return { rows: touched, pairs };
}

type Recount = Count & { from: number; to: number };

/** The records in whose pairs a count weighs. */
function concerned(index: LinkIndex, { what, key, under }: Recount): number[] {
  const rows = index.behind(under, Infinity).map(({ row }) => row);
  return what === COUNTED.nameAndBirth ? rows.filter((row) => index.facts(row)?.dated === key) : rows;
}

/** The records whose names are reckoned to be borne by more or fewer than they were. */
function* borneOtherwise(index: LinkIndex, counts: Recount[], common: Common): Iterable<number> {
  const moved = counts.filter(({ what }) => what === COUNTED.name || what === COUNTED.word);
  const were = new Map(moved.map(({ what, key, from }) => [`${what} ${key}`, from]));
  const was: CountOf = (what, key) => were.get(`${what} ${key}`) ?? index.count(what, key);
  const level = (count: number) => levelled(Math.max(1, count));
  const rows = new Set<number>();
  for (const { under, from, to } of moved)
    if (level(from) !== level(to)) for (const { row } of index.behind(under, Infinity)) rows.add(row);
  for (const row of rows) {
    const facts = index.facts(row);
    if (facts && borneIn(facts, was, common) !== borneIn(facts, index.count, common)) yield row;
  }
}

/** How many records are behind a key, of many just that. */
const stateOf = (index: LinkIndex, key: number) => index.behind(key, MANY).length;

function keysOf(changes: Change[]): number[] {
  const all = changes.flatMap(({ before, after }) => [before, after].flatMap((facts) => facts ?? []));
  return [...new Set(all.flatMap(({ contacts, keys }) => [...contacts, ...keys]))];
}

interface Group {
  key: number;
  person: number;
}

/** The equally named records behind each key that the changes concern. */
function groupsOf(changes: Change[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { before, after } of changes)
    for (const facts of [before, after])
      for (const key of facts ? [...facts.contacts, ...facts.keys] : [])
        if (facts && !isWeak(key)) groups.set(`${key} ${facts.person}`, { key, person: facts.person });
  return [...groups.values()];
}

/** The pairs of many equally named records, which one record more or less moves; null where all are compared with all. */
function pairsNamed(index: LinkIndex, rows: number[]): Set<string> | null {
  if (rows.length <= FREQUENT) return null;
  return new Set(pairsOfName(rows, factsByRow(index, rows)).map((pair) => pair.toSorted().join(' ')));
}

/** What pairing asks of these rows. */
export function factsByRow(index: LinkIndex, rows: number[]) {
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
function recounted(index: LinkIndex, changes: Change[]): Recount[] {
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
function resized(
  index: LinkIndex,
  known: { keys: number[]; before: number[]; groups: (Group & { rows: number[] })[] },
) {
  const by = new Map<number, number>();
  for (const { key, person, rows } of known.groups) {
    const [had, has] = [rows.length > 0, index.named(key, person).length > 0];
    by.set(key, (by.get(key) ?? 0) + Number(has) - Number(had));
  }
  return known.keys.flatMap((key, i) => {
    if (isWeak(key)) return [];
    const from = index.count(COUNTED.people, key) || Math.min(1, known.before[i] ?? 0);
    return [{ key, from, to: from + (by.get(key) ?? 0) }];
  });
}
