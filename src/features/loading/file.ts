// Loads one plugin's file or folder, in the thread that asks for it.
import { createRequire } from 'node:module';
import { BonafideError } from '../../errors.ts';
import type { AnyFeature, AnyModel } from '../plugin/define.ts';
import type { AnyGraph } from '../plugin/graph.ts';
import { pluginProblem } from '../plugin/form.ts';
import { startOf } from './find.ts';
import { giveContract } from './host.ts';
import { troubleOf } from './trouble.ts';

export type Plugin = AnyFeature | AnyModel | AnyGraph;

/**
 * Loads one file, or one folder with a package.json or an index.
 * @returns the plugins it exports: one or more
 * Errors: invalid_config, in one line that names the path and says what is expected.
 */
export function loadPlugin(path: string): Plugin[] {
  giveContract();
  let start = path;
  try {
    start = startOf(path);
    return pluginsOf(createRequire(start)(start) as { default?: unknown });
  } catch (error) {
    throw new BonafideError('invalid_config', `plugin ${path} does not load: ${troubleOf(error, start)}.`);
  }
}

function pluginsOf(loaded: { default?: unknown }): Plugin[] {
  const exported = loaded.default ?? loaded;
  const plugins: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (plugins.length === 0) throw new Error('it exports no plugin');
  for (const plugin of plugins) {
    const problem = pluginProblem(plugin);
    if (problem) throw new Error(problem);
  }
  return plugins as Plugin[];
}
