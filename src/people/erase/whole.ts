// A change of records that is there at once, with what linking makes of it, or not at all.
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { linkIncrementally } from '../../import/linking/incremental.ts';
import { linkRecords } from '../linking/linking.ts';
import { poolOf } from '../../platform/threads/helpers.ts';

/** Where too little is remembered to link only what the change touches, all is linked anew once, before it. */
const TRIES = 3;

/**
 * Changes records and publishes what comes of it, whole or not at all, also where the process is killed. What weighs in every pair stays
 * as it was; `settle` of import takes that in.
 *
 * Errors: those of the graph and of `change`; `database_busy` where another process goes on linking.
 */
export async function changeWhole(graph: RecordGraph, change: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const isDone = await graph.records
      .runAtomically(async () => {
        await change();
        if (await publishChanged(graph)) return true;
        throw NOT_YET;
      })
      .catch((error: unknown) => {
        if (error !== NOT_YET) throw error;
        return false;
      });
    if (isDone) return;
    await linkRecords(graph);
  }
  throw new BonafideError('database_busy', 'Another process links the records at the same time. Try again.');
}

const NOT_YET = new Error('what changed cannot be linked by itself');

async function publishChanged(graph: RecordGraph): Promise<boolean> {
  const {
    records,
    linking: { linkCache: index },
  } = graph;
  if (!index) {
    await linkRecords(graph, { pool: poolOf(0) });
    return true;
  }
  const part = await linkIncrementally(records, index, { settle: false, part: 1 });
  if (!part) return false;
  let published: number | null = null;
  try {
    published = await index.publishPart(part);
  } finally {
    if (published === null) index.rollback();
  }
  return published !== null;
}
