import { BonafideError } from '../errors.ts';
import type { Verdict } from '../model.ts';
import type { LabelledCase } from './cases.ts';
import { createEvaluation, type Evaluation, describeMissingCaseClass } from './evaluation.ts';
import {
  type WronglyScoredCase,
  toWronglyScoredCase,
  listWorstOutcomes,
  type CaseOutcome,
  toCaseOutcome,
} from './outcome.ts';
import { formatCount } from './report/words.ts';
import { toEvidenceSteps } from './steps.ts';

/** Checks a request as the API does, without counting usage. */
export interface CaseChecker {
  check(request: Record<string, unknown>): Promise<{ verdict: Verdict }>;
}

/** Results of checked cases: the outcomes, and the refused requests grouped by the rule that they break. */
export interface CaseCheckResults {
  outcomes: CaseOutcome[];
  refused: { rule: string; lines: number[] }[];
  model: number;
}

/** Number of cases between two progress reports. */
const PROGRESS_INTERVAL = 100;

/**
 * Checks each labelled case. A case whose request breaks a rule of the API is listed in `refused`; other errors are thrown.
 *
 * @param onDone called with the number of checked cases
 */
export async function runCaseChecks(
  cases: LabelledCase[],
  checks: CaseChecker,
  onDone: (done: number) => void,
): Promise<CaseCheckResults> {
  const outcomes: CaseOutcome[] = [];
  const refused = new Map<string, number[]>();
  let model = 0;
  for (const [i, labelledCase] of cases.entries()) {
    try {
      const { verdict } = await checks.check(labelledCase.request);
      outcomes.push(toCaseOutcome(labelledCase, verdict));
      model = verdict.score.scoringModel;
    } catch (error) {
      const rule = ruleOf(error);
      const lines = refused.get(rule);
      if (lines) lines.push(labelledCase.line);
      else refused.set(rule, [labelledCase.line]);
    }
    if (i % PROGRESS_INTERVAL === PROGRESS_INTERVAL - 1) onDone(i + 1);
  }
  return { outcomes, refused: Array.from(refused, ([rule, lines]) => ({ rule, lines })), model };
}

/**
 * Checks labelled cases, and returns their evaluation. The cases with the worst scores are checked again to collect their evidence. Errors:
 * `invalid_arguments` if there are no genuine or no non-genuine cases, and those of the checks.
 */
export async function evaluateCases(
  cases: LabelledCase[],
  checks: CaseChecker,
  onDone: (done: number) => void,
): Promise<Evaluation> {
  const { outcomes, refused, model } = await runCaseChecks(cases, checks, onDone);
  const missingCases = describeMissingCaseClass(outcomes);
  if (missingCases !== null)
    throw new BonafideError(
      'invalid_arguments',
      [missingCases, ...formatRefusedCasesAsLines(refused)].join('\n'),
    );
  const misses = await explainMisses(listWorstOutcomes(outcomes), checks);
  return createEvaluation(outcomes, { misses, refused, model });
}

/** Returns the first API rule that a request breaks, as a sentence without list indexes. Throws any error other than `invalid_request`. */
function ruleOf(error: unknown): string {
  if (!(error instanceof BonafideError) || error.code !== 'invalid_request') throw error;
  const [first] = error.details.issues ?? [];
  const place = (first?.pointer ?? '').replace(/\/\d+/g, '').slice(1);
  return `${place || 'request'}: ${first?.detail ?? error.message}`;
}

/** Formats the rules that requests broke, one per line. */
export function formatRefusedCasesAsLines(refused: Evaluation['refused']): string[] {
  if (refused.length === 0) return [];
  const count = refused.reduce((sum, { lines }) => sum + lines.length, 0);
  const rules = refused.map(
    ({ rule, lines }) => `  ${rule} ${formatCount(lines.length, 'case')}, first in line ${lines[0]}`,
  );
  return [`not evaluated, because the request breaks a rule of the API: ${count}`, ...rules];
}

async function explainMisses(worst: CaseOutcome[], checks: CaseChecker): Promise<WronglyScoredCase[]> {
  const misses: WronglyScoredCase[] = [];
  for (const outcome of worst) {
    const { verdict } = await checks.check({ ...outcome.case.request, operation: 'raw' });
    const { score, raw } = verdict;
    const steps = toEvidenceSteps(raw?.explanation ?? []);
    misses.push(toWronglyScoredCase(outcome, { steps, bounds: score.combined.explanation }));
  }
  return misses;
}
