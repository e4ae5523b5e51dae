import type { MessagePort } from 'node:worker_threads';
import type { ThreadMetricCounts } from '../metrics/thread-metrics.ts';
import type { ServerHealth } from '../readiness.ts';
import type { Config } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import type { LogHealth } from '../../observe/sink.ts';
import type { OperatorServiceAnswer, OperatorServiceCall } from './operator-calls.ts';

export interface ServingThreadData {
  /** All threads listen on the same port. */
  config: Config & { log: 'json' | 'pretty' | 'silent' };
  number: number;
  threadCount: number;
  /** Memory of the counts of calls in flight; see src/accounts/in-flight.ts. */
  inFlightCounts: SharedArrayBuffer;
  /** Memory of the shared lock; see src/platform/threads/lock.ts. */
  lock: SharedArrayBuffer;
}

/** State that the main thread alone can determine, sent to the serving threads. */
export interface MainThreadHealth {
  damaged: ServerHealth['damaged'];
  log: LogHealth;
}

export type MessageToServingThread =
  /** Requests the metrics of the thread, with heap and event loop metrics if `withProcess`. */
  | { health: MainThreadHealth; withProcess: boolean }
  /** Metrics of all threads, as the thread requested with this id. */
  | { metricsId: number; text: string }
  | { operatorService: OperatorServiceAnswer }
  /** Lets calls in flight finish, then closes the thread. */
  | 'stop';

export type MessageFromServingThread =
  | { listens: string }
  /** Error with which the thread could not start. */
  | { failed: { code: ErrorCode; message: string } }
  | { lines: string }
  /** Port through which the thread sends its calls to the store writer. */
  | { writer: MessagePort }
  | { operatorService: OperatorServiceCall }
  | { metricsId: number }
  | { counts: ThreadMetricCounts; process: ThreadMetrics | null };
