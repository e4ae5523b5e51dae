import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { priorityOf } from '../../plugins/narrative/priority.ts';
import { ago, list } from '../../plugins/narrative/phrases.ts';
import { bandOf, intents, requestOf } from '../kit/features.ts';
import type { Pattern } from '../kit/features.ts';
import { openFeatures } from '../../src/features/open.ts';

const facts = (score: number, confidence: 'HIGH' | 'MEDIUM' | 'LOW', possible_catfish = false) => ({
  score,
  confidence,
  possible_catfish,
  band: bandOf(score),
  verdict: 'VERIFIED' as const,
});

test.each([
  [facts(85, 'HIGH'), 'AUTO_APPROVE'],
  [facts(84, 'HIGH'), 'MANUAL_REVIEW'],
  [facts(99, 'MEDIUM'), 'MANUAL_REVIEW'],
  [facts(99, 'HIGH', true), 'MANUAL_REVIEW'],
  [facts(39, 'HIGH', true), 'AUTO_REJECT'],
  [facts(39, 'MEDIUM', true), 'AUTO_REJECT'],
  [facts(40, 'HIGH', true), 'MANUAL_REVIEW'],
  [facts(5, 'LOW', true), 'MANUAL_REVIEW'],
  [facts(5, 'LOW'), 'MANUAL_REVIEW'],
  [facts(0, 'HIGH'), 'MANUAL_REVIEW'],
])('review priority follows its rules: %j gives %s', (score, priority) => {
  expect(priorityOf(score)).toBe(priority);
});

test('ages are told in the unit that people use, and never rounded up', () => {
  expect([0, 1, 12, 60, 61, 729, 730, 3_000].map(ago)).toEqual([
    'today',
    '1 day ago',
    '12 days ago',
    '60 days ago',
    '2 months ago',
    '23 months ago',
    '2 years ago',
    '8 years ago',
  ]);
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((parts) => list(parts))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
});

const contacts = fc.stringMatching(/^[psdu]{0,5}$/);
const anyPattern: fc.Arbitrary<Pattern> = fc.record({
  title: fc.constant('any'),
  score: fc.integer({ min: 0, max: 100 }),
  confidence: fc.constantFrom('HIGH', 'MEDIUM', 'LOW'),
  name: fc.constantFrom('p', 's', 'd', 'u'),
  email: contacts,
  phone: contacts,
  address: contacts,
  catfish: fc.boolean(),
  identities: fc.integer({ min: 0, max: 9 }),
  history: fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }))
    .map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as [number, number]),
});

test('whatever a check ends in, the rules have an answer that the guard lets pass', async () => {
  const features = await openFeatures({ settingsFile: 'data/none/features.json' });
  await fc.assert(
    fc.asyncProperty(anyPattern, fc.constantFrom(...intents), async (pattern, intent) => {
      const insights = JSON.stringify(await features.insights(requestOf(pattern, { intent })));
      expect(insights).not.toContain('"error"');
      expect(insights).not.toMatch(/undefined|NaN|null (email|phone)/);
    }),
    { numRuns: 400 },
  );
  await features.close();
});
