// Contract test of a model plugin: its form, an answer of the required schema, the repair attempt, and its reaction to an abort.
import * as v from 'valibot';
import { guardAnswer } from '../../guard/guard.ts';
import type { AnyModel, Ask, ModelContext } from '../define.ts';
import { describeInvalidPluginProperty } from '../member-rules.ts';
import { createSecretReader } from '../../model.ts';
import {
  callWithTimeout,
  doesPromiseSettle,
  CallTimeoutError,
  DEFAULT_CALL_TIMEOUT_MS,
  deepFreeze,
  listOptionProblems,
} from './helpers.ts';

/** Time limit (ms) of `open`, which may load model weights. */
const OPENS_WITHIN_MS = 60_000;
const schema = v.object({
  mood: v.picklist(['calm', 'wary']),
  words: v.pipe(v.array(v.pipe(v.string(), v.maxLength(12))), v.maxLength(2)),
});
const JSON_SCHEMA = {
  type: 'object',
  properties: {
    mood: { enum: ['calm', 'wary'], type: 'string' },
    words: { type: 'array', items: { type: 'string', maxLength: 12 }, maxItems: 2 },
  },
  required: ['mood', 'words'],
};
const REPAIR = { answer: '{"mood":"odd"}', problems: ['mood: expected calm or wary'] };

/** Options, environment and limits of one contract test of a model plugin. */
export interface ModelCase {
  options?: unknown;
  /** Environment variables that the plugin's `secret({ env })` reads. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * False if the model cannot answer in the test, because its server or weights are missing. Then only the plugin's members and its reaction to
   * an abort are tested.
   */
  answers?: boolean;
  /** Maximum duration of one question in milliseconds. Default: 10 s. */
  withinMs?: number;
}

type Generate = (over: Partial<Ask>) => Promise<unknown>;

function askWith(over: Partial<Ask>): Ask {
  const { signal = new AbortController().signal, rules, ...rest } = over;
  const question = deepFreeze({
    system: 'Say whether you are calm or wary, in up to two short words.',
    facts: { weather: 'fair' },
    schema: JSON_SCHEMA,
    ...rest,
  });
  return Object.freeze({ ...question, signal, rules: rules ?? (() => ({ mood: 'calm', words: ['fair'] })) });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no Error';
  const hint = 'hint' in error ? ` ${String(error.hint)}` : '';
  return `${error.name}: ${error.message}${hint}`;
}

async function answerProblems(generate: () => Promise<unknown>, withinMs: number): Promise<string[]> {
  const started = performance.now();
  try {
    const answer = await callWithTimeout('generate', generate, withinMs);
    const request = { schema, jsonSchema: JSON_SCHEMA, advice: [], facts: {}, brief: {} };
    const checked = guardAnswer({ answer, ...request });
    if (!checked.ok && checked.code === 'model_bad_answer') return checked.problems;
  } catch (error) {
    return [error instanceof CallTimeoutError ? error.message : `throws ${describe(error)}`];
  }
  const took = performance.now() - started;
  return took > withinMs ? [`took ${Math.round(took)} ms`] : [];
}

async function signalProblems(generate: Generate): Promise<string[]> {
  const problems: string[] = [];
  if (!(await doesPromiseSettle(generate({ signal: AbortSignal.abort() }))))
    problems.push('generate does not settle when its signal is aborted already');
  const later = new AbortController();
  const running = generate({ signal: later.signal });
  setTimeout(() => later.abort(), 5);
  if (!(await doesPromiseSettle(running)))
    problems.push('generate does not settle when its signal is aborted on the way');
  return problems;
}

/** Returns a function that reads API keys and remembers them, so that the test can detect a leaked key. */
function recordSecretReads(env: NonNullable<ModelCase['env']>) {
  const readSecrets: string[] = [];
  const read = createSecretReader(env);
  const secret: ModelContext['secret'] = (from) => {
    const value = read(from);
    if (value) readSecrets.push(value);
    return value;
  };
  return { secret, told: readSecrets };
}

async function runProblems(generate: Generate, answers: boolean, withinMs: number): Promise<string[]> {
  if (!answers) return signalProblems(generate);
  const first = await answerProblems(() => generate({}), withinMs);
  const again = await answerProblems(() => generate({ repair: REPAIR }), withinMs);
  return [...first, ...again.map((problem) => `repair: ${problem}`), ...(await signalProblems(generate))];
}

/**
 * Tests a model with three questions: a normal one, a repeated one with problems of the first answer, and one with an aborted signal. @returns
 * violations of the plugin contract, one sentence each; empty if there are none
 */
export async function modelProblems(
  model: AnyModel,
  { options: given = {}, env = {}, answers = true, withinMs = DEFAULT_CALL_TIMEOUT_MS }: ModelCase = {},
): Promise<string[]> {
  const form = describeInvalidPluginProperty(model);
  if (form) return [form];
  const parsed = model.options ? v.safeParse(model.options, given) : { success: true, output: given };
  if (!parsed.success) return listOptionProblems(model.options, given);
  const options = parsed.output as never;
  const { secret, told: secretsRead } = recordSecretReads(env);
  try {
    const state = (await callWithTimeout(
      'open',
      () => model.open?.({ options, secret }),
      OPENS_WITHIN_MS,
    )) as never;
    const generate: Generate = async (over) => model.generate(askWith(over), { options, state, secret });
    const problems = await runProblems(generate, answers, withinMs);
    await callWithTimeout('close', () => model.close?.(state));
    const label = model.label?.(options) ?? model.name;
    const leaks = !label || secretsRead.some((key) => label.includes(key));
    return leaks ? [...problems, 'its label is empty or holds a key'] : problems;
  } catch (error) {
    if (error instanceof CallTimeoutError) return [error.message];
    return [`open, close or label throws ${describe(error)}`];
  }
}
