import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readFeatureSettings } from '../../src/features/settings.ts';
import { runHere } from '../kit/cli.ts';
import { openModelServer, says, status } from '../kit/models/server.ts';
import type { ModelServer } from '../kit/models/server.ts';

const dir = mkdtempSync(join(tmpdir(), 'bonafide-features-'));
let server: ModelServer;
beforeAll(async () => {
  vi.stubEnv('GOOD_KEY', 'sk-good');
  server = await openModelServer();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(dir, { recursive: true });
});

const run = (...args: string[]) => runHere(['features', ...args, '--data-dir', dir]);
const settings = () => readFeatureSettings(join(dir, 'features.json'));

test('use, off, on and list write the settings and show them', async () => {
  const options = [
    '--set',
    `url=${server.url}`,
    '--set',
    'model=tiny-1',
    '--set',
    'key_env=GOOD_KEY',
    '--set',
    'temperature=0',
  ];
  const used = await run(
    'use',
    'narrative',
    'local',
    '--plugin',
    'openai-compatible',
    ...options,
    '--fallback',
    'rules',
    '--deadline',
    '3s',
  );
  expect(used).toMatchObject({ code: 0, stderr: '' });
  expect(used.stdout).toMatch(
    /trust_enhancement +on +narrative +local \(tiny-1\) at \S+ +falls back to rules +deadline 3 s/,
  );
  expect(settings().features.trust_enhancement).toMatchObject({
    model: 'local',
    fallback: 'rules',
    deadline_ms: 3_000,
  });
  expect(settings().models['local']?.options).toEqual({
    url: server.url,
    model: 'tiny-1',
    key_env: 'GOOD_KEY',
    temperature: 0,
  });

  await run('off', 'fraud');
  expect(settings().features.fraud_detection.on).toBe(false);
  await run('on', 'fraud_detection');
  const listed = JSON.parse((await run('list', '--json')).stdout) as { features: object[] };
  expect(listed.features[1]).toMatchObject({ feature: 'fraud_detection', on: true, model: 'rules' });
});

test('features test says in plain words what is wrong with key, address and output', async () => {
  server.answer(status(401));
  const refused = await run('test', 'narrative');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(
    /FAILED trust_enhancement with local.*did not accept the configured key.*Check the key/,
  );
  server.answer(status(404));
  expect((await run('test', 'narrative')).stdout).toMatch(/Check the url \(it usually ends in \/v1\)/);
  server.answer(says('I am a teapot'));
  expect((await run('test', 'narrative')).stdout).toMatch(
    /\. The model may be too small to follow a JSON schema/,
  );
  expect((await run('test', 'fraud')).stdout).toMatch(/^ok +fraud_detection with rules/);
});

test.each([
  [['use', 'narrative', 'nope'], /There is no model "nope"; known are local, anthropic/],
  [
    ['use', 'poetry', 'rules'],
    /There is no feature poetry. The features are trust_enhancement, fraud_detection, name_matching/,
  ],
  [['use', 'fraud', 'x', '--set', 'a=1'], /The model x is not configured\. Name its plugin with --plugin/],
  [['use', 'fraud', 'x', '--plugin', 'anthropic', '--set', 'modle=m'], /options: modle is not a setting/],
  [
    ['use', 'fraud', 'x', '--plugin', 'anthropic', '--set', 'model=m', '--set', 'key_env=sk-secret-1'],
    /must be the name of an environment variable/,
  ],
])('%j is one clear line, and changes nothing', async (args, says) => {
  const before = JSON.stringify(settings());
  const { code, stdout, stderr } = await run(...args);
  expect(code).toBeGreaterThan(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain('sk-secret');
  expect(JSON.stringify(settings())).toBe(before);
});

test('a feature whose plugin is missing can be turned off or given another model, and nothing else is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-missing-'));
  const file = join(folder, 'features.json');
  const there = (...args: string[]) => runHere([...args, '--data-dir', folder]);
  const broken = { fraud_detection: { model: 'gone' }, name_matching: { plugin: 'gone' } };
  writeFileSync(file, JSON.stringify({ features: broken }));
  const listed = await there('features', 'list');
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/fraud_detection +off .*\n/);
  expect(listed.stdout).toContain('"bonafide features use fraud_detection rules"');
  const diagnosed = await there('doctor');
  expect(diagnosed.stdout).toMatch(/BAD +models +fraud_detection with gone.* is off, since features\.json/);
  expect(diagnosed.stdout).toMatch(/BAD +models +name_matching/);
  expect(diagnosed.stdout).toMatch(/ok +models +trust_enhancement/);
  expect((await there('features', 'on', 'fraud')).code).toBe(0);
  expect((await there('features', 'use', 'fraud', 'nothing')).stderr).toContain(
    'There is no model "nothing"',
  );
  expect((await there('features', 'use', 'fraud', 'rules')).code).toBe(0);
  expect((await there('features', 'off', 'name-matching')).code).toBe(0);
  expect((await there('features', 'on', 'name-matching')).stderr).toContain(
    'name_matching has no plugin "gone"',
  );
  const test = await there('features', 'test');
  expect(test.code).toBe(0);
  rmSync(folder, { recursive: true });
});

test('a feature whose plugin fails is reported by list and doctor, and can be given another model', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-failing-'));
  const plugin = join(folder, 'odd.mjs');
  writeFileSync(
    plugin,
    `import { defineModel, v } from 'bonafide/plugin';
export default defineModel({ name: 'odd', version: '1.0.0', options: v.looseObject({}),
  label: () => { throw new Error('x') }, generate: ({ rules }) => rules() });\n`,
  );
  const there = (...args: string[]) => runHere([...args, '--plugins', plugin, '--data-dir', folder]);
  writeFileSync(
    join(folder, 'features.json'),
    JSON.stringify({ features: { fraud_detection: { model: 'odd' }, trust_enhancement: { model: 'odd' } } }),
  );
  const failed = 'Model "odd" cannot be set up, because the plugin "odd" failed: it threw an error.';
  expect(await there('features', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining(failed) });
  expect((await there('doctor')).stdout).toMatch(
    /BAD +models +fraud_detection with odd.* is off, since its plugin/,
  );
  expect((await there('features', 'use', 'name-matching', 'odd')).stderr).toBe(`error: ${failed}\n`);
  expect(await there('features', 'use', 'fraud', 'rules')).toMatchObject({ code: 0, stderr: '' });
  rmSync(folder, { recursive: true });
});
