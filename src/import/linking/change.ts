// Changes of records in the link cache, and the pairs that have to be compared again because of them.
import type { LinkCache } from '../../graph/linking.ts';
import { isWeakBlockingKey, getMaxRecordsOfWeakKey } from '../../link/blocking.ts';
import {
  type GraphWideLinkStatistics,
  serializeWeightEffectOfCount,
  getNameWeightBits,
  getPostcodeWeightBits,
} from '../../link/statistics/weight-effects.ts';
import {
  type LinkStatisticsCountKey,
  COUNT_TYPES,
  type CountType,
  type LinkCacheRecord,
} from '../../link/statistics/link-cache-record.ts';
import { roundCount } from '../../link/statistics/levels.ts';
import { type KeyCountLookup, updateTotalsForChangedCount } from '../../link/statistics/collected.ts';
import {
  decodeRowPair,
  encodeRowPair,
  listAllRowPairs,
  MAX_FULLY_COMPARED_RECORDS,
  listPairsAmongSameNameRows,
} from '../../link/candidate-pairs.ts';

/** Linking data of one record before and after a change. `before` is null if the record was added, `after` is null if it was removed. */
export interface LinkCacheRecordChange {
  row: number;
  before: LinkCacheRecord | null;
  after: LinkCacheRecord | null;
}

export interface AffectedRowsAndPairs {
  /** Rows of the records all of whose pairs must be compared again. */
  rows: Set<number>;
  /** Single pairs that must be compared again; neither of their rows is in `rows`. */
  pairs: [number, number][];
}

/** Maximum number of records with one blocking key that are counted. No rule of linking distinguishes higher numbers. */
const MANY = MAX_FULLY_COMPARED_RECORDS + 1;

/**
 * Writes changed records to the link cache. Returns the pairs to compare again: pairs that became or are no longer candidates, and pairs whose match
 * weight may have changed. Changes of graph-wide statistics are ignored.
 *
 * @param common graph-wide statistics before the changes
 */
export function applyLinkCacheChanges(
  cache: LinkCache,
  changes: LinkCacheRecordChange[],
  common: GraphWideLinkStatistics,
): AffectedRowsAndPairs {
  const affected = new Set(changes.map(({ row }) => row));
  const pairs: [number, number][] = [];
  const affectHolders = (key: number) => {
    for (const row of holdersOf(cache, key)) affected.add(row);
  };
  const moves = countKeyAndGroupChanges(changes);
  const keys = Array.from(moves.keys, ([key, by]) => ({ key, by, before: countHolders(cache, key) }));
  const groups = moves.groups.map((group) => ({
    ...group,
    rows: cache.listRowsOfPerson(group.key, group.person),
  }));
  const labels = new Set(changes.flatMap(({ before, after }) => [before?.label ?? 0, after?.label ?? 0]));
  labels.delete(0);
  for (const label of labels) affectHolders(label);
  const factsBefore = new Map(changes.map(({ row, before }) => [row, before]));

  for (const { row, after } of changes) cache.replaceFacts(row, after);

  const counts = changeCounts(cache, changes);
  for (const { what, key, to } of counts) cache.setCount(what, key, to);
  for (const row of rowsWithOtherNameEffect(cache, counts, common)) affected.add(row);
  for (const count of counts) for (const row of rowsWeighedBy(cache, count, common)) affected.add(row);
  for (const { key, ...count } of countPeopleByKey(cache, keys, groups)) {
    cache.setCount(COUNT_TYPES.people, key, count.to > 1 ? count.to : 0);
    if (!changesWeight(COUNT_TYPES.people, count, common)) continue;
    const rows = holdersOf(cache, key, MANY);
    // All records with a rare key are compared with each other, so that a change affects all of their pairs.
    if (rows.length <= MAX_FULLY_COMPARED_RECORDS) pairs.push(...listAllRowPairs(rows));
    else affectHolders(key);
  }
  for (const change of keys) {
    const most = isWeakBlockingKey(change.key)
      ? getMaxRecordsOfWeakKey(common.perPerson)
      : MAX_FULLY_COMPARED_RECORDS;
    if (change.before > most !== holdersAfter(cache, change) > most) affectHolders(change.key);
  }
  for (const label of labels) affectHolders(label);
  // Records that share many values are the same rows under each of their keys: those are compared once.
  const largeGroups = new Map(
    groups
      .filter(({ rows, by }) => Math.max(rows.length, rows.length + by) > MAX_FULLY_COMPARED_RECORDS)
      .map(({ key, person, rows }) => [rows, cache.listRowsOfPerson(key, person)] as const)
      .map((rows): [string, typeof rows] => [rows.join(' to '), rows]),
  );
  for (const [before, after] of largeGroups.values()) {
    const pairsBefore = listSelectedPairs(before, (row) => factsBefore.get(row) ?? cache.facts(row));
    for (const row of rowsOfDifference(pairsBefore, listSelectedPairs(after, cache.facts))) affected.add(row);
  }
  return { rows: affected, pairs };
}

