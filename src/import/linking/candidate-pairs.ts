// Blocking: every record is read once and listed under its blocking keys, so that only records with a common
// key are compared.
import { BonafideError } from '../../errors.ts';
import { packSealedRecordPage } from '../../graph/encryption/sealed-records.ts';
import type { LinkCacheBuilder, LinkingWorkspace } from '../../graph/linking.ts';
import type { GraphRecordOperations } from '../../graph/records.ts';
import { type CompactNameStore, createCompactNameStore } from '../../link/compare/compact-names.ts';
import {
  type LinkStatisticsCollector,
  createLinkStatisticsCollector,
} from '../../link/statistics/collected.ts';
import { type CountTable, createCountTable } from '../../link/statistics/count-table.ts';
import {
  type SharedMemoryRecords,
  createSharedMemoryRecords,
  MAX_PACKED_BYTES,
} from '../../link/packed-records.ts';
import {
  listPairsConnectingSameLabelRows,
  addCandidatePairsAndCountPeople,
  encodeRowPair,
  MAX_LINKABLE_ROW,
} from '../../link/candidate-pairs.ts';
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
 * Maximum size in bytes of packed (compactly encoded) records in memory; a record needs about 300 bytes. Further records are read again for each
 * comparison. The maximum applies only to engines that return encrypted records; with others, all records must be in memory.
 */
const MOST_PACKED_BYTES = 384 * 1024 * 1024;

interface BlockOptions {
  workspace: LinkingWorkspace;
  cache: LinkCacheBuilder | null;
  mostPackedBytes?: number | undefined;
}

/**
 * Reads every record once, counts its blocking keys, and adds the pairs to compare to the linking workspace. Errors: those of the graph and of
 * `readHighestRecordRow`; `out_of_memory`.
 */
export async function addPairsToLinkingWorkspace(
  records: GraphRecordOperations,
  { workspace, cache, mostPackedBytes = records.sealed ? MOST_PACKED_BYTES : MAX_PACKED_BYTES }: BlockOptions,
  threads: LinkingThreads,
): Promise<LinkingDataInMemory> {
  const end = (await readHighestRecordRow(records)) + 1;
  const [rows, outlines] = [createRecordFieldsByRow(end), createCompactNameStore(end)];
  const sharedRecords = createSharedMemoryRecords(end, mostPackedBytes);
  const counting = createLinkStatisticsCollector(records.fingerprints.of);
  const labels = new Map<number, number[]>();
  for await (const page of yieldBetweenPages(preparedPages(records, threads))) {
    const count = sharedRecords.put(page.rows, { bytes: page.packed, starts: page.starts });
    if (count < page.rows.length && !records.sealed) throw await createMemoryLimitError(records);
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

/** Returns the highest row number of the records. Errors: `invalid_arguments` if it exceeds `MAX_LINKABLE_ROW`. */
export async function readHighestRecordRow(records: GraphRecordOperations): Promise<number> {
  const highest = await records.maxRow();
  if (highest <= MAX_LINKABLE_ROW) return highest;
  const count = await records.count();
  throw new BonafideError(
    'invalid_arguments',
    count > MAX_LINKABLE_ROW
      ? `The graph would have ${count} records, but at most ${MAX_LINKABLE_ROW} can be linked. Import fewer records, or divide them among several graphs.`
      : `The graph would have a record with the number ${highest}, but only records up to number ${MAX_LINKABLE_ROW} can be linked. Numbers of removed records are not used again. Copy the graph with bonafide migrate-to, which numbers its ${count} records anew.`,
  );
}

const createMemoryLimitError = async (records: GraphRecordOperations) =>
  new BonafideError(
    'out_of_memory',
    `The ${await records.count()} records need too much memory to be linked in this engine. Import fewer records, or copy the graph to SQLite: bonafide migrate-to sqlite`,
  );

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
