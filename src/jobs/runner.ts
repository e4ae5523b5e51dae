// Processes batch jobs in one server thread: one check at a time, some lines of one job in sequence, then the job that has waited longest. Every
// check is a normal call with limits, quota and call log. Its Idempotency-Key is computed from the job and the position of the line: if a server is
// killed and the result of a line is lost, the line is checked again but not counted again.
import { setTimeout as pause } from 'node:timers/promises';
import { createRequestFingerprinter } from '../accounts/idempotency.ts';
import { getAccountOrKeyId } from '../accounts/access.ts';
import type { Caller, LoggedCall } from '../accounts/model.ts';
import { BonafideError } from '../errors.ts';
import type { Awaitable } from '../model.ts';
import { createRequestId } from '../platform/request-id.ts';
import { endOfTurn, waitForEventLoopTurn } from '../platform/turn.ts';
import { toOwnerId } from '../store/events/events.ts';
import type { JobProgress, LeasedJob, StoredJob } from '../store/serving/jobs.ts';
import type { CallLimiter } from '../store/serving/limiter.ts';
import type { ValidationCall, ValidationResult } from '../validate.ts';
import { type JobCipher, type JobLine, type JobLineProblem } from './job.ts';

/** Functions of the store that a job runner calls. */
interface JobQueue {
  /** Returns true if a job must be processed now, or has expired. */
  hasWork(now: number): Awaitable<boolean>;
  take(lease: string, leaseMs: number): Promise<LeasedJob | null>;
  renew(id: string, lease: string, leaseMs: number): Promise<void>;
  save(progress: JobProgress): Promise<boolean>;
}

export interface JobRunnerOptions {
  queue: JobQueue;
  cipher: JobCipher;
  /** Secret with which Idempotency-Keys are fingerprinted. */
  idempotencySecret: Buffer;
  /** Name of this thread in leases. A lease reserves a job for one thread. */
  lease: string;
  /** Time (ms) for which a finished job is stored. */
  keepMs: number;
  /** Returns the caller that an API key identifies; null if the API key is no longer valid. A null `key` identifies the operator in the console. */
  findCaller(key: string | null, now: number): Awaitable<Caller | null>;
  enter: CallLimiter['enter'];
  check(call: ValidationCall<string>): Promise<ValidationResult<string>>;
  /** Formats the answer of a check call as JSON text. */
  buildContent: ValidationCall<string>['buildContent'];
  toProblem(error: unknown): JobLineProblem;
  formatProblem(problem: JobLineProblem, requestId: string): string;
  /** Returns true if API callers sent calls in the last half second. The runner then leaves most of the processor time to them. */
  isBusy(): boolean;
  onLine(status: number): void;
  log: { error(text: string, thrown?: unknown): void };
}

