// What the thread that keeps a server and those that serve tell each other.
import type { MessagePort } from 'node:worker_threads';
import type { ThreadCounts } from '../metrics/thread-metrics.ts';
import type { ServerHealth } from '../readiness.ts';
import type { Config } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import type { LogHealth } from '../../observe/sink.ts';
import type { OperatorAnswer, OperatorCall } from './operator-calls.ts';

/** What a thread is started with. */
export interface ServingThreadData {
  /** The port is the one that all share. */
  config: Config & { log: 'json' | 'pretty' | 'silent' };
  /** From 1 to `of`. */
  number: number;
  threadCount: number;
  /** Where calls in flight are counted; see src/accounts/in-flight.ts. */
  inFlightCounts: SharedArrayBuffer;
  /** Where the lock is that they share; see src/platform/threads/lock.ts. */
  lock: SharedArrayBuffer;
}

/** What the keeper alone finds out, and each thread answers by. */
export interface MainThreadHealth {
  damaged: ServerHealth['damaged'];
  log: LogHealth;
}

export type MessageToThread =
  /** Answered with `figures`; with those of heap and event loop where they are asked for. */
  | { health: MainThreadHealth; withProcess: boolean }
  /** The figures of all, that it `asked` for. */
  | { metricsId: number; text: string }
  /** What came of what it asked the office for. */
  | { operatorService: OperatorAnswer }
  /** Let calls in flight finish, close, and end. */
  | 'stop';

export type MessageFromThread =
  | { listens: string }
  /** It cannot serve, and ends. */
  | { failed: { code: ErrorCode; message: string } }
  /** Whole lines of the log. */
  | { lines: string }
  /** An end of a line for the writer. */
  | { writer: MessagePort }
  /** An operator asks for something that is done at one place. */
  | { operatorService: OperatorCall }
  /** Somebody wants the figures of all. */
  | { metricsId: number }
  | { counts: ThreadCounts; process: ThreadMetrics | null };
