// Links what changed since the records were linked last, and nothing else: the outcome is that of linking all of them anew.
import type { GraphRecords } from '../../graph/records.ts';
import type { JoinedPair, LinkedPart, LinkCache, PendingChanges } from '../../graph/linking.ts';
import { cluster, edgeOf, type Support } from '../../link/cluster.ts';
import { priorOf } from '../../link/compare/pair.ts';
import { COUNTED, factsOf, type Facts } from '../../link/counted/facts.ts';
import { globalsOf } from '../../link/counted/globals.ts';
import { levelContext } from '../../link/counted/levels.ts';
import { ratesOf } from '../../link/counted/measure.ts';
import { pairOf } from '../../link/pairs.ts';
import { surveyFrom } from '../../link/counted/survey.ts';
import type { ErrorRates } from '../../link/error-rates.ts';
import { comparePairs, cachedFingerprint, openRecordReader } from './compare.ts';
import { type RecordChange, getFactsByRow, applyChanges, type AffectedPairs } from './change.ts';
import { isWeak, weakMost } from '../../link/blocking.ts';
import { FREQUENT, pairsOfLabel, pairsOfName } from '../../link/pairing.ts';

/** Of a graph, more changed records than this share are linked with all the others: it is no slower then. */
const PART = 0.1;

export interface IncrementalOptions {
  /** False: what concerns all of the records stays as it was when they were linked last. */
  settle: boolean;
  /** The share of the records that may have changed. */
  part?: number;
  /** Of records whose pairs weigh otherwise by what changed in others, so many are weighed again, and as many as changed; the rest is put off. */
  others?: number;
}

/**
 * What linking the changed records comes to, for publishing. Null where all records have to be linked: because very many changed, because
 * what concerns all of them did, or because too little is remembered. Then nothing is taken in.
 *
 * Errors: those of the graph.
 */
export async function linkIncrementally(
  records: GraphRecords,
  index: LinkCache,
  { settle, part: most = PART, others = Infinity }: IncrementalOptions,
): Promise<LinkedPart | null> {
  const pending = await index.begin();
  if (pending === null) return null;
  let part: LinkedPart | null = null;
  try {
    if (pending.rows.length <= most * index.totals().records)
      part = await linkPart(records, index, { ...pending, settle, others });
  } finally {
    if (part === null) index.rollback();
  }
  return part;
}

async function linkPart(
  records: GraphRecords,
  index: LinkCache,
  {
    rows,
    affectedIdentities: bereft,
    settle,
    others,
  }: PendingChanges & Required<Pick<IncrementalOptions, 'settle' | 'others'>>,
): Promise<LinkedPart | null> {
  const of = cachedFingerprint(records);
  const surveyNow = () => surveyFrom(index.totals(), index.count, of);
  const read = openRecordReader(records);
  const there = new Map(Array.from(await read(rows), ([row, record]) => [row, factsOf(record, of)]));
  const changes = rows.map((row): RecordChange => ({
    row,
    before: index.facts(row),
    after: there.get(row) ?? null,
  }));
  const before = surveyNow();
  const [{ perPerson }, globals] = [before, index.globals()];
  const known = JSON.parse(globals) as { errorRates: ErrorRates };
  const common = {
    records: levelContext({ ...before, ...known, sharers: () => 1 }).records,
    perPerson,
    ...known,
  };
  const touched = withinReach(index, applyChanges(index, changes, common), {
    rows,
    most: others + rows.length,
  });
  const survey = surveyNow();
  // Before anything is compared: most of what concerns all is known by now.
  if (settle && globalsOf(survey, known.errorRates) !== globals) return null;
  const counts = {
    ...survey,
    sharers: (key: number) => Math.max(1, index.count(COUNTED.people, key)),
    errorRates: known.errorRates,
  };
  const context = levelContext(counts);
  const pairs = candidatesOf(index, touched, perPerson);
  const { joined, measured, support } = await comparePairs(pairs, read, { context, survey });
  const concerned = [...touched.rows, ...touched.pairs.flat()];
  const partedFrom = concerned.flatMap((row) => index.listJoinedPairs(row).flatMap(([a, b]) => [a, b]));
  index.replacePairs(touched, { joined, measured });
  const isSame = globalsOf(survey, ratesOf(index.countPatterns(), survey)) === globals;
  const settled = isSame && index.listRowsToReweigh(1).length === 0;
  if (settle && !settled) return null;
  return {
    ...(await clusterPart(index, new Set([...concerned, ...partedFrom]), {
      support,
      prior: priorOf(context),
    })),
    changed: rows,
    affectedIdentities: bereft,
    settled,
    errorRates: known.errorRates,
  };
}

