// What passes between the server and a plugin's thread. The server's side is cloned data; the thread's is JSON text of
// bounded length, so that nothing but plain data comes out of it, however the plugin has changed its own world.
import type { MessagePort } from 'node:worker_threads';
import { isModelError, ModelError, type FeatureErrorCode } from '../plugin/errors.ts';
import * as v from 'valibot';
import { ALLOWED_FACTS, SLOTS } from '../plugin/facts.ts';
import { type AnyFeature, type AnyModel, getAnswerJsonSchema } from '../plugin/define.ts';
import type { AnyGraph } from '../plugin/graph.ts';

/** The longest answer of a thread, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 262_144;

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
  /** Which of the plugins that the file exports. */
  plugin: number;
  operation: PluginOperation;
  given: unknown;
}
/** To the thread: a call, or that the caller of an earlier one no longer waits. */
export type MessageToPluginThread = PluginCall | { abort: number };
/** From the thread: what a call gave; `id` 0 is the list of the plugins that were loaded. */
export interface MessageFromPluginThread {
  id: number;
  text: string;
}

/** A key that a model asks for, and what it is told. The thread waits for it. */
export interface SecretRequest {
  id: number;
  /** The name that the settings give the model. */
  model: string;
  from: { env?: string; file?: string };
}
export interface SecretReply {
  id: number;
  text: string;
}

/** What a thread is started with. */
export interface PluginThreadData {
  path: string;
  port: MessagePort;
  secrets: MessagePort;
  /** Raised when a key has been told. */
  isReplied: Int32Array;
}

/** How a call ended: with a value, or with an error, whose `code` is null where the plugin threw something of its own. */
export type CallResult =
  | { ok: true; value?: unknown }
  | { ok: false; code: FeatureErrorCode | null; hint: string; problem?: string };

/** A plugin's own words for the operator: one line, and not a long one. */
const hintText = (hint: string): string =>
  hint
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 300);

/** An error as it leaves a thread: of what is no ModelError not even the text, since it may hold what was submitted. */
export function toErrorResult(error: unknown): CallResult {
  return isModelError(error)
    ? { ok: false, code: error.code, hint: hintText(String(error.hint)) }
    : { ok: false, code: null, hint: '' };
}

/** The text of how a call ended. A value that is too long, or no data, becomes an error. */
export function serializeResult(ended: CallResult): string {
  try {
    const text = JSON.stringify(ended);
    if (text.length <= MAX_MESSAGE_LENGTH) return text;
    return JSON.stringify(
      toErrorResult(new ModelError('model_answer_too_large', 'The plugin gave too long an answer.')),
    );
  } catch {
    return JSON.stringify(
      toErrorResult(new ModelError('model_bad_answer', 'The plugin gave something that is not JSON.')),
    );
  }
}

const UNREADABLE_RESULT: CallResult = {
  ok: false,
  code: 'model_bad_answer',
  hint: 'The plugin’s thread sent something unreadable.',
};

/** Reads such a text. `__proto__` is left out wherever it stands. */
export function parseResult(text: unknown): CallResult {
  if (typeof text !== 'string' || text.length > MAX_MESSAGE_LENGTH) return UNREADABLE_RESULT;
  try {
    const ended: unknown = JSON.parse(text, (key, value: unknown) =>
      key === '__proto__' ? undefined : value,
    );
    return ended !== null && typeof ended === 'object' && 'ok' in ended
      ? (ended as CallResult)
      : UNREADABLE_RESULT;
  } catch {
    return UNREADABLE_RESULT;
  }
}

// What a plugin's thread tells of the plugins in it.
const shared = { name: v.string(), version: v.string() };

const featureManifest = v.pipe(
  v.object({
    ...shared,
    kind: v.literal('feature'),
    gives: v.picklist(SLOTS),
    facts: v.array(v.picklist([...new Set(Object.values(ALLOWED_FACTS).flat())])),
    advice: v.array(v.string()),
    jsonSchema: v.record(v.string(), v.unknown()),
    hasRules: v.boolean(),
  }),
  // The thread has looked at this too; but what is handed out is decided here.
  v.check(({ gives, facts }) => facts.every((fact) => ALLOWED_FACTS[gives].includes(fact))),
);
const modelManifest = v.object({
  ...shared,
  kind: v.picklist(['model', 'graph']),
  concurrency: v.optional(v.number()),
  opens: v.boolean(),
});

export const MANIFESTS_SCHEMA = v.array(v.union([featureManifest, modelManifest]));
export type FeatureManifest = v.InferOutput<typeof featureManifest>;
export type ModelManifest = v.InferOutput<typeof modelManifest>;
export type PluginManifest = FeatureManifest | ModelManifest;

/** A plugin as data: what the server needs of it without its functions. */
export function createManifest(plugin: AnyFeature | AnyModel | AnyGraph): PluginManifest {
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
