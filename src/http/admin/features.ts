import * as v from 'valibot';
import { PLAN_FEATURES } from '../../accounts/billing/terms.ts';
import { toSnakeCaseJson } from '../../admin/wire.ts';
import type { Route } from '../openapi/operation.ts';
import * as s from '../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const slot = v.picklist(PLAN_FEATURES);
const feature = v.pipe(slot, v.description('The feature.'));
const fallback = s.nullable(v.literal('rules'), 'What answers if the model fails; null for nothing.');

const featureState = s.openApiObject('Feature', 'An AI feature and its settings.', {
  feature,
  on: s.boolean('True if the feature answers; false if its block says `"Disabled"`.'),
  plugin: s.string('Plugin that makes its block.'),
  model: s.string('Name in the settings of the model that it uses; `rules` for none.'),
  model_plugin: s.string('Plugin of that model; `rules` for none.'),
  address: s.nullableString(
    'Address of that model’s server, without path and credentials; null if its options have none.',
  ),
  label: s.string('Name of that model in answers.'),
  fallback,
  deadline_ms: s.integer('Deadline of the whole answer in milliseconds.', 50),
  breaker: s.oneOf(['closed', 'open', 'half_open'], 'State of the circuit breaker of the model.'),
  problem: s.nullableString(
    'If the feature is off because its plugin is missing: what is missing, and the commands that help. Else null.',
  ),
});
const plugin = s.object('A plugin that is loaded.', {
  kind: s.oneOf(['feature', 'model', 'graph'], 'What the plugin provides.'),
  name: s.string('Its name.'),
  version: s.string('Its version.'),
});
export const featuresSchema = s.openApiObject(
  'Features',
  'The AI features, the configured models, and the loaded plugins.',
  {
    features: s.list(featureState, 'All three features.'),
    models: s.list(s.string('Name of a model.'), 'Models in the settings, which a feature can use.'),
    plugins: s.list(plugin, 'Loaded plugins.'),
  },
);

const modelChoiceSchema = s.openApiObject(
  'ModelChoice',
  'The model of a feature. Missing fields stay the same.',
  {
    model: s.shortString('Name of a model that is set up already, or `rules`.'),
    plugin: v.optional(s.shortString('Plugin of the feature, if there are several.')),
    fallback: v.optional(fallback),
    deadline_ms: v.optional(s.integerBetween(50, 120_000, 'Deadline of the whole answer in milliseconds.')),
  },
);

const featureTestSchema = s.openApiObject('FeaturesAsked', 'Features to be tested.', {
  features: v.optional(s.list(slot, 'Only these features.')),
});
const testResult = s.openApiObject('Diagnosis', 'Answer of a model about an invented person.', {
  feature,
  model: s.string('The model that was asked.'),
  ok: s.boolean('True if its answer had the right form and kept to the facts.'),
  ms: s.integer('Latency in milliseconds.'),
  code: v.optional(s.string('Stable error code.')),
  says: s.string('What happened and what to do.'),
});
export const featureTestResultsSchema = s.openApiObject('Diagnoses', 'Answers of the models.', {
  items: s.list(testResult, 'One for each feature that is on.'),
});

const failure = s.object('A failure.', {
  time: s.timestamp('When it happened.'),
  feature,
  model: s.string('The model that was asked.'),
  code: s.string('Stable error code; `fallback` if the rules answered instead.'),
});
export const featureFailuresSchema = s.openApiObject(
  'FeatureFailures',
  'Calls that a model did not answer.',
  {
    items: s.list(failure, 'Newest first.'),
  },
);

const onFeature = { noun: 'feature', answers: featuresSchema };

export const FEATURE_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET features', 'listFeatures', {
    summary: 'List the AI features',
    about: 'Each feature with its plugin and model, and the configured models.',
    command: 'features list',
    answers: featuresSchema,
    handle: (_, { features }) => features.list(),
  }),
  declareAdminRoute('POST features/:id/on', 'turnFeatureOn', {
    ...onFeature,
    summary: 'Turn a feature on',
    about: 'A running server applies it.',
    command: 'features on',
    handle: ({ id, actor }, { features }) => features.setFeatureEnabled(id, true, actor),
  }),
  declareAdminRoute('POST features/:id/off', 'turnFeatureOff', {
    ...onFeature,
    summary: 'Turn a feature off',
    about: 'Its block says `"Disabled"`.',
    command: 'features off',
    handle: ({ id, actor }, { features }) => features.setFeatureEnabled(id, false, actor),
  }),
  declareAdminRoute('POST features/:id/use', 'chooseModel', {
    ...onFeature,
    summary: 'Choose the model of a feature',
    about:
      'One of the models that are set up. A model is set up on the machine only, since its options name addresses, files and variables there.',
    command: 'features use',
    body: modelChoiceSchema,
    examples: {
      rules: { summary: 'The rules, no model', value: { model: 'rules' } },
      bounded: { summary: 'With a deadline', value: { model: 'rules', deadline_ms: 5000 } },
    },
    handle: ({ id, body: { deadline_ms: deadlineMs, ...choice }, actor }, { features }) =>
      features.chooseModel(id, { ...choice, deadlineMs }, actor),
  }),
  declareAdminRoute('POST features/test', 'testFeatures', {
    summary: 'Test the models',
    about: 'Asks the model of each feature that is on about an invented person.',
    command: 'features test',
    body: featureTestSchema,
    examples: {
      all: { summary: 'Every feature that is on', value: {} },
      one: { summary: 'One feature', value: { features: ['name_matching'] } },
    },
    answers: featureTestResultsSchema,
    handle: async ({ body }, { features }) => ({ items: await features.testFeatures(body.features) }),
  }),
  declareAdminRoute('GET features/failures', 'listFailures', {
    summary: 'List the last failures of the features',
    about: 'Failures since the server started, at most 50, newest first.',
    answers: featureFailuresSchema,
    async handle(_, service) {
      return {
        items: (await service.recordFeatureFailure()).map((failure) => toSnakeCaseJson(failure, 'time')),
      };
    },
  }),
];
