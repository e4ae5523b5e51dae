// What is said between those who record calls and the writer that commits them.
import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../errors.ts';
import type { Batch, Outcomes } from './billing/commit.ts';
import type { HourOfProbes } from './probes/gather.ts';

/** How old calls must be to be removed, null where none is, and what time it is: milliseconds. */
export interface Removal {
  thanMs: number | null;
  now: number;
}

/** Keys by their id, and when each was used last (milliseconds). */
export interface Used {
  used: ReadonlyMap<string, number>;
}

/** To the writer: a batch of calls to commit together, what to remove, the end of another thread's line, or null to close. */
export type ToWriter = Batch | Removal | Used | { probes: HourOfProbes[] } | { line: MessagePort } | null;
/** From the writer: what failed, as code and sentence (then nothing of the batch is kept), or what became of the calls. */
export type FromWriter =
  | { failed: { code: ErrorCode; message: string } }
  | { failed: null; outcomes: Outcomes };

export interface Line {
  tell(told: ToWriter): void;
}

export interface Ear {
  answered(answer: FromWriter): void;
  /** The writer is gone, or the line to it; what it was told last may be done or not. May be said twice. */
  lost(): void;
}

/** Makes a line to a writer; called again after the line is lost. */
export type Connect = (ear: Ear) => Line;