const holdersOf = (cache: LinkCache, key: number, most = Infinity): number[] =>
  cache.listHolders(key, most).map(({ row }) => row);

/** Change of the number of records with a value, from `from` to `to`. */
type Recount = LinkStatisticsCountKey & { from: number; to: number };

type CountChange = Pick<Recount, 'from' | 'to'>;

/** True if a changed count changes the match weight of pairs that share the counted value. */
const changesWeight = (what: CountType, { from, to }: CountChange, common: GraphWideLinkStatistics) =>
  serializeWeightEffectOfCount(what, from, common) !== serializeWeightEffectOfCount(what, to, common);

const changesStreetWeight = ({ from, to }: CountChange, common: GraphWideLinkStatistics) =>
  getPostcodeWeightBits(from, common) !== getPostcodeWeightBits(to, common);

/** Returns the rows whose pairs get a different match weight because a count has changed. */
function rowsWeighedBy(cache: LinkCache, count: Recount, common: GraphWideLinkStatistics): number[] {
  const { what, key, under } = count;
  const rows = under !== 0 && changesWeight(what, count, common) ? holdersOf(cache, under) : [];
  if (what === COUNT_TYPES.place && changesStreetWeight(count, common))
    return [...rows, ...holdersOf(cache, key)];
  return what === COUNT_TYPES.nameAndBirth ? rows.filter((row) => cache.facts(row)?.dated === key) : rows;
}

/** Yields the rows whose names have a different match weight because the estimated number of records with the name has changed. */
function* rowsWithOtherNameEffect(
  cache: LinkCache,
  counts: Recount[],
  common: GraphWideLinkStatistics,
): Iterable<number> {
  const changed = counts.filter(({ what }) => what === COUNT_TYPES.name || what === COUNT_TYPES.word);
  const before = new Map<CountType, Map<number, number>>(
    [COUNT_TYPES.name, COUNT_TYPES.word].map((what) => [what, new Map()]),
  );
  for (const { what, key, from } of changed) before.get(what)?.set(key, from);
  const countBefore: KeyCountLookup = (what, key) => before.get(what)?.get(key) ?? cache.count(what, key);
  const levelOf = (count: number) => roundCount(Math.max(1, count));
  const rows = new Set(
    changed.flatMap(({ under, from, to }) => (levelOf(from) === levelOf(to) ? [] : holdersOf(cache, under))),
  );
  for (const row of rows) {
    const facts = cache.facts(row);
    if (
      facts &&
      getNameWeightBits(facts, countBefore, common) !== getNameWeightBits(facts, cache.count, common)
    )
      yield row;
  }
}

/** Returns the number of records with a blocking key, at most `MANY`. */
const countHolders = (cache: LinkCache, key: number) => cache.listHolders(key, MANY).length;

/** Returns the number of records with a blocking key after the changes, at most `MANY`. */
function holdersAfter(cache: LinkCache, { key, by, before }: KeyChange): number {
  return before === MANY && by < 0 ? countHolders(cache, key) : Math.min(MANY, before + by);
}

interface KeyChange {
  key: number;
  /** Number of records that have the blocking key (see `getBlockingKeys`) only after the changes, minus the number that have it only before. */
  by: number;
  /** Number of records with the blocking key before the changes, at most `MANY`. */
  before: number;
}

