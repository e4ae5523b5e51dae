// Where an import goes: into the graph, or for a dry run into one that is gone when it has ended.
import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { openKeeping } from '../../../graph/engines.ts';
import type { KeepingGraph } from '../../../graph/graph.ts';
import { openGraph } from '../../../graph/sqlite/open.ts';

export interface Place {
  open(): KeepingGraph;
  /** Called when it is closed, at whatever end. */
  leave(how: 'done' | 'failed' | 'stopped'): void;
}

/** The graph of the data folder. A folder that was made for an import that failed is gone again. */
export function graphPlace(config: Config): Place {
  const isNew = !existsSync(config.dataDir);
  return {
    open: () => openKeeping(config),
    leave(how) {
      if (isNew && how === 'failed') leaveNothing(config.dataDir);
    },
  };
}

/** A folder of the machine's temporary ones, readable by its owner alone, with a secret of its own. */
export function trialPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-dry-run-'));
  return {
    open: () => openGraph({ dataDir: folder }),
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What somebody else put there stays. */
function leaveNothing(dataDir: string): void {
  for (const file of ['graph.db', 'records.db', 'link.db', 'rejects.jsonl', 'secret'])
    rmSync(join(dataDir, file), { force: true });
  if (existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
}
