// Jobs of a server: the main thread reads what callers send as jobs, and every serving thread works on jobs and answers callers.
import { randomBytes } from 'node:crypto';
import { createRequestFingerprinter } from '../../accounts/idempotency.ts';
import { createRandomBase62 } from '../../accounts/key-text.ts';
import { CONSOLE_LINK_CALLER, getAccountOrKeyId } from '../../accounts/access.ts';
import type { Caller } from '../../accounts/model.ts';
import type { JobRequest, JobService, OperatorService } from '../../admin/operator-service.ts';
import { type Config, parseDuration } from '../../config.ts';
import { resultOr } from '../../errors.ts';
import { deriveKeyFromSecret } from '../../graph/encryption/fingerprints.ts';
import { loadOrCreateSecret } from '../../graph/encryption/secret.ts';
import { toCheckV1JsonText } from '../../http/check/versions.ts';
import { type ProblemCode, toHttpStatus, toProblem, toProblemJsonText } from '../../http/problems.ts';
import { createJobCipher, type JobFileDetails, type JobLineProblem, toJobJson } from '../../jobs/job.ts';
import { type JobRunner, type JobRunnerOptions, startJobRunner } from '../../jobs/runner.ts';
import type { JobReaderOperations, JobUpload } from '../../jobs/read.ts';
import {
  combineUploadReaders,
  createTooLargeJobError,
  createUploadLimiter,
  createUploadReader,
  UPLOAD_READER_LIMITS,
} from '../../jobs/uploads.ts';
import type { Log } from '../../observe/log.ts';
import { createLazyWorkerThread } from '../../platform/threads/calls.ts';
import { createFileOwnerMark } from '../../platform/temporary-files.ts';
import { waitForEventLoopTurn } from '../../platform/turn.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { toOwnerId } from '../../store/events/events.ts';
import type { StoredJob } from '../../store/serving/jobs.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

/** Derives the secret for the fingerprints of Idempotency-Keys from the graph's secret. */
export const deriveIdempotencySecret = ({ dataDir, secret }: Pick<Config, 'dataDir' | 'secret'>): Buffer =>
  deriveKeyFromSecret(loadOrCreateSecret(dataDir, secret), 'bonafide idempotency 1');

/** Memory limits (MiB) of the threads that read jobs. */
const READER_MEMORY_MB = { quick: 160, patient: 320 };

/** Creates the part of the operator service that reads and stores jobs. Also releases the jobs of killed servers. */
export function createJobCreationService({
  config,
  data: { engine },
  storeWorker,
  closeLater,
}: OperatorServiceDeps): Pick<OperatorService, 'createJob'> {
  const jobSecret = loadOrCreateSecret(config.dataDir, config.secret);
  const fingerprint = createRequestFingerprinter(deriveIdempotencySecret(config));
  const keepMs = parseDuration(config.idempotencyWindow) ?? 0;
  const toFingerprint = (
    { key, target }: NonNullable<JobRequest['idempotency']>,
    caller: Caller,
    body: Uint8Array,
  ) => {
    const ofChecks = fingerprint({ account: caller.keyId, key }, { target, body });
    const ofJobs = fingerprint({ account: toOwnerId(caller), key: `\njobs ${key}` }, { target, body });
    return { ...ofChecks, jobKey: ofJobs.key, expires: Date.now() + keepMs };
  };
  const createReader = (kind: keyof typeof READER_MEMORY_MB) => {
    const thread = closeLater(
      createLazyWorkerThread<JobReaderOperations>({
        file: 'jobs/read',
        workerData: { jobSecret },
        memoryMb: READER_MEMORY_MB[kind],
        toEndedError: (isOutOfMemory) =>
          isOutOfMemory ? createTooLargeJobError() : new Error('The thread that reads jobs ended.'),
      }),
    );
    return createUploadReader({
      start: () => thread.call('start', undefined),
      read: (upload: JobUpload) => thread.call('read', upload),
      stop: () => thread.close(),
      getCpuMs: () => thread.getCpuMs(),
      ...UPLOAD_READER_LIMITS[kind],
    });
  };
  const takeSlot = createUploadLimiter();
  const read = combineUploadReaders({ quick: createReader('quick'), patient: createReader('patient') });
  void releaseJobs(engine, storeWorker);
  return {
    async createJob({ caller, endpoint, upload, idempotency }) {
      const [owner, key] = [toOwnerId(caller), caller.key ?? null];
      const slot = takeSlot({ owner, idempotencyKey: idempotency?.key ?? null });
      const { length: bytes } = upload.bytes;
      const readUpload = async () => {
        slot.add(bytes);
        return read({ ...upload, region: caller.region ?? config.region }, { owner, bytes });
      };
      const sealed = await readUpload().finally(slot.release);
      const print = idempotency && toFingerprint(idempotency, caller, upload.bytes);
      const id = `job_${createRandomBase62(24)}`;
      return storeWorker.run('jobs.create', { ...sealed, id, owner, key, endpoint, print }, owner);
    },
  };
}

