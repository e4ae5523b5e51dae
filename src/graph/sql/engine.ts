// Assembles the parts of a graph that change it from the `EngineSpecificGraphParts` of SQLite or PostgreSQL.
import { setTimeout as pause } from 'node:timers/promises';
import { UNMEASURED_ERROR_RATES } from '../../link/compare/evidence.ts';
import type { Identity } from '../../model.ts';
import { hashNameTables } from '../../names/index.ts';
import type { GraphErasureOperations } from '../capabilities.ts';
import { createWatchKeyFingerprinter } from '../encryption/fingerprints.ts';
import { createEarlierSecrets, type GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import { createLinkingWorkspaceOnDisk } from '../external-sort.ts';
import { type IdentityGraph, UNLINKED_RECORDS_WARNING } from '../graph.ts';
import { listKeyByteEncodings, EMPTY_ERASED_RECORD_BYTES } from '../link-cache/erasing.ts';
import type { GraphLinkingOperations, LinkingResultOfAllRecords } from '../linking.ts';
import type { GraphVerificationOperations, LinkCacheVerifier } from '../verifying.ts';
import { openIncomingRecordStorage, upsertRecords } from './incoming.ts';
import type { EngineSpecificGraphParts, GraphProperties } from './engine-tables.ts';
import { type LinkCacheFile, openLinkCacheFile } from './link-cache.ts';
import { createManualLinkStore } from './manual-links.ts';
import type { IdentityRedirect } from './published.ts';
import { openLookupKeyChangeLog } from './publishing/key-changes.ts';
import { getPreviousIdentityNumberTableColumns } from './publishing/previous-numbers.ts';
import {
  publishAllIdentities,
  publishChangedIdentities,
  type PublishingContext,
} from './publishing/publish.ts';
import { openRecordTableForSession } from './records.ts';
import type { SqlSession, TransactionHooks } from './session.ts';
import { createSuppressionList, type TimedSuppressionMark } from './suppression-list.ts';
import { createImportUndoJournal } from './undo.ts';
import { createPublishedIdentityVerifier } from './verify.ts';

export interface SqlGraphEngineOptions<S extends SqlSession> {
  keys: GraphCiphersAndFingerprints;
  /** Folder for temporary files with data that does not fit into memory. */
  folder: string;
  linkFile: string;
  storesFullRecords: boolean;
  openSession(hooks: TransactionHooks): S;
  openTables(session: S, links: LinkCacheFile): EngineSpecificGraphParts;
}

export type SqlGraphEngineParts = Required<
  Pick<IdentityGraph, 'records' | 'linking' | 'manualLinks' | 'erasing' | 'moving' | 'verifying' | 'changes'>
> & {
  warnings(): Promise<string[]>;
  links: LinkCacheFile;
};

export function createSqlGraphEngineParts<S extends SqlSession>(
  options: SqlGraphEngineOptions<S>,
): SqlGraphEngineParts & { session: S } {
  const { keys, folder, storesFullRecords } = options;
  const links = openLinkCacheFile({
    file: options.linkFile,
    cipher: keys.cipher,
    runAtomically: (work) => session.runAtomically(work),
    changes: () => tables.changes,
    publishPart: (part) => publishChangedIdentities(target, part),
  });
  const session = options.openSession({
    async afterBegin() {
      links.hold();
      // After an interrupted import the link cache does not match the graph, so linking discards it and links all records again.
      if (tables.undo.isInterrupted?.()) await undo.undo();
      else tables.undo.confirm?.();
    },
    beforeCommit: () => tables.undo.end?.(),
    afterCommit() {
      try {
        tables.undo.confirm?.();
      } catch {
        // The change is committed, so it must not be reported as failed. The next transaction confirms it.
      }
      links.release(true);
    },
    afterRollback() {
      tables.undo.reset?.();
      links.release(false);
    },
  });
  const tables = options.openTables(session, links);
  const table = openRecordTableForSession(session, keys, tables.records);
  const earlier = createEarlierSecrets(tables.earlierSecrets, keys);
  const readAllFingerprints = earlier.allFingerprints;
  const suppression = createSuppressionList(session, readAllFingerprints);
  const manualLinks = createManualLinkStore(session, keys, tables.labels);
  const undo = createImportUndoJournal(session, suppression, tables.undo);
  const applying = { readAllFingerprints, session, table, undo, suppression, manualLinks };
  const keyChanges = openLookupKeyChangeLog(
    session,
    createWatchKeyFingerprinter(keys.secret),
    () => tables.hasKeyChangeLog?.() ?? true,
  );
  const target: PublishingContext = {
    session,
    table,
    published: tables.published,
    keys,
    keyChanges,
    folder,
    numbersBefore: () => tables.numbersBefore?.() ?? null,
  };
  const sealed = { secret: keys.secret, pages: table.sealedPages, readRows: table.readSealedRows };
  return {
    session,
    links,
    manualLinks,
    records: {
      fingerprints: keys.fingerprints,
      readAllFingerprints,
      storesFullRecords,
      put: (records, { allowReturn = false } = {}) => upsertRecords(applying, records, allowReturn),
      remove: (names) => session.runAtomically(async () => table.remove(names.map(table.keyOf), false)),
      runAtomically: session.runAtomically,
      openIncoming: () => openIncomingRecordStorage(applying),
      lastAppliedImport: undo.last,
      undoLastImport: () => session.runAtomically(undo.undo),
      discardUndoJournal: () => session.runAtomically(undo.discard),
      readRows: table.readRows,
      findByRecordId: table.findByRecordId,
      listByIdentity: table.listByIdentity,
      pages: table.pages,
      count: table.count,
      maxRow: table.maxRow,
      ...tables.optional,
      ...(tables.hasSealedReads && { sealed }),
    },
    linking: createLinking({ target, tables, links }),
    erasing: createErasing({ session, tables, links }, suppression),
    moving: {
      ...tables.moving,
      listRedirects: () => session.query<IdentityRedirect>('SELECT number, heir FROM merged ORDER BY number'),
      listPreviousNumbers: () =>
        session.query<[number, number]>(`SELECT ${session.dialect.rowColumn}, number FROM bore`),
      async putNumbers({ identities, redirects, previousNumbers }) {
        const [merged, bore] = [
          { name: 'merged', columns: ['number', 'heir'], key: ['number'] },
          getPreviousIdentityNumberTableColumns(session),
        ];
        await tables.moving.setIdentities(identities);
        await session.upsert(merged, redirects);
        await session.upsert(
          bore,
          previousNumbers.map(([row, number]) => [number, row]),
        );
      },
      listSuppressed: suppression.list,
      addSuppressed: (marks: TimedSuppressionMark[]) => suppression.add(marks),
      listEarlierSecrets: earlier.list,
      replaceEarlierSecrets: earlier.replace,
    },
    verifying: createVerifying({ target, tables, links }),
    changes: { read: keyChanges.read },
    warnings: async () => warningsOf(await tables.facts()),
  };
}

interface Opened {
  target: PublishingContext;
  tables: EngineSpecificGraphParts;
  links: LinkCacheFile;
}

function createLinking({ target, tables, links }: Opened): GraphLinkingOperations {
  const { session, keys, folder, table } = target;
  const revision = async () => (await tables.facts()).revision;
  /** Highest row number at the time when the records were last read for linking. */
  let highestRow = 0;
  const publish = async (partition: LinkingResultOfAllRecords): Promise<number | null> => {
    const open = links.findBuilder(partition.linkCache);
    const isCurrent = (await revision()) === partition.revision;
    const changed = open && (await tables.changes.changedSince(open.followed));
    if (!isCurrent && !changed) return null;
    const { identities, state } = await publishAllIdentities(target, partition, {
      builder: open?.builder ?? null,
      globals: open?.globals ?? null,
      highestRow: isCurrent ? Infinity : highestRow,
    });
    open?.builder.complete(state, isCurrent ? [] : (changed ?? []));
    return identities;
  };
  return {
    revision,
    async openWorkspace() {
      await links.followChanges();
      const end = await session.beginSnapshot();
      highestRow = await table.maxRow();
      const { drop, ...workspace } = createLinkingWorkspaceOnDisk(folder, highestRow + 1);
      return {
        ...workspace,
        async drop() {
          drop();
          await end();
        },
      };
    },
    publish: (partition) => session.runAtomically(() => publish(partition)),
    get linkCache() {
      return links.cache;
    },
    isSettled: async () => isGraphLinkedAndSettled(await tables.facts()),
    errorRates: async () => ({ ...UNMEASURED_ERROR_RATES, ...(await tables.facts()).errorRates }),
    getIdentity: (number) => getIdentity(session, keys, number),
  };
}

const isGraphLinkedAndSettled = ({ isLinked, settled }: GraphProperties): boolean => isLinked && settled;

const CURRENT = `
SELECT id, first_seen, last_seen, records, sources, profile FROM identity
WHERE id = coalesce((SELECT heir FROM merged WHERE number = $1), $1)`;

async function getIdentity(
  { query, dialect }: SqlSession,
  { profiles }: GraphCiphersAndFingerprints,
  number: number,
): Promise<Identity | null> {
  const [row] = await query<[number, number | null, number | null, number, number, Buffer]>(CURRENT, [
    number,
  ]);
  if (!row) return null;
  const [id, first, last, records, sources, profile] = row;
  return {
    id,
    names: profiles.decrypt(profile).readNames(),
    firstSeen: dialect.fromTimeColumn(first),
    lastSeen: dialect.fromTimeColumn(last),
    records,
    sources,
  };
}

function createErasing(
  { session, tables, links }: Pick<Opened, 'tables' | 'links'> & { session: SqlSession },
  suppression: ReturnType<typeof createSuppressionList>,
): GraphErasureOperations {
  const { setPendingErasure, collectTraces, isKeyUsed, ...engine } = tables.erasing;
  return {
    ...engine,
    suppress: (marks, time, name) =>
      session.runAtomically(async () => {
        await suppression.add(marks.map((mark) => [mark, time]));
        await setPendingErasure(name);
      }),
    pendingErasure: async () => (await tables.facts()).pendingErasure,
    finishErasure: () => setPendingErasure(null),
    countSuppressed: suppression.count,
    checkSuppressed: suppression.countMatches,
    collectTraces(rows) {
      const own = collectTraces?.(rows) ?? EMPTY_ERASED_RECORD_BYTES;
      const linked = links.erasing()?.collectTraces(rows) ?? EMPTY_ERASED_RECORD_BYTES;
      const keys = [...new Set([...own.keys, ...linked.keys])];
      return () => {
        const unpublished = keys.filter((key) => !isKeyUsed?.(key));
        const gone = links.erasing()?.filterUnusedKeys(unpublished) ?? unpublished;
        return [...own.sealed, ...linked.sealed, ...gone.flatMap(listKeyByteEncodings)];
      };
    },
    emptyLogs: async () => (await engine.emptyLogs()) && (links.erasing()?.emptyLog() ?? true),
    async rewriteFiles() {
      await engine.rewriteFiles();
      await links.refreshState();
      links.erasing()?.rewriteFile();
    },
  };
}

const LOOKS = 20;
const PAUSE_MS = 25;

function createVerifying({ target, tables, links }: Opened): GraphVerificationOperations {
  const { session } = target;
  let verifier: LinkCacheVerifier | null = null;
  return {
    async withSnapshot(work) {
      if (session.isInSnapshot() || session.isInTransaction()) return work();
      for (let look = 0; ; look++) {
        const end = await session.beginSnapshot();
        const reading = await links.beginReading();
        const isRepeated = reading.isBehind && look < LOOKS;
        try {
          if (isRepeated) continue;
          verifier = reading.verifier;
          return await work();
        } finally {
          verifier = null;
          reading.end();
          await end();
          if (isRepeated) await pause(PAUSE_MS);
        }
      }
    },
    pendingRecords: async () => ((await tables.facts()).isLinked ? null : tables.pendingRecords()),
    openLinkVerifier: () => verifier,
    openFileVerifier: (waiting) =>
      createPublishedIdentityVerifier({ ...target, tables: tables.verifying() }, waiting),
  };
}

function warningsOf({ isLinked, pendingErasure, nameTables }: GraphProperties): string[] {
  const warnings: string[] = [];
  if (!isLinked) warnings.push(UNLINKED_RECORDS_WARNING);
  if (pendingErasure !== null)
    warnings.push(
      'An erasure was interrupted before the deleted records were overwritten. Run: bonafide graph compact',
    );
  if (nameTables !== null && nameTables !== hashNameTables())
    warnings.push(
      'The name tables have changed since the records were linked, so some names are not found in all their forms. Run: bonafide graph link',
    );
  return warnings;
}
