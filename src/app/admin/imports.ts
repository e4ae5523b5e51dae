// Files that come over HTTP to be imported: one after the other, and into the audit log.
import type { StoreWorker } from '../../admin/store-worker.ts';
import { openImportWorker } from '../../admin/graph/import-worker.ts';
import { type ImportRefusal, toImportNote } from '../../admin/graph/imports.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { hasRecordEngine } from '../../graph/engines.ts';
import type { Log } from '../../observe/log.ts';
import type { Watch } from '../../platform/held.ts';
import type { Opened } from '../closing.ts';
import { refuseDemo } from './demo.ts';
import { ELSEWHERE } from './looking.ts';
import { requirePresent } from '../data/held.ts';

interface Given {
  config: Config;
  log: Log;
  watch: Watch;
  desk: Pick<StoreWorker, 'run'>;
  opened: Opened;
  /** Told when records are in the graph. */
  onDone(): void;
}

const TIDY_EVERY_MS = 600_000;

export function importsOf({
  config,
  log,
  watch,
  desk,
  opened,
  onDone,
}: Given): Pick<OperatorService, 'handleImport' | 'listImports'> {
  const { dataDir, secret, graph, region, nameTables } = config;
  const desks = opened(
    openImportWorker({
      dataDir,
      secret,
      graph,
      region,
      nameTables,
      onDone(view, actor) {
        onDone();
        void desk
          .run('note', { act: 'graph.import', ...toImportNote(view) }, actor)
          .catch((error: unknown) => log.error('an import is not in the audit log', error));
      },
      onFailed: (error) => log.error('an import failed', error),
    }),
    (imports) => imports.close(),
  );
  opened(setInterval(desks.removeStale, TIDY_EVERY_MS).unref(), clearInterval);
  const refuse = () => {
    if (!hasRecordEngine(graph)) throw ELSEWHERE;
    requirePresent(watch);
    refuseDemo(dataDir);
  };
  return {
    handleImport: async (request) => {
      if (request.act === 'start') refuse();
      return desks.handle(request);
    },
    listImports: async () => ({ items: desks.list(), refused: refusalBy(refuse) }),
  };
}

function refusalBy(refuse: () => void): ImportRefusal | null {
  try {
    refuse();
    return null;
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { code: error.code, message: error.message };
  }
}
