// What keeps records and makes identities of them, on one connection.
import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import type { Identity } from '../../../model.ts';
import type { GraphErasing, GraphManualLinks, GraphMoving } from '../../capabilities.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { createSortedWorkspace } from '../../external-sort.ts';
import type { GraphStats } from '../../graph.ts';
import type { GraphLinking, LinkingWorkspace } from '../../linking.ts';
import type { GraphRecords } from '../../records.ts';
import { openIncomingRecords, putRecords } from '../../sql/incoming.ts';
import { createManualLinkStore } from '../../sql/manual-links.ts';
import { createSuppressionList } from '../../sql/suppression-list.ts';
import { createUndoJournal } from '../../sql/undo.ts';
import type { GraphVerifying } from '../../verifying.ts';
import type { Connection, Pool } from '../connect.ts';
import { openLinks } from '../index/links.ts';
import { publishPart } from '../index/part.ts';
import { stepsOf } from '../index/steps.ts';
import { isSettled, statsOf, warningsOf } from '../read/stats.ts';
import { createPostgresSession, type PostgresSession, type SessionOptions } from '../session.ts';
import { verifyingOn } from '../verify/verifying.ts';
import { erasingOn } from './erasing.ts';
import { movingOn } from './moving.ts';
import { publish, type PublishTarget, type Read } from './publish.ts';
import { recordTable } from './records.ts';
import { undoTable } from './undo.ts';

export interface PostgresWriter {
  records: GraphRecords;
  linking: GraphLinking;
  erasing: GraphErasing;
  manualLinks: GraphManualLinks;
  moving: GraphMoving;
  verifying: GraphVerifying;
  stats(): Promise<GraphStats>;
  warnings(): Promise<string[]>;
  close(): void;
}

export interface WriterOptions extends Omit<SessionOptions, 'hooks'> {
  /** Has the connection that changes the graph. */
  pool: Pool;
  keys: GraphKeys;
  /** Where sorted runs are kept. */
  folder: string;
  /** The file in which this importer remembers linking. */
  links: string;
  /** Whether imports keep what records say of contacts. */
  keepsWhole: boolean;
  /** Opens the connections that checks have. */
  openChecks(): Promise<Connection>;
}

export function openWriter({
  pool,
  keys,
  folder,
  links: file,
  keepsWhole,
  openChecks,
  ...options
}: WriterOptions): PostgresWriter {
  const session = createPostgresSession(pool, {
    ...options,
    hooks: {
      afterBegin: () => links.hold(),
      afterCommit: () => links.release(true),
      afterRollback: () => links.release(false),
    },
  });
  const steps = stepsOf(session);
  const table = recordTable(session, keys, steps);
  const suppression = createSuppressionList(session, [keys.fingerprints]);
  const manualLinks = createManualLinkStore(session, keys);
  const restored = undoTable(session);
  const undo = createUndoJournal(session, suppression, {
    async restoreRecords() {
      const done = await restored.restoreRecords();
      await steps.clear();
      await session.query('UPDATE graph SET revision = revision + 1');
      return done;
    },
  });
  const target = { session, table, undo, suppression, manualLinks };
  const publishing: PublishTarget = { session, table, keys, steps, folder };
  const links = openLinks({
    file,
    sealing: keys.sealing,
    session,
    steps,
    async publish(part) {
      const now = await steps.now();
      return now && publishPart(publishing, part, now);
    },
  });
  const asking = async () => (session.isInTransaction() || session.isInSnapshot() ? session : openChecks());
  /** What records were read of for linking. */
  let from: Read['from'] = null;
  const { readRows, findByRecordId, listByIdentity, pages, count, maxRow } = table;
  return {
    manualLinks,
    moving: movingOn(session, suppression, steps),
    erasing: erasingOn({ session, suppression, links }),
    verifying: verifyingOn({ session, keys, table, steps, links, folder }),
    records: {
      fingerprints: keys.fingerprints,
      storesFullRecords: keepsWhole,
      put: (records, { allowReturn = false } = {}) => putRecords(target, records, allowReturn),
      remove: (names) => session.runAtomically(async () => table.remove(names.map(table.keyOf), false)),
      runAtomically: session.runAtomically,
      openIncoming: () => openIncomingRecords(target),
      lastAppliedImport: undo.last,
      undoLastImport: () => session.runAtomically(undo.undo),
      discardUndoJournal: () => session.runAtomically(undo.discard),
      readRows,
      findByRecordId,
      listByIdentity,
      pages,
      count,
      maxRow,
    },
    linking: {
      revision: async () => String(await one(session, 'SELECT revision FROM bonafide.graph')),
      async openWorkspace() {
        from = null;
        const blocks = await blocksOf(session, folder);
        const now = await steps.now();
        from = now && { stand: now.stand, through: blocks.through };
        return blocks;
      },
      async publish(partition) {
        const globals = links.globalsOf(partition.linkCache);
        const read = { globals, from: globals === null ? null : from };
        const done = await session.runAtomically(() => publish(publishing, partition, read));
        if (done) links.keep(partition.linkCache, done.stand, done.late);
        return done && done.identities;
      },
      get linkCache() {
        return links.index;
      },
      isSettled: async () => isSettled(await asking()),
      async errorRates() {
        const kept = await one(session, 'SELECT error_rates FROM bonafide.graph');
        return { ...NO_ERRORS, ...(JSON.parse(String(kept ?? '{}')) as Partial<ErrorRates>) };
      },
      getIdentity: (number) => currentIdentity({ session, keys }, number),
    },
    stats: async () => statsOf(await asking()),
    warnings: async () => warningsOf(await asking()),
    close() {
      session.close();
      links.close();
    },
  };
}

const one = async (session: PostgresSession, text: string) =>
  (await session.query<[number | string | null]>(text))[0]?.[0];

/** The moment that records are read as of ends with the blocks. */
async function blocksOf(
  session: PostgresSession,
  folder: string,
): Promise<LinkingWorkspace & { through: number }> {
  const ended = await session.beginSnapshot();
  const through = Number((await one(session, 'SELECT max(id) FROM bonafide.record')) ?? 0);
  const { drop, ...blocks } = createSortedWorkspace(folder, through + 1);
  return {
    ...blocks,
    through,
    async drop() {
      drop();
      await ended();
    },
  };
}

const CURRENT = `
SELECT id, first_seen, last_seen, records, sources, profile FROM bonafide.identity
WHERE id = coalesce((SELECT heir FROM bonafide.merged WHERE number = $1), $1)`;

/** An identity, or the one that its number leads to now; null where there is none. */
async function currentIdentity(
  { session, keys }: { session: PostgresSession; keys: GraphKeys },
  number: number,
): Promise<Identity | null> {
  const [row] = await session.query<[number, number | null, number | null, number, number, Buffer]>(CURRENT, [
    number,
  ]);
  if (!row) return null;
  const [id, firstSeen, lastSeen, records, sources, profile] = row;
  return { id, names: keys.profiles.openNames(profile), firstSeen, lastSeen, records, sources };
}
