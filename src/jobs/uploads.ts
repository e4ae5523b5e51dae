// Uploads of jobs: a limited number of slots for receiving them, and a queue for reading them. Both are shared fairly between callers.
import { requestInProgressError } from '../accounts/idempotency.ts';
import { BonafideError } from '../errors.ts';
import { withDeadline } from '../platform/threads/calls.ts';

/** Upload of a caller. `owner` is the account or API key that will own the job. */
interface UploadOrigin {
  owner: string;
  idempotencyKey: string | null;
}

/** Slot of one upload that is being received. The number of slots is limited. */
interface UploadSlot {
  /** Counts received bytes. Errors: overloaded if all uploads together have too many. */
  add(bytes: number): void;
  release(): void;
}

/** Maximum size in bytes of all uploads together. An upload can have 16 MiB. */
const MAX_BYTES = 128 * 1024 * 1024;
/** First bytes of each upload, which are not counted: a small upload is received while others take all the space. */
const FREE_BYTES = 64 * 1024;
const MAX_UPLOADS = 256;
/** Maximum number of uploads of one owner; 1 if half of the space is taken. */
const MAX_OF_OWNER = 2;

/**
 * Creates a function that takes a slot for an upload. An upload that arrives slowly takes no space for the bytes that are still missing. Errors of
 * the function: idempotency_in_progress if an upload with the same Idempotency-Key has a slot; overloaded if the owner has the maximum number of
 * slots, or all slots are taken.
 */
export function createUploadLimiter(): (origin: UploadOrigin) => UploadSlot {
  const slots = new Map<UploadOrigin, number>();
  const countBytes = () =>
    [...slots.values()].reduce((sum, bytes) => sum + Math.max(0, bytes - FREE_BYTES), 0);
  return (origin) => {
    const own = [...slots.keys()].filter(({ owner }) => owner === origin.owner);
    const { idempotencyKey } = origin;
    if (idempotencyKey !== null && own.some((other) => other.idempotencyKey === idempotencyKey))
      throw requestInProgressError();
    const most = countBytes() < MAX_BYTES / 2 ? MAX_OF_OWNER : 1;
    if (slots.size >= MAX_UPLOADS || own.length >= most) throw tooManyUploadsError();
    slots.set(origin, 0);
    return {
      add(bytes) {
        const received = (slots.get(origin) ?? 0) + bytes;
        slots.set(origin, received);
        if (received > FREE_BYTES && countBytes() > MAX_BYTES) throw tooManyUploadsError();
      },
      release: () => void slots.delete(origin),
    };
  };
}

const tooManyUploadsError = () =>
  new BonafideError('overloaded', 'Too many jobs are being received. Try again.', { retryAfterMs: 1000 });

/** Maximum time (ms) for reading one upload, and maximum CPU time (ms) for it. */
const MAX_READ_MS = 30_000;
const MAX_CPU_MS = 10_000;
const CHECK_CPU_MS = 100;
/** CPU time (ms) that counts like one refused request. */
const CPU_MS_PER_REFUSAL = 10;

export interface UploadReaderOptions<Upload, Result> {
  /** Starts the thread, if it is not running. Its CPU time does not count as that of the upload. */
  start?(): Promise<void>;
  read(upload: Upload): Promise<Result>;
  /** Ends the current reading, and the thread with its memory. */
  stop(): Promise<void>;
  /** Returns the CPU time (ms) that reading has used since the start of the thread; 0 if it is not running. */
  getCpuMs(): Promise<number>;
  maxMs?: number;
  maxCpuMs?: number;
  /**
   * Time (ms) without uploads after which the thread is ended. Otherwise it would keep the memory that the largest file took. Default: it is never
   * ended.
   */
  idleMs?: number;
}

type UploadReader<Upload, Result> = (
  upload: Upload,
  from: { owner: string; bytes: number },
) => Promise<Result>;

/** Time (ms) after which half of the CPU time that reading the uploads of an owner took is forgotten. */
const HALF_LIFE_MS = 60_000;
/** Bytes of an upload that are expected to take a millisecond of CPU time. */
const BYTES_PER_MS = 4096;

/**
 * Creates a function that reads uploads one after the other. The next one is that of the owner whose uploads took the least CPU time in the last
 * minutes, the size of the upload included; of equal owners, the one that had no turn for longest. Errors of the function: those of `read`;
 * invalid_request at the time limits. A refused upload counts as more than one refused request if it took long.
 */
