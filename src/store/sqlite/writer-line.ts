// Ways to the writer thread: of the thread that starts it, and of others that serve beside it.
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { codeFile } from '../../platform/assets.ts';
import { recordThrough } from '../recorder.ts';
import type { Recorder } from '../recorder.ts';
import type { Connect } from '../writing.ts';
import type { WriterData } from './writer.ts';

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

export interface RecorderOptions {
  file: string;
  /** How long the writer waits for another process that writes. */
  waitMs?: number;
  /** Whether notices of quotas are to be written for a webhook. */
  notify?: boolean;
}

/** Starts the writer thread for a store that `openStore` has opened before, and records through it. */
export function openRecorder({ file, waitMs = 5000, notify = false }: RecorderOptions): Recorder {
  return recordThrough(startWriter({ file, waitMs, notify }));
}
