// Ways to the writer thread: of the thread that starts it, and of others that serve beside it.
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { codeFile } from '../../platform/assets.ts';
import type { FromWriter, ToWriter, WriterData } from './writer.ts';

export interface Line {
  tell(told: ToWriter): void;
}

interface Ear {
  answered(answer: FromWriter): void;
  /** The writer is gone, or the line to it; what it was told last may be done or not. May be said twice. */
  lost(): void;
}

/** Makes a line to a writer; called again after the line is lost. */
export type Connect = (ear: Ear) => Line;

/** The writer of a store, in a thread that each call starts anew. */
export function startWriter(data: WriterData): Connect {
  return ({ answered, lost }) => {
    const worker = new Worker(codeFile('store/sqlite/writer'), { workerData: data });
    worker.on('message', answered).on('error', lost).on('exit', lost);
    return {
      tell: (told) => worker.postMessage(told, told && 'line' in told ? [told.line] : []),
    };
  };
}

/** A writer that another thread keeps: `hand` gives that thread the writer's end of a line. */
export function writerOf(hand: (end: MessagePort) => void): Connect {
  return ({ answered, lost }) => {
    const { port1: own, port2: end } = new MessageChannel();
    own.on('message', answered).on('close', lost);
    hand(end);
    return { tell: (told) => own.postMessage(told) };
  };
}