export interface JobRunner {
  wake(): void;
  /** Interrupts a job after its current check, and stores its results. It continues after `PAUSE_MS` unless it is deleted. */
  pause(id: string): Promise<void>;
  /** Stops processing after the current check, so that other servers can continue the job. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1000;
/** Duration (ms) of the lease on a job. When the lease of a killed server has expired, another server continues the job. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5000;
/** Time (ms) after which the results of the lines checked so far are committed together. */
const SLICE_MS = 2000;
/** Time for which the runner pauses while API callers send calls, as a multiple of the time that it worked before. */
const BUSY_SHARE = 4;
/** Maximum number of attempts for a line whose check fails with an error of the graph. */
const ATTEMPTS = 3;
const RETRY_MS = 1000;
/** Maximum wait (ms) before a job is tried again. */
const MAX_WAIT_MS = 60_000;
/** Time (ms) for which `pause` interrupts a job, so that it can be deleted. */
const PAUSE_MS = 5000;

export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { queue, lease, log } = options;
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let current: { id: string; paused: AbortController; work: Promise<void> } | null = null;
  const workOnDue = async () => {
    // All of them, not only the last: two jobs with invalid keys would otherwise be taken in turns without end.
    const invalidKeys = new Set<string | null>();
    while (!closing.signal.aborted && (await queue.hasWork(Date.now()))) {
      const task = await queue.take(lease, LEASE_MS);
      if (!task) return;
      const found = await options.findCaller(task.key, Date.now());
      // The job stays with its account if its API key moves to another one, which must not pay for results that it cannot read.
      const caller = found && toOwnerId(found) === task.owner ? found : null;
      // If the API key was replaced or moved after the job was taken, the store returns the job with the new key or owner the next time.
      if (!caller && !invalidKeys.has(task.key)) {
        invalidKeys.add(task.key);
        await queue.save({
          ...EMPTY_PROGRESS,
          id: task.job.id,
          lease,
          first: task.job.done,
          next: Date.now(),
        });
      } else {
        const paused = new AbortController();
        const signal = AbortSignal.any([closing.signal, paused.signal]);
        const work = workOnTask(task, caller, { options, signal, closing: closing.signal });
        current = { id: task.job.id, paused, work };
        await work.finally(() => (current = null));
      }
    }
  };
  const wake = () => {
    if (closing.signal.aborted) return;
    // Not logged again: the metrics and the log of the store already report that the store does not answer.
    running ??= workOnDue()
      .catch(
        (error: unknown) => error instanceof BonafideError || log.error('jobs could not be processed', error),
      )
      .then(() => void (running = null));
  };
  const timer = setInterval(wake, LOOK_EVERY_MS).unref();
  return {
    wake,
    async pause(id) {
      if (current?.id !== id) return;
      current.paused.abort();
      await current.work.catch(() => undefined);
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}

/** Results of consecutive lines of a job, and the wait before the next lines. */
interface Slice {
  results: string[];
  failed: number;
  /** Time (ms) until the job may continue. */
  waitMs: number;
}

const EMPTY_PROGRESS = { lines: 0, failed: 0, sealed: null, next: null, end: null, spentKeys: [] };

async function workOnTask(
  task: LeasedJob,
  caller: Caller | null,
  context: Pick<LineContext, 'options' | 'signal' | 'closing'>,
): Promise<void> {
  const { options, signal } = context;
  const { queue, lease, keepMs, cipher } = options;
  const { id, done, total } = task.job;
  const progress = { id, lease, first: done };
  const renewal = setInterval(
    () => void queue.renew(id, lease, LEASE_MS).catch(() => undefined),
    RENEW_EVERY_MS,
  );
  try {
    const lines = caller && readLines(task, cipher);
    if (!caller || !lines) {
      const end = { state: 'failed' as const, problem: caller ? 'wrong_secret' : 'invalid_api_key', keepMs };
      await queue.save({ ...EMPTY_PROGRESS, ...progress, end });
      return;
    }
    const { results, failed, waitMs } = await checkLines(lines, { ...context, job: task.job, caller });
    const isEnd = done + results.length === total;
    await queue.save({
      ...progress,
      lines: results.length,
      failed,
      sealed: results.length > 0 ? cipher.seal(results) : null,
      next: isEnd ? null : Date.now() + (signal.aborted ? PAUSE_MS : Math.min(waitMs, MAX_WAIT_MS)),
      end: isEnd ? { state: 'finished', problem: null, keepMs } : null,
      spentKeys: toSpentKeys(lines.slice(0, results.length), task.job, { caller, options }),
    });
  } finally {
    clearInterval(renewal);
  }
}

/** Line of a job, and its index in the job, from 0. Line numbers of a file may repeat; positions never do. */
type JobLineAtPosition = JobLine & { position: number };

/** Decrypts the next lines of a job; null if they cannot be decrypted, or if there are none. */
function readLines({ job, requests }: LeasedJob, cipher: JobCipher): JobLineAtPosition[] | null {
  try {
    const lines = requests ? cipher.open<JobLine[]>(requests.sealed).slice(job.done - requests.first) : [];
    return lines.length > 0 ? lines.map((line, i) => ({ ...line, position: job.done + i })) : null;
  } catch {
    return null;
  }
}

interface LineContext {
  job: Pick<StoredJob, 'id' | 'endpoint'>;
  caller: Caller;
  options: JobRunnerOptions;
  /** Aborted if the job must be interrupted: it is paused, or the server stops. */
  signal: AbortSignal;
  /** Aborted if the server stops. */
  closing: AbortSignal;
}

/** Checks lines one after the other, until all are done, `SLICE_MS` is over, or the job must wait. */
async function checkLines(lines: readonly JobLineAtPosition[], context: LineContext): Promise<Slice> {
  const { options, signal } = context;
  const slice: Slice = { results: [], failed: 0, waitMs: 0 };
  const since = performance.now();
  let exhausted: JobLineProblem | null = null;
  for (const line of lines) {
    if (signal.aborted || performance.now() - since > SLICE_MS) break;
    const result: LineResult = line.problem ?? exhausted ?? (await checkLine(line, context));
    if ('waitMs' in result) {
      slice.waitMs = result.waitMs;
      break;
    }
    // The remaining lines get the same error: otherwise each of them would use a token of the rate limit only to be rejected.
    if ('code' in result && result.code === 'quota_exhausted') exhausted = result;
    if ('code' in result) slice.failed++;
    slice.results.push(toResultJson(line, result, options));
    options.onLine('code' in result ? result.status : 200);
  }
  return slice;
}

/** Result of a line: its answer, its error, or the time (ms) after which it is checked again. */
type LineResult = { answer: string } | JobLineProblem | { waitMs: number };

async function checkLine(line: JobLineAtPosition, context: LineContext): Promise<LineResult> {
  for (let attempt = 1; ; attempt++) {
    const began = performance.now();
    const result = await checkOnce(line, context).catch((error: unknown) => toLineResult(error, context));
    await leaveTime(performance.now() - began, context);
    if (!('code' in result) || !GRAPH_FAILURES.has(result.code) || attempt === ATTEMPTS) return result;
    await pause(RETRY_MS * attempt, undefined, { signal: context.signal }).catch(() => undefined);
    if (context.signal.aborted) return { waitMs: 0 };
  }
}

const GRAPH_FAILURES: ReadonlySet<string> = new Set(['graph_timeout', 'graph_bad_response']);
/** Error codes that the line did not cause. The job waits, and then checks the line again. */
const WAITING: ReadonlySet<string> = new Set([
  'rate_limited',
  'overloaded',
  'idempotency_in_progress',
  'store_unavailable',
  'database_busy',
  'graph_unavailable',
]);
const WAIT_MS = 5000;

function toLineResult(error: unknown, { caller, options, signal }: LineContext): LineResult {
  if (signal.aborted) return { waitMs: 0 };
  const problem = options.toProblem(error);
  const { retryAfterMs = WAIT_MS, rule } =
    error instanceof BonafideError ? error.details : { retryAfterMs: WAIT_MS, rule: undefined };
  // A plan that allows 0 probes per hour never permits this check, so waiting is useless.
  const isNeverAllowed = rule === 'probes per hour' && caller.plan?.terms.probes === 0;
  if (WAITING.has(problem.code) && !isNeverAllowed) return { waitMs: Math.max(1, retryAfterMs) };
  if (problem.code === 'internal_error') options.log.error('a line of a job could not be checked', error);
  return problem;
}

/** Runs one check within the limits of its caller. Errors: those of the limits and of `check`. */
async function checkOnce(
  { position, request = {} }: JobLineAtPosition,
  context: LineContext,
): Promise<{ answer: string } | { waitMs: number }> {
  const { job, caller, options, signal, closing } = context;
  await waitForEventLoopTurn(getAccountOrKeyId(caller));
  const [now, started] = [Date.now(), performance.now()];
  const { refused, quotaUsage, leave } = await options.enter(caller, now);
  try {
    if (refused) throw refused;
    const { content } = await options.check({
      requestId: createRequestId(now),
      caller,
      now,
      started,
      endpoint: job.endpoint satisfies LoggedCall['endpoint'],
      responseVersion: 'v1',
      readBody: () => ({ value: request, issues: [] }),
      buildContent: options.buildContent,
      quotaUsage,
      idempotentRequest: { ...toIdempotentRequest(job.id, position, request), leasedForMs: KEY_MS },
      signal,
    });
    // The stop of the server cancels AI explanations. The next server repeats the line under the same Idempotency-Key, so it is not counted again.
    return closing.aborted && job.endpoint !== 'validate' ? { waitMs: 0 } : { answer: content };
  } finally {
    await leave();
  }
}

/** Time (ms) for which the Idempotency-Key of a line is stored: the maximum time for which a job can be stored. */
const KEY_MS = 31 * 86_400_000;

/**
 * Creates the Idempotency-Key of a job line, with the request to which it belongs. It begins with a line break, so that no HTTP header can contain
 * the same value.
 */
const toIdempotentRequest = (id: string, position: number, request: object) => ({
  key: `\n${id} #${position}`,
  target: '/v1/jobs',
  body: () => Buffer.from(JSON.stringify(request)),
});

function toSpentKeys(
  lines: readonly JobLineAtPosition[],
  { id }: Pick<StoredJob, 'id'>,
  { caller, options }: Pick<LineContext, 'caller' | 'options'>,
): Buffer[] {
  const fingerprint = createRequestFingerprinter(options.idempotencySecret);
  return lines.flatMap(({ position, request }) => {
    if (!request) return [];
    const { key, target, body } = toIdempotentRequest(id, position, request);
    return [fingerprint({ account: caller.keyId, key }, { target, body: body() }).key];
  });
}

/** Waits, so that API callers can use the event loop; longer while they send calls. */
async function leaveTime(spentMs: number, { options, signal }: LineContext): Promise<void> {
  if (!options.isBusy()) return endOfTurn();
  await pause(Math.min(Math.max(1, spentMs * BUSY_SHARE), 1000), undefined, { signal }).catch(
    () => undefined,
  );
}

function toResultJson(
  { line, reference, leftOut }: JobLine,
  result: { answer: string } | JobLineProblem,
  { formatProblem }: Pick<JobRunnerOptions, 'formatProblem'>,
): string {
  const head = (isShown: boolean) =>
    `{"line":${line}${isShown ? `,"reference":${JSON.stringify(reference)}` : ''}${leftOut ? `,"left_out":${JSON.stringify(leftOut)}` : ''},"status":`;
  if ('answer' in result) return `${head(true)}200,"answer":${result.answer}}`;
  const problem = formatProblem(result, createRequestId(Date.now()));
  return `${head(reference !== null)}${result.status},"problem":${problem}}`;
}
