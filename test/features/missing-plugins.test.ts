// Features whose plugin is missing or fails are off, and all others go on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFeatures, type AiFeatures } from '../../src/features/open.ts';
import { requestOf, solid } from '../kit/models/features.ts';
import { freshFolder } from '../kit/folder.ts';

let dir: string;
let file: string;
let log: string[];
let features: AiFeatures;

beforeEach(() => {
  dir = freshFolder();
  file = join(dir, 'features.json');
  log = [];
});
afterEach(() => features.close());

const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
const open = async (plugins: string[] = []): Promise<void> => {
  const logger = { info: () => undefined, warn: (line: string) => log.push(line) };
  features = await openFeatures({ settingsFile: file, plugins, log: logger });
};
const ask = () => features.insights(requestOf(solid)) as Promise<Record<string, unknown>>;

const missing: [settings: object, says: string, use: string][] = [
  [
    { features: { fraud_detection: { plugin: 'narrative' } } },
    'fraud_detection has no plugin "narrative"; there is fraud.',
    'features use fraud_detection rules --feature-plugin fraud',
  ],
  [
    { features: { fraud_detection: { model: 'x' } } },
    'There is no model "x"',
    'features use fraud_detection rules"',
  ],
  [
    { models: { x: { plugin: 'gone' } }, features: { fraud_detection: { model: 'x' } } },
    'Model "x" needs the plugin "gone", which is not loaded.',
    'features use fraud_detection rules"',
  ],
];
test.each(missing)(
  '%j turns the feature off, and a line names file and command',
  async (settings, says, use) => {
    write(settings);
    await open();
    expect(log).toHaveLength(1);
    for (const part of [file, 'fraud_detection is off', says, use, 'bonafide features off fraud_detection'])
      expect(log[0]).toContain(part);
    const insights = await ask();
    expect(insights['fraud_detection']).toEqual({ ai_enabled: false, reason: 'Disabled' });
    expect(insights).toMatchObject({ ai_enabled: true, trust_enhancement: { ai_enabled: true } });
    const [narrative, fraud] = features.list();
    expect(narrative).toMatchObject({ on: true, problem: null });
    expect(fraud).toMatchObject({ on: false, problem: expect.stringContaining(says) });
  },
);

/** Saves a model plugin whose function `label`, which is called when the options are read, runs `body`. */
function savePlugin(body: string): string {
  const path = join(dir, 'odd.mjs');
  writeFileSync(
    path,
    `import { existsSync } from 'node:fs';
import { defineFeature, defineModel, v } from 'bonafide/plugin';
export default defineModel({ name: 'odd', version: '1.0.0', options: v.looseObject({}),
  label: () => { ${body} }, generate: ({ rules }) => rules() });\n`,
  );
  return path;
}

test.each([
  ['throws an error', "throw new Error('secret text')", 'it threw an error.'],
  ['does not end', 'for (;;);', 'its thread did not answer in time.'],
])('a model plugin whose label %s turns its feature off, and the rest goes on', async (_, body, reason) => {
  write({ features: { fraud_detection: { model: 'odd' } } });
  await open([savePlugin(body)]);
  const [narrative, fraud] = features.list();
  const problem = `fraud_detection is off, since its plugin fails. Model "odd" cannot be set up, because the plugin "odd" failed: ${reason} Correct the plugin and restart`;
  expect(log.at(-1)).toContain(`${file}: ${problem}`);
  expect(log.join()).not.toContain('secret text');
  expect(narrative).toMatchObject({ on: true, problem: null });
  expect(fraud).toMatchObject({ on: false, model: 'odd', problem: expect.stringContaining(problem) });
  const insights = await ask();
  expect(insights).toMatchObject({ fraud_detection: { reason: 'Disabled' }, ai_enabled: true });
  // Other changes apply, and the plugin cannot be chosen again.
  write({ features: { fraud_detection: { model: 'odd' }, name_matching: { on: false } } });
  await features.reload();
  expect(features.list().map(({ on }) => on)).toEqual([true, false, false]);
  write({ features: { trust_enhancement: { model: 'odd' } } });
  await expect(features.reload()).rejects.toThrow('Model "odd" cannot be set up');
});

test('a running feature whose plugin fails while other settings change is kept', async () => {
  const path = join(dir, 'odd.mjs');
  writeFileSync(
    path,
    `import { existsSync } from 'node:fs';
import { defineFeature, v } from 'bonafide/plugin';
export default defineFeature({ name: 'odd', version: '1.0.0', gives: 'name_matching', facts: [],
  options: v.pipe(v.object({}), v.transform(() => { if (existsSync(${JSON.stringify(join(dir, 'fail'))})) throw new Error('x'); return {}; })),
  answer: v.object({}), brief: () => ({}), system: () => 'x', rules: () => ({}), finish: () => ({}) });\n`,
  );
  write({ features: { name_matching: { plugin: 'odd' } } });
  await open([path]);
  writeFileSync(join(dir, 'fail'), '');
  const before = features.list()[2];
  expect(before).toMatchObject({ on: true, plugin: 'odd', problem: null });
  write({ features: { name_matching: { plugin: 'odd' }, fraud_detection: { on: false } } });
  await features.reload();
  expect(features.list().map(({ on }) => on)).toEqual([true, false, true]);
  expect(features.list()[2]).toEqual(before);
  write({ features: { name_matching: { plugin: 'odd', on: false } } });
  await features.reload();
  expect(features.list().map(({ on }) => on)).toEqual([true, true, false]);
});

test('a missing narrative plugin turns the narrative off, and not the overview and the fraud analysis', async () => {
  write({ features: { trust_enhancement: { plugin: 'gone', options: { tone: 'dry' } } } });
  await open();
  const disabled = { ai_enabled: false, reason: 'Disabled' };
  expect(await ask()).toMatchObject({
    ai_enabled: true,
    trust_enhancement: disabled,
    overview: { review_priority: 'AUTO_APPROVE' },
    fraud_detection: { ai_enabled: true },
  });
});

test('a plugin path that does not exist is logged, and checks go on', async () => {
  const gone = join(dir, 'gone.mjs');
  await open([gone]);
  expect(log).toEqual([
    `The plugin file or folder ${gone} does not exist. Check the path. It is named by the setting plugins and was skipped.`,
  ]);
  expect(await ask()).toMatchObject({ ai_enabled: true });
});

test('a change of the settings to a missing plugin keeps the settings in use', async () => {
  await open();
  write({ features: { fraud_detection: { model: 'x' } } });
  await expect(features.reload()).rejects.toThrow('There is no model "x"');
  expect(features.list()[1]).toMatchObject({ on: true, model: 'rules' });
});
