import * as schema from '../../../schema/admin/machine.ts';
import { administrative, PAGING } from './parts.ts';

export const FEATURES = administrative({
  method: 'GET',
  path: 'features',
  id: 'listFeatures',
  summary: 'The AI features',
  about: 'Each feature with its plugin and model. `bonafide features list` at the command line.',
  answers: schema.features,
});

const one = { method: 'POST', of: 'feature', answers: schema.features } as const;

export const ON = administrative({
  ...one,
  path: 'features/:id/on',
  id: 'turnFeatureOn',
  summary: 'Turn a feature on',
  about: 'A running server follows. `bonafide features on`.',
});

export const OFF = administrative({
  ...one,
  path: 'features/:id/off',
  id: 'turnFeatureOff',
  summary: 'Turn a feature off',
  about: 'Its block says `"Disabled"`. `bonafide features off`.',
});

export const USE = administrative({
  ...one,
  path: 'features/:id/use',
  id: 'chooseModel',
  summary: 'Choose the model of a feature',
  about:
    'Of those that are set up. Setting one up is done on the machine alone, since its options name addresses, files and variables there. `bonafide features use`.',
  body: schema.modelChoice,
  examples: {
    rules: { summary: 'The rules, no model', value: { model: 'rules' } },
    bounded: { summary: 'With a deadline', value: { model: 'rules', deadline_ms: 5000 } },
  },
});

export const TEST = administrative({
  method: 'POST',
  path: 'features/test',
  id: 'testFeatures',
  summary: 'Test the models',
  about: 'Asks the model of each feature that is on about a made-up person. `bonafide features test`.',
  body: schema.featuresAsked,
  examples: {
    all: { summary: 'All that are on', value: {} },
    one: { summary: 'One', value: { features: ['name_matching'] } },
  },
  answers: schema.diagnoses,
});

export const FAILURES = administrative({
  method: 'GET',
  path: 'features/failures',
  id: 'listFailures',
  summary: 'The last failures of the features',
  about: 'Since the server began, 50 at most, the newest first.',
  answers: schema.failures,
});

export const DOCTOR = administrative({
  method: 'GET',
  path: 'doctor',
  id: 'showDoctor',
  summary: 'What doctor found',
  about: 'The last look at everything that the installation stands on. `bonafide doctor`.',
  answers: schema.doctor,
});

export const EXAMINE = administrative({
  method: 'POST',
  path: 'doctor',
  id: 'examine',
  summary: 'Have doctor look',
  about: 'Begins a look, which reads all databases and changes nothing; ask for it until none is at work.',
  answers: schema.doctor,
  status: 202,
});

export const GRAPH = administrative({
  method: 'GET',
  path: 'graph',
  id: 'showGraph',
  summary: 'What the graph holds',
  about: 'Counts, and what should be done. `bonafide graph stats`.',
  answers: schema.graph,
  errors: ['graph_timeout', 'graph_unavailable', 'graph_bad_response'],
});

export const SOURCES = administrative({
  method: 'GET',
  path: 'graph/sources',
  id: 'listSources',
  summary: 'Where records come from',
  about: 'Records by source. Every record is read for it. `bonafide graph sources`.',
  answers: schema.sources,
  errors: ['graph_timeout', 'graph_unavailable', 'graph_bad_response'],
});

export const SURVEY = administrative({
  method: 'GET',
  path: 'graph/survey',
  id: 'surveyGraph',
  summary: 'The whole graph in counts',
  about:
    'How large identities are, how fresh the records, where sources meet, which values are shared, what linking measured. Every record is read for it. `bonafide graph stats --html`.',
  answers: schema.survey,
  errors: ['graph_timeout', 'graph_unavailable', 'graph_bad_response'],
});

export const BACKUPS = administrative({
  method: 'GET',
  path: 'backups',
  id: 'listBackups',
  summary: 'The backups',
  about: 'Those in the folder of the setting `backup`; without the setting there are none.',
  query: PAGING,
  answers: schema.backups,
});

export const BACK_UP = administrative({
  method: 'POST',
  path: 'backups',
  of: 'backup',
  id: 'backUp',
  summary: 'Back up now',
  about:
    'Begins a backup into the folder of the setting `backup`, under a name of its own, encrypted and kept as the setting says; 404 without the setting. Where one is at work it is told. `last` of the list tells when it is there. `bonafide backup`.',
  answers: schema.askedBackup,
  status: 202,
});
