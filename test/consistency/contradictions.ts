// What contradicts itself in one answer, or the contract; written from the contract and the specification alone.
import type { Answer, Body } from './answer.ts';
import { BLOCKS } from './rules/blocks.ts';
import { CLAIMS } from './rules/claims.ts';
import { FRAUD } from './rules/fraud.ts';
import { NAMES } from './rules/names.ts';
import { NARRATIVE } from './rules/narrative.ts';
import { NUMBERS } from './rules/numbers.ts';
import { ROWS } from './rules/rows.ts';
import type { Rule } from './rules/rule.ts';
import { VERDICT } from './rules/verdict.ts';
import { WORDING } from './rules/wording.ts';
import { readStory } from './story.ts';
import type { Knowledge } from './story.ts';

export const RULES: readonly Rule[] = [
  ...NUMBERS,
  ...ROWS,
  ...BLOCKS,
  ...VERDICT,
  ...WORDING,
  ...CLAIMS,
  ...NARRATIVE,
  ...FRAUD,
  ...NAMES,
];

/**
 * @param request the body as it was sent, in the current shape
 * @param answer the first version's answer to it: of the base check, with the narrative, or enhanced
 * @param knowledge of the identities, by number, what no answer tells; without it a dominant identity is taken to have a name
 * @returns one line a contradiction, which begins with the rule's name; none where all is well
 */
export function contradictionsOf(request: Body, answer: Answer, knowledge?: Knowledge): string[] {
  const story = readStory(request, answer, knowledge);
  return RULES.flatMap((rule) =>
    [rule.find(story)]
      .flat()
      .filter((found) => typeof found === 'string')
      .map((found) => `${rule.name}: ${found}`),
  );
}
