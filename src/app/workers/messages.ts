import type { MessagePort } from 'node:worker_threads';
import type { ThreadMetricCounts } from '../metrics/thread-metrics.ts';
import type { ServerHealth } from '../readiness.ts';
import type { Config } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import type { LogHealth } from '../../observe/sink.ts';
import type { OperatorServiceAnswerToThread, OperatorServiceCall } from './operator-calls.ts';

export interface ServingThreadData {
  /** Settings of the server. All threads listen on the same port. */
  config: Config & { log: 'json' | 'pretty' | 'silent' };
  number: number;
  threadCount: number;
  /** Shared memory with the number of calls in flight; see src/accounts/in-flight.ts. */
  inFlightCounts: SharedArrayBuffer;
  /** Shared memory of the lock between threads; see src/platform/threads/lock.ts. */
  lock: SharedArrayBuffer;
}

/** State that only the main thread can determine, sent to the serving threads. */
export interface MainThreadHealth {
  damaged: ServerHealth['damaged'];
  log: LogHealth;
}

export type MessageToServingThread =
  /** Requests the metrics of the thread; with `withProcess`, also those of its heap and event loop. */
  | { health: MainThreadHealth; withProcess: boolean }
  /** Metrics of all threads as text: the answer to the thread's request with this id. */
  | { metricsId: number; text: string }
  | { operatorService: OperatorServiceAnswerToThread }
  /** Lets running calls finish, then closes the thread. */
  | 'stop';

export type MessageFromServingThread =
  | { listens: string }
  /** Error that prevented the start of the serving thread. */
  | { failed: { code: ErrorCode; message: string } }
  | { lines: string }
  /** Port through which the thread sends its calls to the writer of the store. */
  | { writer: MessagePort }
  | { operatorService: OperatorServiceCall }
  | { metricsId: number }
  | { counts: ThreadMetricCounts; process: ThreadMetrics | null };
