// The contract of plugins, published as `bonafide/plugin`: the one module of Bonafide that a plugin imports, Bonafide's own
// and anybody's alike. A plugin is either a feature (one part of `ai_insights`) or a model (what a feature asks).
export * as v from 'valibot';
export { defineFeature, defineModel } from './define.js';
export { ModelError } from './errors.js';
export { postJson } from './http.js';
export { messagesOf, systemText } from './prompt.js';
