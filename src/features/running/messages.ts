// What passes between the server and a plugin's thread. The server's side is cloned data; the thread's is JSON text of
// bounded length, so that nothing but plain data comes out of it, however the plugin has changed its own world.
import type { MessagePort } from 'node:worker_threads';
import { isModelError, ModelError } from '../plugin/errors.ts';
import type { FeatureErrorCode } from '../plugin/errors.ts';

/** The longest answer of a thread, in UTF-16 units. */
export const LONGEST = 262_144;

export type Operation =
  | 'accept'
  | 'prepare'
  | 'rules'
  | 'parse'
  | 'check'
  | 'finish'
  | 'open'
  | 'generate'
  | 'close';

export interface Call {
  id: number;
  /** Which of the plugins that the file exports. */
  plugin: number;
  operation: Operation;
  given: unknown;
}
/** To the thread: a call, or that the caller of an earlier one no longer waits. */
export type ToThread = Call | { abort: number };
/** From the thread: what a call gave; `id` 0 is the list of the plugins that were loaded. */
export interface FromThread {
  id: number;
  text: string;
}

/** A key that a model asks for, and what it is told. The thread waits for it. */
export interface SecretAsked {
  id: number;
  /** The name that the settings give the model. */
  model: string;
  from: { env?: string; file?: string };
}
export interface SecretTold {
  id: number;
  text: string;
}

/** What a thread is started with. */
export interface ThreadData {
  path: string;
  port: MessagePort;
  secrets: MessagePort;
  /** Raised when a key has been told. */
  told: Int32Array;
}

/** How a call ended: with a value, or with an error, whose `code` is null where the plugin threw something of its own. */
export type Ended =
  | { ok: true; value?: unknown }
  | { ok: false; code: FeatureErrorCode | null; hint: string; problem?: string };

/** A plugin's own words for the operator: one line, and not a long one. */
const hintText = (hint: string): string =>
  hint
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 300);

/** An error as it leaves a thread: of what is no ModelError not even the text, since it may hold what was submitted. */
export function endedBy(error: unknown): Ended {
  return isModelError(error)
    ? { ok: false, code: error.code, hint: hintText(String(error.hint)) }
    : { ok: false, code: null, hint: '' };
}

/** The text of how a call ended. A value that is too long, or no data, becomes an error. */
export function packed(ended: Ended): string {
  try {
    const text = JSON.stringify(ended);
    if (text.length <= LONGEST) return text;
    return JSON.stringify(
      endedBy(new ModelError('model_answer_too_large', 'The plugin gave too long an answer.')),
    );
  } catch {
    return JSON.stringify(
      endedBy(new ModelError('model_bad_answer', 'The plugin gave something that is not JSON.')),
    );
  }
}

const BROKEN: Ended = {
  ok: false,
  code: 'model_bad_answer',
  hint: 'The plugin’s thread sent something unreadable.',
};

/** Reads such a text. `__proto__` is left out wherever it stands. */
export function unpacked(text: unknown): Ended {
  if (typeof text !== 'string' || text.length > LONGEST) return BROKEN;
  try {
    const ended: unknown = JSON.parse(text, (key, value: unknown) =>
      key === '__proto__' ? undefined : value,
    );
    return ended !== null && typeof ended === 'object' && 'ok' in ended ? (ended as Ended) : BROKEN;
  } catch {
    return BROKEN;
  }
}
