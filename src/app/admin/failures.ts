// The last failures of features, of all threads that serve.
import type { FeatureFailure, OperatorService } from '../../admin/operator-service.ts';

const MOST_KEPT = 50;

/** Keeps the last ones; gives them, the newest first. */
export function keepFailures(): OperatorService['recordFeatureFailure'] {
  let last: FeatureFailure[] = [];
  return async (more) => {
    if (more) last = [more, ...last].slice(0, MOST_KEPT);
    return last;
  };
}