export function createUploadReader<Upload, Result>(
  options: UploadReaderOptions<Upload, Result>,
): UploadReader<Upload, Result> {
  const waiting = new Map<string, { bytes: number; read: () => Promise<void> }[]>();
  const used = new Map<string, { cpuMs: number; at: number }>();
  const costOf = (owner: string, bytes: number) => {
    const { cpuMs = 0, at = 0 } = used.get(owner) ?? {};
    return cpuMs * 2 ** ((at - Date.now()) / HALF_LIFE_MS) + bytes / BYTES_PER_MS;
  };
  const noteCpuMs = (owner: string, cpuMs: number) => {
    used.set(owner, { cpuMs: costOf(owner, 0) + cpuMs, at: Date.now() });
    for (const other of used.keys()) if (costOf(other, 0) < 1) used.delete(other);
  };
  const findNext = () =>
    [...waiting]
      .map(([owner, [first]]) => ({ owner, cost: costOf(owner, first?.bytes ?? 0) }))
      .toSorted((a, b) => a.cost - b.cost)[0]?.owner;
  let isReading = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let stopping = Promise.resolve();
  const readWaiting = async () => {
    if (isReading) return;
    isReading = true;
    clearTimeout(idleTimer);
    await stopping;
    for (let owner = findNext(); owner !== undefined; owner = findNext()) {
      const reads = waiting.get(owner) ?? [];
      await reads.shift()?.read();
      // A Map is iterated in the order of insertion: after each reading, the owner goes behind the others.
      waiting.delete(owner);
      if (reads.length > 0) waiting.set(owner, reads);
    }
    isReading = false;
    if (options.idleMs !== undefined)
      idleTimer = setTimeout(() => (stopping = options.stop()), options.idleMs).unref();
  };
  return (upload, { owner, bytes }) =>
    new Promise((resolve, reject) => {
      const reads = waiting.get(owner) ?? [];
      const read = () =>
        readWithinLimits(upload, { ...options, onCpuMs: (cpuMs) => noteCpuMs(owner, cpuMs) }).then(
          resolve,
          reject,
        );
      reads.push({ bytes, read });
      waiting.set(owner, reads);
      void readWaiting();
    });
}

async function readWithinLimits<Upload, Result>(
  upload: Upload,
  {
    start,
    read,
    stop,
    getCpuMs,
    onCpuMs,
    maxMs = MAX_READ_MS,
    maxCpuMs = MAX_CPU_MS,
  }: UploadReaderOptions<Upload, Result> & { onCpuMs: (cpuMs: number) => void },
): Promise<Result> {
  await start?.();
  const before = await getCpuMs();
  const limit = Promise.withResolvers<never>();
  let cpuMs = 0;
  const measure = async () => {
    cpuMs = Math.max(cpuMs, (await getCpuMs()) - before);
    if (cpuMs > maxCpuMs) limit.reject(createTooLargeJobError());
  };
  const timer = setInterval(() => void measure(), CHECK_CPU_MS).unref();
  try {
    const result = await withDeadline(
      Promise.race([read(upload), limit.promise]),
      maxMs,
      createTooLargeJobError,
    );
    await measure();
    return result;
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
    onCpuMs(cpuMs);
  }
}

/** Maximum size of an upload that the quick reader reads, and maximum CPU time (ms) for it. */
const QUICK_BYTES = 64 * 1024;
const QUICK_CPU_MS = 500;
/** Limits of the two readers. The thread of the quick one, which most uploads need, is never ended when it is idle. */
export const UPLOAD_READER_LIMITS = { quick: { maxCpuMs: QUICK_CPU_MS }, patient: { idleMs: 5000 } };
/** Time (ms) for which the uploads of an owner go to the patient reader after one that was not read quickly. */
const PATIENT_MS = 60_000;

/**
 * Combines two readers with threads of their own, so that small uploads do not wait for a large or hostile one of another owner. An upload that the
 * quick reader refuses as too large is read again by the patient reader.
 */
export function combineUploadReaders<Upload, Result>({
  quick,
  patient,
}: Record<'quick' | 'patient', UploadReader<Upload, Result>>): UploadReader<Upload, Result> {
  const patientUntil = new Map<string, number>();
  return async (upload, from) => {
    for (const [owner, until] of patientUntil) if (until < Date.now()) patientUntil.delete(owner);
    if (from.bytes > QUICK_BYTES || patientUntil.has(from.owner)) return patient(upload, from);
    try {
      return await quick(upload, from);
    } catch (error) {
      if (!(error instanceof BonafideError) || error.details.issues?.[0]?.code !== 'too_large') throw error;
      patientUntil.set(from.owner, Date.now() + PATIENT_MS);
      return patient(upload, from);
    }
  };
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
