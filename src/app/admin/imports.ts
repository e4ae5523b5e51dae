// Files that come over HTTP to be imported: one after the other, and into the audit log.
import type { Desk } from '../../admin/desk.ts';
import { openImportDesk } from '../../admin/imports/desk.ts';
import type { Refusal } from '../../admin/imports/import.ts';
import { noted } from '../../admin/imports/noted.ts';
import type { Imports, Sent } from '../../admin/machine.ts';
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
  desk: Pick<Desk, 'ask'>;
  opened: Opened;
  /** Told when records are in the graph. */
  onDone(): void;
}

const TIDY_EVERY_MS = 600_000;

export function importsOf({ config, log, watch, desk, opened, onDone }: Given): {
  imports: Imports;
  sent: Sent;
} {
  const { dataDir, secret, graph, region, nameTables } = config;
  const desks = opened(
    openImportDesk({
      dataDir,
      secret,
      graph,
      region,
      nameTables,
      onDone(view, actor) {
        onDone();
        void desk
          .ask('note', { act: 'graph.import', ...noted(view) }, actor)
          .catch((error: unknown) => log.error('an import is not in the audit log', error));
      },
      onFailed: (error) => log.error('an import failed', error),
    }),
    (imports) => imports.close(),
  );
  opened(setInterval(desks.tidy, TIDY_EVERY_MS).unref(), clearInterval);
  const refuse = () => {
    if (!hasRecordEngine(graph)) throw ELSEWHERE;
    requirePresent(watch);
    refuseDemo(dataDir);
  };
  return {
    imports: async (asked) => {
      if (asked.act === 'start') refuse();
      return desks.ask(asked);
    },
    sent: async () => ({ items: desks.list(), refused: refusalBy(refuse) }),
  };
}

function refusalBy(refuse: () => void): Refusal | null {
  try {
    refuse();
    return null;
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { code: error.code, message: error.message };
  }
}
