// Blocking: every record is read once and listed under its blocking keys, so that only records with a common
// key are compared.
import { packSealedRecordPage } from '../../graph/encryption/sealed-records.ts';
import type { LinkCacheBuilder, LinkingWorkspace } from '../../graph/linking.ts';
import type { GraphRecordOperations } from '../../graph/records.ts';
import { type CompactNameStore, createCompactNameStore } from '../../link/compare/compact-names.ts';
import {
  type LinkStatisticsCollector,
  createLinkStatisticsCollector,
} from '../../link/statistics/collected.ts';
import { type CountTable, createCountTable } from '../../link/statistics/count-table.ts';
import { type SharedMemoryRecords, createSharedMemoryRecords } from '../../link/packed-records.ts';
import {
  listPairsConnectingSameLabelRows,
  addCandidatePairsAndCountPeople,
} from '../../link/candidate-pairs.ts';
import { encodeRowPair } from '../../link/candidate-pairs.ts';
import {
  setRecordFieldsOfRow,
  type RecordFieldsByRow,
  createRecordFieldsByRow,
} from '../../link/statistics/link-cache-record.ts';
import { yieldBetweenPages } from './compare.ts';
import {
  iterateRecordsForLinking,
  type LinkingThreads,
  type RecordsForLinking,
  decodeRecordsForLinking,
} from './worker.ts';

/** Data of all records that a full linking keeps in memory: a few hundred bytes per record, without the packed records. */
export interface LinkingDataInMemory {
  collector: LinkStatisticsCollector;
  /** Number of people with different names who share each blocking key. Blocking keys of one person are left out. */
  sharers: CountTable;
  rows: ReturnType<typeof createRecordFieldsByRow>;
  outlines: CompactNameStore;
  sharedRecords: SharedMemoryRecords;
}

/**
 * Maximum size in bytes of packed (compactly encoded) records in memory; a record needs about 300 bytes. If the engine stores encrypted records,
 * further records are not kept but read again for each comparison.
 */
const MOST_PACKED_BYTES = 384 * 1024 * 1024;

interface BlockOptions {
  workspace: LinkingWorkspace;
  cache: LinkCacheBuilder | null;
  mostPackedBytes?: number | undefined;
}

/** Reads every record once, counts its blocking keys, and adds the pairs to compare to the linking workspace. */
export async function addPairsToLinkingWorkspace(
  records: GraphRecordOperations,
  { workspace, cache, mostPackedBytes = MOST_PACKED_BYTES }: BlockOptions,
  threads: LinkingThreads,
): Promise<LinkingDataInMemory> {
  const end = (await records.maxRow()) + 1;
  const [rows, outlines] = [createRecordFieldsByRow(end), createCompactNameStore(end)];
  const sharedRecords = createSharedMemoryRecords(end, records.sealed ? mostPackedBytes : Infinity);
  const counting = createLinkStatisticsCollector(records.fingerprints.of);
  const labels = new Map<number, number[]>();
  for await (const page of yieldBetweenPages(preparedPages(records, threads))) {
    sharedRecords.put(page.rows, { bytes: page.packed, starts: page.starts });
    outlines.keep(page.rows, { texts: page.texts, numbers: page.outlines });
    const keys: [number, number[]][] = [];
    for (const [row, facts, numbers] of iterateRecordsForLinking(page)) {
      counting.see(facts.counts);
      setRecordFieldsOfRow(rows, row, facts);
      if (cache) cache.add(row, facts, numbers);
      else keys.push([row, [...facts.contacts, ...facts.keys]]);
      const labelled = labels.get(facts.label);
      if (labelled) labelled.push(row);
      else if (facts.label !== 0) labels.set(facts.label, [row]);
    }
    if (!cache) await workspace.addKeys(keys);
  }
  const { perPerson } = counting.statistics();
  const sharers = await addPairs(workspace, cache?.groups() ?? workspace.groups(), { rows, perPerson });
  for (const labelled of labels.values())
    await workspace.addPairs(
      listPairsConnectingSameLabelRows(labelled, rows).map(([a, b]) => encodeRowPair(a, b)),
    );
  return { collector: counting, sharers, rows, outlines, sharedRecords };
}

async function* preparedPages(
  { sealed, fingerprints, pages }: GraphRecordOperations,
  { helpers, forEach }: LinkingThreads,
): AsyncIterable<RecordsForLinking> {
  if (sealed && helpers.count > 0) {
    yield* forEach(sealed.pages(), (page) => helpers.ask('prepare', packSealedRecordPage(page)));
    return;
  }
  for await (const page of pages()) yield decodeRecordsForLinking(page, fingerprints.of);
}

/**
 * Adds the pairs to compare to the linking workspace. Returns the number of people who share each blocking key. Blocking keys of one person are left
 * out.
 */
async function addPairs(
  workspace: LinkingWorkspace,
  groups: ReturnType<LinkingWorkspace['groups']>,
  { rows, perPerson }: { rows: RecordFieldsByRow; perPerson: number },
): Promise<CountTable> {
  const sharers = createCountTable();
  for await (const page of yieldBetweenPages(groups)) {
    const pairs: number[] = [];
    const add = (pair: number) => void pairs.push(pair);
    for (const group of page) {
      const people = addCandidatePairsAndCountPeople(group, { facts: rows, perPerson, add });
      if (people > 1) sharers.add(group.key, people);
    }
    await workspace.addPairs(pairs);
  }
  return sharers;
}
