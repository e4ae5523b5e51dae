// Loads the plugins, makes the features ready, and follows the settings file while the server runs.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.js';
import { insightsOf } from './insights.js';
import { loadPlugins } from './loading/load.js';
import { createCounters } from './metrics.js';
import { readSettings } from './settings.js';
import { closeUnused, setUp } from './setup.js';
export { metricsText } from './metrics.js';
const QUIET = { info: () => undefined, warn: () => undefined };
/** How often a running server looks whether its settings file has changed. */
const LOOK_EVERY_MS = 500;
function stampOf(file) {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none';
}
/**
 * Loads the plugins, reads the settings and makes the features ready.
 * Errors: invalid_config, unreadable_file, file_not_found: one line that names the plugin or the setting.
 */
export async function openFeatures(options) {
    const { settingsFile, plugins: paths = [], optionalPlugins = [], env = {}, log = QUIET, now = Date.now, } = options;
    const settings = readSettings(settingsFile);
    const plugins = loadPlugins({
        paths,
        optional: [...optionalPlugins, ...settings.optional_plugins],
        log,
    });
    const counters = createCounters();
    let setup = setUp(settings, plugins, { env, now, before: [] });
    let stamp = stampOf(settingsFile);
    let lookedAt = now();
    async function reload() {
        stamp = stampOf(settingsFile);
        const before = [...setup.models.values()];
        setup = setUp(readSettings(settingsFile), plugins, { env, now, before });
        await closeUnused(before, setup);
    }
    /** Follows the settings file. A wrong one is told once in the log, and the settings in use stay. */
    function follow() {
        if (now() - lookedAt < LOOK_EVERY_MS)
            return;
        lookedAt = now();
        if (stampOf(settingsFile) === stamp)
            return;
        reload().then(() => log.info('features: settings reloaded'), (error) => log.warn(`features: settings unchanged, since ${error instanceof BonafideError ? error.message : 'they could not be read'}`));
    }
    return {
        insights(request) {
            follow();
            return insightsOf(request, setup, { now, counters, log });
        },
        reload,
        list: () => Object.values(setup.features).map((feature) => feature.status()),
        metrics: () => ({
            ...counters.snapshot(),
            models: [...setup.models.values()]
                .filter((model) => !model.instant)
                .map(({ name, breaker, limiter }) => ({
                model: name,
                breaker: breaker.state,
                running: limiter.running,
                waiting: limiter.waiting,
            })),
        }),
        close: () => closeUnused([...setup.models.values()], undefined),
    };
}