/**
 * Change of a group of records that share a blocking key and a name. `by` is the number of records that join the group, minus the number that leave
 * it.
 */
interface GroupChange {
  key: number;
  person: number;
  by: number;
}

/** Returns by how many records each blocking key changes, and each group of records with the same blocking key and name. */
function countKeyAndGroupChanges(changes: LinkCacheRecordChange[]): {
  keys: Map<number, number>;
  groups: GroupChange[];
} {
  const keys = new Map<number, number>();
  const groups = new Map<string, GroupChange>();
  const move = ({ contacts, keys: others, person }: LinkCacheRecord, by: number) => {
    for (const key of [...contacts, ...others]) {
      keys.set(key, (keys.get(key) ?? 0) + by);
      if (isWeakBlockingKey(key)) continue;
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

/**
 * Returns the pairs that are selected for comparison in a large group of records with one name, because one added or removed record changes the
 * selection. Pairs are encoded by `encodeRowPair`. Empty for a small group, in which all pairs are compared.
 */
function listSelectedPairs(rows: number[], getFacts: LinkCache['facts']): Set<number> {
  if (rows.length <= MAX_FULLY_COMPARED_RECORDS) return new Set();
  const pairs = listPairsAmongSameNameRows(rows, readRecordFieldsByRow(getFacts, rows));
  return new Set(pairs.map(([a, b]) => encodeRowPair(a, b)));
}

/** Returns the name keys, sort numbers, and fingerprints of name and birth date, each by row. */
export function readRecordFieldsByRow(getFacts: LinkCache['facts'], rows: number[]) {
  const [persons, orders, dated]: [Record<number, number>, Record<number, number>, Record<number, number>] = [
    {},
    {},
    {},
  ];
  for (const row of rows) {
    const facts = getFacts(row);
    if (!facts) continue;
    persons[row] = facts.person;
    orders[row] = facts.order;
    dated[row] = facts.dated;
  }
  return { persons, orders, dated };
}

/** Returns the rows of pairs that are in only one of the two sets. */
function rowsOfDifference(one: Set<number>, other: Set<number>): Set<number> {
  const pairs = [
    ...[...one].filter((pair) => !other.has(pair)),
    ...[...other].filter((pair) => !one.has(pair)),
  ];
  return new Set(pairs.flatMap(decodeRowPair));
}

/** Updates the counts of values in the link cache. Returns the counts that changed. */
function changeCounts(cache: LinkCache, changes: LinkCacheRecordChange[]): Recount[] {
  const changed = new Map<string, LinkStatisticsCountKey & { by: number }>();
  const add = (counts: LinkStatisticsCountKey[], by: number) => {
    for (const count of counts) {
      const id = `${count.what} ${count.key}`;
      const known = changed.get(id);
      if (known) known.by += by;
      else changed.set(id, { ...count, by });
    }
  };
  const totals = cache.totals();
  for (const { before, after } of changes) {
    add(before?.counts ?? [], -1);
    add(after?.counts ?? [], 1);
    totals.records += Number(after !== null) - Number(before !== null);
  }
  const counts = [...changed.values()].flatMap(({ what, key, under, by }) => {
    if (by === 0) return [];
    const from = cache.count(what, key);
    updateTotalsForChangedCount(totals, what, [from, from + by]);
    return [{ what, key, under, from, to: from + by }];
  });
  cache.setTotals(totals);
  return counts;
}

/** Counts the people who share each blocking key, before and after the changes. Weak blocking keys, which many people share, are left out. */
function countPeopleByKey(cache: LinkCache, keys: KeyChange[], groups: (GroupChange & { rows: number[] })[]) {
  const people = new Map<number, number>();
  for (const { key, by, rows } of groups) {
    const [had, has] = [rows.length > 0, rows.length + by > 0];
    people.set(key, (people.get(key) ?? 0) + Number(has) - Number(had));
  }
  return keys.flatMap(({ key, before }) => {
    if (isWeakBlockingKey(key)) return [];
    const from = cache.count(COUNT_TYPES.people, key) || Math.min(1, before);
    return [{ key, from, to: from + (people.get(key) ?? 0) }];
  });
}
