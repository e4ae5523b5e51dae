// Messages between the server and a plugin's thread. The server sends cloned data. The thread sends JSON text of limited length, so that
// only plain data arrives, whatever the plugin has changed in its thread.
import type { MessagePort } from 'node:worker_threads';
import {
  FEATURE_ERROR_SENTENCES,
  isModelError,
  ModelError,
  type FeatureErrorCode,
} from '../plugin/errors.ts';
import * as v from 'valibot';
import { ALLOWED_FACT_NAMES_BY_FEATURE, AI_INSIGHTS_PART_NAMES } from '../plugin/facts.ts';
import { PLUGIN_NAME_PATTERN, PLUGIN_VERSION_PATTERN } from '../plugin/member-rules.ts';
import { type AnyFeature, type AnyModel, getAnswerJsonSchema } from '../plugin/define.ts';
import type { AnyGraph } from '../plugin/graph.ts';

/** Maximum length of a thread's answer in UTF-16 code units. */
export const MAX_PLUGIN_MESSAGE_LENGTH = 262_144;

export type PluginOperation =
  | 'accept'
  | 'prepare'
  | 'rules'
  | 'parse'
  | 'check'
  | 'finish'
  | 'open'
  | 'generate'
  | 'close';

export interface PluginCall {
  id: number;
  plugin: number;
  operation: PluginOperation;
  given: unknown;
}
/** Message to a plugin thread: a call, or the request to abort the call with this id. */
export type MessageToPluginThread = PluginCall | { abort: number };
/** Message from a plugin thread: the result of the call `id`. Id 0 is the list of loaded plugins. */
export interface MessageFromPluginThread {
  id: number;
  text: string;
}

/** Request of a model plugin for the API key of its provider. The thread blocks until the reply arrives. */
export interface ProviderKeyRequest {
  id: number;
  model: string;
  from: { env?: string; file?: string };
}
export interface ProviderKeyReply {
  id: number;
  text: string;
}

export interface PluginThreadData {
  path: string;
  port: MessagePort;
  secrets: MessagePort;
  /** Shared flag, which the server sets after it has sent the reply. */
  isReplied: Int32Array;
}

/** Result of a plugin call: a value or an error. `code` is null if the plugin threw an error other than a ModelError. */
const PLUGIN_CALL_RESULT_SCHEMA = v.union([
  v.object({ ok: v.literal(true), value: v.optional(v.unknown()) }),
  v.object({
    ok: v.literal(false),
    code: v.nullable(v.picklist(Object.keys(FEATURE_ERROR_SENTENCES) as FeatureErrorCode[])),
    hint: v.string(),
    problem: v.optional(v.string()),
  }),
]);
export type PluginCallResult = v.InferOutput<typeof PLUGIN_CALL_RESULT_SCHEMA>;

/** Shortens a plugin's text for the operator to one line of at most `max` characters, without control characters. */
export const toSingleLineText = (text: string, max = 300): string =>
  text
    .slice(0, 10 * max)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, max);

/** Converts an error of a plugin to a call result. Only a ModelError keeps its text, because other texts may contain submitted values. */
export function toPluginErrorResult(error: unknown): PluginCallResult {
  return isModelError(error)
    ? { ok: false, code: error.code, hint: toSingleLineText(String(error.hint)) }
    : { ok: false, code: null, hint: '' };
}

/** Serializes the result of a plugin call. A result that is too long or not serialisable becomes an error. */
export function serializePluginCallResult(ended: PluginCallResult): string {
  try {
    const text = JSON.stringify(ended, createLengthLimiter());
    if (text.length <= MAX_PLUGIN_MESSAGE_LENGTH) return text;
    throw tooLongError();
  } catch (error) {
    const notJson = () => new ModelError('model_bad_answer', 'The answer of the plugin is not JSON.');
    return JSON.stringify(toPluginErrorResult(isModelError(error) ? error : notJson()));
  }
}

