// A graph engine that keeps everything in memory, with the least that the interface of engines requires.
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import {
  type IdentityGraph,
  type RecordStoringGraph,
  MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY,
} from '../../../src/graph/graph.ts';
import type { AppliedImport, SourceRecordId, GraphRecordOperations } from '../../../src/graph/records.ts';
import type {
  LinkingWorkspace,
  GraphLinkingOperations,
  LinkingResultOfAllRecords,
} from '../../../src/graph/linking.ts';
import { toIdentityDates } from '../../../src/graph/resolve/contact-ages.ts';
import {
  computeIdentityForPublishing,
  type IdentityForPublishing,
} from '../../../src/graph/resolve/gather.ts';
import {
  encodeIdentityWithPrimaryFlag,
  type GraphReader,
  type IdentitiesOfLookupKey,
} from '../../../src/graph/resolve/reader.ts';
import { resolveGraphQuery } from '../../../src/graph/resolve/resolve.ts';
import { UNMEASURED_ERROR_RATES } from '../../../src/link/compare/evidence.ts';
import {
  assignIdentityNumbers,
  type RowsByRetiredIdentityNumber,
} from '../../../src/link/identity-numbers.ts';
import type { RecordRow, StoredRecord } from '../../../src/link/stored-record.ts';

/** One published revision. */
interface Published {
  identities: Map<number, IdentityForPublishing>;
  /** Retired identity numbers, and the number that each leads to; null if it leads to none. */
  redirects: Map<number, number | null>;
  /** Identities of each lookup key in ascending order, and whether the value is their primary one. */
  postings: Map<number, Map<number, boolean>>;
  revision: number;
  linkedAt: string | null;
  errorRates: LinkingResultOfAllRecords['errorRates'];
}

const EMPTY = (): Pick<Published, 'identities' | 'redirects' | 'postings'> => ({
  identities: new Map(),
  redirects: new Map(),
  postings: new Map(),
});

