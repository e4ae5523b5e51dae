// Jobs and their lines. A server thread that processes a job has a lease on it. It stores the results of
// several lines together with the progress of the job, so that a killed server loses no counted result.
import type { JobState } from '../../accounts/model.ts';
import { idempotencyMismatchError } from '../../accounts/idempotency.ts';
import { BonafideError } from '../../errors.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import { changeAtomically } from '../audit.ts';
import { getOwnerIdPair, storeEvent } from '../events/events.ts';
import type { jobs } from '../schema.ts';
import type { SqlConnection, Store } from '../store.ts';
import {
  findJobIdOfIdempotencyKey,
  type JobRequestFingerprint,
  saveIdempotencyKeyOfJob,
} from './idempotency.ts';

export type StoredJob = Omit<
  typeof jobs.$inferSelect,
  'owner' | 'next' | 'lease' | 'fingerprint' | 'request'
>;

/** Some consecutive lines of a job, encrypted: their requests or their results. */
export interface JobPart {
  /** Index in the job of the first of these lines, from 0. */
  first: number;
  lines: number;
  sealed: Uint8Array;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'key' | 'endpoint' | 'total'> {
  owner: string;
  details: Uint8Array;
  requests: JobPart[];
  /** Fingerprint of the request that creates the job; null without an Idempotency-Key. */
  print: JobRequestFingerprint | null;
}

/** Maximum number of unfinished jobs of one owner. */
const MAX_OPEN_JOBS = 10;
/** Maximum number of stored jobs of one owner. */
const MAX_STORED_JOBS = 100;
/** Time (ms) after which a job is deleted even if it has not ended. */
const MAX_JOB_MS = 30 * 86_400_000;

const COLUMNS =
  'id, key, endpoint, state, details, total, done, failed, created, started, ended, problem, expires';

const statements = preparePerConnection((db: SqlConnection) => ({
  byPrint: db.prepare<[Uint8Array], StoredJob & { request: Buffer; owner: string }>(
    `SELECT ${COLUMNS}, request, owner FROM jobs WHERE fingerprint = ?`,
  ),
  countOwn: db.prepare<[string, number], { kept: number; open: number }>(
    'SELECT count(*) AS kept, count(next) AS open FROM jobs WHERE owner = ? AND expires > ?',
  ),
  add: db.prepare(
    `INSERT INTO jobs (id, owner, key, endpoint, state, details, total, done, failed, created, next, expires, fingerprint, request)
     VALUES (@id, @owner, @key, @endpoint, 'queued', @details, @total, 0, 0, @now, @now, @expires, @fingerprint, @request)`,
  ),
  addPart: db.prepare('INSERT INTO job_parts (job, kind, first, lines, sealed) VALUES (?, ?, ?, ?, ?)'),
  find: db.prepare<[string, string, number], StoredJob>(
    `SELECT ${COLUMNS} FROM jobs WHERE id = ? AND owner = ? AND expires > ?`,
  ),
  list: db.prepare<[string, number, number, number, string, number], StoredJob>(
    `SELECT ${COLUMNS} FROM jobs WHERE owner = ? AND expires > ? AND (created < ? OR (created = ? AND id < ?))
     ORDER BY created DESC, id DESC LIMIT ?`,
  ),
  results: db.prepare<[string, number], JobPart>(
    "SELECT first, lines, sealed FROM job_parts WHERE job = ? AND kind = 'result' AND first >= ? ORDER BY first LIMIT 4",
  ),
  take: db.prepare<[number, string, number, number, number, number, number], StoredJob & { owner: string }>(
    `UPDATE jobs SET next = ?, lease = ?, state = 'running', started = coalesce(started, ?)
       WHERE id = (SELECT id FROM jobs WHERE next <= ? OR next > ? ORDER BY next LIMIT 1) AND (next <= ? OR next > ?)
     RETURNING ${COLUMNS}, owner`,
  ),
  requests: db.prepare<[string, number], JobPart>(
    "SELECT first, lines, sealed FROM job_parts WHERE job = ? AND kind = 'request' AND first <= ? ORDER BY first DESC LIMIT 1",
  ),
  newestKey: db
    .prepare<[string, number], string>(
      `SELECT id FROM keys WHERE chain = (SELECT chain FROM keys WHERE id = ?) AND revoked IS NULL
         AND (expires IS NULL OR expires > ?) ORDER BY created DESC, id LIMIT 1`,
    )
    .pluck(),
  renew: db.prepare('UPDATE jobs SET next = ? WHERE id = ? AND lease = ?'),
  save: db.prepare<[object], Pick<StoredJob, 'total' | 'done' | 'failed'> & { owner: string }>(
    `UPDATE jobs SET done = done + @lines, failed = failed + @failed, next = @next, lease = NULL, state = @state, ended = @ended,
       problem = @problem, expires = coalesce(@expires, expires) WHERE id = @id AND lease = @lease AND done = @first
     RETURNING owner, total, done, failed`,
  ),
  shortenKey: db.prepare('UPDATE idempotency SET expires = ? WHERE fingerprint = ? AND expires > ?'),
  leases: db.prepare<[], { id: string; lease: string }>('SELECT id, lease FROM jobs WHERE lease IS NOT NULL'),
  release: db.prepare('UPDATE jobs SET next = ?, lease = NULL WHERE id = ? AND lease = ?'),
  expired: db.prepare<[number], string>('SELECT id FROM jobs WHERE expires <= ? LIMIT 2').pluck(),
  ofOwner: db.prepare<[string], string>('SELECT id FROM jobs WHERE owner = ? LIMIT 1').pluck(),
  withRegion: db.prepare<[], { job: string; region: string | null }>(
    'SELECT j.id AS job, k.region FROM jobs j LEFT JOIN keys k ON k.id = j.key ORDER BY j.id',
  ),
  partsOfKind: db.prepare<[string, string], JobPart>(
    'SELECT first, lines, sealed FROM job_parts WHERE job = ? AND kind = ? ORDER BY first',
  ),
  replacePart: db.prepare('UPDATE job_parts SET sealed = ? WHERE job = ? AND kind = ? AND first = ?'),
  interrupt: db.prepare('UPDATE jobs SET lease = NULL, next = ? WHERE id = ? AND next IS NOT NULL'),
  everyDetails: db.prepare<[], Pick<StoredJob, 'id' | 'details'>>('SELECT id, details FROM jobs'),
  details: db.prepare<[string], Uint8Array>('SELECT details FROM jobs WHERE id = ?').pluck(),
  replaceDetails: db.prepare('UPDATE jobs SET details = ? WHERE id = ?'),
  ownParts: db.prepare<[string], Omit<ChangedJobPart, 'job'>>(
    'SELECT kind, first, sealed FROM job_parts WHERE job = ?',
  ),
  move: db.prepare('UPDATE jobs SET owner = ? WHERE owner = ?'),
  removeParts: db.prepare('DELETE FROM job_parts WHERE job = ?'),
  remove: db.prepare('DELETE FROM jobs WHERE id = ?'),
  hasWork: db.prepare<[number, number, number], number>(
    'SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs WHERE next <= ? OR next > ?) OR EXISTS (SELECT 1 FROM jobs WHERE expires <= ?)',
  ),
  hasLease: db.prepare<[], number>('SELECT 1 FROM jobs WHERE lease IS NOT NULL LIMIT 1'),
  count: db.prepare<[], { state: JobState; jobs: number }>(
    'SELECT state, count(*) AS jobs FROM jobs GROUP BY state',
  ),
}));

/**
 * Stores a job with its requests. If a job with the same Idempotency-Key was created already, returns that job, as cancelled if it was deleted. The
 * Idempotency-Key is then used for checks too. Errors: idempotency_mismatch; rate_limited if the owner has too many jobs.
 */
export function createJob(store: Store, job: NewJob, now: number): { job: StoredJob; isReplay: boolean } {
  const { byPrint, countOwn, add, addPart, find } = statements(store.raw);
  const { id, owner, key, endpoint, details, total, requests, print } = job;
  return changeAtomically(store, () => {
    removeExpired(store.raw, now);
    const earlier = print && byPrint.get(print.jobKey);
    if (earlier && earlier.expires <= now) removeJobs(store.raw, [earlier.id]);
    else if (earlier) {
      if (earlier.owner !== owner || !earlier.request.equals(print.request)) throw idempotencyMismatchError();
      return { job: earlier, isReplay: true };
    }
    const usedId = print && findJobIdOfIdempotencyKey(store.raw, print, now);
    if (usedId) {
      const stored = { ...DELETED_JOB, id: usedId, key, endpoint, details: Buffer.from(details), total };
      const deleted = { ...stored, created: now, ended: now, expires: now };
      return { job: find.get(usedId, owner, now) ?? deleted, isReplay: true };
    }
    const { kept, open } = countOwn.get(owner, now) ?? { kept: 0, open: 0 };
    if (open >= MAX_OPEN_JOBS)
      throw tooManyJobsError(`${MAX_OPEN_JOBS} unfinished`, ' or wait until one ends');
    if (kept >= MAX_STORED_JOBS) throw tooManyJobsError(`${MAX_STORED_JOBS} stored`);
    const row = { id, owner, key, endpoint, details, total, now, expires: now + MAX_JOB_MS };
    add.run({ ...row, fingerprint: print?.jobKey ?? null, request: print?.request ?? null });
    for (const { first, lines, sealed } of requests) addPart.run(id, 'request', first, lines, sealed);
    if (print) saveIdempotencyKeyOfJob(store.raw, print, id);
    return { job: find.get(id, owner, now) as StoredJob, isReplay: false };
  });
}

/** Fields of a deleted job, of which only the id is known. */
const DELETED_JOB = { state: 'cancelled', done: 0, failed: 0, started: null, problem: null } as const;

const tooManyJobsError = (many: string, alternative = '') =>
  new BonafideError(
    'rate_limited',
    `There are already ${many} jobs, the maximum for one account or API key. Delete one${alternative}.`,
    { retryAfterMs: 60_000, rule: 'jobs' },
  );

export const findJob = (
  store: Store,
  { id, owner }: { id: string; owner: string },
  now: number,
): StoredJob | null => statements(store.raw).find.get(id, owner, now) ?? null;

/** Returns the jobs of an owner after a cursor, newest first. */
export const listJobs = (
  store: Store,
  { owner, after, limit }: { owner: string; after: [created: number, id: string] | undefined; limit: number },
  now: number,
): StoredJob[] => {
  const [created, id] = after ?? [Number.MAX_SAFE_INTEGER, ''];
  return statements(store.raw).list.all(owner, now, created, created, id, limit);
};

/**
 * Returns the next stored parts of a job's results, from the first part that starts at line index `from` or later. The caller must have checked who
 * owns the job.
 */
export const readJobResults = (store: Store, { id, from }: { id: string; from: number }): JobPart[] =>
  statements(store.raw).results.all(id, from);

/** Job that is reserved (leased) for one server thread, with its next requests. */
export interface LeasedJob {
  job: StoredJob;
  /**
   * Id of the API key under which the next check calls are counted: the newest valid key among the key that created the job and the keys that
   * replaced it. Null for jobs from the console.
   */
  key: string | null;
  /** Owner of the job, for whom the check calls are counted; see `toOwnerId`. */
  owner: string;
  requests: JobPart | null;
}

/**
 * Maximum time (ms) for which a job can wait, with a margin. If a job is due even later, the clock was set back after the job was stored, and the job
 * is due now.
 */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Reserves the due job that has waited longest for the server thread `lease`, for `leaseMs` milliseconds. Returns null if no job is due. Also deletes
 * expired jobs.
 */
export function leaseNextJob(
  store: Store,
  { lease, leaseMs }: { lease: string; leaseMs: number },
  now: number,
): LeasedJob | null {
  const { take, requests, newestKey } = statements(store.raw);
  return changeAtomically(store, () => {
    removeExpired(store.raw, now);
    const due = [now, now + LONGEST_WAIT_MS] as const;
    const job = take.get(now + leaseMs, lease, now, ...due, ...due);
    const key = job?.key ? (newestKey.get(job.key, now) ?? job.key) : null;
    return job ? { job, key, owner: job.owner, requests: requests.get(job.id, job.done) ?? null } : null;
  });
}

export const renewJobLease = (
  store: Store,
  { id, lease, leaseMs }: { id: string; lease: string; leaseMs: number },
  now: number,
): void => void statements(store.raw).renew.run(now + leaseMs, id, lease);

/** Results of the next lines of a job, and how the job continues. */
export interface JobProgress {
  id: string;
  lease: string;
  /** Index in the job of the first of these lines. It equals the number of results so far. */
  first: number;
  lines: number;
  failed: number;
  /** Encrypted results of the lines; null if there are none. */
  sealed: Uint8Array | null;
  /** Time from which a server may work on the job again; null if the job has ended. */
  next: number | null;
  /** State and error code with which the job ends, and how long it is then stored; null if it continues. */
  end: { state: JobState; problem: string | null; keepMs: number } | null;
  /** Keyed hashes of the Idempotency-Keys under which the calls of these lines were counted. */
  spentKeys: Uint8Array[];
}

/**
 * Time (ms) for which the keyed hash of a counted line is stored. In this time, a second server that checks the same line does not count it again.
 */
const SPENT_KEY_MS = 3_600_000;

/**
 * Stores the results of the next lines and releases the job; if the job ends, also stores an event. Returns false, and stores nothing, if the job was
 * deleted or another server has it.
 */
export function saveJobProgress(store: Store, progress: JobProgress, now: number): boolean {
  const { id, lease, first, lines, failed, sealed, next, end, spentKeys } = progress;
  const { save, addPart, shortenKey } = statements(store.raw);
  return changeAtomically(store, () => {
    const ending = {
      state: end?.state ?? 'running',
      ended: end && now,
      problem: end?.problem ?? null,
      expires: end && now + end.keepMs,
    };
    const saved = save.get({ id, lease, first, lines, failed, next, ...ending });
    if (!saved) return false;
    if (sealed) addPart.run(id, 'result', first, lines, sealed);
    for (const key of spentKeys) shortenKey.run(now + SPENT_KEY_MS, key, now + SPENT_KEY_MS);
    if (end) {
      const { owner, total, done, failed } = saved;
      const body = { job_id: id, state: end.state, total, done, failed };
      storeEvent(store.raw, { owner, subject: id, type: 'job.finished', body }, now);
    }
    return true;
  });
}

/** Deletes a job and returns its last state; null if the owner has no such job. */
export const deleteJob = (
  store: Store,
  { id, owner }: { id: string; owner: string },
  now: number,
): StoredJob | null =>
  changeAtomically(store, () => {
    const job = findJob(store, { id, owner }, now);
    if (job) removeJobs(store.raw, [id]);
    return job;
  });

/** Yields the encrypted requests of each job, with the region of its API key (null for the region of the server). */
export function* iterateRequestsByJob({ raw }: Store) {
  for (const job of statements(raw).withRegion.all()) yield { ...job, parts: listJobRequests(raw, job.job) };
}

export const listJobRequests = (db: SqlConnection, job: string): JobPart[] =>
  statements(db).partsOfKind.all(job, 'request');

export interface ChangedJobPart extends Pick<JobPart, 'first' | 'sealed'> {
  job: string;
  kind: 'request' | 'result';
}

/**
 * Replaces encrypted parts of jobs. A server that works on one of these jobs discards what it has read. Also replaces what `changeResults` returns
 * for the results of each of these jobs, which may be new, and the details of these jobs by those of `changeDetails`.
 */
export function replaceJobParts(
  store: Store,
  parts: readonly ChangedJobPart[],
  change: {
    changeResults(job: string, results: JobPart[]): ChangedJobPart[];
    changeDetails(details: Uint8Array): Uint8Array;
  },
  now: number,
): void {
  const { replacePart, interrupt, partsOfKind, details, replaceDetails } = statements(store.raw);
  const replace = ({ job, kind, first, sealed }: ChangedJobPart) => replacePart.run(sealed, job, kind, first);
  changeAtomically(store, () => {
    for (const part of parts) replace(part);
    for (const job of new Set(parts.map((part) => part.job))) {
      interrupt.run(now, job);
      for (const kept of details.all(job)) replaceDetails.run(change.changeDetails(kept), job);
      for (const part of change.changeResults(job, partsOfKind.all(job, 'result'))) replace(part);
    }
  });
}

/** Replaces the encrypted content of all jobs by what `reseal` returns for it, such as under a new secret. */
export function reencryptStoredJobs(db: SqlConnection, reseal: (sealed: Uint8Array) => Uint8Array): void {
  const { everyDetails, replaceDetails, ownParts, replacePart } = statements(db);
  const work = () => {
    for (const { id, details } of everyDetails.all()) {
      replaceDetails.run(reseal(details), id);
      for (const { kind, first, sealed } of ownParts.all(id))
        replacePart.run(reseal(sealed), id, kind, first);
    }
  };
  db.transaction(work).immediate();
}

/** Deletes at most two jobs of an account. Returns their number. Call it inside a transaction. */
export function deleteSomeJobsOfAccount(db: SqlConnection, id: string): number {
  const ids = getOwnerIdPair(id).flatMap((owner) => statements(db).ofOwner.all(owner));
  removeJobs(db, ids);
  return ids.length;
}

export function moveJobsToAccount(db: SqlConnection, chain: string, account: string): void {
  const owners = getOwnerIdPair(account);
  for (const [i, owner] of getOwnerIdPair(chain).entries()) statements(db).move.run(owners[i], owner);
}

/** Releases the jobs that are reserved for servers that have ended. `isEnded` receives the name of the server thread. */
export function releaseJobsOfEndedServers(
  store: Store,
  isEnded: (lease: string) => boolean,
  now: number,
): void {
  const { leases, release } = statements(store.raw);
  for (const { id, lease } of leases.all()) if (isEnded(lease)) release.run(now, id, lease);
}

/** Deletes at most two expired jobs, each of which has up to 400 parts. The next calls delete further ones. */
const removeExpired = (db: SqlConnection, now: number): void =>
  removeJobs(db, statements(db).expired.all(now));

function removeJobs(db: SqlConnection, ids: readonly string[]): void {
  const { removeParts, remove } = statements(db);
  for (const id of ids) {
    removeParts.run(id);
    remove.run(id);
  }
}

export const hasDueOrExpiredJob = (db: SqlConnection, now: number): boolean =>
  statements(db).hasWork.get(now, now + LONGEST_WAIT_MS, now) !== undefined;

/** True if a server is working on a job, or was killed while it did. */
export const hasLeasedJob = (db: SqlConnection): boolean => statements(db).hasLease.get() !== undefined;

export const countJobsByState = (db: SqlConnection): Partial<Record<JobState, number>> =>
  Object.fromEntries(
    statements(db)
      .count.all()
      .map(({ state, jobs }) => [state, jobs]),
  );
