import { describe, expect, test } from 'vitest';
import type { Answers } from './agreement.ts';
import { AGREEMENTS, disagreementsOf } from './agreement.ts';
import { must } from './good/build.ts';
import { mixed, person, second } from './good/cases.ts';

const RAW = { graph: {}, scoring_model: 'model', explanation: [] };

/** Returns all answers to one request of a sample case. */
function answers(story = person): Required<Answers> {
  const { answer } = story();
  const without = {
    ...structuredClone(must(answer.ai_insights)),
    fraud_detection: null,
    name_matching: null,
  };
  const narrated = (n: number) => {
    const one = structuredClone({ ...answer, request_id: `req_${n}`, ai_insights: without });
    must(one.ai_insights.trust_enhancement?.ai_trust_analysis).summary += ` ${n}`;
    must(one.ai_insights.overview).overview += ` ${n}`;
    return one;
  };
  return {
    v1: structuredClone({ ...answer, ai_insights: null }),
    v2: second(answer),
    ai: structuredClone({ ...answer, ai_insights: without }),
    enhanced: structuredClone(answer),
    raw: structuredClone({ ...answer, ai_insights: null, raw: RAW }),
    intents: [1, 2, 3, 4, 5, 6].map(narrated),
  };
}

const PLANTS: [rule: string, alter: (it: Required<Answers>) => void][] = [
  ['same-base-with-ai', ({ ai }) => void (ai.trustworthiness_score = 95)],
  ['same-base-with-ai', ({ enhanced }) => void enhanced.insights.push('One more.')],
  ['insights-by-endpoint', ({ v1, enhanced }) => void (v1.ai_insights = enhanced.ai_insights)],
  [
    'insights-by-endpoint',
    ({ ai, enhanced }) =>
      void (must(ai.ai_insights).name_matching = must(enhanced.ai_insights).name_matching),
  ],
  ['narrative-agrees', ({ ai }) => void (must(ai.ai_insights?.overview).review_priority = 'AUTO_REJECT')],
  ['intents-differ', ({ intents }) => void (intents[1] = must(intents[0]))],
  [
    'intent-is-tone-only',
    ({ intents }) => void (must(intents[1]?.ai_insights?.overview).review_priority = 'AUTO_REJECT'),
  ],
  ['versions-agree', ({ v2 }) => void (v2.response_version = 'v1')],
  ['versions-agree', ({ v2 }) => void v2.trust_score.reasons.pop()],
  ['rows-agree', ({ v2 }) => void (must(v2.input_validation.emails[0]).is_primary = false)],
  ['rows-agree', ({ v2 }) => void (v2.input_validation.phones = [])],
  ['raw-adds-one-field', ({ raw }) => void delete must(raw.raw).scoring_model],
];

describe('agreement of several answers to one request', () => {
  test.each([person, mixed])('finds nothing if all answers agree', (story) => {
    expect(disagreementsOf(answers(story))).toEqual([]);
  });

  test.each(PLANTS)('finds the disagreement that is planted for %s, with no other rule', (rule, alter) => {
    const it = answers();
    alter(it);
    expect([...new Set(disagreementsOf(it).map((line) => line.split(':')[0]))]).toEqual([rule]);
  });

  test('every rule has a planted disagreement', () => {
    const planted = new Set(PLANTS.map(([rule]) => rule));
    expect(AGREEMENTS.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});
