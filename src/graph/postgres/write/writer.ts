// What keeps records and makes identities of them, on one connection.
import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import type { Identity } from '../../../model.ts';
import type { GraphErasing, GraphManualLinks, GraphMoving } from '../../capabilities.ts';
import type { LinkingWorkspace, GraphLinking } from '../../linking.ts';
import type { GraphRecords } from '../../records.ts';
import type { GraphVerifying } from '../../verifying.ts';
import { createSortedWorkspace } from '../../external-sort.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { Connection } from '../connect.ts';
import { openLinks } from '../index/links.ts';
import { publishPart } from '../index/part.ts';
import { stepsOf } from '../index/steps.ts';
import { isSettled } from '../read/stats.ts';
import type { Session } from '../session.ts';
import { verifyingOn } from '../verify/verifying.ts';
import { erasingOn } from './erasing.ts';
import { forgottenTable } from './forgotten.ts';
import { incomingRecords, putRecords } from './incoming.ts';
import { judgementTable } from './judged.ts';
import { movingOn } from './moving.ts';
import { publish, type PublishTarget, type Read } from './publish.ts';
import { recordTable, revise } from './records.ts';
import { undoTable } from './undo.ts';

export interface PostgresWriter {
  records: GraphRecords;
  linking: GraphLinking;
  erasing: GraphErasing;
  manualLinks: GraphManualLinks;
  moving: GraphMoving;
  verifying: GraphVerifying;
  close(): void;
}

export interface WriterOptions {
  session: Session;
  keys: GraphKeys;
  /** Where sorted runs are kept. */
  folder: string;
  /** The file in which this importer remembers linking. */
  links: string;
  /** Whether imports keep what records say of contacts. */
  keepsWhole: boolean;
  /** A connection for looking, as checks have. */
  asking(): Promise<Connection>;
}

export function writerOn({
  session,
  keys,
  folder,
  links: file,
  keepsWhole,
  asking,
}: WriterOptions): PostgresWriter {
  const table = recordTable(session, keys);
  const forgotten = forgottenTable(session, keys.fingerprints);
  const [undo, judging] = [undoTable(session, forgotten), judgementTable(session, keys)];
  const steps = stepsOf(session);
  const target = { session, table, steps, undo, forgotten, judging };
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
  /** What records were read of for linking. */
  let from: Read['from'] = null;
  const { read, byReference, byIdentity, pages, count, maxRow } = table;
  return {
    manualLinks: judging,
    moving: movingOn(session, forgotten, steps),
    erasing: erasingOn({ session, forgotten, links }),
    verifying: verifyingOn({ session, keys, table, steps, links, folder }),
    records: {
      fingerprints: keys.fingerprints,
      storesFullRecords: keepsWhole,
      put: (records, { allowReturn = false } = {}) =>
        session.alone(() => putRecords(target, records, allowReturn)),
      remove: (names) =>
        session.alone(() =>
          steps.noting(async (step) => {
            const removed = await table.remove(names.map(table.keyOf), { journal: false, step });
            if (removed > 0) await revise(session);
            return removed;
          }),
        ),
      runAtomically: (work, mostWaitMs) => wholeWith(links, { session, work, mostWaitMs }),
      openIncoming: () => incomingRecords(target),
      lastAppliedImport: undo.last,
      undoLastImport: () =>
        session.alone(async () => {
          const done = await undo.takeBack();
          await steps.clear();
          await revise(session);
          return done;
        }),
      discardUndoJournal: () => session.alone(undo.forget),
      readRows: read,
      findByRecordId: byReference,
      listByIdentity: byIdentity,
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
        const done = await session.alone(() => publish(publishing, partition, read));
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
    close: links.close,
  };
}

interface Whole<T> {
  session: Session;
  work(): Promise<T>;
  mostWaitMs: number | undefined;
}

/** What is remembered of linking is kept when the database has what came of it: where the process ends in between, it is brought on later. */
async function wholeWith<T>(
  links: ReturnType<typeof openLinks>,
  { session, work, mostWaitMs }: Whole<T>,
): Promise<T> {
  if (session.isInside()) return work();
  let isHeld = false;
  const held = () => {
    links.hold();
    isHeld = true;
    return work();
  };
  try {
    const done = await session.alone(held, mostWaitMs);
    links.release(true);
    return done;
  } catch (error) {
    if (isHeld) links.release(false);
    throw error;
  }
}

const one = async (session: Session, text: string) =>
  (await session.query<[number | string | null]>(text))[0]?.[0];

/** The moment that records are read as of ends with the blocks. */
async function blocksOf(session: Session, folder: string): Promise<LinkingWorkspace & { through: number }> {
  const ended = await session.moment();
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
  { session, keys }: Pick<WriterOptions, 'session' | 'keys'>,
  number: number,
): Promise<Identity | null> {
  const [row] = await session.query<[number, number | null, number | null, number, number, Buffer]>(CURRENT, [
    number,
  ]);
  if (!row) return null;
  const [id, firstSeen, lastSeen, records, sources, profile] = row;
  return {
    id,
    names: keys.profiles.openNames(profile),
    firstSeen,
    lastSeen,
    records,
    sources,
  };
}
