// The thread of the desk: one duty after the other.
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { openStoreAt } from '../store/open.ts';
import type { StoreLocation, Store } from '../store/store.ts';
import { DUTIES } from './duties.ts';
import type { Duty } from './duties.ts';
import { failed } from './outcome.ts';
import type { Outcome } from './outcome.ts';

export interface ToDesk {
  id: number;
  duty: Duty;
  asked: unknown;
  /** Who asks. */
  actor: string;
}

export type FromDesk = { id: number } & Outcome;

if (parentPort === null) throw new Error('The desk works in a thread of its own.');
const port = parentPort;
const place: StoreLocation = workerData;
let opened: Store | undefined;

port.on('message', ({ id, duty, asked, actor }: ToDesk) => {
  port.postMessage({ id, ...outcomeOf(duty, asked, actor) } satisfies FromDesk);
});

function outcomeOf(duty: Duty, asked: unknown, actor: string): Outcome {
  try {
    const work = DUTIES[duty] as (store: Store, asked: unknown, now: number) => unknown;
    return { done: work({ ...storeThere(), actor }, asked, Date.now()) };
  } catch (thrown) {
    return failed(opened ? opened.toStoreError(thrown) : thrown);
  }
}

/** A file that is away must not be made anew: what it holds would be lost beside the empty one. */
function storeThere(): Store {
  if ('file' in place && !existsSync(place.file))
    throw new BonafideError('store_unavailable', 'The store is away.');
  return (opened ??= openStoreAt(place));
}
