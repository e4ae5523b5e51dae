// Evaluations of files that are uploaded over HTTP. Their checks are not billed; the audit log records who
// requested them.
import type { StoreWorker } from '../../admin/store-worker.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { RegisterForClosing } from '../closer.ts';
import { openEvaluationWorker } from './evaluation-worker.ts';

interface EvaluationServiceDeps {
  config: Config;
  log: Log;
  storeWorker: Pick<StoreWorker, 'run'>;
  closeLater: RegisterForClosing;
}

const TIDY_EVERY_MS = 600_000;

export function createEvaluationService({
  config,
  log,
  storeWorker,
  closeLater,
}: EvaluationServiceDeps): Pick<OperatorService, 'handleEvaluation' | 'getEvaluationHtml'> {
  const evaluations = closeLater(
    openEvaluationWorker({
      config,
      onDone: (cases, actor) =>
        void storeWorker
          .run('note', { act: 'evaluation.run', target: '', detail: { cases } }, actor)
          .catch((error: unknown) => log.error('an evaluation is not in the audit log', error)),
      onFailed: (error) => log.error('an evaluation failed', error),
    }),
    async (it) => void (await it.close()),
  );
  closeLater(setInterval(evaluations.removeStale, TIDY_EVERY_MS).unref(), clearInterval);
  const { handleEvaluation, getEvaluationHtml } = evaluations;
  return { handleEvaluation, getEvaluationHtml };
}
