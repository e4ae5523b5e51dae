import { expect, test } from 'vitest';
import { ApiProblem } from '../../../src/console/app/api.ts';
import type { EvaluationRun } from '../../../src/console/app/types.ts';
import {
  countAcceptedAndRejectedCases,
  listCaseSharesPerFivePoints,
  EVALUATION_METRICS,
  loadEvaluations,
  waitForEvaluation,
} from '../../../src/console/quality/runs.ts';
import { METRIC_DEFINITIONS } from '../../../src/evaluate/figures.ts';

const at = (...scores: number[]) =>
  Array.from({ length: 101 }, (_, score) => scores.filter((entry) => entry === score).length);
const SCORES = { genuine: at(94, 84, 65, 64), not_genuine: at(3, 0, 70, 100) };

test('cases with the score of the threshold are accepted', () => {
  expect(countAcceptedAndRejectedCases(SCORES, 65)).toEqual({
    genuineAccepted: 3,
    genuineRejected: 1,
    othersRejected: 2,
    othersAccepted: 2,
  });
  expect(countAcceptedAndRejectedCases(SCORES, 0)).toMatchObject({ genuineRejected: 0, othersRejected: 0 });
  expect(countAcceptedAndRejectedCases(SCORES, 100)).toMatchObject({ genuineAccepted: 0, othersAccepted: 1 });
});

test('scores are grouped by class in steps of five, with 100 in the last', () => {
  const groups = listCaseSharesPerFivePoints(SCORES);
  expect(groups).toHaveLength(20);
  expect(groups[0]).toEqual({ from: 0, genuine: 0, others: 0.5 });
  expect(groups[19]).toEqual({ from: 95, genuine: 0, others: 0.25 });
  expect(listCaseSharesPerFivePoints({ genuine: at(), not_genuine: at() })[3]).toEqual({
    from: 15,
    genuine: 0,
    others: 0,
  });
});

test('the page shows every metric, and knows whether a lower value is better', () => {
  expect(EVALUATION_METRICS.map(([name, , kind]) => [name, 'isLowBetter' in kind ? 'low' : 'high'])).toEqual(
    Object.entries(METRIC_DEFINITIONS).map(([name, { good }]) => [name, good]),
  );
});

const run = (state: EvaluationRun['state']) => ({ id: 'a', state }) as EvaluationRun;
const problem = (status: number) => new ApiProblem({ code: 'unreachable', detail: 'No answer.', status });

/** Waits for a run whose polls give these answers, one after the other. */
function waitFor(...answers: (EvaluationRun | ApiProblem)[]) {
  const abort = new AbortController();
  const load = async () => {
    const answer = answers.shift();
    if (answer === undefined) abort.abort();
    if (answer instanceof ApiProblem) throw answer;
    return answer ?? run('checking');
  };
  const { signal } = abort;
  return waitForEvaluation(run('checking'), { onProgress: () => undefined, signal, load, pollMs: 1 });
}

test('polls that fail for a moment do not lose a run', async () => {
  const ended = await waitFor(problem(0), problem(503), run('checking'), problem(429), run('done'));
  expect(ended.state).toBe('done');
  await expect(waitFor(problem(404))).rejects.toMatchObject({ status: 404 });
});

test('a page that is left polls no longer', async () => {
  await expect(waitFor(run('checking'))).rejects.toMatchObject({ name: 'AbortError' });
});

test('a run that the server no longer has is left out', async () => {
  const load = async (id: string) => {
    if (id === 'gone') throw problem(404);
    return run('done');
  };
  expect(await loadEvaluations(['gone', 'a'], load)).toEqual([run('done')]);
  await expect(loadEvaluations(['a'], () => Promise.reject(problem(503)))).rejects.toMatchObject({
    status: 503,
  });
});
