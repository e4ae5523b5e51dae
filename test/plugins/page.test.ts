import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPluginsFromPath } from '../../src/features/plugin-file.ts';
import type { AnyPlugin } from '../../src/features/plugin-file.ts';
import { openFeatures } from '../../src/features/open.ts';
import { ALLOWED_FACT_NAMES_BY_FEATURE, AI_INSIGHTS_PART_NAMES } from '../../src/features/plugin/facts.ts';
import {
  FEATURE_PLUGIN_PROPERTY_RULES,
  GRAPH_PLUGIN_PROPERTY_RULES,
  MODEL_PLUGIN_PROPERTY_RULES,
} from '../../src/features/plugin/member-rules.ts';
import { GRAPH_PLUGIN_ANSWER_SCHEMA } from '../../src/features/plugin/graph.ts';
import * as contract from '../../src/features/plugin/index.ts';
import { featureProblems, graphProblems, modelProblems } from '../../src/features/plugin/test/index.ts';
import { requestOf, solid } from '../kit/models/features.ts';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { openModelServer } from '../kit/models/server.ts';
import type { ModelServer } from '../kit/models/server.ts';
import { acme } from '../kit/graphs/acme.ts';
import { codeIn, textOf } from '../kit/pages.ts';
import { filesOfPage, savePage } from '../kit/models/plugins-page.ts';

const page = textOf('data/docs/plugins.md');
let server: ModelServer;

beforeAll(async () => {
  server = await openModelServer();
  server.answer((response) => {
    const content = JSON.stringify({ mood: 'calm', words: ['fair'] });
    response.end(JSON.stringify({ message: { role: 'assistant', content } }));
  });
});
afterAll(() => server.close());

function saved(name: string): { plugin: AnyPlugin; path: string } {
  const folder = freshFolder();
  savePage(folder);
  const path = join(folder, name);
  const [plugin] = loadPluginsFromPath(path);
  if (!plugin) throw new Error(`${name} exports no plugin`);
  return { plugin, path };
}

describe('what the page says to save', () => {
  test('is a model, three features, a graph, a tsconfig and a test', () => {
    expect([...filesOfPage().keys()]).toEqual([
      'ollama.mjs',
      'short-narrative.ts',
      'simple-fraud.ts',
      'strict-names.ts',
      'acme-graph.mjs',
      'tsconfig.json',
      'contract.ts',
    ]);
  });

  test('the model keeps the contract, in thirty lines', async () => {
    const { plugin } = saved('ollama.mjs');
    if (plugin.kind !== 'model') throw new Error('no model');
    const options = { model: 'tiny', url: server.url };
    expect(await modelProblems(plugin, { options })).toEqual([]);
    expect(filesOfPage().get('ollama.mjs')?.trim().split('\n').length).toBeLessThanOrEqual(30);
  });

  test('the graph keeps the contract', async () => {
    const { plugin } = saved('acme-graph.mjs');
    if (plugin.kind !== 'graph') throw new Error('no graph');
    const vendor = await acme();
    expect(await graphProblems(plugin, { options: { url: vendor.url } })).toEqual([]);
  });

  test('the feature keeps the contract, and answers once the settings choose it', async () => {
    const { plugin, path } = saved('short-narrative.ts');
    if (plugin.kind !== 'feature') throw new Error('no feature');
    expect(await featureProblems(plugin)).toEqual([]);
    const folder = freshFolder();
    const args = ['--plugins', path, '--data-dir', folder];
    const used = await runHere([
      'features',
      'use',
      'narrative',
      'rules',
      '--feature-plugin',
      plugin.name,
      ...args,
    ]);
    expect(used).toMatchObject({ code: 0, stderr: '' });
    const features = await openFeatures({ settingsFile: join(folder, 'features.json'), plugins: [path] });
    const insights = await features.insights(requestOf(solid));
    await features.close();
    expect(insights).toMatchObject({
      trust_enhancement: { ai_trust_analysis: { summary: '4 of 4 contacts matched, and the score is 94.' } },
      overview: { review_priority: 'AUTO_APPROVE' },
    });
  });
});

test.each([
  ['simple-fraud.ts', 'fraud_detection', { fraud_analysis: { risk_level: 'LOW' }, history_analyzed: 0 }],
  ['strict-names.ts', 'name_matching', { name_analysis: { same_person_likely: true }, skipped: false }],
] as const)('the feature %s keeps the contract, and gives the block of %s', async (name, slot, block) => {
  const { plugin, path } = saved(name);
  if (plugin.kind !== 'feature') throw new Error('no feature');
  expect(await featureProblems(plugin)).toEqual([]);
  const settingsFile = join(freshFolder(), 'features.json');
  writeFileSync(settingsFile, JSON.stringify({ features: { [slot]: { plugin: plugin.name } } }));
  const features = await openFeatures({ settingsFile, plugins: [path] });
  const insights = await features.insights(requestOf(solid));
  await features.close();
  expect(insights).toMatchObject({ [slot]: { ai_enabled: true, ...block } });
});

/** Returns the code spans in the first column of the table with this head. */
function rowsOf(head: string): string[] {
  const table = page.split(`\n| ${head} |`)[1]?.split('\n\n')[0] ?? '';
  const cells = table.split('\n').slice(2);
  return cells.flatMap((line) => codeIn(line.split(/(?<!\\)\|/)[1] ?? ''));
}

describe('the tables of the page are the contract', () => {
  test('every key of a model, and no other', () => {
    expect(rowsOf('key of a model').toSorted()).toEqual(
      MODEL_PLUGIN_PROPERTY_RULES.map(([key]) => key).toSorted(),
    );
  });

  test('every key of a graph, and no other', () => {
    expect(rowsOf('key of a graph').toSorted()).toEqual(
      GRAPH_PLUGIN_PROPERTY_RULES.map(([key]) => key).toSorted(),
    );
  });

  test('every key of a finding and of a person, and no other', () => {
    expect(rowsOf('key of a finding').toSorted()).toEqual(
      Object.keys(GRAPH_PLUGIN_ANSWER_SCHEMA.entries).toSorted(),
    );
    const people = Object.keys(GRAPH_PLUGIN_ANSWER_SCHEMA.entries.people.pipe[0].item.entries);
    expect(rowsOf('key of a person').toSorted()).toEqual(people.toSorted());
  });

  test('every key of a feature, and no other', () => {
    const keys = ['gives', ...FEATURE_PLUGIN_PROPERTY_RULES.map(([key]) => key)];
    expect(rowsOf('key of a feature').toSorted()).toEqual(keys.toSorted());
  });

  test('every fact, and no other', () => {
    const facts = new Set(Object.values(ALLOWED_FACT_NAMES_BY_FEATURE).flat());
    expect(rowsOf('fact').toSorted()).toEqual([...facts].toSorted());
  });

  test('every block, and no other', () => {
    expect(rowsOf('slot')).toEqual([...AI_INSIGHTS_PART_NAMES]);
  });

  test('every helper, and no other', () => {
    const listed = rowsOf('helper').map((code) => code.replace(/\(.*/, ''));
    expect(listed.toSorted()).toEqual(Object.keys(contract).toSorted());
  });
});
