// Settings + plugins → features ready to run.
import { BonafideError } from '../errors.js';
import { SLOTS } from './plugin/facts.js';
import { jsonSchemaOf } from './plugin/json-schema.js';
import { createModel, modelSettingsOf, parseOptions } from './asking/model.js';
/** Models by name, each made once and the ones in use kept where their settings are the same. */
function modelMaker(settings, plugins, { env, now, before }) {
    const models = new Map();
    const modelOf = (name) => {
        const configured = modelSettingsOf(name, settings, plugins.models);
        const fingerprint = JSON.stringify(configured);
        const kept = before.find((model) => model.name === name && model.fingerprint === fingerprint);
        const host = { models: plugins.models, env, now };
        const model = models.get(name) ?? kept ?? createModel(name, configured, host);
        models.set(name, model);
        return model;
    };
    return { models, modelOf };
}
/** The feature plugin that a slot's settings name. */
function pluginOf(slot, name, { features }) {
    const plugin = features.get(name);
    if (plugin?.gives === slot)
        return plugin;
    const fitting = [...features.values()].filter(({ gives }) => gives === slot);
    const known = fitting.map((one) => one.name).join(', ');
    throw new BonafideError('invalid_config', `${slot} has no plugin "${name}"; there is ${known}.`);
}
function readyOf(slot, settings, plugins, modelOf) {
    const { on, model: modelName, fallback, deadline_ms: deadlineMs, ...chosen } = settings.features[slot];
    const plugin = pluginOf(slot, chosen.plugin, plugins);
    const model = modelOf(modelName);
    if (!plugin.rules && (model.name === 'rules' || fallback)) {
        const says = `has no rules of its own; choose a model for it, without a fallback.`;
        throw new BonafideError('invalid_config', `The plugin "${chosen.plugin}" of ${slot} ${says}`);
    }
    return {
        slot,
        on,
        plugin,
        options: parseOptions(plugin.options, chosen.options, slot),
        jsonSchema: jsonSchemaOf(plugin),
        model,
        rules: modelOf('rules'),
        fallback,
        deadlineMs,
        status: () => ({
            feature: slot,
            on,
            plugin: chosen.plugin,
            model: modelName,
            label: model.label,
            fallback,
            deadline_ms: deadlineMs,
            breaker: model.breaker.state,
        }),
    };
}
/**
 * Makes the features ready as the settings have them; a model is opened ahead of its first question.
 * Errors: invalid_config, naming the feature and what its settings get wrong.
 */
export function setUp(settings, plugins, options) {
    const { models, modelOf } = modelMaker(settings, plugins, options);
    const ready = SLOTS.map((slot) => [slot, readyOf(slot, settings, plugins, modelOf)]);
    const features = Object.fromEntries(ready);
    if (options.warm ?? true)
        for (const [, { on, model }] of ready)
            if (on)
                model.warm();
    return { features, models };
}
/** Closes the models that a new set-up no longer holds; all of them without one. */
export async function closeUnused(before, now) {
    const kept = new Set(now?.models.values());
    await Promise.all(before.filter((model) => !kept.has(model)).map((model) => model.close()));
}
