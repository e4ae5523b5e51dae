// Files that come over HTTP to be imported: one after the other, and into the audit log.
import type { Desk } from '../../admin/desk.ts';
import { openImportDesk } from '../../admin/imports/desk.ts';
import type { Imports } from '../../admin/machine.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { Watch } from '../../platform/held.ts';
import type { Opened } from '../closing.ts';
import { refuseDemo } from './demo.ts';
import { requirePresent } from '../data/held.ts';

interface Given {
  config: Config;
  log: Log;
  watch: Watch;
  desk: Pick<Desk, 'ask'>;
  opened: Opened;
  /** Told when records are in the graph. */
  onDone(): void;
}

const TIDY_EVERY_MS = 600_000;

export function importsOf({ config, log, watch, desk, opened, onDone }: Given): Imports {
  const { dataDir, secret, graph, region, nameTables } = config;
  const imports = opened(
    openImportDesk({
      dataDir,
      secret,
      graph,
      region,
      nameTables,
      onDone({ became }, actor) {
        onDone();
        void desk
          .ask('note', { act: 'graph.import', target: '', detail: { ...became } }, actor)
          .catch((error: unknown) => log.error('an import is not in the audit log', error));
      },
      onFailed: (error) => log.error('an import failed', error),
    }),
    (imports) => imports.close(),
  );
  opened(setInterval(imports.tidy, TIDY_EVERY_MS).unref(), clearInterval);
  return async (asked) => {
    if (asked.act === 'start') {
      requirePresent(watch);
      refuseDemo(dataDir);
    }
    return imports.ask(asked);
  };
}
