import * as v from 'valibot';
import { PLAN_FEATURES } from '../../../accounts/billing/terms.ts';
import {
  between,
  flag,
  list,
  named,
  number,
  object,
  orNull,
  text,
  texts,
  time,
  whole,
  word,
} from '../parts.ts';
import { pageOf, shortText } from './parts.ts';

const slot = v.picklist(PLAN_FEATURES);
const fallback = (about: string) => orNull(v.literal('rules'), about);

const feature = named(
  'Feature',
  {
    feature: v.pipe(slot, v.description('Which one.')),
    on: flag('It answers; else its block says `"Disabled"`.'),
    plugin: text('The plugin that makes its block.'),
    model: text('The model that it asks, by its name in the settings; `rules` for none.'),
    label: text('How answers name that model.'),
    fallback: fallback('What answers where the model fails; null for nothing.'),
    deadline_ms: whole('Milliseconds for the whole answer.', 50),
    breaker: word(['closed', 'open', 'half_open'], 'Of the model as it was set up just now.'),
  },
  'An AI feature as it is set up.',
);
const plugin = object(
  {
    kind: word(['feature', 'model', 'graph'], 'What it gives.'),
    name: text('Its name.'),
    version: text('Its version.'),
  },
  'A plugin that is loaded.',
);
export const features = named(
  'Features',
  { features: list(feature, 'All three.'), plugins: list(plugin, 'What is loaded.') },
  'The AI features, and the plugins that are loaded.',
);

export const modelChoice = named(
  'ModelChoice',
  {
    model: shortText('A model that is set up already, by its name, or `rules`.'),
    plugin: v.optional(shortText('Feature plugin, where there is more than one.')),
    fallback: v.optional(fallback('What answers where the model fails; null for nothing.')),
    deadline_ms: v.optional(between(50, 120_000, 'Milliseconds for the whole answer.')),
  },
  'Which model a feature asks. What is left out stays.',
);

export const featuresAsked = named(
  'FeaturesAsked',
  { features: v.optional(list(slot, 'These alone.')) },
  'Which features are tested.',
);
const diagnosis = named(
  'Diagnosis',
  {
    feature: v.pipe(slot, v.description('Which one.')),
    model: text('The model that was asked.'),
    ok: flag('It answered in the right form and kept to the facts.'),
    ms: whole('Milliseconds that it took.'),
    code: v.optional(text('What went wrong: a stable code.')),
    says: text('What happened and what to do.'),
  },
  'How a model answered about a made-up person.',
);
export const diagnoses = named(
  'Diagnoses',
  { items: list(diagnosis, 'One for each feature that is on.') },
  'How the models answered.',
);

const failure = object(
  {
    time: time('When.'),
    feature: v.pipe(slot, v.description('Which one.')),
    model: text('The model that was asked.'),
    code: text('A stable code; `fallback` where the rules answered in its place.'),
  },
  'A failure.',
);
export const failures = named(
  'FeatureFailures',
  { items: list(failure, 'The newest first.') },
  'Calls that a model did not answer.',
);

const finding = object(
  {
    check: text('What was looked at.'),
    state: word(['ok', 'warning', 'bad'], 'How it is.'),
    says: text('What was found.'),
    todo: orNull(v.string(), 'What to do; null for nothing.'),
  },
  'A finding.',
);
export const doctor = named(
  'Doctor',
  {
    at_work: flag('A look is at work.'),
    last: orNull(
      object({ time: time('When it was begun.'), items: list(finding, 'In order.') }, 'The last look.'),
      'Null where nobody looked since the server began.',
    ),
  },
  'What the installation stands on.',
);

const counted = time('When it was counted: what takes long is told again for a minute.');
export const graph = named(
  'Graph',
  {
    records: whole('Records.'),
    identities: whole('Identities made of them.'),
    merged: whole('Numbers of identities that lead to others now.'),
    postings: whole('Keys by which identities are found.'),
    unlinked: whole('Records that were imported and are not linked yet.'),
    linked_at: orNull(time(''), 'When they were linked last; null for never.'),
    settled: flag('The identities are those that linking all records anew would give.'),
    warnings: texts('What makes checks weaker than they could be, and what to do.'),
    counted,
  },
  'What the identity graph holds.',
);
const source = object(
  {
    source: text('Its name, as the records say it.'),
    records: whole('Records of it.'),
    imported: orNull(time(''), 'When records of it were imported last; null where that is not known.'),
    first_seen: orNull(time(''), 'The earliest date among them; null where none carries one.'),
    last_seen: orNull(time(''), 'The latest.'),
  },
  'One source.',
);
export const sources = named(
  'Sources',
  { items: list(source, 'The largest first.'), counted },
  'Where the graph’s records come from.',
);

const identities = whole('Identities.');
const counts = (of: string, about: string) =>
  list(object({ of: whole(of, 1), count: whole('How many there are.') }, 'A count.'), about);
const rate = (about: string) => orNull(number('From 0 to 1.'), `${about} Null where too few tell.`);
export const survey = named(
  'GraphSurvey',
  {
    identities,
    sizes: counts('So many records.', 'Identities by how many records they have.'),
    years: list(
      object(
        { year: orNull(v.pipe(v.number(), v.integer()), 'Null for no date.'), records: whole('Records.') },
        'A year.',
      ),
      'Records by the year in which they were seen last.',
    ),
    sources: list(
      object({ source: text('Its name.'), records: whole('Records.'), identities }, 'A source.'),
      'The largest first.',
    ),
    combinations: list(
      object({ sources: texts('All that they have records of.'), identities }, 'Where sources meet.'),
      'The commonest first, 100 at most.',
    ),
    having: object(
      {
        name: whole('A name.'),
        birth_date: whole('A birth date.'),
        email: whole('An e-mail.'),
        phone: whole('A phone.'),
        address: whole('An address.'),
      },
      'Identities that have one.',
    ),
    shares: object(
      {
        email: counts('So many identities.', 'E-mails by how many share them.'),
        phone: counts('So many identities.', 'Phones.'),
        address: counts('So many identities.', 'Addresses.'),
      },
      'Values by how many identities share them.',
    ),
    error_rates: object(
      {
        name: rate('Names of one person that differ.'),
        birth_date: rate('Birth dates of one person that differ.'),
        one_address: rate('Pairs of records at one address that are one person’s.'),
      },
      'What linking measured.',
    ),
    counted,
  },
  'A graph as a whole.',
);

const backup = object(
  {
    name: text('Its file’s name, in the folder of the settings.'),
    time: time('When it was begun.'),
    bytes: whole('Its size.'),
    encrypted: flag('It takes a passphrase to read it.'),
  },
  'A backup.',
);
const askedFields = {
  name: text('The file that it becomes.'),
  started: time('When it was begun.'),
  ended: orNull(time(''), 'When it ended; null while it is at work.'),
  ok: flag('It is made, read back and compared.'),
};
export const askedBackup = named('AskedBackup', askedFields, 'A backup that was asked for.');
export const backups = named(
  'Backups',
  {
    ...pageOf('BackupPage', backup, '').entries,
    last: orNull(askedBackup, 'The one that this server was asked for last; null where none was.'),
  },
  'The backups in the folder of the settings, the newest first.',
);
