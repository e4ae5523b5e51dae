// Validation of a plugin's form, used by the loader and the test kit. Each problem says what is expected.
import {
  ALLOWED_FACT_NAMES_BY_FEATURE,
  AI_INSIGHTS_PART_NAMES,
  type FactName,
  type AiInsightsPartName,
} from './facts.ts';

type Test = (value: unknown) => boolean;
type Rule = readonly [key: string, test: Test, must: string];

const isFunction: Test = (value) => typeof value === 'function';
const isText =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isList: Test = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isSchema: Test = (value) => isObject(value) && value['kind'] === 'schema';
const isFlag: Test = (value) => typeof value === 'boolean';
const isCount: Test = (value) => Number.isInteger(value) && Number(value) > 0;
const orNothing =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

const FACT_NAMES = [...new Set(Object.values(ALLOWED_FACT_NAMES_BY_FEATURE).flat())];
const SCHEMA = 'a valibot schema: `v` of bonafide/plugin makes them';

export const PLUGIN_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const PLUGIN_VERSION_PATTERN = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,50})?$/;

const COMMON_RULES: readonly Rule[] = [
  ['name', isText(PLUGIN_NAME_PATTERN), 'a text of up to 64 lower case letters, digits and dashes'],
  ['version', isText(PLUGIN_VERSION_PATTERN), 'a text of three numbers, such as "1.0.0" or "1.0.0-beta.1"'],
  ['options', orNothing(isSchema), SCHEMA],
];
/** Rules for the members of a feature plugin. `gives` is checked first. */
export const FEATURE_PLUGIN_PROPERTY_RULES: readonly Rule[] = [
  ...COMMON_RULES,
  ['facts', isList, `a list of names of facts, of ${FACT_NAMES.join(', ')}`],
  ['answer', isSchema, SCHEMA],
  ['advice', orNothing(isList), 'a list of keys of the answer'],
  ['brief', isFunction, 'a function: (facts, options) → what the model is shown'],
  ['system', isFunction, 'a function: (brief, options) → what the model is told to do'],
  ['needsModel', orNothing(isFunction), 'a function: (brief) → true or false'],
  ['rules', orNothing(isFunction), 'a function: (brief, options) → the answer without a model'],
  ['check', orNothing(isFunction), 'a function: (answer, brief) → a list of sentences'],
  ['finish', isFunction, 'a function: (answer, { facts, brief, options }) → the block'],
];
export const MODEL_PLUGIN_PROPERTY_RULES: readonly Rule[] = [
  ...COMMON_RULES,
  ['instant', orNothing(isFlag), 'true or false'],
  ['concurrency', orNothing(isCount), 'a whole number of 1 and more'],
  ['label', orNothing(isFunction), "a function: (options) → the response's `model`"],
  ['open', orNothing(isFunction), 'a function: ({ options, secret }) → the state'],
  ['generate', isFunction, 'a function: (ask, { options, state, secret }) → the answer'],
  ['close', orNothing(isFunction), 'a function: (state) → nothing'],
];

export const GRAPH_PLUGIN_PROPERTY_RULES: readonly Rule[] = [
  ...COMMON_RULES,
  ['open', orNothing(isFunction), 'a function: ({ options, secret }) → the state'],
  ['lookUp', isFunction, 'a function: (question, { options, state, secret, signal }) → what is found'],
  ['close', orNothing(isFunction), 'a function: (state) → nothing'],
];

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function brokenRule(plugin: Record<string, unknown>, rules: readonly Rule[]): string | undefined {
  const broken = rules.find(([key, test]) => !test(plugin[key]));
  return broken && `\`${broken[0]}\` must be ${broken[2]}`;
}

function slotProblem({ gives }: Record<string, unknown>): string | undefined {
  if (AI_INSIGHTS_PART_NAMES.includes(gives as AiInsightsPartName)) return undefined;
  const placeHint = typeof gives === 'string' ? `; there is no place for "${gives}"` : '';
  return `\`gives\` must be one of ${AI_INSIGHTS_PART_NAMES.join(', ')}: these three blocks are all that the response has${placeHint}`;
}

function factProblem(gives: AiInsightsPartName, facts: readonly string[]): string | undefined {
  const allowed: readonly string[] = ALLOWED_FACT_NAMES_BY_FEATURE[gives];
  const refused = facts.find((fact) => !allowed.includes(fact as FactName));
  return refused === undefined
    ? undefined
    : `a ${gives} feature may not have the fact "${refused}", only ${allowed.join(', ')}`;
}

/**
 * Finds the first member of an imported plugin that is missing or has the wrong type. @returns half a sentence that says what is expected;
 * undefined if all members are valid
 */
export function describeInvalidPluginProperty(plugin: unknown): string | undefined {
  if (!isObject(plugin))
    return 'its default export must be a plugin (made by defineFeature, defineModel or defineGraph), or a list of them';
  if (plugin['kind'] === 'model') return brokenRule(plugin, MODEL_PLUGIN_PROPERTY_RULES);
  if (plugin['kind'] === 'graph') return brokenRule(plugin, GRAPH_PLUGIN_PROPERTY_RULES);
  if (plugin['kind'] !== 'feature')
    return '`kind` must be "feature", "model" or "graph": defineFeature, defineModel and defineGraph set it';
  return (
    slotProblem(plugin) ??
    brokenRule(plugin, FEATURE_PLUGIN_PROPERTY_RULES) ??
    factProblem(plugin['gives'] as AiInsightsPartName, plugin['facts'] as string[])
  );
}
