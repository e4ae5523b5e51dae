// Models as the settings configure them: parsed options, a queue, a circuit breaker, and a state opened once.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { BonafideError } from '../../errors.js';
import { createBreaker } from './breaker.js';
import { ModelError } from '../plugin/errors.js';
import { createLimiter } from './limiter.js';
import { firstIssue } from '../settings.js';
/** Options as their plugin reads them. Errors: invalid_config, naming the option and never its value. */
export function parseOptions(schema, options, where) {
    if (!schema) {
        const [extra] = Object.keys(options);
        if (extra === undefined)
            return {};
        throw new BonafideError('invalid_config', `${where} has no option "${extra}".`);
    }
    const result = v.safeParse(schema, options);
    if (result.success)
        return result.output;
    throw new BonafideError('invalid_config', `${where}, options: ${firstIssue(result.issues)}.`);
}
/** A key from the environment or a file; read at each use, so that a rotated key needs no restart. */
function secretReader(env) {
    return ({ env: variable, file }) => {
        if (variable) {
            const value = env[variable]?.trim();
            if (!value)
                throw new ModelError('model_misconfigured', `The environment variable ${variable} is not set.`);
            return value;
        }
        if (!file)
            return undefined;
        try {
            return readFileSync(file, 'utf8').trim();
        }
        catch {
            throw new ModelError('model_misconfigured', `The key file ${file} cannot be read.`);
        }
    };
}
const WITHOUT_SETTINGS = {
    plugin: 'rules',
    options: {},
    queue: 0,
    breaker: { failures: 5, pause_ms: 30_000 },
};
/** Questions that are being answered are let finish, for as long as a patient deadline would. */
async function idle(limiter) {
    for (let waited = 0; limiter.running > 0 && waited < 10_000; waited += 25) {
        await new Promise((done) => setTimeout(done, 25));
    }
}
/** Settings of a model by name: `rules` and every plugin that needs no options are there without being configured. */
export function modelSettingsOf(name, settings, plugins) {
    const configured = settings.models[name];
    if (configured)
        return configured;
    if (plugins.has(name))
        return { ...WITHOUT_SETTINGS, plugin: name, queue: 32 };
    const known = [...new Set([...Object.keys(settings.models), ...plugins.keys()])].join(', ');
    throw new BonafideError('invalid_config', `There is no model "${name}"; known are ${known}.`);
}
/** Makes a model ready to be asked. Errors: invalid_config. */
export function createModel(name, settings, host) {
    const plugin = host.models.get(settings.plugin);
    if (!plugin)
        throw new BonafideError('invalid_config', `Model "${name}" needs the plugin "${settings.plugin}", which is not loaded.`);
    const options = parseOptions(plugin.options, settings.options, `Model "${name}"`);
    const secret = secretReader(host.env);
    let opened;
    const open = () => {
        opened ??= Promise.resolve(plugin.open?.({ options, secret })).catch((error) => {
            opened = undefined;
            throw error;
        });
        return opened;
    };
    const limiter = createLimiter(settings.concurrency ?? plugin.concurrency ?? 4, settings.queue);
    return {
        name,
        label: plugin.label?.(options) ?? name,
        instant: plugin.instant ?? false,
        fingerprint: JSON.stringify(settings),
        limiter,
        breaker: createBreaker({
            failures: settings.breaker.failures,
            pauseMs: settings.breaker.pause_ms,
            now: host.now,
        }),
        generate: (ask) => plugin.open
            ? open().then((state) => plugin.generate(ask, { options, state, secret }))
            : plugin.generate(ask, { options, state: undefined, secret }),
        warm: () => void (plugin.open && open().catch(() => undefined)),
        async close() {
            await idle(limiter);
            if (opened && plugin.close)
                await opened.then((state) => plugin.close?.(state)).catch(() => undefined);
        },
    };
}
