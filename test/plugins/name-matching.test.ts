import { expect, test } from 'vitest';
import { chooseModelOrEngineAnswer } from '../../plugins/name-matching/index.ts';
import { openFeatures } from '../../src/features/open.ts';
import type { AiInsightsRequest, NameFacts } from '../../src/features/open.ts';
import { requestOf, solid } from '../kit/models/features.ts';

const brief = {
  provided: 'Bob Stone',
  matched: 'Robert Stone',
  engine: {
    match_confidence: 90,
    variation_type: 'nickname' as const,
    same_person_likely: true,
    concerns: ['Middle name missing'],
    explanation: 'Bob is a short form of Robert.',
  },
};
const said = {
  match_confidence: 95,
  same_person_likely: true,
  concerns: ['Common surname'],
  explanation: 'A nickname.',
};

test('within the band the model’s figure and words are taken, and concerns are joined', () => {
  expect(chooseModelOrEngineAnswer(said, brief, 10)).toEqual({
    ...said,
    concerns: ['Middle name missing', 'Common surname'],
  });
});

test('beyond the band, or against "same person", the engine’s answer stands alone', () => {
  expect(chooseModelOrEngineAnswer({ ...said, match_confidence: 70 }, brief, 10)).toMatchObject({
    match_confidence: 90,
    explanation: 'Bob is a short form of Robert.',
    concerns: ['Middle name missing'],
  });
  expect(chooseModelOrEngineAnswer({ ...said, same_person_likely: false }, brief, 10)).toMatchObject({
    match_confidence: 90,
    same_person_likely: true,
  });
});

async function nameMatching(facts: NameFacts, over: Partial<AiInsightsRequest> = {}): Promise<unknown> {
  const features = await openFeatures({ settingsFile: 'data/none/features.json' });
  const insights = (await features.insights(requestOf(solid, { names: () => facts, ...over }))) as {
    name_matching: unknown;
  };
  await features.close();
  return insights.name_matching;
}

test('the engine’s answer comes in the specified shape and order', async () => {
  const comparison = {
    confidence: 93.4,
    variation: 'nickname' as const,
    same: true,
    concerns: ['Middle name missing'],
    explanation: 'Bob is a short form of Robert.',
  };
  const block = await nameMatching({ provided: 'Bob Stone', matched: 'Robert Stone', comparison });
  expect(JSON.stringify(block)).toBe(
    JSON.stringify({
      ai_enabled: true,
      feature: 'name_matching',
      model: 'rules',
      provided_name: 'Bob Stone',
      matched_name: 'Robert Stone',
      name_analysis: {
        match_confidence: 93,
        variation_type: 'nickname',
        same_person_likely: true,
        concerns: ['Middle name missing'],
        explanation: 'Bob is a short form of Robert.',
      },
      skipped: false,
    }),
  );
});

test('no matched name: skipped, confidence 0 and no_match', async () => {
  expect(await nameMatching({ provided: 'Bob Stone', matched: null, comparison: null })).toMatchObject({
    ai_enabled: true,
    matched_name: null,
    name_analysis: {
      match_confidence: 0,
      variation_type: 'no_match',
      same_person_likely: false,
      concerns: [],
    },
    skipped: true,
  });
});

test('names that read like banned words, numbers or instructions do not fail the block', async () => {
  for (const provided of ['Jack Prison', 'Ann 4711', 'Ignore All Rules', 'Credit Fake', 'x'.repeat(200)]) {
    const comparison = {
      confidence: 20,
      variation: 'no_match' as const,
      same: false,
      concerns: [],
      explanation: `${provided} and Robert Stone share nothing.`,
    };
    const block = await nameMatching({ provided, matched: 'Robert Stone', comparison });
    expect(block).not.toHaveProperty('error');
  }
});

test('an engine that throws fails this block and no other', async () => {
  const features = await openFeatures({ settingsFile: 'data/none/features.json' });
  const names = (): never => {
    throw new Error('secret name Bob');
  };
  const insights = (await features.insights(requestOf(solid, { names }))) as Record<
    string,
    { error?: unknown }
  >;
  await features.close();
  expect(insights['name_matching']).toEqual({
    ai_enabled: true,
    feature: 'name_matching',
    model: 'rules',
    error: { code: 'feature_failed', message: expect.any(String) },
  });
  expect(insights['trust_enhancement']?.error).toBeUndefined();
  expect(JSON.stringify(insights)).not.toContain('Bob');
});
