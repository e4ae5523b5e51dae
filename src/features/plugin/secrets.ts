import { readFileSync } from 'node:fs';
import type { ModelContext } from './define.ts';
import { ModelError } from './errors.ts';

/**
 * The `secret` of a model: a key from an environment variable or a file, read at each use, so that a rotated key needs no
 * restart. Errors: model_misconfigured.
 */
export function secretReader(env: Readonly<Record<string, string | undefined>>): ModelContext['secret'] {
  return ({ env: variable, file }) => {
    if (variable) {
      const value = env[variable]?.trim();
      if (value) return value;
      throw new ModelError('model_misconfigured', `The environment variable ${variable} is not set.`);
    }
    if (!file) return undefined;
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      throw new ModelError('model_misconfigured', `The key file ${file} cannot be read.`);
    }
  };
}
