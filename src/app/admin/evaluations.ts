// Evaluations of files that come over HTTP: nobody is billed for their checks, and the audit log tells who had them made.
import type { Desk } from '../../admin/desk.ts';
import type { Evaluations } from '../../admin/evaluations/evaluation.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import type { Opened } from '../closing.ts';
import { openEvaluationDesk } from '../evaluations/desk.ts';

interface Given {
  config: Config;
  log: Log;
  desk: Pick<Desk, 'ask'>;
  opened: Opened;
}

const TIDY_EVERY_MS = 600_000;

export function evaluationsOf({ config, log, desk, opened }: Given): Evaluations {
  const evaluations = opened(
    openEvaluationDesk({
      config,
      onDone: (cases, actor) =>
        void desk
          .ask('note', { act: 'evaluation.run', target: '', detail: { cases } }, actor)
          .catch((error: unknown) => log.error('an evaluation is not in the audit log', error)),
      onFailed: (error) => log.error('an evaluation failed', error),
    }),
    async (it) => void (await it.close()),
  );
  opened(setInterval(evaluations.tidy, TIDY_EVERY_MS).unref(), clearInterval);
  return evaluations;
}
