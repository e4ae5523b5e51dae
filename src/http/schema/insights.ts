// Schemas of the field `ai_insights`: the results of AI features, each with its state.
import * as v from 'valibot';
import { RESPONSE_BLOCK_OBJECT_SCHEMAS } from '../../features/plugin/blocks.ts';
import { FEATURE_ERROR_SENTENCES } from '../../features/plugin/errors.ts';
import * as s from './builders.ts';

type Feature = 'trust_enhancement' | 'fraud_detection' | 'name_matching';

const omitted = s.openApiObject('LeftOut', 'A block that was not made, and why.', {
  ai_enabled: v.pipe(v.literal(false), v.description('False: there is no block.')),
  reason: s.oneOf(
    ['Not requested', 'Disabled'],
    '`Not requested` by the caller, or `Disabled` by the operator.',
  ),
});
const failure = s.object('Why the block failed. The rest of the answer is complete.', {
  code: s.oneOf(
    Object.keys(FEATURE_ERROR_SENTENCES) as (keyof typeof FEATURE_ERROR_SENTENCES)[],
    'Stable error code.',
  ),
  message: s.string('A plain sentence, never the text of the model.'),
});

const envelope = (feature: Feature) => ({
  ai_enabled: v.pipe(v.literal(true), v.description('True: the block was requested.')),
  feature: v.pipe(v.literal(feature), v.description('Name of the block.')),
  model: s.string('Model that made the block, or `rules`.'),
});
const failed = (feature: Feature, title: string) =>
  s.openApiObject(title, 'A block that failed.', { ...envelope(feature), error: failure });

const trust = s.openApiObject(
  'TrustEnhancement',
  'The trust narrative. It explains the result and never changes it.',
  {
    ...envelope('trust_enhancement'),
    ...RESPONSE_BLOCK_OBJECT_SCHEMAS.trust_enhancement.entries.trust_enhancement.entries,
  },
);
const overview = s.openApiObject(
  'Overview',
  'A headline for end users, and what to do next.',
  RESPONSE_BLOCK_OBJECT_SCHEMAS.trust_enhancement.entries.overview.entries,
);
const fraud = s.openApiObject(
  'FraudDetection',
  'Patterns of fraud: of the person in `fraud_analysis`, of the caller’s own traffic in `request_stream`.',
  { ...envelope('fraud_detection'), ...RESPONSE_BLOCK_OBJECT_SCHEMAS.fraud_detection.entries },
);
const names = s.openApiObject('NameMatching', 'Comparison of the submitted name with the name on record.', {
  ...envelope('name_matching'),
  ...RESPONSE_BLOCK_OBJECT_SCHEMAS.name_matching.entries,
});

const alwaysNull = v.pipe(v.null(), v.description('Always null here.'));
export const narrativeInsightsSchema = s.openApiObject(
  'NarrativeInsights',
  'Explanation of a check with `ai=true`.',
  {
    ai_enabled: s.boolean(
      'True if the narrative was made. If false, both blocks are null and the rest of the answer is complete.',
    ),
    trust_enhancement: s.nullable(trust, 'The trust narrative.'),
    overview: s.nullable(overview, 'The overview.'),
    fraud_detection: alwaysNull,
    name_matching: alwaysNull,
  },
);

const block = <Made extends v.GenericSchema>(made: Made, feature: Feature, title: string, about: string) =>
  v.pipe(v.union([made, failed(feature, title), omitted]), v.description(about));
export const enhancedCheckInsightsSchema = s.openApiObject(
  'EnhancedInsights',
  'Explanations of an enhanced check.',
  {
    ai_enabled: s.boolean('True if at least one requested block was made.'),
    trust_enhancement: block(trust, 'trust_enhancement', 'TrustEnhancementFailed', 'The trust narrative.'),
    overview,
    fraud_detection: block(
      fraud,
      'fraud_detection',
      'FraudDetectionFailed',
      'The analysis of fraud patterns.',
    ),
    name_matching: block(names, 'name_matching', 'NameMatchingFailed', 'The comparison of names.'),
  },
);
