// The settings as an operator and an editor see them.
import { OPTIONS, SCHEMA, SETTINGS } from './settings.ts';
import type { Config, Option, Setting } from './settings.ts';

const HIDDEN = '(hidden)';

export interface Shown {
  setting: Option;
  /** Undefined where it is not set. What is secret is hidden. */
  value: unknown;
  /** `default`, a file, a variable or a flag. */
  from: string;
}

/** Every setting with its value and where it came from. */
export function shown(config: Config, origin: Partial<Record<Option, string>>): Shown[] {
  return OPTIONS.map((setting) => ({
    setting,
    value: masked(SETTINGS[setting], config[setting]),
    from: origin[setting] ?? 'default',
  }));
}

function masked({ secret }: Setting, value: unknown): unknown {
  if (value === undefined || secret === undefined) return value;
  if (secret === true) return HIDDEN;
  const parts = Object.entries(value as object);
  return Object.fromEntries(parts.map(([name, part]) => [name, secret.includes(name) ? HIDDEN : part]));
}

/** The schema of the settings file (JSON Schema), for editors. */
export async function fileSchema(): Promise<object> {
  const { toJsonSchema } = await import('@valibot/to-json-schema');
  const { properties = {}, ...schema } = toJsonSchema(SCHEMA, {
    target: 'draft-07',
    typeMode: 'input',
    ignoreActions: ['check', 'to_upper_case'],
  });
  const described = OPTIONS.map((option) => {
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
