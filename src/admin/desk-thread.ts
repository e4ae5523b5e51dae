// The thread of the desk: one duty after the other.
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { openStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/sqlite/open.ts';
import { asStoreError } from '../store/sqlite/connect.ts';
import { isStorageError } from '../platform/sqlite.ts';
import { DUTIES } from './duties.ts';
import type { Duty } from './duties.ts';

/** What the thread is started with. */
export interface DeskData {
  /** The store's file, which is there. */
  file: string;
}

export interface ToDesk {
  id: number;
  duty: Duty;
  asked: unknown;
  /** Who asks. */
  actor: string;
}

export type FromDesk =
  | { id: number; done: unknown }
  | {
      id: number;
      failed: { code: ErrorCode; message: string; details: BonafideError['details'] } | { name: string };
    };

if (parentPort === null) throw new Error('The desk works in a thread of its own.');
const port = parentPort;
const { file }: DeskData = workerData;
let opened: Store | undefined;

port.on('message', ({ id, duty, asked, actor }: ToDesk) => {
  port.postMessage({ id, ...answerOf(duty, asked, actor) } satisfies FromDesk);
});

function answerOf(duty: Duty, asked: unknown, actor: string) {
  try {
    const work = DUTIES[duty] as (store: Store, asked: unknown, now: number) => unknown;
    return { done: work({ ...storeThere(), actor }, asked, Date.now()) };
  } catch (thrown) {
    const error = isStorageError(thrown) ? asStoreError(thrown, file) : thrown;
    if (!(error instanceof BonafideError))
      return { failed: { name: error instanceof Error ? error.name : typeof error } };
    const { code, message, details } = error;
    return { failed: { code, message, details } };
  }
}

/** A file that is away must not be made anew: what it holds would be lost beside the empty one. */
function storeThere(): Store {
  if (!existsSync(file)) throw new BonafideError('store_unavailable', 'The store is away.');
  return (opened ??= openStore({ file }));
}
