import type { RecordTable } from '../sqlite/records.ts';
import type { Vault } from '../vault.ts';
import { cluster, type Edge } from './cluster.ts';
import type { LinkContext } from './evidence.ts';
import { comparePair, LINK_BITS } from './pair.ts';
import { type Noise, noiseCounter } from './noise.ts';
import { linkRecord, type LinkRecord, personKey } from './record.ts';

/** Where the keys of all records are kept sorted, so that memory stays bounded; see sqlite/blocks.ts. */
export interface BlockStore {
  add(key: number, row: number): void;
  /** Rows that share a key, for every key that two or more share; keys ascending, rows ascending. */
  groups(): Iterable<{ key: number; rows: number[] }>;
}

export interface LinkOptions {
  table: RecordTable;
  blocks: BlockStore;
  vault: Vault;
  /** Called now and then with the share of the work that is done, 0-1. */
  onProgress?: (done: number) => void;
}

export interface Linked {
  /** Rows of each identity of two or more records; every other record stands alone. */
  clusters: number[][];
  noise: Noise;
}

/** A key that more records share than this is split by the records' names before any two are compared. */
const WIDE = 64;
/** Noise is measured on keys that few records share. */
const NOISE_GROUP = 8;
/** Decoded records kept at hand while pairs are compared. */
const CACHE = 100_000;

/**
 * Finds which records are one person.
 * The partition depends on the set of records only, not on the order of their import.
 */
export function linkRecords(options: LinkOptions): Linked {
  const { table, blocks, vault, onProgress } = options;
  const personOf = new Map<number, number>();
  const labels = new Map<string, number[]>();
  const cache = new Map<number, LinkRecord>();
  const survey = surveyRecords({ table, vault }, (record) => {
    remember(cache, record);
    for (const key of record.blocks) blocks.add(key, record.row);
    personOf.set(record.row, personKey(record));
    if (record.label !== null)
      (labels.get(record.label) ?? labels.set(record.label, []).get(record.label)!).push(record.row);
  });
  const sharers = countSharers(blocks, personOf);
  const get = (row: number) => cache.get(row) ?? remember(cache, linkRecord(table.get(row), vault));

  const noise = measureNoise(blocks, get);
  const context: LinkContext = { ...survey, noise, sharers: (key) => sharers.get(key) ?? 1 };
  const edges: Edge[] = [...labelEdges(labels)];
  let seen = 0;
  for (const { key, rows } of blocks.groups()) {
    if (++seen % 1000 === 0) onProgress?.(Math.min(0.99, seen / Math.max(1, survey.records * 4)));
    if (rows.length <= WIDE) joinAll({ key, records: rows.map(get), context, edges });
    else for (const part of byName(rows.map(get))) joinAll({ key: null, records: part, context, edges });
  }
  const clusters = cluster(edges, {
    rank: (row) => get(row).key,
    conflict: (a, b) => comparePair(get(a), get(b), context).conflict,
  });
  return { clusters, noise };
}

/** Reads every record once and counts how common names and places are. */
export function surveyRecords(
  { table, vault }: Pick<LinkOptions, 'table' | 'vault'>,
  visit: (record: LinkRecord) => void,
): Omit<LinkContext, 'sharers' | 'noise'> {
  const names = new Map<number, number>();
  const places = new Map<number, number>();
  let records = 0;
  for (const raw of table.rows()) {
    const record = linkRecord(raw, vault);
    records++;
    const exact = record.nameKeys[0] ?? 0;
    names.set(exact, (names.get(exact) ?? 0) + 1);
    for (const place of new Set(record.contacts.flatMap((contact) => contact.places)))
      places.set(place, (places.get(place) ?? 0) + 1);
    visit(record);
  }
  return { records, nameCount: (key) => names.get(key) ?? 1, placeCount: (place) => places.get(place) ?? 1 };
}

function measureNoise(blocks: BlockStore, get: (row: number) => LinkRecord): Noise {
  const counter = noiseCounter();
  for (const { key, rows } of blocks.groups()) {
    if (rows.length > NOISE_GROUP) continue;
    eachPair(rows.map(get), key, (a, b) => counter.see(a, b));
  }
  return counter.noise();
}

/** How many differently named people share a key, where more than one does. */
function countSharers(blocks: BlockStore, personOf: Map<number, number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { key, rows } of blocks.groups()) {
    const people = new Set(rows.map((row) => personOf.get(row))).size;
    if (people > 1) counts.set(key, people);
  }
  return counts;
}

function joinAll(from: {
  key: number | null;
  records: LinkRecord[];
  context: LinkContext;
  edges: Edge[];
}): void {
  eachPair(from.records, from.key, (a, b) => {
    const found = comparePair(a, b, from.context);
    if (found.bits >= LINK_BITS && !found.conflict) from.edges.push({ a: a.row, b: b.row, bits: found.bits });
  });
}

/** Every two of the records that meet under this key first; all of them where key is null. */
function eachPair(
  records: LinkRecord[],
  key: number | null,
  visit: (a: LinkRecord, b: LinkRecord) => void,
): void {
  for (let i = 0; i < records.length; i++)
    for (let j = i + 1; j < records.length; j++)
      if (key === null || firstShared(records[i].blocks, records[j].blocks) === key)
        visit(records[i], records[j]);
}

function firstShared(a: number[], b: number[]): number | null {
  let j = 0;
  for (const key of a) {
    while (j < b.length && b[j] < key) j++;
    if (b[j] === key) return key;
  }
  return null;
}

/** Splits the records behind a widely shared key (an office phone, a tower block) by the keys of their names. */
function byName(records: LinkRecord[]): LinkRecord[][] {
  const groups = new Map<number, LinkRecord[]>();
  for (const record of records)
    for (const key of record.nameKeys) (groups.get(key) ?? groups.set(key, []).get(key)!).push(record);
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.slice(0, WIDE));
}

function* labelEdges(labels: Map<string, number[]>): Iterable<Edge> {
  for (const rows of labels.values())
    for (let i = 1; i < rows.length; i++) yield { a: rows[0], b: rows[i], bits: 1000 };
}

function remember(cache: Map<number, LinkRecord>, record: LinkRecord): LinkRecord {
  if (cache.size >= CACHE) cache.delete(cache.keys().next().value as number);
  cache.set(record.row, record);
  return record;
}