/**
 * What is weighed now: all pairs of the records that changed, and of so many others, of those that wait the first. The rest waits: its pairs
 * keep their weights until then.
 */
function withinReach(
  index: LinkCache,
  touched: AffectedPairs,
  { rows, most }: { rows: number[]; most: number },
): AffectedPairs {
  const changed = new Set(rows);
  const others = [...touched.rows].filter((row) => !changed.has(row));
  if (others.length <= most && index.listRowsToReweigh(1).length === 0) return touched;
  index.removeRowsToReweigh(changed);
  index.addRowsToReweigh(others);
  const now = index.listRowsToReweigh(most);
  index.removeRowsToReweigh(now);
  return { rows: new Set([...changed, ...now]), pairs: touched.pairs };
}

/**
 * Clusters everything that is joined to these rows, by whatever many steps.
 * @param prior what every weight of a pair counts that its support does not
 */
async function clusterPart(
  index: LinkCache,
  start: Set<number>,
  { support, prior }: { support: Support; prior: number },
) {
  const rows = new Set(start);
  const joined = new Map<number, JoinedPair>();
  for (const row of rows)
    for (const pair of index.listJoinedPairs(row)) {
      const [a, b] = pair;
      joined.set(pairOf(a, b), pair);
      rows.add(a).add(b);
    }
  const there = [...rows].filter((row) => index.facts(row) !== null);
  const { orders } = getFactsByRow(index, there);
  const edges = Array.from(joined.values(), ([a, b, bits]) => edgeOf([a, b], bits, orders));
  // Most that clustering asks about is joined, and need not be compared again.
  const known: Support = (a, b) => {
    const [, , bits] = joined.get(pairOf(a, b)) ?? [];
    return bits === undefined ? support(a, b) : bits - prior;
  };
  return { rows: there.sort((a, b) => a - b), clusters: await cluster(edges, known) };
}

// With whom a record is compared, by what linking remembers.
/** The pairs that are compared of which one of the rows is one, and these pairs: each once, ascending. */
function candidatesOf(index: LinkCache, { rows, pairs: alone }: AffectedPairs, perPerson: number) {
  const partners = partnersIn(index, perPerson);
  const pairs = new Set<number>();
  for (const [a, b] of alone) pairs.add(pairOf(a, b));
  for (const row of rows) {
    const facts = index.facts(row);
    for (const other of facts ? partners(row, facts) : []) if (other !== row) pairs.add(pairOf(row, other));
  }
  return [...pairs].sort((a, b) => a - b);
}

/** Blocks are kept at hand: those who are asked for share many. */
function partnersIn(index: LinkCache, perPerson: number) {
  const blocks = new Map<string, Map<number, number[]> | number[]>();
  const kept = <T extends Map<number, number[]> | number[]>(name: string, make: () => T): T => {
    const known = blocks.get(name) as T | undefined;
    if (known) return known;
    const made = make();
    blocks.set(name, made);
    return made;
  };
  const most = weakMost(perPerson);
  const behind = (key: number) =>
    kept(`${key}`, () => index.listHolders(key, FREQUENT + 1).map(({ row }) => row));
  const chained = (key: number, person: number) =>
    kept(`${key} ${person}`, () => {
      const rows = index.listRowsOfPerson(key, person);
      return neighbours(pairsOfName(rows, getFactsByRow(index, rows)));
    });
  const labelled = (label: number) =>
    kept(`label ${label}`, () => {
      const rows = index.listHolders(label, Infinity).map(({ row }) => row);
      return neighbours(pairsOfLabel(rows, getFactsByRow(index, rows)));
    });
  return (row: number, { contacts, keys, label, person }: Facts): Set<number> => {
    const found = new Set(label === 0 ? [] : labelled(label).get(row));
    for (const key of [...contacts, ...keys]) {
      const rows = behind(key);
      const all = isWeak(key) ? rows.length <= most : rows.length <= FREQUENT;
      if (!all && isWeak(key)) continue;
      for (const other of all ? rows : (chained(key, person).get(row) ?? [])) found.add(other);
    }
    return found;
  };
}

function neighbours(pairs: [number, number][]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (row: number, other: number) => {
    const known = found.get(row);
    if (known) known.push(other);
    else found.set(row, [other]);
  };
  for (const [a, b] of pairs) {
    add(a, b);
    add(b, a);
  }
  return found;
}
