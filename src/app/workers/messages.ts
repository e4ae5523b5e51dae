// What the thread that keeps a server and those that serve tell each other.
import type { MessagePort } from 'node:worker_threads';
import type { Figures } from '../observed/figures.ts';
import type { State } from '../readiness.ts';
import type { Config } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import type { LogHealth } from '../../observe/sink.ts';
import type { OperatorAnswer, OperatorCall } from './office.ts';

/** What a thread is started with. */
export interface Boot {
  /** The port is the one that all share. */
  config: Config & { log: 'json' | 'pretty' | 'silent' };
  /** From 1 to `of`. */
  number: number;
  of: number;
  /** Where calls in flight are counted; see src/accounts/in-flight.ts. */
  flights: SharedArrayBuffer;
  /** Where the lock is that they share; see src/platform/threads/lock.ts. */
  lock: SharedArrayBuffer;
}

/** What the keeper alone finds out, and each thread answers by. */
export interface Found {
  damaged: State['damaged'];
  log: LogHealth;
}

export type ToThread =
  /** Answered with `figures`; with those of heap and event loop where they are asked for. */
  | { found: Found; withProcess: boolean }
  /** The figures of all, that it `asked` for. */
  | { asked: number; text: string }
  /** What came of what it asked the office for. */
  | { office: OperatorAnswer }
  /** Let calls in flight finish, close, and end. */
  | 'stop';

export type FromThread =
  | { listens: string }
  /** It cannot serve, and ends. */
  | { failed: { code: ErrorCode; message: string } }
  /** Whole lines of the log. */
  | { lines: string }
  /** An end of a line for the writer. */
  | { writer: MessagePort }
  /** An operator asks for something that is done at one place. */
  | { office: OperatorCall }
  /** Somebody wants the figures of all. */
  | { asked: number }
  | { figures: Figures; process: ThreadMetrics | null };
