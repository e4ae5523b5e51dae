// The contract that every feature and every model keeps, Bonafide's own and an operator's alike. Each function gives a
// list of broken clauses, empty when all is well, so that any test runner can use it:
//     expect(await modelProblems(myModel, { options: { url } })).toEqual([]);
// or, without one: node test/kit/contract.ts my-plugin.ts --options '{"url":"http://127.0.0.1:11434/v1"}'
import { resolve } from 'node:path';
import * as v from 'valibot';
import type { AnyFeature, AnyModel, Ask, FactName, Facts } from '../../src/features/define.ts';
import { allowedFacts, factsFor } from '../../src/features/facts.ts';
import { guard } from '../../src/features/guard.ts';
import { loadPlugin, pluginProblem } from '../../src/features/load.ts';
import { jsonSchemaOf } from '../../src/features/setup.ts';
import { slotSchemas } from '../../src/features/slots.ts';
import { clock, intents, requestOf } from './features.ts';
import { patterns } from './patterns.ts';

type Problems = string[];

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}

/** The declared facts, frozen; reading any other is noted. */
function watched(facts: Partial<Facts>, declared: readonly FactName[], problems: Problems): Partial<Facts> {
  return new Proxy(deepFreeze(facts), {
    get(target, key) {
      if (typeof key === 'string' && !(key in target))
        problems.push(`reads the fact "${key}", which it does not declare (${declared.join(', ')})`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Strings and lists without a limit let a model answer at any length. */
function unbounded(schema: Record<string, unknown>, path = 'answer'): Problems {
  const { type, properties, items } = schema as {
    type?: string;
    properties?: object;
    items?: Record<string, unknown>;
  };
  const own =
    (type === 'string' && !('maxLength' in schema) && !('enum' in schema) && !('const' in schema)) ||
    (type === 'array' && !('maxItems' in schema));
  const below = Object.entries({ ...properties, ...(items ? { '[]': items } : {}) });
  return [
    ...(own ? [`${path} has no limit`] : []),
    ...below.flatMap(([key, part]) => unbounded(part as Record<string, unknown>, `${path}.${key}`)),
  ];
}

interface Sample {
  facts: Partial<Facts>;
  title: string;
}

async function samples(feature: AnyFeature): Promise<Sample[]> {
  const all = patterns.flatMap((pattern) => intents.map((intent) => ({ pattern, intent })));
  return Promise.all(
    all.map(async ({ pattern, intent }) => {
      const { verdict, names, stream } = requestOf(pattern, { intent });
      const matched =
        verdict.matchedName === null ? { provided: 'A B', matched: null, comparison: null } : names();
      const source = { intent, verdict, names: () => matched, stream, now: clock };
      return {
        title: `${pattern.title}, ${intent}`,
        facts: await factsFor(feature.facts as FactName[], source),
      };
    }),
  );
}

/** @returns what a feature breaks of the contract */
export async function featureProblems(
  feature: AnyFeature,
  given: { options?: unknown } = {},
): Promise<Problems> {
  const form = pluginProblem(feature);
  if (form) return [form];
  const problems: Problems = [];
  const parsed = feature.options
    ? v.safeParse(feature.options, given.options ?? {})
    : { success: true, output: {} };
  if (!parsed.success) return ['its options have no defaults: {} does not pass'];
  const options = parsed.output as never;
  problems.push(...unbounded(jsonSchemaOf(feature)));
  if (feature.facts.some((fact: FactName) => !allowedFacts[feature.gives].includes(fact)))
    problems.push('declares a fact that its slot may not have');
  for (const { facts, title } of await samples(feature)) {
    const handed = watched(facts, feature.facts as FactName[], problems);
    const found = trying(() => sampleProblems(feature, { facts, handed }, options));
    for (const problem of found) problems.push(`${title}: ${problem}`);
    if (problems.length > 20) break;
  }
  return problems;
}

function trying(work: () => Problems): Problems {
  try {
    return work();
  } catch (error) {
    return [`throws ${error instanceof Error ? error.message : 'something that is no Error'}`];
  }
}

interface Given {
  /** What the guard compares with. */
  facts: Partial<Facts>;
  /** The same facts as the feature gets them. */
  handed: Partial<Facts>;
}

function sampleProblems(feature: AnyFeature, { facts, handed }: Given, options: never): Problems {
  const brief = feature.brief(handed, options);
  const again = feature.brief(handed, options);
  if (JSON.stringify(brief) !== JSON.stringify(again)) return ['brief gives another object the second time'];
  if (!feature.system(brief, options).trim()) return ['system is empty'];
  if (!feature.rules) return [];
  const answer = feature.rules(brief, options);
  const checked = guard({
    answer,
    schema: feature.answer,
    jsonSchema: jsonSchemaOf(feature),
    advice: feature.advice ?? [],
    facts,
    brief,
  });
  if (!checked.ok) return checked.problems.map((problem) => `rules: ${problem}`);
  const own = feature.check?.(checked.value, brief) ?? [];
  if (own.length > 0) return own.map((problem) => `rules, by its own check: ${problem}`);
  const block = feature.finish(checked.value, { facts: handed, brief, options });
  const made = v.safeParse(slotSchemas[feature.gives], block);
  return made.success
    ? []
    : [`finish gives a block that is not as specified: ${v.getDotPath(made.issues[0]) ?? 'it'}`];
}

const simple = v.object({
  mood: v.picklist(['calm', 'wary']),
  words: v.pipe(v.array(v.pipe(v.string(), v.maxLength(12))), v.maxLength(2)),
});
const simpleSchema = {
  type: 'object',
  properties: {
    mood: { enum: ['calm', 'wary'], type: 'string' },
    words: { type: 'array', items: { type: 'string', maxLength: 12 }, maxItems: 2 },
  },
  required: ['mood', 'words'],
};

export interface ModelCase {
  options?: unknown;
  env?: Record<string, string>;
  /** False for a model that cannot answer here (no server, no weights): then only form and abort are checked. */
  answers?: boolean;
  /** Longest time a question may take; default 10 s. */
  withinMs?: number;
}

/** @returns what a model breaks of the contract */
export async function modelProblems(
  model: AnyModel,
  { options = {}, env = {}, answers = true, withinMs = 10_000 }: ModelCase = {},
): Promise<Problems> {
  const form = pluginProblem(model);
  if (form) return [form];
  const parsed = model.options ? v.safeParse(model.options, options) : { success: true, output: options };
  if (!parsed.success) return ['the options of the test case do not pass its schema'];
  const secret = (from: { env?: string }): string | undefined => (from.env ? env[from.env] : undefined);
  const problems: Problems = [];
  const label = model.label?.(parsed.output as never) ?? model.name;
  if (!label || Object.values(env).some((key) => label.includes(key)))
    problems.push('its label is empty or holds a key');
  const state: unknown = await model.open?.({ options: parsed.output, secret } as never);
  const generate = (over: Partial<Ask>): Promise<unknown> =>
    Promise.resolve().then(() =>
      model.generate(askWith(over), { options: parsed.output, state, secret } as never),
    );
  if (answers) {
    problems.push(...(await answerProblems(() => generate({}), withinMs)));
    const repair = { answer: '{"mood":"odd"}', problems: ['mood: expected calm or wary'] };
    problems.push(
      ...(await answerProblems(() => generate({ repair }), withinMs)).map((problem) => `repair: ${problem}`),
    );
  }
  if (!(await settles(generate({ signal: AbortSignal.abort() }))))
    problems.push('does not settle when its signal is aborted already');
  const later = new AbortController();
  const running = generate({ signal: later.signal });
  setTimeout(() => later.abort(), 5);
  if (!(await settles(running))) problems.push('does not settle when its signal is aborted on the way');
  await model.close?.(state as never);
  return problems;
}

function askWith(over: Partial<Ask>): Ask {
  return deepFreezeButSignal({
    system: 'Say whether you are calm or wary, in up to two short words.',
    facts: { weather: 'fair' },
    schema: simpleSchema,
    signal: new AbortController().signal,
    rules: () => ({ mood: 'calm', words: ['fair'] }),
    ...over,
  });
}

function deepFreezeButSignal({ signal, rules, ...rest }: Ask): Ask {
  return Object.freeze({ ...deepFreeze(rest), signal, rules });
}

async function answerProblems(generate: () => Promise<unknown>, withinMs: number): Promise<Problems> {
  const started = performance.now();
  try {
    const answer = await generate();
    const checked = guard({
      answer,
      schema: simple,
      jsonSchema: simpleSchema,
      advice: [],
      facts: {},
      brief: {},
    });
    if (!checked.ok && checked.code === 'model_bad_answer') return checked.problems;
  } catch (error) {
    return [
      `throws ${error instanceof Error ? `${error.name}: ${error.message} ${(error as { hint?: string }).hint ?? ''}` : 'something that is no Error'}`,
    ];
  }
  const took = performance.now() - started;
  return took > withinMs ? [`took ${Math.round(took)} ms`] : [];
}

/** Whether a promise ends, well or badly, within a second. */
function settles(promise: Promise<unknown>): Promise<boolean> {
  const ended = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, new Promise<boolean>((done) => setTimeout(() => done(false), 1_000).unref())]);
}

if (process.argv[1] === import.meta.filename) {
  const [, , file = '', flag, json = '{}'] = process.argv;
  const options: unknown = flag === '--options' ? JSON.parse(json) : {};
  for (const plugin of loadPlugin(resolve(file))) {
    const found =
      plugin.kind === 'feature'
        ? await featureProblems(plugin, { options })
        : await modelProblems(plugin, { options });
    console.log(
      `${plugin.kind} ${plugin.name} ${plugin.version}: ${found.length === 0 ? 'keeps the contract' : `breaks it\n- ${found.join('\n- ')}`}`,
    );
    if (found.length > 0) process.exitCode = 1;
  }
}
