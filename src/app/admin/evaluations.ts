// Evaluations of files of labelled cases that are uploaded over HTTP, one at a time, in a worker thread. Their checks are not billed; the
// audit log records who requested them. A file is in memory until it is read, and results stay in memory for an hour; neither is written to
// disk.
import type { OperatorService, EvaluationCaseFile, EvaluationState } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import { createRandomBase62 } from '../../accounts/key-text.ts';
import { BonafideError, invalidArgumentError, notFoundError } from '../../errors.ts';
import { createReportPage } from '../../evaluate/report/page.ts';
import { createLazyWorkerThread, type WorkerThread } from '../../platform/threads/calls.ts';
import type {
  EvaluationThreadOperations,
  EvaluationThreadData,
  FinishedEvaluation,
} from './evaluation-thread.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

const TIDY_EVERY_MS = 600_000;

export function createEvaluationService({
  config,
  log,
  storeWorker,
  closeLater,
}: OperatorServiceDeps): Pick<OperatorService, 'handleEvaluation' | 'getEvaluationHtml'> {
  const evaluations = closeLater(
    openEvaluationWorker({
      config,
      onDone: (cases, actor) =>
        void storeWorker
          .run('note', { act: 'evaluation.run', target: '', detail: { cases } }, actor)
          .catch((error: unknown) => log.error('an evaluation is not in the audit log', error)),
      onFailed: (error) => log.error('an evaluation failed', error),
    }),
  );
  closeLater(setInterval(evaluations.removeStale, TIDY_EVERY_MS).unref(), clearInterval);
  const { handleEvaluation, getEvaluationHtml } = evaluations;
  return { handleEvaluation, getEvaluationHtml };
}

interface Options {
  config: Config;
  /** Called after each evaluation, with the number of cases and the actor who requested it. */
  onDone(cases: number, actor: string): void;
  /** Called with each error that has another cause than the content of the file. */
  onFailed(error: unknown): void;
}

interface Job {
  view: EvaluationState;
  finished: FinishedEvaluation | null;
  /** Time of the last request, in milliseconds by `performance.now()`. */
  lastUsed: number;
}

type EvaluationWorker = Pick<OperatorService, 'handleEvaluation' | 'getEvaluationHtml'> & {
  /** Discards evaluations that were not used for an hour. Must be called regularly. */
  removeStale(): void;
  close(): Promise<void>;
};

/** Maximum number of evaluations in memory. A new evaluation removes the oldest. */
const MAX_KEPT = 8;
const KEEP_MS = 3_600_000;

function openEvaluationWorker({ config, onDone, onFailed }: Options): EvaluationWorker {
  const jobs = new Map<string, Job>();
  let running: { job: Job; thread: WorkerThread<EvaluationThreadOperations> } | null = null;

  function jobOf(id: string): Job {
    const job = jobs.get(id);
    if (!job)
      throw notFoundError('There is no evaluation with this id. Start the evaluation again.', 'evaluation');
    job.lastUsed = performance.now();
    return job;
  }

  function finishedOf(id: string): FinishedEvaluation {
    const { finished } = jobOf(id);
    if (!finished) throw NOT_DONE;
    return finished;
  }

  function add({
    bytes,
    name,
    map,
    region,
    before,
    actor,
  }: EvaluationCaseFile & { actor: string }): EvaluationState {
    if (running)
      throw new BonafideError('overloaded', 'Another file is being evaluated. Try again when it is done.');
    const earlier = before === undefined ? null : finishedOf(before);
    for (const id of [...jobs.keys()].slice(0, Math.max(0, jobs.size + 1 - MAX_KEPT))) jobs.delete(id);
    const id = `evl_${createRandomBase62(16)}`;
    const view: EvaluationState = { id, name, state: 'checking', progress: null, found: null, failed: null };
    const job: Job = { view, finished: null, lastUsed: performance.now() };
    jobs.set(id, job);
    void start(job, actor, {
      config: region === undefined ? config : { ...config, region },
      bytes,
      name,
      map,
      before: earlier && earlier.evaluation,
    });
    return { ...view };
  }

  async function start(job: Job, actor: string, workerData: EvaluationThreadData): Promise<void> {
    const { view } = job;
    const thread = createLazyWorkerThread<EvaluationThreadOperations>({
      file: 'app/admin/evaluation-thread',
      workerData,
      onEvent: (progress: EvaluationState['progress']) => (view.progress = progress),
      toEndedError: () => new Error('The thread of the evaluation ended. Start the evaluation again.'),
    });
    running = { job, thread };
    try {
      const finished = await thread.call('evaluate', null);
      if (running?.thread !== thread) return;
      job.finished = finished;
      Object.assign(view, { state: 'done', progress: null, found: toResult(finished) });
      onDone(finished.evaluation.answers.length, actor);
    } catch (error) {
      if (running?.thread !== thread) return;
      Object.assign(view, { state: 'failed', progress: null, failed: toFailure(error) });
      if (!(error instanceof BonafideError)) onFailed(error);
    } finally {
      if (running?.thread === thread) running = null;
      await thread.close();
    }
  }

  function drop(id: string): EvaluationState {
    const job = jobOf(id);
    if (running?.job === job) {
      void running.thread.close();
      running = null;
    }
    jobs.delete(id);
    return { ...job.view, state: 'dropped', progress: null };
  }

  return {
    async handleEvaluation(request) {
      if (request.act === 'add') return add(request);
      return request.act === 'show' ? { ...jobOf(request.id).view } : drop(request.id);
    },
    async getEvaluationHtml(id) {
      const { evaluation, comparison } = finishedOf(id);
      return createReportPage(evaluation, { title: jobOf(id).view.name, comparison });
    },
    removeStale() {
      for (const [id, job] of jobs)
        if (running?.job !== job && performance.now() - job.lastUsed > KEEP_MS) jobs.delete(id);
    },
    close: async () => await running?.thread.close(),
  };
}

const toFailure = (error: unknown): EvaluationState['failed'] =>
  error instanceof BonafideError
    ? { code: error.code, message: error.message }
    : { code: 'internal_error', message: 'The evaluation failed.' };

const NOT_DONE = invalidArgumentError(
  'The evaluation has no result yet. Wait until its state is done.',
  '',
  'The evaluation is not done: ask again when its state is `done`.',
);

function toResult({ evaluation, columns, comparison }: FinishedEvaluation): EvaluationState['found'] {
  const { answers: _, ...shown } = evaluation;
  return { columns, evaluation: shown, comparison };
}
