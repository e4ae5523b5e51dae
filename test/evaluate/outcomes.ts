import type { CaseClass } from '../../src/evaluate/cases.ts';
import { createEvaluation, type Evaluation } from '../../src/evaluate/evaluation.ts';
import { toWronglyScoredCase, listWorstOutcomes, type CaseOutcome } from '../../src/evaluate/outcome.ts';
import type { ScoreAndCatfishFlag } from '../../src/evaluate/sample.ts';
import { GENUINE, OTHERS } from './scores.ts';

/** Returns outcomes of one class, alternately of two origins and two countries, with the ids `genuine-0`, … */
export function outcomesOf(answers: ScoreAndCatfishFlag[], role: CaseClass): CaseOutcome[] {
  return answers.map((answer, i) => ({
    ...answer,
    unbounded: answer.score,
    sent: { email: 1, phone: i % 3 === 0 ? 2 : 0, address: 0 },
    country: i % 2 === 0 ? 'US' : 'GB',
    case: {
      id: `${role}-${i}`,
      line: i + 1,
      role,
      kind: role,
      subkind: null,
      origin: i % 5 === 0 ? '<script>alert(1)</script>' : 'english',
      country: null,
      request: { name: 'Secret Submitter', emails: ['secret@example.com'] },
    },
  }));
}

export const OUTCOMES = [
  ...outcomesOf(GENUINE, 'genuine'),
  ...outcomesOf(OTHERS, 'not_genuine'),
  ...outcomesOf(OTHERS.slice(0, 20), 'apart'),
];

export function evaluationOf(outcomes: CaseOutcome[] = OUTCOMES): Evaluation {
  const steps = [
    { bits: -0.45, text: 'where every check starts' },
    { bits: 3.2, text: 'the e-mail belongs to identity 1' },
  ];
  const misses = listWorstOutcomes(outcomes).map((one) =>
    toWronglyScoredCase(one, { steps, bounds: 'No bound applied.' }),
  );
  return createEvaluation(outcomes, {
    misses,
    refused: [{ rule: 'phones: invalid_phone', lines: [4, 9] }],
    model: 1,
  });
}
