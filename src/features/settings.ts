// `features.json` in the data folder: plugin and model of each feature. The command line and the admin API write the file; a running server
// reloads it.
import * as v from 'valibot';
import { BonafideError } from '../errors.ts';
import { replaceFile, readTextFile } from '../platform/files.ts';

/** Rejects arrays, which valibot's object schemas accept as an empty object. */
const noList = v.check((value: unknown) => !Array.isArray(value), 'must be an object');
const object = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(v.unknown(), noList, v.strictObject(entries));
const named = <S extends v.GenericSchema>(keys: v.GenericSchema<string>, values: S) =>
  v.optional(v.pipe(v.unknown(), noList, v.record(keys, values)), {});

const options = named(v.string(), v.unknown());
const name = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower case letters, digits, dots or dashes'),
);

const featureSettings = (plugin: string) =>
  v.optional(
    object({
      on: v.optional(v.boolean(), true),
      plugin: v.optional(name, plugin),
      model: v.optional(name, 'rules'),
      /** Fallback if the model fails: `rules`, or null to answer with an error. */
      fallback: v.optional(v.nullable(v.literal('rules')), null),
      /** Deadline of an answer in milliseconds: time in the queue, first question, and second question after a rejected answer. */
      deadline_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(50), v.maxValue(120_000)), 8_000),
      options,
    }),
    {},
  );

const modelSettings = object({
  plugin: name,
  options,
  concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(256))),
  queue: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), 32),
  /** Circuit breaker: number of consecutive failures that open it, and the time that it stays open. */
  breaker: v.optional(
    object({
      failures: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 5),
      pause_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 30_000),
    }),
    {},
  ),
});

const schema = object({
  features: v.optional(
    object({
      trust_enhancement: featureSettings('narrative'),
      fraud_detection: featureSettings('fraud'),
      name_matching: featureSettings('name-matching'),
    }),
    {},
  ),
  models: named(name, modelSettings),
  /** Names of operator plugins (file or folder) that are skipped if they cannot be loaded. */
  optional_plugins: v.optional(v.array(v.string()), []),
  plugin_memory_mb: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(65_536)), 256),
});

export type FeatureSettingsFileContent = v.InferOutput<typeof schema>;
export type ModelSettings = v.InferOutput<typeof modelSettings>;

export const getDefaultFeatureSettings = (): FeatureSettingsFileContent => v.parse(schema, {});

/** Describes the first problem of the settings as `a.b: problem`. The value is not included, because it may be a secret. */
export function describeFirstSettingsIssue(issues: readonly v.BaseIssue<unknown>[]): string {
  // An unknown option is named first: it may be a missing one, misspelt.
  const issue = issues.find(({ expected }) => expected === 'never') ?? issues[0];
  if (!issue) return 'not as expected';
  const path = v.getDotPath(issue) ?? 'it';
  if (issue.received === 'undefined') return `${path} is missing`;
  if (issue.expected === 'never') return `${path} is not a setting`;
  return issue.kind === 'validation'
    ? `${path}: ${issue.message.split(':')[0]}`
    : `${path} must be ${issue.expected}`;
}

/** Reads the settings file; a missing file gives the defaults. Errors: invalid_config (names the wrong setting), unreadable_file. */
export function readFeatureSettings(file: string): FeatureSettingsFileContent {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return getDefaultFeatureSettings();
    throw new BonafideError(
      'unreadable_file',
      `The feature settings ${file} cannot be read. Check the permissions of the file.`,
    );
  }
  return parseFeatureSettings(text, file);
}

function parseFeatureSettings(text: string, file: string): FeatureSettingsFileContent {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BonafideError(
      'invalid_config',
      `The feature settings ${file} are not valid JSON. Repair the file, or delete it to return to the defaults.`,
    );
  }
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw new BonafideError(
    'invalid_config',
    `A setting in the feature settings ${file} is wrong. Correct it: ${describeFirstSettingsIssue(result.issues)}.`,
  );
}

/** Writes the settings file atomically with mode 0600; creates the data folder if needed. Errors: invalid_config, read_only. */
export function writeFeatureSettings(file: string, settings: FeatureSettingsFileContent): void {
  const text = `${JSON.stringify(settings, null, 2)}\n`;
  parseFeatureSettings(text, file);
  replaceFile(file, text);
}
