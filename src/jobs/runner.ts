// Processes jobs in one server thread: one check at a time, some lines of one job in sequence, then the job
// that has waited longest. Every check is a normal call with limits, quota and call log. Its Idempotency-Key
// is computed from the job and the line, so that a line whose result was lost with a killed server is checked
// again but not counted again.
import { setTimeout as pause } from 'node:timers/promises';
import { createRequestFingerprinter } from '../accounts/idempotency.ts';
import type { Caller, LoggedCall } from '../accounts/model.ts';
import { BonafideError } from '../errors.ts';
import type { Awaitable, Verdict } from '../model.ts';
import { createRequestId } from '../platform/request-id.ts';
import { endOfTurn, waitForEventLoopTurn } from '../platform/turn.ts';
import type { JobProgress, LeasedJob, StoredJob } from '../store/serving/jobs.ts';
import type { CallLimiter } from '../store/serving/limiter.ts';
import type { ValidationCall, ValidationResult } from '../validate.ts';
import { type JobCipher, type JobLine, type JobLineProblem } from './job.ts';

/** Functions of the store that a job runner needs. */
interface JobQueue {
  /** Returns true if a job is due or has expired. */
  hasWork(now: number): Awaitable<boolean>;
  take(lease: string, leaseMs: number): Promise<LeasedJob | null>;
  renew(id: string, lease: string, leaseMs: number): Promise<void>;
  save(progress: JobProgress): Promise<boolean>;
}

export interface JobRunnerOptions {
  queue: JobQueue;
  cipher: JobCipher;
  /** Secret for the fingerprints of Idempotency-Keys. */
  idempotencySecret: Buffer;
  /** Name of this thread in the leases of its jobs. */
  lease: string;
  /** Time (ms) for which a job is kept after its end. */
  keepMs: number;
  /** Returns the caller of an API key; null if the key is no longer valid. A null key stands for the operator in the console. */
  findCaller(key: string | null, now: number): Awaitable<Caller | null>;
  enter: CallLimiter['enter'];
  check(call: ValidationCall<string>): Promise<ValidationResult<string>>;
  /** Formats the answer of a check as JSON text. */
  buildContent(verdict: Verdict, input: { requestId: string; now: number; insights: object | null }): string;
  toProblem(error: unknown): JobLineProblem;
  formatProblem(problem: JobLineProblem, requestId: string): string;
  /** Returns true if callers sent calls in the last half second. The runner then leaves most of the time to them. */
  isBusy(): boolean;
  onLine(status: number): void;
  log: { error(text: string, thrown?: unknown): void };
}