/** Returns a graph that can import and link records, but not erase, verify or move them. @param secret 64 hex characters */
export function memoryGraph(secret: string): RecordStoringGraph {
  const fingerprints = createFingerprintFunctions(secret);
  const rows = new Map<number, RecordRow>();
  const bore: RowsByRetiredIdentityNumber = new Map();
  let revision = 0;
  let now: Published = { ...EMPTY(), revision, linkedAt: null, errorRates: UNMEASURED_ERROR_RATES };

  let applied: (AppliedImport & { before: Map<number, RecordRow> }) | null = null;
  const keyOf = (source: string, recordId: string) => fingerprints.ofRecord(source, recordId).toString('hex');
  const leave = (row: number) => {
    rows.delete(row);
    for (const [number, bearers] of bore)
      bore.set(
        number,
        bearers.filter((one) => one !== row),
      );
  };
  const put = (given: StoredRecord[]) => {
    let replaced = 0;
    for (const record of given) {
      const key = keyOf(record.source, record.recordId);
      const known = [...rows.values()].find((row) => row.key === key);
      if (known) replaced++;
      const row = known?.row ?? Math.max(0, ...rows.keys()) + 1;
      rows.set(row, { ...record, row, key, identity: known?.identity ?? null });
    }
    revision++;
    return { added: given.length - replaced, replaced };
  };
  const remove = (names: SourceRecordId[]) => {
    const keys = new Set(names.map(({ source, recordId }) => keyOf(source, recordId)));
    const gone = [...rows.values()].filter(({ key }) => keys.has(key));
    for (const { row } of gone) leave(row);
    revision++;
    return gone.length;
  };
  const records: GraphRecordOperations = {
    fingerprints,
    readAllFingerprints: () => [fingerprints],
    put,
    remove,
    async runAtomically(work) {
      const [kept, published, at] = [new Map(rows), now, revision];
      try {
        return await work();
      } catch (error) {
        rows.clear();
        for (const [row, record] of kept) rows.set(row, record);
        [now, revision] = [published, at];
        throw error;
      }
    },
    openIncoming() {
      let came: (StoredRecord | SourceRecordId)[] = [];
      const named = (one: SourceRecordId) => keyOf(one.source, one.recordId);
      return {
        generateRecordId: fingerprints.generateRecordId,
        put: (given) => void came.push(...given),
        remove: (names) => void came.push(...names),
        resolveDuplicates(merge) {
          const apart: StoredRecord[] = [];
          const whole = [...Map.groupBy(came, named).values()].flatMap((same) => {
            const gone = same.findLastIndex((one) => !('contacts' in one));
            const since = same.slice(gone + 1) as StoredRecord[];
            if (!merge || since.length === 0 || same.length === 1) return same.slice(-1);
            const [first, ...others] = merge(since);
            apart.push(...others);
            return first ?? [];
          });
          const all = [...whole, ...apart];
          came = [...new Map(all.map((one) => [named(one), one])).values()];
          return all.length - came.length;
        },
        has: (key) => came.some((one) => named(one) === key),
        apply({ journal } = {}) {
          const before = new Map(rows);
          const there = came.filter((one): one is StoredRecord => 'contacts' in one);
          const done = { ...put(there), removed: remove(came.filter((one) => !('contacts' in one))) };
          if (journal) applied = { at: Date.now(), what: journal, ...done, before };
          return { ...done, barred: 0 };
        },
        drop: () => void (came = []),
      };
    },
    lastAppliedImport() {
      if (!applied) return null;
      const { before: _, ...told } = applied;
      return told;
    },
    undoLastImport() {
      const [before, after] = [applied?.before ?? new Map<number, RecordRow>(), [...rows.keys()]];
      applied = null;
      const gone = after.filter((row) => !before.has(row));
      for (const row of gone) leave(row);
      for (const [row, record] of before) rows.set(row, record);
      revision++;
      return { removed: gone.length, restored: before.size, left: 0 };
    },
    discardUndoJournal: () => void (applied = null),
    readRows: (wanted) => wanted.flatMap((row) => rows.get(row) ?? []),
    findByRecordId: (recordId) => [...rows.values()].filter((row) => row.recordId === recordId),
    listByIdentity: (identity) => [...rows.values()].filter((row) => row.identity === identity),
    pages: () => [[...rows.values()]],
    count: () => rows.size,
    maxRow: () => Math.max(0, ...rows.keys()),
  };

  const linking: GraphLinkingOperations = {
    revision: () => String(revision),
    openWorkspace: memoryBlocks,
    publish({ clusters, revision: linked, errorRates, onProgress }) {
      if (linked !== String(revision)) return null;
      onProgress?.(0);
      const previous = new Map([...rows].map(([row, { identity }]) => [row, identity]));
      const known = new Map<number, number | null>(
        [...now.identities.keys()].map((number) => [number, null]),
      );
      for (const [number, heir] of now.redirects) known.set(number, heir);
      const { identities, redirects, parted } = assignIdentityNumbers({ clusters, previous, known, bore });
      for (const { number } of identities) bore.delete(number);
      for (const [number, bearers] of parted) bore.set(number, bearers);
      now = { ...EMPTY(), redirects, revision, errorRates, linkedAt: new Date().toISOString() };
      for (const one of identities.toSorted((a, b) => a.number - b.number)) {
        const members = one.rows.flatMap((row) => rows.get(row) ?? []);
        for (const row of members) rows.set(row.row, { ...row, identity: one.number });
        const gathered = computeIdentityForPublishing(members, fingerprints);
        now.identities.set(one.number, gathered);
        for (const [key, primary] of gathered.postings) {
          const holders = now.postings.get(key) ?? new Map<number, boolean>();
          now.postings.set(key, holders.set(one.number, primary));
        }
      }
      return identities.length;
    },
    isSettled: () => now.revision === revision,
    errorRates: () => now.errorRates,
    getIdentity(asked) {
      const identity = reader.getIdentity(now.redirects.get(asked) ?? asked);
      return identity && { ...identity, lastSeen: reader.getSeenDates(identity.id).lastSeen };
    },
  };

  const reader: GraphReader = {
    getPostings: (keys) => ({
      postings: keys.map((key) => postingOf(key, now.postings.get(key) ?? new Map())),
      total: now.identities.size,
      newest: [...now.identities.values()].reduce<number | null>(
        (newest, { lastSeen }) => (lastSeen === null ? newest : Math.max(lastSeen, newest ?? lastSeen)),
        null,
      ),
    }),
    getSeenDates(id) {
      const { firstSeen = null, lastSeen = null, contactAges = '' } = now.identities.get(id) ?? {};
      return { firstSeen, lastSeen, contactAges };
    },
    findHolders: (keys, identities) =>
      new Map(
        keys.map((key) => {
          const holders = now.postings.get(key) ?? new Map<number, boolean>();
          return [key, new Map(identities.flatMap((id) => heldBy(holders, id)))];
        }),
      ),
    getIdentity(id) {
      const found = now.identities.get(id);
      if (!found) return null;
      const { names, records: count, sources } = found;
      return { id, names, ...toIdentityDates(found), records: count, sources };
    },
    getBirthDateHashes: (id) => now.identities.get(id)?.births ?? [],
    getSignatures: (ids) => new Map(ids.map((id) => [id, now.identities.get(id)?.signatures ?? []])),
  };

  const graph: IdentityGraph = {
    engine: 'memory',
    resolve: (query) => resolveGraphQuery(query, reader, fingerprints),
    stats: () => ({
      records: rows.size,
      identities: now.identities.size,
      merged: [...now.redirects.values()].filter((heir) => heir !== null).length,
      postings: [...now.postings.values()].reduce((sum, holders) => sum + holders.size, 0),
      unlinked: [...rows.values()].filter(({ identity }) => identity === null).length,
      linkedAt: now.linkedAt,
      settled: now.revision === revision,
    }),
    warnings: () => (revision === now.revision ? [] : ['Records were imported that are not linked yet.']),
    ping: () => undefined,
    close: () => undefined,
    records,
    linking,
  };
  return graph as RecordStoringGraph;
}

function heldBy(holders: Map<number, boolean>, id: number): [number, boolean][] {
  const primary = holders.get(id);
  return primary === undefined ? [] : [[id, primary]];
}

function postingOf(key: number, holders: Map<number, boolean>): IdentitiesOfLookupKey {
  const first = [...holders].slice(0, MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY);
  return {
    key,
    share: holders.size,
    holders: first.map(([id, it]) => encodeIdentityWithPrimaryFlag(id, it)),
  };
}

function memoryBlocks(): LinkingWorkspace {
  const rowsOf = new Map<number, number[]>();
  const wanted = new Set<number>();
  return {
    addKeys(page) {
      for (const [row, keys] of page)
        for (const key of keys) rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
    },
    groups: () => [[...rowsOf].filter(([, rows]) => rows.length > 1).map(([key, rows]) => ({ key, rows }))],
    addPairs(pairs) {
      for (const pair of pairs) wanted.add(pair);
    },
    pairs: () => [[...wanted].sort((a, b) => a - b)],
    drop() {
      rowsOf.clear();
      wanted.clear();
    },
  };
}
