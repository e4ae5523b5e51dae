// Uploads of jobs: places for those that are received, and turns for those that are read. Both are shared fairly between callers.
import { requestInProgressError } from '../accounts/idempotency.ts';
import { BonafideError } from '../errors.ts';
import { withDeadline } from '../platform/threads/calls.ts';

/** Upload of a caller. `owner` is the account or API key that will own the job. */
interface UploadOrigin {
  owner: string;
  idempotencyKey: string | null;
}

/** Maximum number of uploads at the same time. An upload can have 16 MiB. */
const MAX_UPLOADS = 8;
/** Maximum number of uploads of one owner; 1 if half of the places are taken. */
const MAX_OF_OWNER = 2;

/**
 * Creates a function that takes a place for an upload, and returns the function that releases it. Errors: idempotency_in_progress if an upload with
 * the same Idempotency-Key has a place; overloaded if the owner has enough places, or all are taken.
 */
export function createUploadPlaces(): (origin: UploadOrigin) => () => void {
  const places = new Set<UploadOrigin>();
  return (origin) => {
    const own = [...places].filter(({ owner }) => owner === origin.owner);
    const { idempotencyKey } = origin;
    if (idempotencyKey !== null && own.some((other) => other.idempotencyKey === idempotencyKey))
      throw requestInProgressError();
    const most = places.size < MAX_UPLOADS / 2 ? MAX_OF_OWNER : 1;
    if (places.size >= MAX_UPLOADS || own.length >= most)
      throw new BonafideError('overloaded', 'Too many jobs are being received. Try again.', {
        retryAfterMs: 1000,
      });
    places.add(origin);
    return () => void places.delete(origin);
  };
}

/** Maximum time (ms) for reading one upload, and maximum CPU time (ms) for it. */
const MAX_READ_MS = 30_000;
const MAX_CPU_MS = 10_000;
const CHECK_CPU_MS = 100;
/** CPU time (ms) that counts like one refused request. */
const CPU_MS_PER_REFUSAL = 10;

export interface UploadReaderOptions<Upload, Result> {
  read(upload: Upload): Promise<Result>;
  /** Ends the current reading. */
  stop(): Promise<void>;
  /** Returns the CPU time (ms) that reading has used since the start of the thread; 0 if it is not running. */
  getCpuMs(): Promise<number>;
  maxMs?: number;
  maxCpuMs?: number;
}

/**
 * Creates a function that reads uploads one after the other. Owners take turns: the second waiting upload of an owner is read after the first of each
 * other owner. Errors of the function: those of `read`; invalid_request at the time limits. A refused upload counts as more than one refused request
 * if it took long.
 */
export function createUploadReader<Upload, Result>(
  options: UploadReaderOptions<Upload, Result>,
): (upload: Upload, owner: string) => Promise<Result> {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isReading = false;
  const readWaiting = async () => {
    if (isReading) return;
    isReading = true;
    // A Map is iterated in the order of insertion: after each reading, the owner goes behind the others.
    for (const [owner, reads] of waiting) {
      await reads.shift()?.();
      waiting.delete(owner);
      if (reads.length > 0) waiting.set(owner, reads);
    }
    isReading = false;
  };
  return (upload, owner) =>
    new Promise((resolve, reject) => {
      const reads = waiting.get(owner) ?? [];
      reads.push(() => readWithinLimits(upload, options).then(resolve, reject));
      waiting.set(owner, reads);
      void readWaiting();
    });
}

async function readWithinLimits<Upload, Result>(
  upload: Upload,
  { read, stop, getCpuMs, maxMs = MAX_READ_MS, maxCpuMs = MAX_CPU_MS }: UploadReaderOptions<Upload, Result>,
): Promise<Result> {
  const before = await getCpuMs();
  const limit = Promise.withResolvers<never>();
  let cpuMs = 0;
  const measure = async () => {
    cpuMs = Math.max(cpuMs, (await getCpuMs()) - before);
    if (cpuMs > maxCpuMs) limit.reject(createTooLargeJobError());
  };
  const timer = setInterval(() => void measure(), CHECK_CPU_MS).unref();
  try {
    return await withDeadline(Promise.race([read(upload), limit.promise]), maxMs, createTooLargeJobError);
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    const { code, message, details } = error;
    await measure();
    // The thread may still be busy with a hostile file.
    if (details.issues?.[0]?.code === 'too_large') await stop();
    const refusals = Math.max(1, Math.ceil(cpuMs / CPU_MS_PER_REFUSAL));
    throw new BonafideError(code, message, { ...details, refusals });
  } finally {
    clearInterval(timer);
  }
}

/** Creates the error for an upload that takes too much memory or time to read. */
export const createTooLargeJobError = () =>
  new BonafideError('invalid_request', 'The job has one error; see `errors`.', {
    issues: [
      {
        pointer: '',
        code: 'too_large',
        detail: 'The file takes too much memory or time to read. Send less at a time.',
      },
    ],
  });
