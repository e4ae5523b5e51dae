// Evaluates files of labelled cases that come over HTTP, one at a time and in a thread of its own. A file is in memory until it is read; what
// came of it stays there for an hour, and nothing of either is written.
import { Worker } from 'node:worker_threads';
import { randomBase62 } from '../../accounts/key-text.ts';
import type {
  EvaluationAsked,
  Evaluations,
  EvaluationView,
  SentCases,
} from '../../admin/evaluations/evaluation.ts';
import { valueOf } from '../../admin/outcome.ts';
import type { Config } from '../../config.ts';
import { BonafideError, notFoundError, invalidArgument } from '../../errors.ts';
import { report } from '../../evaluate/report/page.ts';
import { codeFile } from '../../platform/assets.ts';
import type { EvaluationData, Finished, FromEvaluation } from './thread.ts';

interface Options {
  config: Config;
  /** Told of one that is done: how many cases were checked, and who asked. */
  onDone(cases: number, actor: string): void;
  /** Told of a failure that is none of the file's. */
  onFailed(error: unknown): void;
}

interface Job {
  view: EvaluationView;
  finished: Finished | null;
  touched: number;
}

type EvaluationDesk = Evaluations & {
  /** Drops what nobody looked at for an hour. To be called now and then. */
  tidy(): void;
  close(): Promise<unknown>;
};

/** One more, and the oldest goes. */
const MOST_KEPT = 8;
const KEPT_MS = 3_600_000;

export function openEvaluationDesk({ config, onDone, onFailed }: Options): EvaluationDesk {
  const jobs = new Map<string, Job>();
  let atWork: { job: Job; thread: Worker } | null = null;

  function jobOf(id: string): Job {
    const job = jobs.get(id);
    if (!job) throw notFoundError('There is no evaluation of that id.', 'evaluation');
    job.touched = Date.now();
    return job;
  }

  function finishedOf(id: string): Finished {
    const { finished } = jobOf(id);
    if (!finished) throw NOT_DONE;
    return finished;
  }

  function take({ bytes, name, map, region, before, actor }: SentCases & { actor: string }): EvaluationView {
    if (atWork) throw new BonafideError('overloaded', 'Another file is being evaluated. Try again.');
    const earlier = before === undefined ? null : finishedOf(before);
    for (const id of [...jobs.keys()].slice(0, Math.max(0, jobs.size + 1 - MOST_KEPT))) jobs.delete(id);
    const id = `evl_${randomBase62(16)}`;
    const view: EvaluationView = { id, name, state: 'checking', progress: null, found: null, failed: null };
    const job: Job = { view, finished: null, touched: Date.now() };
    jobs.set(id, job);
    start(job, actor, {
      config: region === undefined ? config : { ...config, region },
      bytes,
      name,
      map,
      before: earlier && earlier.evaluation,
    });
    return { ...view };
  }

  function start(job: Job, actor: string, workerData: EvaluationData): void {
    const { view } = job;
    const thread = new Worker(codeFile('app/evaluations/thread'), { workerData });
    atWork = { job, thread };
    const ended = (told: () => Finished) => {
      if (atWork?.thread !== thread) return;
      atWork = null;
      view.progress = null;
      try {
        job.finished = told();
        Object.assign(view, { state: 'done', found: foundIn(job.finished) });
        onDone(job.finished.evaluation.answers.length, actor);
      } catch (error) {
        view.state = 'failed';
        view.failed = error instanceof BonafideError ? { code: error.code, message: error.message } : FAILED;
        if (view.failed === FAILED) onFailed(error);
      }
    };
    thread.on('message', (told: FromEvaluation) => {
      if ('progress' in told) view.progress = told.progress;
      else ended(() => valueOf(told) as Finished);
    });
    const lost = () =>
      ended(() => {
        throw new Error('The thread of an evaluation ended.');
      });
    thread.on('error', lost).on('exit', lost);
  }

  function drop(id: string): EvaluationView {
    const job = jobOf(id);
    if (atWork?.job === job) {
      void atWork.thread.terminate();
      atWork = null;
    }
    jobs.delete(id);
    return { ...job.view, state: 'dropped', progress: null };
  }

  async function ask(asked: EvaluationAsked): Promise<EvaluationView> {
    if (asked.act === 'take') return take(asked);
    return asked.act === 'look' ? { ...jobOf(asked.id).view } : drop(asked.id);
  }

  return {
    ask,
    async report(id) {
      const { evaluation, comparison } = finishedOf(id);
      return report(evaluation, { title: jobOf(id).view.name, comparison });
    },
    tidy() {
      for (const [id, job] of jobs)
        if (atWork?.job !== job && job.touched < Date.now() - KEPT_MS) jobs.delete(id);
    },
    close: async () => atWork?.thread.terminate(),
  };
}

const FAILED = { code: 'internal_error', message: 'The evaluation failed.' } as const;
const NOT_DONE = invalidArgument(
  'The evaluation is not done.',
  '',
  'The evaluation is not done: ask again when its state is `done`.',
);

function foundIn({ evaluation, columns, comparison }: Finished): EvaluationView['found'] {
  const { answers: _, ...told } = evaluation;
  return { columns, evaluation: told, comparison };
}
