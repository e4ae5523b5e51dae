// Evaluations of files that come over HTTP: nobody is billed for their checks, and the audit log tells who had them made.
import type { StoreWorker } from '../../admin/store-worker.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { Opened } from '../closing.ts';
import { openEvaluationWorker } from '../evaluations/worker.ts';

interface Given {
  config: Config;
  log: Log;
  desk: Pick<StoreWorker, 'run'>;
  opened: Opened;
}

const TIDY_EVERY_MS = 600_000;

export function evaluationsOf({
  config,
  log,
  desk,
  opened,
}: Given): Pick<OperatorService, 'handleEvaluation' | 'getEvaluationHtml'> {
  const evaluations = opened(
    openEvaluationWorker({
      config,
      onDone: (cases, actor) =>
        void desk
          .run('note', { act: 'evaluation.run', target: '', detail: { cases } }, actor)
          .catch((error: unknown) => log.error('an evaluation is not in the audit log', error)),
      onFailed: (error) => log.error('an evaluation failed', error),
    }),
    async (it) => void (await it.close()),
  );
  opened(setInterval(evaluations.removeStale, TIDY_EVERY_MS).unref(), clearInterval);
  const { handleEvaluation, getEvaluationHtml } = evaluations;
  return { handleEvaluation, getEvaluationHtml };
}
