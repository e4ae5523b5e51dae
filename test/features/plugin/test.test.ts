import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyFeature, AnyModel } from '../../../src/features/plugin/index.ts';
import { loadBuiltinPlugins } from '../../../src/features/load-plugins.ts';
import { extractFacts } from '../../../src/features/facts.ts';
import {
  factsOf,
  featureProblems,
  modelProblems,
  PATTERNS,
} from '../../../src/features/plugin/test/index.ts';
import { clock, requestOf } from '../../kit/models/features.ts';
import { openModelServer, says } from '../../kit/models/server.ts';
import type { ModelServer } from '../../kit/models/server.ts';

const plugins = loadBuiltinPlugins();
const names = (kind: string) => plugins.filter((one) => one.kind === kind).map(({ name }) => name);
const named = (name: string) => plugins.find((one) => one.name === name);
const model = (name: string): AnyModel => named(name) as AnyModel;
const feature = (name: string): AnyFeature => named(name) as AnyFeature;
const good = { mood: 'calm', words: ['fair'] };
let server: ModelServer;

beforeAll(async () => {
  server = await openModelServer();
});
afterAll(() => server.close());

test.each(names('feature'))('the feature %s keeps the contract', async (name) => {
  expect(await featureProblems(feature(name))).toEqual([]);
});

test('the model rules keeps the contract', async () => {
  expect(await modelProblems(model('rules'))).toEqual([]);
});

test('the model openai-compatible keeps the contract', async () => {
  server.answer(says(good));
  const options = { url: server.url, model: 'tiny', key_env: 'K' };
  expect(await modelProblems(model('openai-compatible'), { options, env: { K: 'sk-contract' } })).toEqual([]);
});

test('the model anthropic keeps the contract', async () => {
  server.answer((response) => {
    response.end(JSON.stringify({ content: [{ type: 'tool_use', name: 'answer', input: good }] }));
  });
  const options = { url: server.url, model: 'tiny', key_env: 'K' };
  expect(await modelProblems(model('anthropic'), { options, env: { K: 'sk-contract' } })).toEqual([]);
});

test('the facts of the samples are those that a check of the same pattern gives', async () => {
  for (const pattern of PATTERNS) {
    const { verdict, names, stream } = requestOf(pattern);
    const source = { intent: 'general' as const, verdict, names, stream, now: clock };
    const declared = ['intent', 'score', 'matches', 'history'] as const;
    const { intent, score, matches, history } = factsOf(pattern, 'general');
    expect(await extractFacts(declared, source)).toEqual({ intent, score, matches, history });
  }
});

describe('the contract is not kept by', () => {
  const narrative = feature('narrative');

  test('a feature that reads what it did not declare', async () => {
    const nosy = { ...narrative, facts: ['intent', 'score', 'matches'] } as AnyFeature;
    expect((await featureProblems(nosy)).join()).toContain(
      'reads the fact "history", which it does not declare',
    );
  });

  test('a narrative that asks for the names', async () => {
    const nosy = { ...narrative, facts: [...narrative.facts, 'names'] } as AnyFeature;
    expect(await featureProblems(nosy)).toEqual([expect.stringContaining('may not have the fact "names"')]);
  });

  test('a feature whose rules say what the facts do not hold', async () => {
    const liar = {
      ...narrative,
      rules: (brief: never) => ({
        ...(narrative.rules?.(brief, {} as never) as object),
        summary: 'All 9 emails match.',
      }),
    } as AnyFeature;
    expect((await featureProblems(liar)).join()).toContain('rules: summary');
  });

  test('a feature that makes another block than specified', async () => {
    const odd = { ...narrative, finish: () => ({ overview: {} }) } as unknown as AnyFeature;
    expect((await featureProblems(odd)).join()).toContain('does not match its schema');
  });

  test('a feature whose block misses a key: the key, its values and the samples are named once', async () => {
    const finish = narrative.finish as (...given: unknown[]) => Record<string, object>;
    const change = (...given: unknown[]) => {
      const { overview, ...rest } = finish(...given);
      return { ...rest, overview: { ...overview, review_priority: undefined, key_findings: 'none' } };
    };
    const wrong = { ...narrative, finish: change } as unknown as AnyFeature;
    const found = '(336 of 336 samples, first: everything agrees, long history, online-dating)';
    expect(await featureProblems(wrong)).toEqual([
      `the result of finish does not match its schema: overview.key_findings must be a list of at most 5 entries, each a text of 1 to 600 characters ${found}`,
      `the result of finish does not match its schema: overview.review_priority is missing; it must be one of "AUTO_APPROVE", "MANUAL_REVIEW", "AUTO_REJECT" ${found}`,
    ]);
  });

  test('a feature that fails for some samples: equal problems are one, with their number', async () => {
    const brief = narrative.brief as (...given: unknown[]) => unknown;
    const fails = (...given: unknown[]) => {
      const [{ score }] = given as [{ score: { score: number } }];
      if (score.score < 40) throw new Error(`no rule for ${score.score}`);
      return brief(...given);
    };
    const problems = await featureProblems({ ...narrative, brief: fails } as unknown as AnyFeature);
    expect(problems).toEqual([
      expect.stringMatching(/^throws no rule for \d+ \(\d+ of 336 samples, first: [^)]+\)$/),
    ]);
  });

  test('a model that ignores its signal, or answers in prose', async () => {
    const base = { kind: 'model', name: 'deaf', version: '1.0.0' } as const;
    const deaf = { ...base, generate: () => new Promise(() => undefined) } as AnyModel;
    expect(await modelProblems(deaf, { answers: false })).toHaveLength(2);
    const chatty = { ...base, generate: () => 'Well, hello!' } as AnyModel;
    expect((await modelProblems(chatty)).join()).toContain('not JSON');
  });
});
