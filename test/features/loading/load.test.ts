import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadPlugins } from '../../../src/features/load-plugins.ts';
import type { PluginRegistry } from '../../../src/features/load-plugins.ts';
import { openFeatures } from '../../../src/features/open.ts';
import { ModelError } from '../../../src/features/plugin/errors.ts';
import { requestOf, solid } from '../../kit/models/features.ts';

let dir: string;
let log: string[];
const logger = { info: (line: string) => log.push(line), warn: (line: string) => log.push(`warn: ${line}`) };
const load = (optional: string[] = []) => opened(loadPlugins({ paths: [dir], optional, log: logger }));

async function opened(loading: Promise<PluginRegistry>): Promise<PluginRegistry> {
  const plugins = await loading;
  onTestFinished(() => plugins.close());
  return plugins;
}

const model = (name: string, body = 'return rules();'): string =>
  `import { defineModel } from 'bonafide/plugin';
export default defineModel({ name: '${name}', version: '2.3.4', generate({ rules }) { ${body} } });`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bonafide-plugins-'));
  log = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

test('Bonafide’s own plugins come through the loader, named with their versions', async () => {
  const { features, models } = await load();
  expect([...features.keys()]).toEqual(['fraud', 'name-matching', 'narrative']);
  expect([...models.keys()]).toEqual(['anthropic', 'llama', 'openai-compatible', 'rules']);
  expect(log).toEqual([expect.stringMatching(/^plugins built in: .*narrative 1\.0\.0/)]);
});

test('an operator’s .mjs, .ts and package folder load with no node_modules beside them', async () => {
  writeFileSync(join(dir, 'plain.mjs'), model('plain'));
  writeFileSync(join(dir, 'typed.ts'), `${model('typed')}\nexport const used: number = 1;`);
  mkdirSync(join(dir, 'packed/lib'), { recursive: true });
  writeFileSync(join(dir, 'packed/package.json'), '{ "type": "module", "main": "lib/start.js" }');
  writeFileSync(join(dir, 'packed/lib/start.js'), model('packed'));
  const { models } = await load();
  expect([...models.keys()].slice(4)).toEqual(['packed', 'plain', 'typed']);
  expect(log).toContain(`plugin plain 2.3.4 (model, ${join(dir, 'plain.mjs')})`);
});

test('`main` of a package folder may be a folder, whose file is checked as any other', async () => {
  mkdirSync(join(dir, 'packed/lib'), { recursive: true });
  writeFileSync(join(dir, 'packed/package.json'), '{ "type": "module", "main": "lib" }');
  const entry = join(dir, 'packed/lib/index.js');
  writeFileSync(entry, model('packed'));
  expect((await load()).models.has('packed')).toBe(true);
  rmSync(entry);
  execFileSync('mkfifo', [entry]);
  await expect(load()).rejects.toThrow(/index\.js is a named pipe/);
});

test('one file is a plugin by its path, and several paths are loaded in order', async () => {
  writeFileSync(join(dir, 'b.mjs'), model('b'));
  writeFileSync(join(dir, 'a.mjs'), model('a'));
  const paths = [join(dir, 'b.mjs'), join(dir, 'a.mjs')];
  const { models } = await opened(loadPlugins({ paths, optional: [], log: logger }));
  expect([...models.keys()].slice(4)).toEqual(['b', 'a']);
});

test('an operator’s model answers a feature once the settings choose it', async () => {
  writeFileSync(join(dir, 'house.mjs'), model('house'));
  const settingsFile = join(dir, 'features.json');
  writeFileSync(settingsFile, JSON.stringify({ features: { trust_enhancement: { model: 'house' } } }));
  const features = await openFeatures({ settingsFile, plugins: [dir] });
  expect(await features.insights(requestOf(solid))).toMatchObject({
    trust_enhancement: { ai_enabled: true, model: 'house' },
  });
  await features.close();
});