const tooLongError = () => new ModelError('model_answer_too_large', 'The answer of the plugin is too long.');

/**
 * Creates a replacer for `JSON.stringify` that throws as soon as the text is certain to be too long. Otherwise the text of a huge answer would be made,
 * and would take several times the memory of the answer.
 */
function createLengthLimiter() {
  let length = 0;
  return (_key: string, value: unknown): unknown => {
    if (typeof value === 'string') length += value.length;
    // Each element takes at least one character, and one for the comma.
    else if (Array.isArray(value)) length += 2 * value.length;
    // A typed array is written as an object, such as {"0":7}. A DataView has no elements.
    else if (ArrayBuffer.isView(value) && 'length' in value) length += 6 * Number(value.length);
    if (length > MAX_PLUGIN_MESSAGE_LENGTH) throw tooLongError();
    return value;
  };
}

const UNREADABLE_RESULT: PluginCallResult = {
  ok: false,
  code: 'model_bad_answer',
  hint: 'The plugin’s thread sent something unreadable.',
};

/** Parses the result of a plugin call. Members named `__proto__` are removed. */
export function parsePluginCallResult(text: unknown): PluginCallResult {
  if (typeof text !== 'string' || text.length > MAX_PLUGIN_MESSAGE_LENGTH) return UNREADABLE_RESULT;
  try {
    const ended: unknown = JSON.parse(text, (key, value: unknown) =>
      key === '__proto__' ? undefined : value,
    );
    return v.is(PLUGIN_CALL_RESULT_SCHEMA, ended) ? ended : UNREADABLE_RESULT;
  } catch {
    return UNREADABLE_RESULT;
  }
}

// Manifest of the plugins in a thread, as the thread sends it.
const shared = {
  name: v.pipe(v.string(), v.regex(PLUGIN_NAME_PATTERN)),
  version: v.pipe(v.string(), v.regex(PLUGIN_VERSION_PATTERN)),
};

const featureManifest = v.pipe(
  v.object({
    ...shared,
    kind: v.literal('feature'),
    gives: v.picklist(AI_INSIGHTS_PART_NAMES),
    facts: v.array(v.picklist([...new Set(Object.values(ALLOWED_FACT_NAMES_BY_FEATURE).flat())])),
    advice: v.array(v.string()),
    jsonSchema: v.record(v.string(), v.unknown()),
    hasRules: v.boolean(),
  }),
  // The thread has checked the facts too, but the server trusts only its own check.
  v.check(({ gives, facts }) => facts.every((fact) => ALLOWED_FACT_NAMES_BY_FEATURE[gives].includes(fact))),
);
const modelManifest = v.object({
  ...shared,
  kind: v.picklist(['model', 'graph']),
  concurrency: v.optional(v.number()),
  opens: v.boolean(),
});

export const PLUGIN_MANIFESTS_SCHEMA = v.array(v.union([featureManifest, modelManifest]));
export type FeatureManifest = v.InferOutput<typeof featureManifest>;
export type ModelManifest = v.InferOutput<typeof modelManifest>;
export type PluginManifest = FeatureManifest | ModelManifest;

/** Creates the manifest of a plugin: the data about it that the server needs, without functions. */
export function createPluginManifest(plugin: AnyFeature | AnyModel | AnyGraph): PluginManifest {
  const { name, version } = plugin;
  if (plugin.kind !== 'feature')
    return {
      kind: plugin.kind,
      name,
      version,
      concurrency: plugin.kind === 'model' ? plugin.concurrency : undefined,
      opens: plugin.open !== undefined,
    };
  const { gives, facts, advice = [], rules } = plugin;
  return {
    kind: 'feature',
    name,
    version,
    gives,
    facts: [...facts],
    advice: [...advice],
    jsonSchema: getAnswerJsonSchema(plugin),
    hasRules: rules !== undefined,
  };
}
