// A submitted name cannot control the text of a model. The model is a real HTTP server that obeys every instruction in the name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFeatures } from '../../../src/features/open.ts';
import { compareNames } from '../../../src/names/index.ts';
import { requestOf, solid } from '../../kit/models/features.ts';
import { freshFolder } from '../../kit/folder.ts';
import { openModelServer, says } from '../../kit/models/server.ts';
import type { ModelServer } from '../../kit/models/server.ts';

interface Block {
  model: string;
  provided_name: string;
  error?: { code: string };
  name_analysis?: { explanation: string; concerns: string[] };
}

let server: ModelServer;
beforeAll(async () => {
  server = await openModelServer();
});
afterAll(() => server.close());

async function blockOf(
  provided: string,
  said: (name: string) => object,
  matched = 'Robert Hale',
): Promise<Block> {
  const settingsFile = join(freshFolder(), 'features.json');
  const comparison = compareNames(provided, matched);
  writeFileSync(
    settingsFile,
    JSON.stringify({
      features: { name_matching: { model: 'local' } },
      models: { local: { plugin: 'openai-compatible', options: { url: server.url, model: 'tiny-1' } } },
    }),
  );
  const { confidence, same } = comparison;
  server.answer(
    says({
      match_confidence: Math.round(confidence),
      same_person_likely: same,
      concerns: [],
      ...said(provided),
    }),
  );
  const features = await openFeatures({ settingsFile });
  const names = () => ({ provided, matched, comparison });
  const insights = (await features.insights(requestOf(solid, { names }))) as { name_matching: Block };
  await features.close();
  return insights.name_matching;
}
const textsOf = ({ name_analysis: it }: Block): string =>
  it ? [it.explanation, ...it.concerns].join(' ') : '';

test.each([
  'Robert Hale Criminal Record Since Long',
  'Robert Hale Has Unpaid Debts',
  'Robert Hale Wanted For Theft',
  'Robert Hale www.evil.example',
  'Robert Hale Evil.com',
  'Robert Hale Score 99',
  'Robert Hale Was Evicted',
])('“%s” reaches no model, and no text repeats what it says', async (provided) => {
  const before = server.asked.length;
  const block = await blockOf(provided, (name) => ({ explanation: name, concerns: [name] }));
  expect(server.asked).toHaveLength(before);
  expect(block).toMatchObject({ model: 'rules', provided_name: provided });
  expect(textsOf(block)).not.toMatch(/criminal|debt|theft|evil|99|evicted/i);
  expect(textsOf(block)).not.toBe('');
});

test.each([
  ['the name and nothing else', (name: string) => ({ explanation: `${name}.` })],
  ['the name as a concern', (name: string) => ({ explanation: 'The names agree.', concerns: [name] })],
  ['the name within a sentence', (name: string) => ({ explanation: `It is known that ${name}.` })],
])('a sentence for a name comes back in no answer: %s', async (_, said) => {
  const block = await blockOf('Robert Hale Lies To Everybody He Meets Online', said);
  expect(block.error?.code).toBe('answer_rejected');
});

test('a figure that stands in a name on record makes it no fact', async () => {
  const block = await blockOf(
    'Robert Hale',
    () => ({ explanation: 'They agree to 77 parts.' }),
    'Robert Hale 77',
  );
  expect(block.model).toBe('rules');
  expect(textsOf(block)).not.toContain('77');
});

test('what is repeated of the submitted name is marked as a quote, by a model and by the rules', async () => {
  const byModel = await blockOf('Bob Hale', (name) => ({ explanation: `${name} is short for Robert Hale.` }));
  expect(byModel).toMatchObject({ model: 'tiny-1' });
  expect(byModel.name_analysis?.explanation).toBe('“Bob Hale” is short for Robert Hale.');
  const byRules = await blockOf('Anna Maria Kowalska', () => ({ explanation: 'x', match_confidence: 100 }));
  expect(textsOf(byRules)).toContain('“Anna Maria');
});

test('an ordinary name in an ordinary sentence passes', async () => {
  const block = await blockOf('Bob Hale', () => ({ explanation: 'Bob is a short form of Robert.' }));
  expect(block.name_analysis?.explanation).toBe('Bob is a short form of Robert.');
});