const broken: [what: string, text: string, says: RegExp][] = [
  ['a file that throws', 'throw new Error("no such thing\\nstack")', /does not load: no such thing\.$/],
  ['a file with a syntax error', 'export default {', /does not load: [^\n]+\.$/],
  ['a file without a plugin', 'export default 5;', /default export/],
  ['a model without a version', `export default { kind: 'model', name: 'x', generate() {} };`, /version/],
  [
    'a version that continues after its numbers',
    model('odd').replace(/version: '[^']*'/, "version: '1.0.0\\u001b[2J<b>'"),
    /`version` must be a text of three numbers/,
  ],
  [
    'an error with control characters',
    `throw new Error('no \\u001b[2J such');`,
    /does not load: no \[2J such\.$/,
  ],
  ['an error of 100 KB', `throw new Error('x'.repeat(1e5));`, /^.{0,2000}$/],
  ['a name that is taken', model('rules'), /the model name "rules" is taken/],
  [
    'a narrative that wants the names',
    `import { defineFeature, v } from 'bonafide/plugin';
     export default defineFeature({ name: 'nosy', version: '1.0.0', gives: 'trust_enhancement', facts: ['names'],
       answer: v.object({}), brief: (f) => f, system: () => 'x', finish: () => ({}) });`,
    /may not have the fact "names"/,
  ],
];

test.each(['missing.mjs', 'odd.mjs'])('a symbolic link to %s is told like a broken file', async (target) => {
  symlinkSync(target, join(dir, 'odd.mjs'));
  const start = openFeatures({ settingsFile: join(dir, 'none.json'), plugins: [dir] });
  await expect(start).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(/^plugin [^\n]*odd\.mjs does not load: [^\n]*$/),
  });
  expect((await load(['odd'])).models.has('rules')).toBe(true);
});

test('a file name with control characters is refused, and not printed', async () => {
  writeFileSync(join(dir, 'odd\u001b[2J.mjs'), model('odd'));
  const start = openFeatures({ settingsFile: join(dir, 'none.json'), plugins: [dir] });
  await expect(start).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(/odd\?\[2J\.mjs contains control characters/),
  });
});

test('a plugin file that is a named pipe is refused, and not waited for', async () => {
  execFileSync('mkfifo', [join(dir, 'odd.mjs')]);
  const start = openFeatures({ settingsFile: join(dir, 'none.json'), plugins: [dir] });
  await expect(start).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(/^plugin \S*odd\.mjs does not load: \S*odd\.mjs is a named pipe/),
  });
});

test('a deadline that ended while the thread was starting ends the call as well', async () => {
  writeFileSync(join(dir, 'silent.mjs'), model('silent', 'return new Promise(() => {});'));
  const silent = (await load()).models.get('silent');
  const running = silent?.start({ name: 'silent', options: {}, settings: {}, secret: () => undefined });
  const signal = AbortSignal.abort(new ModelError('model_timeout'));
  const answer = running?.generate({ system: '', facts: {}, schema: {}, signal });
  await expect(answer).rejects.toMatchObject({ code: 'model_unavailable' });
});

describe.each(broken)('%s', (_, text, says) => {
  test('stops the start with one line that names it', async () => {
    writeFileSync(join(dir, 'odd.mjs'), text);
    const start = openFeatures({ settingsFile: join(dir, 'none.json'), plugins: [dir] });
    await expect(start).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^[^\n]*odd\.mjs[^\n]*$/),
    });
    await expect(start).rejects.toThrow(says);
  });

  test('is skipped and told when it is marked optional', async () => {
    writeFileSync(join(dir, 'odd.mjs'), text);
    expect((await load(['odd'])).models.has('rules')).toBe(true);
    expect(log.join('\n')).toMatch(/^warn: plugin .*odd\.mjs .*marked optional and was skipped/m);
  });
});

test('a plugin folder that is not there is told', async () => {
  const loading = loadPlugins({ paths: [join(dir, 'nowhere')], optional: [], log: logger });
  await expect(loading).rejects.toThrow(/does not exist/);
});