export interface JobRunner {
  wake(): void;
  /** Interrupts a job after the current check, and stores its results. It continues some seconds later unless it is deleted. */
  pause(id: string): Promise<void>;
  /** Stops after the current check, and releases the job for other servers. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1000;
/** Lease (ms) of a job. After it, another server continues the job of a killed server. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5000;
/** Maximum time (ms) between two commits of results. */
const SLICE_MS = 2000;
/** Pause of the runner while callers send calls, as a multiple of its working time. */
const BUSY_SHARE = 4;
/** Maximum number of attempts for a line whose check fails because of the graph. */
const ATTEMPTS = 3;
const RETRY_MS = 1000;
/** Maximum wait (ms) before a job is tried again. */
const MAX_WAIT_MS = 60_000;
/** Time (ms) for which a job is interrupted, so that it can be deleted. */
const PAUSE_MS = 5000;

export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { queue, lease, log } = options;
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let invalidKey: string | null = null;
  let current: { id: string; paused: AbortController; work: Promise<void> } | null = null;
  const workOnDue = async () => {
    while (!closing.signal.aborted && (await queue.hasWork(Date.now()))) {
      const task = await queue.take(lease, LEASE_MS);
      if (!task) return;
      const caller = await options.findCaller(task.key, Date.now());
      // If the key was replaced after the job was taken, the job gets the new key the next time.
      if (!caller && task.key !== invalidKey) {
        invalidKey = task.key;
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
        const work = workOnTask(task, caller, { options, signal });
        current = { id: task.job.id, paused, work };
        await work.finally(() => (current = null));
      }
    }
  };
  const wake = () => {
    if (closing.signal.aborted) return;
    // The metrics and the log of the store already report that it does not answer.
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

/** Results of consecutive lines, and how the job goes on. */
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
  { options, signal }: Pick<LineContext, 'options' | 'signal'>,
): Promise<void> {
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
    const { results, failed, waitMs } = await checkLines(lines, { job: task.job, caller, options, signal });
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

/** Decrypts the next lines of a job; null if that fails. */
function readLines({ job, requests }: LeasedJob, cipher: JobCipher): JobLine[] | null {
  try {
    const lines = requests ? cipher.open<JobLine[]>(requests.sealed).slice(job.done - requests.first) : [];
    return lines.length > 0 ? lines : null;
  } catch {
    return null;
  }
}

interface LineContext {
  job: Pick<StoredJob, 'id' | 'endpoint'>;
  caller: Caller;
  options: JobRunnerOptions;
  signal: AbortSignal;
}

/** Checks lines one after the other, until all are done, the time is used up, or the job must wait. */
async function checkLines(lines: readonly JobLine[], context: LineContext): Promise<Slice> {
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
    // Otherwise each remaining line would use a token of the rate limit only to be refused.
    if ('code' in result && result.code === 'quota_exhausted') exhausted = result;
    if ('code' in result) slice.failed++;
    slice.results.push(toResultJson(line, result, options));
    options.onLine('code' in result ? result.status : 200);
  }
  return slice;
}

/** Result of a line: its answer, its problem, or the time (ms) after which it is tried again. */
type LineResult = { answer: string } | JobLineProblem | { waitMs: number };

async function checkLine(line: JobLine, context: LineContext): Promise<LineResult> {
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
/** Error codes that the line has not caused. The job waits, and checks the line again. */
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
  // A plan without probes never allows this check.
  const isNeverAllowed = rule === 'probes per hour' && caller.plan?.terms.probes === 0;
  if (WAITING.has(problem.code) && !isNeverAllowed) return { waitMs: Math.max(1, retryAfterMs) };
  if (problem.code === 'internal_error') options.log.error('a line of a job could not be checked', error);
  return problem;
}

/** Runs one check within the limits of its caller. Errors: those of the limits and of `validate`. */
async function checkOnce({ line, request = {} }: JobLine, context: LineContext): Promise<{ answer: string }> {
  const { job, caller, options, signal } = context;
  await waitForEventLoopTurn();
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
      buildContent: (verdict, insights, requestId) =>
        options.buildContent(verdict, { requestId, now, insights }),
      quotaUsage,
      idempotentRequest: { ...toIdempotentRequest(job.id, line, request), leasedForMs: KEY_MS },
      signal,
    });
    return { answer: content };
  } finally {
    await leave();
  }
}

/** Time (ms) for which the Idempotency-Key of a line is stored: as long as a job can be kept. */
const KEY_MS = 31 * 86_400_000;

/** Creates the Idempotency-Key of a job line. It begins with a line break, so that no request header can contain the same key. */
const toIdempotentRequest = (id: string, line: number, request: object) => ({
  key: `\n${id} ${line}`,
  target: '/v1/jobs',
  body: () => Buffer.from(JSON.stringify(request)),
});

function toSpentKeys(
  lines: readonly JobLine[],
  { id }: Pick<StoredJob, 'id'>,
  { caller, options }: Pick<LineContext, 'caller' | 'options'>,
): Buffer[] {
  const fingerprint = createRequestFingerprinter(options.idempotencySecret);
  return lines.flatMap(({ line, request }) => {
    if (!request) return [];
    const { key, target, body } = toIdempotentRequest(id, line, request);
    return [fingerprint({ account: caller.keyId, key }, { target, body: body() }).key];
  });
}

/** Waits so that callers can use the event loop; longer while callers send calls. */
async function leaveTime(spentMs: number, { options, signal }: LineContext): Promise<void> {
  if (!options.isBusy()) return endOfTurn();
  await pause(Math.min(Math.max(1, spentMs * BUSY_SHARE), 1000), undefined, { signal }).catch(
    () => undefined,
  );
}

function toResultJson(
  { line, reference }: JobLine,
  result: { answer: string } | JobLineProblem,
  { formatProblem }: Pick<JobRunnerOptions, 'formatProblem'>,
): string {
  const head = (isShown: boolean) =>
    `{"line":${line}${isShown ? `,"reference":${JSON.stringify(reference)}` : ''},"status":`;
  if ('answer' in result) return `${head(true)}200,"answer":${result.answer}}`;
  const problem = formatProblem(result, createRequestId(Date.now()));
  return `${head(reference !== null)}${result.status},"problem":${problem}}`;
}
