// Target of an import: the graph of the data folder, or a temporary graph for a dry run.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { BonafideError } from '../../../errors.ts';
import type { GraphErasureOperations } from '../../../graph/capabilities.ts';
import { loadOrCreateSecret } from '../../../graph/encryption/secret.ts';
import {
  hasRecordStoringEngine,
  isGraphInDataFolder,
  openRecordStoringGraph,
} from '../../../graph/engines.ts';
import type { RecordStoringGraph } from '../../../graph/graph.ts';
import {
  openSqliteGraph,
  openReadOnlySuppressionList,
  type ReadOnlySuppressionList,
} from '../../../graph/sqlite/open.ts';
import { markImportBegun } from '../../../import/sources.ts';
import { registerRejectsFile } from '../../../people/erase/rejects.ts';
import { createScratchFolder } from '../../../platform/temporary-files.ts';
import { removeLeftoverFiles } from '../../helpers/open.ts';

export interface ImportTarget {
  open(): RecordStoringGraph;
  /** Graph that a dry run would change; null if it does not exist. Only a dry run with --replace has this graph. */
  existing?: RecordStoringGraph | null;
  /** Cleans up after the graph is closed. `ending` tells how the import ended. */
  cleanUp(ending: 'done' | 'failed' | 'stopped'): void;
  /** Counts the imported records that are on the suppression list, or similar to records on it. Only a dry run has this function. */
  countSuppressed?(graph: RecordStoringGraph): Promise<SuppressedRecordCounts>;
}

interface SuppressedRecordCounts {
  /** Number of records that an import would leave out because they are on the suppression list. */
  barred: number;
  /** Number of records with another name that have an e-mail or phone of a forgotten person. */
  alike: number;
  /** Reason that the suppression list cannot be read; null if it can. */
  unknown: string | null;
}

/** Suppression list of the data folder, with the secret for its fingerprints. */
type SuppressionList = Pick<ReadOnlySuppressionList, 'secret'> &
  Pick<GraphErasureOperations, 'checkSuppressed'> &
  Pick<RecordStoringGraph, 'close'>;

/**
 * Returns the graph of the data folder as import target. A folder that a failed import has created is removed. `rejectsFile` is the path of the
 * file for unusable values if it is outside the data folder.
 */
export function createGraphImportTarget(config: Config, rejectsFile?: string): ImportTarget {
  const isNewFolder = !existsSync(config.dataDir);
  let removeMark = (): void => undefined;
  return {
    open() {
      const graph = openRecordStoringGraph(config);
      removeMark = markImportBegun(config.dataDir);
      removeLeftoverFiles(config.dataDir);
      if (rejectsFile !== undefined) registerRejectsFile(config.dataDir, rejectsFile);
      return graph;
    },
    cleanUp(ending) {
      removeMark();
      if (isNewFolder && ending === 'failed') removeCreatedFiles(config.dataDir);
    },
  };
}

/**
 * Returns a temporary graph in a private folder as target of a dry run. If the data folder has a suppression list, the graph uses the secret of
 * that folder. With `isReplace`, it also opens the graph of the data folder, to count the records that the import would remove.
 */
export function createDryRunImportTarget(config: Config, isReplace: boolean): ImportTarget {
  const { list, unknown } = openSuppressionList(config);
  const existing = isReplace ? openExistingGraph(config) : null;
  const secret = existing ? loadOrCreateSecret(config.dataDir, config.secret) : list?.secret;
  const { folder, remove } = createScratchFolder(tmpdir());
  return {
    existing,
    open: () => openSqliteGraph({ dataDir: folder, secret, storesFullRecords: list !== null }),
    async countSuppressed({ records }) {
      const counts: SuppressedRecordCounts = { barred: 0, alike: 0, unknown };
      if (list === null) return counts;
      try {
        for await (const page of records.pages()) {
          const { barred, alike } = await list.checkSuppressed(page);
          counts.barred += barred;
          counts.alike += alike;
        }
      } catch (error) {
        if (!(error instanceof BonafideError)) throw error;
        counts.unknown = error.message;
      }
      return counts;
    },
    cleanUp() {
      void list?.close();
      void existing?.close();
      remove();
    },
  };
}

/** Opens the graph of the data folder or of the database. Returns null if there is no such graph. */
function openExistingGraph(config: Config): RecordStoringGraph | null {
  if (isGraphInDataFolder(config) && !existsSync(join(config.dataDir, 'records.db'))) return null;
  if (!hasRecordStoringEngine(config.graph)) return null;
  return openRecordStoringGraph({ ...config, create: false });
}

/** Opens the suppression list. If it cannot be read, `unknown` is the reason, and a dry run continues without it. */
function openSuppressionList(config: Config): { list: SuppressionList | null; unknown: string | null } {
  try {
    const list = isGraphInDataFolder(config)
      ? openReadOnlySuppressionList(config.dataDir, config.secret)
      : openSharedSuppressionList(config);
    return { list, unknown: null };
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { list: null, unknown: error.message };
  }
}

/** Opens the suppression list of a graph outside the data folder. Returns null without a secret, because no record could be recognised. */
function openSharedSuppressionList(config: Config): SuppressionList | null {
  const { dataDir, secret, graph: graphSetting } = config;
  const hasSecret = secret !== undefined || existsSync(join(dataDir, 'secret'));
  if (!hasSecret || !hasRecordStoringEngine(graphSetting)) return null;
  const graph = openRecordStoringGraph({ ...config, create: false });
  const { erasing } = graph;
  return {
    secret: loadOrCreateSecret(dataDir, secret),
    checkSuppressed: async (records) => erasing.checkSuppressed(records),
    close: () => graph.close(),
  };
}

/** Removes the files that an import created in the data folder, and then the folder if it is empty. */
function removeCreatedFiles(dataDir: string): void {
  for (const file of ['graph.db', 'records.db', 'link.db', 'rejects.jsonl', 'rejects.json', 'secret'])
    rmSync(join(dataDir, file), { force: true });
  if (existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
}
