// Where an import goes: into the graph, or for a dry run into one that is gone when it has ended.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { BonafideError } from '../../../errors.ts';
import { hasRecordEngine, isGraphInDataFolder, openRecordGraph } from '../../../graph/engines.ts';
import type { RecordGraph } from '../../../graph/graph.ts';
import type { GraphErasing } from '../../../graph/capabilities.ts';
import { loadSecret } from '../../../graph/encryption/secret.ts';
import { rememberRejects } from '../../../people/erase/rejected.ts';
import { openGraph } from '../../../graph/sqlite/open.ts';
import { scratchIn } from '../../../platform/left/scratch.ts';
import { removeLeftoverFiles } from '../../shared/open.ts';
import { type ForgottenHere, openForgotten } from '../../../graph/sqlite/read/forgotten.ts';

export interface Place {
  open(): RecordGraph;
  /** Called when it is closed, at whatever end. */
  leave(how: 'done' | 'failed' | 'stopped'): void;
  /** Of a dry run: who of those in its graph was forgotten. */
  returning?(graph: RecordGraph): Promise<Returning>;
}

type Forgotten = Pick<ForgottenHere, 'secret'> &
  Pick<GraphErasing, 'checkSuppressed'> &
  Pick<RecordGraph, 'close'>;

/** What forgetting would make of an import. */
export interface Returning {
  barred: number;
  /** Records with an e-mail or a phone of somebody who was forgotten, under another name. */
  alike: number;
  /** Why it cannot be told; null where it can. */
  unknown: string | null;
}

/**
 * The graph of the data folder. A folder that was made for an import that failed is gone again.
 *
 * @param rejects where else than in the folder what cannot be used is written to
 */
export function graphPlace(config: Config, rejects?: string): Place {
  const isNew = !existsSync(config.dataDir);
  return {
    open() {
      const graph = openRecordGraph(config);
      removeLeftoverFiles(config.dataDir);
      if (rejects !== undefined) rememberRejects(config.dataDir, rejects);
      return graph;
    },
    leave(how) {
      if (isNew && how === 'failed') leaveNothing(config.dataDir);
    },
  };
}

/**
 * A folder of the machine's temporary ones, readable by its owner alone, with a secret of its own; where people were forgotten in the data
 * folder, under the secret that they are known by.
 */
export function trialPlace(config: Config): Place {
  const { forgotten, unknown } = forgottenOf(config);
  const { folder, remove } = scratchIn(tmpdir());
  return {
    open: () => openGraph({ dataDir: folder, secret: forgotten?.secret, keepsWhole: forgotten !== null }),
    async returning({ records }) {
      const found: Returning = { barred: 0, alike: 0, unknown };
      if (forgotten === null) return found;
      try {
        for await (const page of records.pages()) {
          const { barred, alike } = await forgotten.checkSuppressed(page);
          found.barred += barred;
          found.alike += alike;
        }
      } catch (error) {
        if (!(error instanceof BonafideError)) throw error;
        found.unknown = error.message;
      }
      return found;
    },
    leave() {
      void forgotten?.close();
      remove();
    },
  };
}

/** A dry run tells what it can, also beside a graph that cannot be read. */
function forgottenOf(config: Config): { forgotten: Forgotten | null; unknown: string | null } {
  try {
    const forgotten = isGraphInDataFolder(config)
      ? openForgotten(config.dataDir, config.secret)
      : forgottenElsewhere(config);
    return { forgotten, unknown: null };
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { forgotten: null, unknown: error.message };
  }
}

/** Of a graph that is not in the folder; null where there is no secret under which somebody could be known there. */
function forgottenElsewhere(config: Config): Forgotten | null {
  const { dataDir, secret, graph: setting } = config;
  const isKnown = secret !== undefined || existsSync(join(dataDir, 'secret'));
  if (!isKnown || !hasRecordEngine(setting)) return null;
  const graph = openRecordGraph({ ...config, create: false });
  const { erasing } = graph;
  return {
    secret: loadSecret(dataDir, secret),
    checkSuppressed: async (records) => (await erasing?.checkSuppressed(records)) ?? { barred: 0, alike: 0 },
    close: () => graph.close(),
  };
}

/** What somebody else put there stays. */
function leaveNothing(dataDir: string): void {
  for (const file of ['graph.db', 'records.db', 'link.db', 'rejects.jsonl', 'rejects.json', 'secret'])
    rmSync(join(dataDir, file), { force: true });
  if (existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
}
