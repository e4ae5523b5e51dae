// `ai_insights` as callers see it: the blocks of src/features/plugin in their envelopes.
import * as v from 'valibot';
import { BLOCKS } from '../../features/plugin/blocks.ts';
import { SENTENCES } from '../../features/plugin/errors.ts';
import { boolean, namedObject, object, nullable, string } from './parts.ts';

type Feature = 'trust_enhancement' | 'overview' | 'fraud_detection' | 'name_matching';

const left = namedObject(
  'LeftOut',
  {
    ai_enabled: v.pipe(v.literal(false), v.description('False: there is no block.')),
    reason: v.pipe(
      v.picklist(['Not requested', 'Disabled']),
      v.description('`Not requested` by the caller, or `Disabled` by the operator.'),
    ),
  },
  'A block that was not made, and why.',
);
const failure = object(
  {
    code: v.pipe(
      v.picklist(Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]),
      v.description('A stable code.'),
    ),
    message: string('A plain sentence, never the model’s own text.'),
  },
  'What went wrong. The rest of the answer is complete.',
);

const envelope = (feature: Feature) => ({
  ai_enabled: v.pipe(v.literal(true), v.description('True: the block was asked for.')),
  feature: v.pipe(v.literal(feature), v.description('The block’s name.')),
  model: string('What made the block: a model, or `rules`.'),
});
const failed = (feature: Feature, title: string) =>
  namedObject(title, { ...envelope(feature), error: failure }, 'A block that could not be made.');

const trust = namedObject(
  'TrustEnhancement',
  { ...envelope('trust_enhancement'), ...BLOCKS.trust_enhancement.entries.trust_enhancement.entries },
  'The trust narrative. It explains the result and never changes it.',
);
const overview = namedObject(
  'Overview',
  BLOCKS.trust_enhancement.entries.overview.entries,
  'A headline that can be shown to end users, and what to do next.',
);
const fraud = namedObject(
  'FraudDetection',
  { ...envelope('fraud_detection'), ...BLOCKS.fraud_detection.entries },
  'Patterns of fraud: of the subject in `fraud_analysis`, of the caller’s own traffic in `request_stream`.',
);
const names = namedObject(
  'NameMatching',
  { ...envelope('name_matching'), ...BLOCKS.name_matching.entries },
  'A comparison of the submitted name with the one on record.',
);

const ENABLED = boolean('At least one block that was asked for could be made.');

export const narrativeInsightsSchema = namedObject(
  'NarrativeInsights',
  {
    ai_enabled: boolean(
      'Whether the narrative could be made. Where not, both blocks are null and the rest of the answer is complete.',
    ),
    trust_enhancement: nullable(trust, 'The trust narrative.'),
    overview: nullable(overview, 'The overview.'),
    fraud_detection: v.pipe(v.null(), v.description('Always null here.')),
    name_matching: v.pipe(v.null(), v.description('Always null here.')),
  },
  'The explanation of a check that was asked for with `ai=true`.',
);

export const enhancedInsightsSchema = namedObject(
  'EnhancedInsights',
  {
    ai_enabled: ENABLED,
    trust_enhancement: v.pipe(
      v.union([trust, failed('trust_enhancement', 'TrustEnhancementFailed'), left]),
      v.description('The trust narrative.'),
    ),
    overview: v.pipe(
      v.union([overview, failed('overview', 'OverviewFailed'), left]),
      v.description('The overview; it cannot be left out.'),
    ),
    fraud_detection: v.pipe(
      v.union([fraud, failed('fraud_detection', 'FraudDetectionFailed'), left]),
      v.description('The analysis of fraud patterns.'),
    ),
    name_matching: v.pipe(
      v.union([names, failed('name_matching', 'NameMatchingFailed'), left]),
      v.description('The comparison of names.'),
    ),
  },
  'The explanations of an enhanced check.',
);
