import type { StoreWorker } from '../../admin/store-worker.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { RegisterForClosing } from '../closer.ts';
import type { ServerDatabases } from '../data/databases.ts';

/** Dependencies of the parts of the operator service. */
export interface OperatorServiceDeps {
  config: Config;
  log: Log;
  data: ServerDatabases;
  /** Runs operations of the store; `note` adds an entry to the audit log. */
  storeWorker: Pick<StoreWorker, 'run'>;
  closeLater: RegisterForClosing;
}
