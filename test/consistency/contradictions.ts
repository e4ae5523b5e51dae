// Finds contradictions within one answer, or between an answer and the contract. Written from the contract
// and the specification alone.
import type { Answer, Body } from './answer.ts';
import { BLOCKS } from './rules/blocks.ts';
import { CLAIMS } from './rules/claims.ts';
import { FACTS } from './rules/facts.ts';
import { FRAUD } from './rules/fraud.ts';
import { HOLDERS } from './rules/holders.ts';
import { NAMES } from './rules/names.ts';
import { NARRATIVE } from './rules/narrative.ts';
import { NUMBERS } from './rules/numbers.ts';
import { ROWS } from './rules/rows.ts';
import type { Rule } from './rule.ts';
import { SENTENCES } from './rules/sentences.ts';
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
  ...FACTS,
  ...HOLDERS,
  ...SENTENCES,
  ...NARRATIVE,
  ...FRAUD,
  ...NAMES,
];

/**
 * Returns one line for each contradiction, which begins with the name of the rule; empty if there is none.
 * `request` is the body in the current shape, `answer` its answer in version 1 (base, with narrative, or
 * enhanced). `knowledge` tells about identities what no answer tells; without it, the dominant identity is
 * taken to have a name.
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
