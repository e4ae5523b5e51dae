// Puts cases to the graph, one after the other, as any command checks.
import { type Checks } from '../../app/checks.ts';
import { BonafideError } from '../../errors.ts';
import type { Case } from '../../evaluate/case.ts';
import { type Miss, missOf } from '../../evaluate/misses.ts';
import { type Outcome, outcomeOf } from '../../evaluate/outcome.ts';
import { stepsOf } from '../../evaluate/steps.ts';
import { progressBar } from '../graph/progress-bar.ts';

/** What became of the cases: outcomes, and those that break a rule of the request, by the rule. */
export interface Checked {
  outcomes: Outcome[];
  refused: { rule: string; lines: number[] }[];
  /** Version of the scoring model. */
  model: number;
}

export async function checkCases(cases: Case[], checks: Checks, quiet: boolean): Promise<Checked> {
  const bar = progressBar({ quiet, title: 'checking', unit: 'cases' });
  const outcomes: Outcome[] = [];
  const refused = new Map<string, number[]>();
  let model = 0;
  for (const [i, one] of cases.entries()) {
    try {
      const { verdict } = await checks.check(one.request);
      outcomes.push(outcomeOf(one, verdict));
      model = verdict.score.model;
    } catch (error) {
      const rule = ruleOf(error);
      refused.set(rule, [...(refused.get(rule) ?? []), one.line]);
    }
    if (i % 100 === 99) bar.show({ phase: 'checking', done: (i + 1) / cases.length, count: i + 1 });
  }
  bar.stop();
  return { outcomes, refused: Array.from(refused, ([rule, lines]) => ({ rule, lines })), model };
}

/** The rule that a request breaks first, as a sentence, without the place in a list. Any other error goes on. */
function ruleOf(error: unknown): string {
  if (!(error instanceof BonafideError) || error.code !== 'invalid_request') throw error;
  const [first] = error.details.issues ?? [];
  const place = (first?.pointer ?? '').replace(/\/\d+/g, '').slice(1);
  return `${place || 'request'}: ${first?.detail ?? error.message}`;
}

/** Asks once more about those that came out worst, for the evidence. */
export async function explainMisses(worst: Outcome[], checks: Checks): Promise<Miss[]> {
  const misses: Miss[] = [];
  for (const outcome of worst) {
    const { verdict } = await checks.check({ ...outcome.case.request, operation: 'raw' });
    const { score, raw } = verdict;
    const steps = stepsOf(raw?.explanation ?? []);
    misses.push(missOf(outcome, { steps, bounds: score.combined.explanation }));
  }
  return misses;
}
