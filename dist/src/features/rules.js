// The model that is no model: it answers with the feature's own rules, at once and always the same.
import { defineModel } from './plugin/define.js';
import { ModelError } from './plugin/errors.js';
export const RULES = defineModel({
    name: 'rules',
    version: '1.0.0',
    instant: true,
    generate({ rules }) {
        if (rules)
            return rules();
        throw new ModelError('model_misconfigured', 'This feature has no rules of its own; choose a model for it.');
    },
});
