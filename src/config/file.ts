import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BonafideError } from '../errors.ts';
import { nearest } from '../normalise/nearest.ts';
import { OPTIONS } from './settings.ts';

export const FILE_NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'jsonc', 'yaml', 'yml', 'toml'].map(
  (end) => `bonafide.config.${end}`,
);

/** The settings file's own values. c12 reads every usual format; it is loaded only where there is a file. */
export async function readSettings(file: string | undefined, cwd: string) {
  const name = file ?? FILE_NAMES.find((name) => existsSync(resolve(cwd, name)));
  if (name === undefined) return { name: '', values: {} as Record<string, unknown> };
  const path = resolve(cwd, name);
  if (!existsSync(path)) throw new BonafideError('file_not_found', `There is no settings file ${path}.`);
  if (statSync(path).isDirectory())
    throw new BonafideError('unreadable_file', `${path} is a folder: name the settings file itself.`);
  const { loadConfig } = await import('c12');
  const read = await loadConfig({
    cwd,
    configFile: path,
    rcFile: false,
    globalRc: false,
    packageJson: false,
    dotenv: false,
    giget: false,
    extend: false,
    envName: false,
  }).then(
    ({ config }) => config as Record<string, unknown>,
    () => {
      throw new BonafideError(
        'unreadable_file',
        `The settings file ${path} cannot be read. Check its syntax.`,
      );
    },
  );
  if (Array.isArray(read))
    throw new BonafideError('invalid_config', `${name} holds a list, and settings are names with values.`);
  // It names the schema to an editor, and says nothing to us.
  const { $schema: _, ...values } = read;
  const unknown = Object.keys(values).find((key) => !(OPTIONS as string[]).includes(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, OPTIONS);
    const hint = meant ? `Did you mean ${meant}?` : `Known are ${OPTIONS.join(', ')}.`;
    throw new BonafideError('invalid_config', `${name} has an unknown option ${unknown}. ${hint}`);
  }
  return { name, values };
}
