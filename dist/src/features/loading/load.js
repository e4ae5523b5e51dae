// Loads plugins. Bonafide's own come through this door like an operator's.
import { createRequire } from 'node:module';
import { basename, extname, resolve } from 'node:path';
import { BonafideError } from '../../errors.js';
import { BUILTIN_PLUGINS } from '../../platform/assets.js';
import { pluginProblem } from '../plugin/form.js';
import { RULES } from '../rules.js';
import { pluginsAt, startOf } from './find.js';
import { giveContract } from './host.js';
import { troubleOf } from './trouble.js';
/**
 * Loads one file, or one folder with a package.json or an index.
 * @returns the plugins it exports: one or more
 * Errors: invalid_config, in one line that names the path and says what is expected.
 */
export function loadPlugin(path) {
    giveContract();
    let start = path;
    try {
        start = startOf(path);
        return pluginsOf(createRequire(start)(start));
    }
    catch (error) {
        throw new BonafideError('invalid_config', `plugin ${path} does not load: ${troubleOf(error, start)}.`);
    }
}
function pluginsOf(loaded) {
    const exported = loaded.default ?? loaded;
    const plugins = Array.isArray(exported) ? exported : [exported];
    if (plugins.length === 0)
        throw new Error('it exports no plugin');
    for (const plugin of plugins) {
        const problem = pluginProblem(plugin);
        if (problem)
            throw new Error(problem);
    }
    return plugins;
}
function add(plugins, plugin, path) {
    const { kind, name } = plugin;
    const taken = kind === 'feature' ? plugins.features.has(name) : plugins.models.has(name);
    if (taken) {
        const problem = `the ${kind} name "${name}" is taken by another plugin`;
        throw new BonafideError('invalid_config', `plugin ${path} does not load: ${problem}.`);
    }
    if (kind === 'feature')
        plugins.features.set(name, plugin);
    else
        plugins.models.set(name, plugin);
}
function loadBuiltin(plugins) {
    for (const path of pluginsAt(BUILTIN_PLUGINS)) {
        for (const plugin of loadPlugin(path))
            add(plugins, plugin, path);
    }
    plugins.models.set(RULES.name, RULES);
}
/**
 * Loads Bonafide's plugins, then the operator's, naming each in the log with its version.
 * @returns features and models by name
 * Errors: invalid_config for the first plugin that does not load and is not optional; file_not_found.
 */
export function loadPlugins({ paths = [], optional, log }) {
    const plugins = { features: new Map(), models: new Map() };
    loadBuiltin(plugins);
    const own = [...plugins.features.values(), ...plugins.models.values()];
    for (const path of paths.flatMap((one) => pluginsAt(resolve(one)))) {
        try {
            for (const plugin of loadPlugin(path)) {
                add(plugins, plugin, path);
                log.info(`plugin ${plugin.name} ${plugin.version} (${plugin.kind}, ${path})`);
            }
        }
        catch (error) {
            if (!(error instanceof BonafideError) || !optional.includes(basename(path, extname(path))))
                throw error;
            log.warn(`${error.message} It is marked optional and was skipped.`);
        }
    }
    log.info(`plugins built in: ${own.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
    return plugins;
}