/**
 * Releases the jobs of killed servers on this machine, so that this server continues them. Jobs of other machines are released when their leases
 * end.
 */
async function releaseJobs(
  engine: StoreEngine,
  storeWorker: OperatorServiceDeps['storeWorker'],
): Promise<void> {
  try {
    if (await engine.jobs.hasLeased()) await storeWorker.run('jobs.release', null, '');
  } catch {
    // After a failure, the leases expire without this call.
  }
}

interface JobServiceDeps extends Pick<JobRunnerOptions, 'enter' | 'check' | 'onLine'> {
  config: Config;
  log: Log;
  engine: StoreEngine;
  service: Pick<OperatorService, 'run' | 'createJob'>;
  findCaller(key: string, now: number): ReturnType<JobRunnerOptions['findCaller']>;
}

function toLineProblem(error: unknown): JobLineProblem {
  const { headers: _, ...problem } = toProblem(error);
  return { ...problem, status: toHttpStatus(problem) };
}

/** Time (ms) after a caller's call in which the job runner leaves most of the event loop to callers. */
const BUSY_MS = 500;

const HOUR_MS = 3_600_000;
/** Default number of hours for which the results of a job are kept. */
const KEEP_HOURS = 24;

/** Creates the job service of one serving thread. `start` starts the work on jobs. `noteCall` must be called for each call of a caller. */
export function createJobService({
  config,
  log,
  engine,
  service,
  findCaller,
  ...checks
}: JobServiceDeps): JobService & {
  start(): JobRunner;
  noteCall(): void;
} {
  const cipher = createJobCipher(loadOrCreateSecret(config.dataDir, config.secret));
  const run: OperatorService['run'] = (...call) => service.run(...call);
  const toJson = (job: StoredJob) => toJobJson(job, readDetails(job), Date.now());
  const readDetails = ({ details }: StoredJob): JobFileDetails =>
    resultOr(() => cipher.open<JobFileDetails>(details), { name: null, columns: [] });
  let runner: JobRunner | null = null;
  let calledAt = -Infinity;
  return {
    async create(request: JobRequest) {
      const { job, isReplay } = await service.createJob(request);
      runner?.wake();
      return { job: toJson(job), isReplay };
    },
    async list(caller, paging) {
      const owner = toOwnerId(caller);
      const { items, next } = await run('jobs.list', { owner, ...paging }, owner);
      return { items: items.map(toJson), next };
    },
    async show(caller, id) {
      const owner = toOwnerId(caller);
      const job = await run('jobs.show', { id, owner }, owner);
      return job && toJson(job);
    },
    async delete(caller, id) {
      // The job is paused first, so that the answer's `done` includes every line that was counted as a call. Once a job is deleted, no
      // thread stores further results of it.
      const owner = toOwnerId(caller);
      if (await run('jobs.show', { id, owner }, owner)) await runner?.pause(id);
      const job = await run('jobs.delete', { id, owner }, owner);
      if (!job) return null;
      const isOpen = job.ended === null;
      return toJson(isOpen ? { ...job, state: 'cancelled', ended: Date.now() } : job);
    },
    async *results(caller, id) {
      for (let from = 0; ;) {
        const parts = await run('jobs.results', { id, from }, '');
        for (const { first, lines, sealed } of parts) {
          await waitForEventLoopTurn(getAccountOrKeyId(caller));
          yield cipher.open<string[]>(sealed);
          from = first + lines;
        }
        if (parts.length === 0) return;
      }
    },
    noteCall: () => (calledAt = performance.now()),
    start: () =>
      (runner = startJobRunner({
        ...checks,
        queue: {
          hasWork: engine.jobs.hasWork,
          take: (lease, leaseMs) => run('jobs.take', { lease, leaseMs }, ''),
          renew: (id, lease, leaseMs) => run('jobs.renew', { id, lease, leaseMs }, ''),
          save: (progress) => run('jobs.save', progress, ''),
        },
        cipher,
        buildContent: toCheckV1JsonText,
        toProblem: toLineProblem,
        formatProblem: ({ code, ...problem }, requestId) =>
          toProblemJsonText({ ...problem, code: code as ProblemCode }, requestId),
        idempotencySecret: deriveIdempotencySecret(config),
        lease: `${createFileOwnerMark()}.${randomBytes(6).toString('hex')}`,
        keepMs: (config.jobs?.keep_hours ?? KEEP_HOURS) * HOUR_MS,
        findCaller: (key, now) => (key === null ? CONSOLE_LINK_CALLER : findCaller(key, now)),
        isBusy: () => performance.now() - calledAt < BUSY_MS,
        log,
      })),
  };
}
