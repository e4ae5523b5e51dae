// Incremental linking: compares only what changed since the last linking. The result equals that of linking
// all records.
import type {
  LinkedRecordPair,
  LinkCache,
  LinkingResultOfChangedRecords,
  PendingRecordChanges,
} from '../../graph/linking.ts';
import type { GraphRecordOperations } from '../../graph/records.ts';
import {
  createBirthDateConflictTest,
  listRecordClusters,
  createLinkEdge,
  createPairContentCacheKeyFunction,
  MAX_EDGES_WITHOUT_PAIR_DEDUPLICATION,
  type PairEvidenceFunction,
} from '../../link/cluster.ts';
import { getPriorOddsBits } from '../../link/compare/pair.ts';
import { COUNT_TYPES, toLinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import { serializeGraphWideLinkStatistics } from '../../link/statistics/weight-effects.ts';
import { roundLinkStatistics } from '../../link/statistics/levels.ts';
import { estimateErrorRates } from '../../link/statistics/comparison-patterns.ts';
import { createCollectedLinkStatistics } from '../../link/statistics/collected.ts';
import type { RecordErrorRates } from '../../link/compare/evidence.ts';
import { encodeRowPair, MAX_LINKABLE_ROW } from '../../link/candidate-pairs.ts';
import { readHighestRecordRow } from './candidate-pairs.ts';
import {
  type AffectedRowsAndPairs,
  applyLinkCacheChanges,
  readRecordFieldsByRow,
  type LinkCacheRecordChange,
} from './change.ts';
import { compareChangedPairs, listChangedCandidatePairs } from './changed-pairs.ts';
import { createCachedRecordReader, type RecordReader } from './compare.ts';

/** Maximum share (0-1) of changed records for incremental linking. With more, linking all records is as fast. */
const MOST_CHANGED = 0.1;

export interface IncrementalLinkingOptions {
  /**
   * True to return null unless the result equals that of linking all records: graph-wide statistics are unchanged, and no pair waits for a new match
   * weight.
   */
  settle: boolean;
  /** Maximum share (0-1) of changed records. With more, null is returned. Default: 0.1. */
  part?: number;
  /**
   * Maximum number of unchanged records whose pairs are weighed again now; the number of changed records is added to it. Further records are
   * postponed. Default: no limit.
   */
  others?: number;
}

/**
 * Links the changed records and prepares them for publishing. Returns null, and changes nothing, if all records must be linked: too many records
 * changed, graph-wide statistics changed, or the cache is unusable. Errors: those of the graph and of `readHighestRecordRow`.
 */
export async function linkIncrementally(
  records: GraphRecordOperations,
  cache: LinkCache,
  { settle, part: most = MOST_CHANGED, others = Infinity }: IncrementalLinkingOptions,
): Promise<LinkingResultOfChangedRecords | null> {
  const pending = await cache.begin();
  if (pending === null) return null;
  let part: LinkingResultOfChangedRecords | null = null;
  try {
    if (pending.rows.length <= most * cache.totals().records)
      part = await linkPart(records, cache, { ...pending, settle, others });
  } finally {
    if (part === null) cache.rollback();
  }
  return part;
}

async function linkPart(
  records: GraphRecordOperations,
  cache: LinkCache,
  { rows, affectedIdentities, settle, others }: PendingRecordChanges & { settle: boolean; others: number },
): Promise<LinkingResultOfChangedRecords | null> {
  // Throws the error that names the limit and the remedy.
  if ((rows.at(-1) ?? 0) > MAX_LINKABLE_ROW) await readHighestRecordRow(records);
  const { of } = records.fingerprints;
  const collectStatistics = () => createCollectedLinkStatistics(cache.totals(), cache.count, of);
  const read = createCachedRecordReader(records);
  const globals = cache.globals();
  const { errorRates } = JSON.parse(globals) as { errorRates: RecordErrorRates };
  const before = collectStatistics();
  const { perPerson } = before;
  const common = {
    records: roundLinkStatistics({ ...before, errorRates, sharers: () => 1 }).records,
    perPerson,
    errorRates,
  };
  const present = await read(rows);
  const changes = rows.map((row): LinkCacheRecordChange => {
    const record = present.get(row);
    return { row, before: cache.facts(row), after: record ? toLinkCacheRecord(record, of) : null };
  });
  const affected = putOff(cache, applyLinkCacheChanges(cache, changes, common), {
    rows,
    most: others + rows.length,
  });
  const statistics = collectStatistics();
  // This check comes before any comparison, because most graph-wide figures are already known.
  if (settle && serializeGraphWideLinkStatistics(statistics, errorRates) !== globals) return null;
  const sharers = (key: number) => Math.max(1, cache.count(COUNT_TYPES.people, key));
  const context = roundLinkStatistics({ ...statistics, sharers, errorRates });
  const pairs = listChangedCandidatePairs(cache, affected, perPerson);
  const { joined, measured, support } = await compareChangedPairs(pairs, read, { context, statistics });
  const concerned = [...affected.rows, ...affected.pairs.flat()];
  const formerPartners = concerned.flatMap((row) => cache.listJoinedPairs(row).flatMap(([a, b]) => [a, b]));
  cache.replacePairs(affected, { joined, measured });
  const isSame =
    serializeGraphWideLinkStatistics(statistics, estimateErrorRates(cache.countPatterns(), statistics)) ===
    globals;
  const settled = isSame && cache.listRowsToReweigh(1).length === 0;
  if (settle && !settled) return null;
  const start = new Set([...concerned, ...formerPartners]);
  const part = await clusterPart(cache, start, { read, support, prior: getPriorOddsBits(context) });
  return { ...part, changed: rows, affectedIdentities, settled, errorRates };
}

/**
 * Chooses the rows whose pairs are weighed now: the changed rows, and up to `most` other affected rows, the longest postponed first. The remaining
 * rows are postponed, and their pairs keep the old weights.
 */
function putOff(
  cache: LinkCache,
  affected: AffectedRowsAndPairs,
  { rows, most }: { rows: number[]; most: number },
): AffectedRowsAndPairs {
  const changed = new Set(rows);
  const others = [...affected.rows].filter((row) => !changed.has(row));
  if (others.length <= most && cache.listRowsToReweigh(1).length === 0) return affected;
  cache.removeRowsToReweigh(changed);
  cache.addRowsToReweigh(others);
  const now = cache.listRowsToReweigh(most);
  cache.removeRowsToReweigh(now);
  return { rows: new Set([...changed, ...now]), pairs: affected.pairs };
}

/**
 * Clusters the start rows and all rows that linked pairs (see `LinkCache.listJoinedPairs`) connect with them, directly or indirectly.
 *
 * @param prior prior odds in bits; they are included in the stored weight of each linked pair
 */
async function clusterPart(
  cache: LinkCache,
  start: Set<number>,
  { read, support, prior }: { read: RecordReader; support: PairEvidenceFunction; prior: number },
): Promise<Pick<LinkingResultOfChangedRecords, 'rows' | 'clusters'>> {
  const rows = new Set(start);
  const joined = new Map<number, LinkedRecordPair>();
  for (const row of rows)
    for (const pair of cache.listJoinedPairs(row)) {
      const [a, b] = pair;
      joined.set(encodeRowPair(a, b), pair);
      rows.add(a).add(b);
    }
  const present = [...rows].filter((row) => cache.facts(row) !== null);
  const { orders, dated } = readRecordFieldsByRow(cache.facts, present);
  const edges = Array.from(joined.values(), ([a, b, bits]) => createLinkEdge([a, b], bits, orders));
  // Most pairs that clustering needs are joined, so that their evidence is known.
  const cachedSupport: PairEvidenceFunction = (a, b) => {
    const [, , bits] = joined.get(encodeRowPair(a, b)) ?? [];
    return bits === undefined ? support(a, b) : bits - prior;
  };
  // Reads all records at once: a large cluster needs most of them, many times.
  const records = edges.length > MAX_EDGES_WITHOUT_PAIR_DEDUPLICATION ? await read(present) : null;
  const toKey = records
    ? createPairContentCacheKeyFunction(edges, (row) => records.get(row), { orders })
    : encodeRowPair;
  return {
    rows: present.sort((a, b) => a - b),
    clusters: await listRecordClusters(edges, cachedSupport, {
      toKey,
      mayConflict: createBirthDateConflictTest(dated),
    }),
  };
}
