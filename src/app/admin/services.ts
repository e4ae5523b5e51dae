import type { StoreWorker } from '../../admin/store-worker.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { RegisterForClosing } from '../closer.ts';
import type { ServerData } from '../data/databases.ts';

/** What each part of the operator service may use. */
export interface OperatorServiceDeps {
  config: Config;
  log: Log;
  data: ServerData;
  storeWorker: Pick<StoreWorker, 'run'>;
  closeLater: RegisterForClosing;
}
