// AI features.
import * as v from 'valibot';
import { toWire } from '../../admin/wire.ts';
import { PLAN_FEATURES } from '../../accounts/billing/terms.ts';
import {
  integerBetween,
  boolean,
  list,
  namedObject,
  object,
  nullable,
  shortString,
  string,
  timestamp,
  integer,
  oneOf,
} from '../schema/parts.ts';
import { adminRoute } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const slot = v.picklist(PLAN_FEATURES);

const fallback = (about: string) => nullable(v.literal('rules'), about);

const feature = namedObject(
  'Feature',
  {
    feature: v.pipe(slot, v.description('Which one.')),
    on: boolean('It answers; else its block says `"Disabled"`.'),
    plugin: string('The plugin that makes its block.'),
    model: string('The model that it asks, by its name in the settings; `rules` for none.'),
    label: string('How answers name that model.'),
    fallback: fallback('What answers where the model fails; null for nothing.'),
    deadline_ms: integer('Milliseconds for the whole answer.', 50),
    breaker: oneOf(['closed', 'open', 'half_open'], 'Of the model as it was set up just now.'),
  },
  'An AI feature as it is set up.',
);

const plugin = object(
  {
    kind: oneOf(['feature', 'model', 'graph'], 'What it gives.'),
    name: string('Its name.'),
    version: string('Its version.'),
  },
  'A plugin that is loaded.',
);

export const featuresSchema = namedObject(
  'Features',
  { features: list(feature, 'All three.'), plugins: list(plugin, 'What is loaded.') },
  'The AI features, and the plugins that are loaded.',
);

export const modelChoiceSchema = namedObject(
  'ModelChoice',
  {
    model: shortString('A model that is set up already, by its name, or `rules`.'),
    plugin: v.optional(shortString('Feature plugin, where there is more than one.')),
    fallback: v.optional(fallback('What answers where the model fails; null for nothing.')),
    deadline_ms: v.optional(integerBetween(50, 120_000, 'Milliseconds for the whole answer.')),
  },
  'Which model a feature asks. What is left out stays.',
);

export const featureTestSchema = namedObject(
  'FeaturesAsked',
  { features: v.optional(list(slot, 'These alone.')) },
  'Which features are tested.',
);

const diagnosis = namedObject(
  'Diagnosis',
  {
    feature: v.pipe(slot, v.description('Which one.')),
    model: string('The model that was asked.'),
    ok: boolean('It answered in the right form and kept to the facts.'),
    ms: integer('Milliseconds that it took.'),
    code: v.optional(string('What went wrong: a stable code.')),
    says: string('What happened and what to do.'),
  },
  'How a model answered about a made-up person.',
);

export const featureTestResultsSchema = namedObject(
  'Diagnoses',
  { items: list(diagnosis, 'One for each feature that is on.') },
  'How the models answered.',
);

const failure = object(
  {
    time: timestamp('When.'),
    feature: v.pipe(slot, v.description('Which one.')),
    model: string('The model that was asked.'),
    code: string('A stable code; `fallback` where the rules answered in its place.'),
  },
  'A failure.',
);

export const featureFailuresSchema = namedObject(
  'FeatureFailures',
  { items: list(failure, 'The newest first.') },
  'Calls that a model did not answer.',
);

const one = { of: 'feature', answers: featuresSchema };

export const FEATURE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET features', 'listFeatures', {
    summary: 'The AI features',
    about: 'Each feature with its plugin and model. `bonafide features list` at the command line.',
    answers: featuresSchema,
    handle: (_, service) => service.features.list(),
  }),
  adminRoute('POST features/:id/on', 'turnFeatureOn', {
    ...one,
    summary: 'Turn a feature on',
    about: 'A running server follows. `bonafide features on`.',
    handle: ({ id, actor }, service) => service.features.turn(id, true, actor),
  }),
  adminRoute('POST features/:id/off', 'turnFeatureOff', {
    ...one,
    summary: 'Turn a feature off',
    about: 'Its block says `"Disabled"`. `bonafide features off`.',
    handle: ({ id, actor }, service) => service.features.turn(id, false, actor),
  }),
  adminRoute('POST features/:id/use', 'chooseModel', {
    ...one,
    summary: 'Choose the model of a feature',
    about:
      'Of those that are set up. Setting one up is done on the machine alone, since its options name addresses, files and variables there. `bonafide features use`.',
    body: modelChoiceSchema,
    examples: {
      rules: { summary: 'The rules, no model', value: { model: 'rules' } },
      bounded: { summary: 'With a deadline', value: { model: 'rules', deadline_ms: 5000 } },
    },
    handle: ({ id, body: { deadline_ms: deadlineMs, ...choice }, actor }, service) =>
      service.features.use(id, { ...choice, deadlineMs }, actor),
  }),
  adminRoute('POST features/test', 'testFeatures', {
    summary: 'Test the models',
    about: 'Asks the model of each feature that is on about a made-up person. `bonafide features test`.',
    body: featureTestSchema,
    examples: {
      all: { summary: 'All that are on', value: {} },
      one: { summary: 'One', value: { features: ['name_matching'] } },
    },
    answers: featureTestResultsSchema,
    handle: async ({ body: { features } }, service) => ({
      items: await service.features.test(features),
    }),
  }),
  adminRoute('GET features/failures', 'listFailures', {
    summary: 'The last failures of the features',
    about: 'Since the server began, 50 at most, the newest first.',
    answers: featureFailuresSchema,
    handle: async (_, service) => ({
      items: (await service.featureFailures()).map((failure) => toWire(failure, 'time')),
    }),
  }),
];
