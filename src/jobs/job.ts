// Lines of a batch job, their encrypted form in the store, and the JSON of a job that API callers receive.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BonafideError } from '../errors.ts';
import { createDataCipher } from '../graph/encryption/cipher.ts';
import {
  type ChangedJobPart,
  iterateRequestsByJob,
  type JobPart,
  listJobRequests,
  replaceJobParts,
  reencryptStoredJobs,
  type StoredJob,
} from '../store/serving/jobs.ts';
import type { LeftOutValue } from '../import/input/request.ts';
import type { SqlConnection, Store } from '../store/store.ts';

export const MAX_JOB_LINES = 10_000;
/** Number of job lines that are stored together, as one encrypted part. */
export const JOB_LINES_PER_STORED_PART = 50;

/** Error of a job line, as the HTTP status and body that a check call would answer. */
export interface JobLineProblem {
  status: number;
  code: string;
  detail: string;
  errors?: { pointer: string; code: string; detail: string }[] | undefined;
}

/**
 * One person of a job: the request body of the check call (`request`), or the reason why there is none (`problem`). `line` is the line number in the
 * file, or the position (from 1) in the list of requests.
 */
export interface JobLine {
  line: number;
  reference: string | null;
  request?: Record<string, unknown>;
  problem?: JobLineProblem;
  /** E-mails and phones of a table row that are left out. */
  leftOut?: LeftOutValue[];
}

/** Column of a job file: its header, and the recognised field of a request; null if the column is not used. */
export interface JobFileColumn {
  header: string;
  field: string | null;
}

export interface JobFileDetails {
  name: string | null;
  /** Columns of a table file; empty for other file formats. */
  columns: JobFileColumn[];
}

/** Compresses and encrypts the content of jobs for the store. */
export interface JobCipher {
  seal(value: unknown): Buffer;
  /** Decrypts and decompresses what `seal` returned. Errors: wrong_secret if it was encrypted under another secret. */
  open<T>(sealed: Uint8Array): T;
}

export function createJobCipher(secret: string): JobCipher {
  const cipher = createDataCipher(secret, 'bonafide jobs 1');
  return {
    seal: (value) => cipher.encryptBytes(deflateRawSync(JSON.stringify(value), { level: 3 })),
    open: (sealed) => {
      const bytes = decrypt(() => cipher.decryptBytes(sealed));
      return JSON.parse(inflateRawSync(bytes).toString('utf8'));
    },
  };
}

function decrypt(work: () => Buffer): Buffer {
  try {
    return work();
  } catch {
    throw new BonafideError(
      'wrong_secret',
      'The job was stored under another secret and cannot be read. Delete it, and send its file again.',
    );
  }
}

/** Converts a job to the JSON that its API caller receives. `now` is in milliseconds since 1970. */
export function toJobJson(job: StoredJob, { name, columns }: JobFileDetails, now: number) {
  const { id, state, total, done, failed, endpoint, created, started, ended, problem, expires } = job;
  const isOpen = state === 'queued' || state === 'running';
  return {
    job_id: id,
    state,
    total,
    done,
    failed,
    created_at: toTime(created),
    left: isOpen ? total - done : 0,
    // The clock may have been set back since the start.
    seconds: started === null ? 0 : Math.max(0, Math.round(((ended ?? now) - started) / 100) / 10),
    endpoint: endpoint === 'enhanced' ? ('enhanced' as const) : ('validate' as const),
    ai: endpoint === 'validate_ai',
    name,
    columns,
    ended_at: ended === null ? null : toTime(ended),
    expires_at: ended === null ? null : toTime(expires),
    problem,
  };
}

export type JobJson = ReturnType<typeof toJobJson>;

const toTime = (ms: number) => new Date(ms).toISOString();

const FORGOTTEN: JobLineProblem = {
  status: 404,
  code: 'not_found',
  detail: 'The line was deleted, because its person was forgotten.',
};

/**
 * Deletes requests and results of the job lines whose request `isTheirs` returns true for, and the file names of their jobs. Returns the number of
 * these lines. Skips jobs that cannot be decrypted. `region` is that of the job's API key; null for the region of the server. `now` is in
 * milliseconds since 1970. Calls `change` once for each job with such lines; `change` must call its argument `replace` (it may do so in a
 * transaction), which writes the changed parts and returns their old encrypted bytes.
 */
export function deleteJobLinesOfForgottenPeople(
  store: Store,
  {
    secret,
    isTheirs,
    now,
    change,
  }: {
    secret: string;
    isTheirs(request: Record<string, unknown>, region: string | null): boolean;
    now: number;
    change(replace: () => Uint8Array[]): void;
  },
): number {
  const cipher = createJobCipher(secret);
  // Also deletes the file name, because it may contain the name of the person.
  const changeDetails = (details: Uint8Array) =>
    cipher.seal({ ...cipher.open<JobFileDetails>(details), name: null } satisfies JobFileDetails);
  let count = 0;
  // One job after the other, so that the memory holds only one, and other writers of the store wait only for one.
  for (const { job, region, parts } of iterateRequestsByJob(store)) {
    const forgotten = new Set<number>();
    const replaced: Uint8Array[] = [];
    const toPart =
      <T>(kind: ChangedJobPart['kind'], replace: (line: T) => T) =>
      ({ first, sealed }: JobPart): ChangedJobPart[] => {
        const lines = tryOpen<T[]>(cipher, sealed);
        if (!lines.some((_, i) => forgotten.has(first + i))) return [];
        replaced.push(sealed);
        const remaining = lines.map((line, i) => (forgotten.has(first + i) ? replace(line) : line));
        return [{ job, kind, first, sealed: cipher.seal(remaining) }];
      };
    for (const { first, sealed } of parts)
      for (const [i, { request }] of tryOpen<JobLine[]>(cipher, sealed).entries())
        if (request && isTheirs(request, region)) forgotten.add(first + i);
    if (forgotten.size === 0) continue;
    const toForgottenLine = ({ line }: JobLine) => ({ line, reference: null, problem: FORGOTTEN });
    change(() => {
      // Another forgetting may have changed the requests meanwhile, and its lines must not come back.
      const requests = listJobRequests(store.raw, job).flatMap(toPart('request', toForgottenLine));
      const changeResults = (_: string, results: JobPart[]) =>
        results.flatMap(toPart('result', toForgottenResult));
      replaceJobParts(store, requests, { changeResults, changeDetails }, now);
      return replaced;
    });
    count += forgotten.size;
  }
  return count;
}

function tryOpen<T extends unknown[]>(cipher: JobCipher, sealed: Uint8Array): T | [] {
  try {
    return cipher.open<T>(sealed);
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [];
  }
}

/** Returns the result that replaces the stored result (`text`) of a line about a forgotten person. */
function toForgottenResult(text: string): string {
  const { line }: { line: number } = JSON.parse(text);
  const { status, code, detail } = FORGOTTEN;
  const problem = { type: `/problems/${code}`, title: 'Not found', status, detail, code };
  return JSON.stringify({ line, status, problem });
}

/**
 * Encrypts the content of all jobs under another secret (64 hex characters). Leaves content unchanged that cannot be decrypted; the job with this
 * content fails when it is processed.
 */
export function rekeyJobs(db: SqlConnection, { secret, next }: { secret: string; next: string }): void {
  const [present, future] = [createJobCipher(secret), createJobCipher(next)];
  reencryptStoredJobs(db, (sealed) => {
    try {
      return future.seal(present.open(sealed));
    } catch (error) {
      if (!(error instanceof BonafideError)) throw error;
      return sealed;
    }
  });
}
