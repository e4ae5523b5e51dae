// What keeps records and makes identities of them, on one connection.
import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import type { Identity } from '../../../model.ts';
import type { Blocks, GraphErasing, GraphLinking, GraphRecords } from '../../graph.ts';
import type { GraphJudging } from '../../judging.ts';
import type { GraphMoving } from '../../move/moving.ts';
import { sortedBlocks } from '../../runs/blocks.ts';
import type { GraphKeys } from '../../sealed/keys.ts';
import { bytesOf, numberOf } from '../connect.ts';
import type { Session } from '../session.ts';
import { erasingOn } from './erasing.ts';
import { forgottenTable } from './forgotten.ts';
import { incomingRecords, putRecords } from './incoming.ts';
import { judgementTable } from './judged.ts';
import { movingOn } from './moving.ts';
import { publish } from './publish.ts';
import { recordTable, revise } from './records.ts';
import { undoTable } from './undo.ts';

export interface PostgresWriter {
  records: GraphRecords;
  linking: GraphLinking;
  erasing: GraphErasing;
  judging: GraphJudging;
  moving: GraphMoving;
}

export interface WriterOptions {
  session: Session;
  keys: GraphKeys;
  /** Where sorted runs are kept. */
  folder: string;
  /** Whether imports keep what records say of contacts. */
  keepsWhole: boolean;
}

export function writerOn({ session, keys, folder, keepsWhole }: WriterOptions): PostgresWriter {
  const table = recordTable(session, keys);
  const [undo, judging] = [undoTable(session), judgementTable(session, keys)];
  const forgotten = forgottenTable(session, keys.fingerprints);
  const target = { session, table, undo, forgotten, judging };
  const { read, byReference, byIdentity, pages, count, maxRow } = table;
  return {
    judging,
    moving: movingOn(session, forgotten),
    erasing: erasingOn(session, forgotten),
    records: {
      fingerprints: keys.fingerprints,
      keepsWhole,
      put: (records, { allowReturn = false } = {}) =>
        session.alone(() => putRecords(target, records, allowReturn)),
      remove: (names) =>
        session.alone(async () => {
          const removed = await table.remove(names.map(table.keyOf), false);
          if (removed > 0) await revise(session);
          return removed;
        }),
      whole: (work, mostWaitMs) => session.alone(work, mostWaitMs),
      incoming: () => incomingRecords(target),
      lastApplied: undo.last,
      takeBack: () =>
        session.alone(async () => {
          const done = await undo.takeBack();
          await revise(session);
          return done;
        }),
      forgetApplied: () => session.alone(undo.forget),
      read,
      byReference,
      byIdentity,
      pages,
      count,
      maxRow,
    },
    linking: {
      revision: async () => (await one(session, 'SELECT revision FROM bonafide.graph')) ?? '',
      blocks: () => blocksOf(session, folder),
      publish: (partition) => session.alone(() => publish({ session, table, keys, folder }, partition)),
      async errorRates() {
        const kept = await one(session, 'SELECT error_rates FROM bonafide.graph');
        return { ...NO_ERRORS, ...(JSON.parse(kept ?? '{}') as Partial<ErrorRates>) };
      },
      identity: (number) => currentIdentity({ session, keys }, number),
    },
  };
}

const one = async (session: Session, text: string) => (await session.query(text))[0]?.[0];

/** The moment that records are read as of ends with the blocks. */
async function blocksOf(session: Session, folder: string): Promise<Blocks> {
  const ended = await session.moment();
  const rows = Number((await one(session, 'SELECT max(id) FROM bonafide.record')) ?? 0) + 1;
  const { drop, ...blocks } = sortedBlocks(folder, rows);
  return {
    ...blocks,
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
  const [row] = await session.query(CURRENT, [number]);
  if (!row) return null;
  const [id, first, last, records, sources, profile] = row;
  return {
    id: Number(id),
    names: keys.profiles.names(bytesOf(profile)),
    firstSeen: numberOf(first),
    lastSeen: numberOf(last),
    records: Number(records),
    sources: Number(sources),
  };
}
