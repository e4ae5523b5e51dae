// The settings as an operator and an editor see them.
import { SETTING_NAMES, SETTINGS_SCHEMA, SETTINGS } from './settings.ts';
import type { Config, SettingName, Setting } from './settings.ts';

const HIDDEN = '(hidden)';

export interface ListedSetting {
  setting: SettingName;
  /** Undefined where it is not set. What is secret is hidden. */
  value: unknown;
  /** `default`, a file, a variable or a flag. */
  from: string;
}

/** Every setting with its value and where it came from. */
export function listSettings(config: Config, origin: Partial<Record<SettingName, string>>): ListedSetting[] {
  return SETTING_NAMES.map((setting) => ({
    setting,
    value: masked(SETTINGS[setting], config[setting]),
    from: origin[setting] ?? 'default',
  }));
}

function masked({ secret }: Setting, value: unknown): unknown {
  if (secret === true) return value === undefined ? value : HIDDEN;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const shownPart = (name: string, part: unknown) => {
    if (secret?.includes(name)) return HIDDEN;
    return typeof part === 'string' ? withoutAccess(part) : part;
  };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shownPart(name, part)]));
}

/** An address of the web without its user, password, query and fragment, which often let somebody in; any other text as it is. */
function withoutAccess(text: string): string {
  if (!/^\s*https?:/i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const { username, password, search, hash } = url;
  if (username + password + search + hash === '') return text;
  if (username + password !== '') [url.username, url.password] = [HIDDEN, ''];
  if (search !== '') url.search = HIDDEN;
  if (hash !== '') url.hash = HIDDEN;
  return url.href;
}

/** The schema of the settings file (JSON Schema), for editors. */
export async function buildSettingsSchema(): Promise<object> {
  const { toJsonSchema } = await import('@valibot/to-json-schema');
  const { properties = {}, ...schema } = toJsonSchema(SETTINGS_SCHEMA, {
    target: 'draft-07',
    typeMode: 'input',
    ignoreActions: ['check', 'to_upper_case'],
  });
  const described = SETTING_NAMES.map((option) => {
    const { about, must } = SETTINGS[option];
    return [option, { ...(properties[option] as object), description: `${about}: ${must}.` }];
  });
  return {
    ...schema,
    title: 'Bonafide’s settings',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(described) },
    additionalProperties: false,
  };
}
