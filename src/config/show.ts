// Settings in the form for operators: list of values, JSON Schema for editors, errors about values.
import * as v from 'valibot';
import { findNearestWord } from '../normalise/typo.ts';
import { listConfiguredGraphEngines, GRAPH_SETTINGS_SCHEMA, listGraphOptionsOfEngines } from './graph.ts';
import { describeValidValues, SETTING_NAMES, SETTINGS, SETTINGS_SCHEMA } from './settings.ts';
import type { Config, SettingDefinition, SettingName } from './settings.ts';

/** Source of the value of each setting: `default`, or the name of a file, a variable or a flag. */
export type SettingOrigins = Partial<Record<SettingName, string>>;

const HIDDEN = '(hidden)';

export interface ListedSetting {
  setting: SettingName;
  /** Value of the setting without secrets; undefined if it is not set. */
  value: unknown;
  from: string;
}

/** Lists all settings with value and source. Secrets are hidden. */
export function listSettings(config: Config, origins: SettingOrigins): ListedSetting[] {
  return SETTING_NAMES.map((setting) => ({
    setting,
    value: hideSecrets(SETTINGS[setting], config[setting]),
    from: origins[setting] ?? 'default',
  }));
}

function hideSecrets({ secret }: SettingDefinition, value: unknown): unknown {
  if (secret === true) return value === undefined ? value : HIDDEN;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const hidePart = (name: string, part: unknown) => {
    if (secret?.includes(name)) return HIDDEN;
    return typeof part === 'string' ? hideCredentials(part) : part;
  };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hidePart(name, part)]));
}

/** Hides query and fragment of a web address, because they often contain credentials. Other texts stay unchanged. */
function hideCredentials(text: string): string {
  if (!/^\s*https?:/i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const { search, hash } = url;
  if (search + hash === '') return text;
  if (search !== '') url.search = HIDDEN;
  if (hash !== '') url.hash = HIDDEN;
  return url.href;
}

export async function buildSettingsJsonSchema(): Promise<object> {
  const { toJsonSchema } = await import('@valibot/to-json-schema');
  const { properties = {}, ...schema } = toJsonSchema(SETTINGS_SCHEMA, {
    target: 'draft-07',
    typeMode: 'input',
    ignoreActions: ['check', 'raw_check', 'to_upper_case'],
  });
  const described = SETTING_NAMES.map((name) => {
    const description = `${SETTINGS[name].about}: ${describeValidValues(name)}.`;
    return [name, { ...(properties[name] as object), description }];
  });
  return {
    ...schema,
    title: 'Settings of Bonafide',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(described) },
    additionalProperties: false,
  };
}

/** Describes an invalid setting in a sentence, without its value. */
export function describeSettingIssue(
  { path, message, input }: v.BaseIssue<unknown>,
  values: Record<string, unknown>,
  origins: SettingOrigins,
): string {
  const name = String(path?.[0].key) as SettingName;
  const source = origins[name] ?? 'default';
  const parts = listParts(SETTINGS[name].schema);
  const part = String(path?.[1]?.key ?? '');
  if (part === '' || parts.length === 0) return `${name} (from ${source}) must be ${message}.`;
  const engines = name === 'graph' ? findEngines(values.graph) : [];
  const validParts = engines.length > 0 ? listGraphOptionsOfEngines(engines) : parts;
  if (!validParts.includes(part)) return describeUnknownPart(name, part, { source, engines, validParts });
  if (input === undefined && path?.length === 2)
    return `${name}.${part} is missing (${source}). ${name} must be ${describeValidValues(name)}.`;
  return `${name}.${part} (from ${source}) must be ${message}.`;
}

/** Lists the member names of a setting whose value is an object; an empty list for other settings. */
function listParts(schema: v.GenericSchema & { wrapped?: v.GenericSchema; entries?: object }): string[] {
  return schema.wrapped ? listParts(schema.wrapped) : Object.keys(schema.entries ?? {});
}

/** Lists the engine names in an invalid value of the setting `graph`. */
function findEngines(graph: unknown): string[] {
  const result = v.safeParse(v.object({ engine: GRAPH_SETTINGS_SCHEMA.entries.engine }), graph);
  return result.success ? listConfiguredGraphEngines(result.output) : [];
}

/** Options of `graph` and the option with the same meaning for another engine. */
const SAME_MEANING: Record<string, string> = { url: 'database', urlFile: 'databaseFile', database: 'url' };

function describeUnknownPart(
  name: SettingName,
  part: string,
  { source, engines, validParts }: { source: string; engines: string[]; validParts: readonly string[] },
): string {
  // Only a plain word is shown, because another text could be an address with a password.
  const isPlainName = /^[a-z]\w{0,39}$/i.test(part);
  const synonym = validParts.find((option) => option === SAME_MEANING[part]);
  const suggestion = isPlainName ? (synonym ?? findNearestWord(part, validParts)) : undefined;
  return [
    isPlainName ? `Unknown option ${name}.${part}` : `Unknown option of ${name}`,
    engines.length > 0 ? ` for engine "${engines.join('+')}"` : '',
    ` (${source}).`,
    suggestion === undefined ? '' : ` Did you mean ${name}.${suggestion}?`,
    ` Valid options: ${validParts.join(', ')}.`,
  ].join('');
}
