// Faults of a plugin must affect only its own thread, and not the server. Each plugin is a real file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFeatures } from '../../../src/features/open.ts';
import type { AiFeatures } from '../../../src/features/open.ts';
import { getModuleFile } from '../../../src/platform/assets.ts';
import { clock, requestOf, solid } from '../../kit/models/features.ts';
import { freshFolder } from '../../kit/folder.ts';

/** A deadline that no answer meets, however slow the machine is. */
const PATIENT_MS = 60_000;

interface Block {
  ai_enabled: boolean;
  model: string;
  error?: { code: string };
}
type Insights = Record<'trust_enhancement' | 'overview' | 'fraud_detection' | 'name_matching', Block>;

let dir: string;
let features: AiFeatures;
let log: string[];
let time: number;

beforeEach(() => {
  dir = freshFolder();
  log = [];
  time = clock;
});
afterEach(() => features.close());

const ask = (): Promise<Insights> => features.insights(requestOf(solid)) as Promise<Insights>;
const codeOf = async (): Promise<string> => (await ask()).trust_enhancement.error?.code ?? 'ok';
/** Asks after the pause of the breaker. With a short deadline the first try may fail, because a busy machine starts no thread within it. */
const later = (): Promise<string> => ((time += 61_000), codeOf());
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Set {
  model?: object;
  narrative?: object;
  memoryMb?: number;
}

async function open({ model = {}, narrative = {}, memoryMb = 64 }: Set = {}): Promise<void> {
  const settings = {
    features: { trust_enhancement: { model: 'odd', deadline_ms: PATIENT_MS, ...narrative } },
    models: { odd: { plugin: 'odd', ...model } },
    plugin_memory_mb: memoryMb,
  };
  const settingsFile = join(dir, 'features.json');
  writeFileSync(settingsFile, JSON.stringify(settings));
  features = await openFeatures({
    settingsFile,
    plugins: [join(dir, 'odd.mjs')],
    env: { HOUSE_KEY: 'sk-house', OTHER_KEY: 'sk-other' },
    log: { info: () => undefined, warn: (line) => log.push(line) },
    now: () => time,
  });
}

/** Saves a plugin with a model that answers well unless `body` changes it. `first` is true for the first question of each thread. */
function savePlugin(body: string, rest = ''): void {
  writeFileSync(
    join(dir, 'odd.mjs'),
    `import { defineModel, v } from 'bonafide/plugin';
let asked = 0;
export default defineModel({ name: 'odd', version: '1.0.0', options: v.looseObject({}),
  ${rest}
  async generate({ rules, signal }, { options, state, secret }) {
    asked += 1; const first = asked === 1;
    ${body}
    return rules();
  } });\n`,
  );
}

const faults: [what: string, body: string, code: string][] = [
  [
    'a late throw while a question is open',
    "setTimeout(() => { throw new Error('late') }, 20); await new Promise(() => {});",
    'model_unavailable',
  ],
  [
    'an unhandled rejection',
    "void Promise.reject(new Error('unseen')); await new Promise(() => {});",
    'model_unavailable',
  ],
  ['process.exit', 'process.exit(7);', 'model_unavailable'],
  ['an endless loop', 'for (;;);', 'model_timeout'],
  ['a promise that never settles', 'await new Promise(() => {});', 'model_timeout'],
  [
    'a bomb of objects',
    'const kept = []; for (;;) kept.push({ kept: [...kept.slice(-9)] });',
    'model_unavailable',
  ],
  [
    'a bomb of buffers',
    'const kept = []; for (;;) kept.push(Buffer.alloc(16 << 20, 1));',
    'model_unavailable',
  ],
  ['an answer of a megabyte', "return 'x'.repeat(1e6);", 'model_answer_too_large'],
  [
    'an answer that is no data',
    'const answer = {}; answer.answer = answer; return answer;',
    'model_bad_answer',
  ],
];

describe.each(faults)('%s', (_, body, code) => {
  test('fails its block, the server goes on, the breaker opens, and a fresh thread answers', async () => {
    // A file in the folder makes the plugin behave well.
    savePlugin(`const { existsSync } = await import('node:fs');
      if (!existsSync(${JSON.stringify(join(dir, 'well'))})) { ${body} }`);
    await open({
      model: { breaker: { failures: 2, pause_ms: 60_000 } },
      narrative: code === 'model_timeout' ? { deadline_ms: 1_000 } : {},
    });
    const first = await ask();
    expect(first.trust_enhancement).toMatchObject({ ai_enabled: true, model: 'odd', error: { code } });
    expect(first.overview).toHaveProperty('review_priority');
    expect(first.fraud_detection.error).toBeUndefined();
    // A second fault of the same kind opens the breaker. The wait is long enough to end a late thread.
    await wait(code === 'model_timeout' ? 1_300 : 50);
    expect(await codeOf()).toBe(code);
    expect(await codeOf()).toBe('model_skipped');
    expect(features.list()[0]?.breaker).toBe('open');
    await wait(code === 'model_timeout' ? 1_300 : 50);
    writeFileSync(join(dir, 'well'), '');
    await expect.poll(later).toBe('ok');
    expect(log.join('\n')).not.toMatch(/late|unseen/);
  });
});

describe('between two questions', () => {
  test('a late exception is logged without its text, and the next question gets a new thread', async () => {
    savePlugin("if (first) setTimeout(() => { throw new Error('Zebulon Markworth') }, 30);");
    await open();
    expect(await codeOf()).toBe('ok');
    await expect.poll(() => log.join()).toMatch(/odd\.mjs: its thread threw an error/);
    expect(log.join()).not.toContain('Zebulon');
    expect(await codeOf()).toBe('ok');
  });

  test('a thread that dies each time is restarted after longer and longer pauses', async () => {
    // The thread dies after its answer has arrived, however long that took.
    const die = join(dir, 'die');
    savePlugin(`const { existsSync } = await import('node:fs');
      setInterval(() => { if (existsSync(${JSON.stringify(die)})) throw new Error('late'); }, 5);`);
    await open({ model: { breaker: { failures: 100, pause_ms: 1 } } });
    const deaths = () => log.filter((line) => line.includes('threw an error')).length;
    const answers: string[] = [];
    for (const later of [0, 0, 249, 1, 499, 1]) {
      time += later;
      const before = deaths();
      const answer = await codeOf();
      answers.push(answer);
      if (answer !== 'ok') continue;
      writeFileSync(die, '');
      await expect.poll(deaths).toBe(before + 1);
      rmSync(die);
    }
    expect(answers).toEqual(['ok', 'ok', 'model_unavailable', 'ok', 'model_unavailable', 'ok']);
  });
});

describe('what does not cross', () => {
  test('changes to built-in prototypes, and a __proto__ in an answer', async () => {
    savePlugin(`Object.prototype.polluted = true; Array.prototype.map = () => [];
      JSON.parse = () => ({}); Promise.prototype.then = Promise.prototype.then;
      const said = rules(); return JSON.stringify(said).replace('{', '{"__proto__":{"polluted":1},');`);
    await open();
    const { trust_enhancement: trust } = await ask();
    expect(trust.error).toBeUndefined();
    expect(trust).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
    expect([1].map((one) => one)).toEqual([1]);
  });

  test.each([
    ['no object', 'null'],
    ['an unknown code', `{ ...message, text: '{"ok":false,"code":"constructor","hint":{}}' }`],
  ])('a message in place of the answer, from a changed postMessage: %s', async (_, sent) => {
    savePlugin(`const { MessagePort } = await import('node:worker_threads'); const send = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (message) { send.call(this, ${sent}); send.call(this, message); };`);
    await open();
    expect(await codeOf()).toBe(sent === 'null' ? 'ok' : 'model_bad_answer');
  });

  test('the environment, the ports of the thread, and output of the plugin', async () => {
    const seen = join(dir, 'seen.json');
    savePlugin(`const threads = await import('node:worker_threads'); const { writeFileSync } = await import('node:fs');
      console.log('printed ' + JSON.stringify(rules())); threads.parentPort?.postMessage({ id: 1, text: '{"ok":true}' });
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.env, threads.workerData]));`);
    await open();
    expect(await codeOf()).toBe('ok');
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual([{}, {}]);
  });

  test('keys that its settings do not name', async () => {
    savePlugin(`if (secret({ env: options.key_env }) !== 'sk-house') throw new Error('no key');
      const got = [];
      for (const from of [{ env: 'OTHER_KEY' }, { file: '/etc/hostname' }, { env: '', file: '/etc/hostname' }])
        try { got.push(secret(from)); } catch (error) { got.push(error.code); }
      if (got.length !== 3 || got.some((code) => code !== 'model_misconfigured')) throw new Error(got.join());`);
    await open({ model: { options: { key_env: 'HOUSE_KEY', empty: '' } } });
    expect(await codeOf()).toBe('ok');
  });
});

test('open, close and the state between them stay in the thread', async () => {
  const told = join(dir, 'told');
  savePlugin(
    "if (state.say() !== 'open') throw new Error('no state');",
    `async open() { return { say: () => 'open' }; },
     async close(state) { const { writeFileSync } = await import('node:fs'); writeFileSync(${JSON.stringify(told)}, state.say()); },`,
  );
  await open();
  expect(await codeOf()).toBe('ok');
  await features.close();
  expect(readFileSync(told, 'utf8')).toBe('open');
});

test('a model is notified when its caller disconnects, and its thread goes on', async () => {
  const told = join(dir, 'told');
  savePlugin(`if (first) return rules();
    await new Promise((done) => signal.addEventListener('abort', done));
    (await import('node:fs')).writeFileSync(${JSON.stringify(told)}, ''); throw signal.reason;`);
  await open({ narrative: { deadline_ms: 1_000 } });
  await expect.poll(later).toBe('ok');
  const before = log.length;
  expect(await codeOf()).toBe('model_timeout');
  await expect.poll(() => existsSync(told)).toBe(true);
  await wait(1_300);
  expect(log.slice(before)).toEqual(['feature trust_enhancement, model odd: model_timeout']);
});

describe('a feature in a thread', () => {
  const feature = (over: string): string => `import { defineFeature, v } from 'bonafide/plugin';
export default defineFeature({ name: 'odd', version: '1.0.0', gives: 'fraud_detection', facts: ['score'],
  options: v.object({ map: v.pipe(v.optional(v.string(), 'a'), v.transform((text) => new Map([[text, 1]]))) }),
  answer: v.object({ text: v.pipe(v.string(), v.maxLength(90)) }),
  brief: ({ score, ...others }, options) => ({ score, others: Object.keys(others), size: new Map([[1, score]]) }),
  system: () => 'x', rules: ({ size, others }, { map }) => ({ text: 'The score is ' + size.get(1).score + others.join() + '.'.repeat(map.get('a')) }),
  finish: ({ text }, { brief }) => ({
    fraud_analysis: { risk_level: 'LOW', confidence: brief.size.size, patterns_detected: [], velocity_concerns: false,
      consistency_issues: [], stream_observations: [], recommendation: text },
    history_analyzed: 0, scope_note: 'None.',
    request_stream: { records_in_window: 0, catfish_flag_count: 0, earliest_timestamp: null, latest_timestamp: null } }),
  ${over} });`;
  async function openWith(over: string): Promise<void> {
    writeFileSync(join(dir, 'odd.mjs'), feature(over));
    const settingsFile = join(dir, 'features.json');
    writeFileSync(settingsFile, JSON.stringify({ features: { fraud_detection: { plugin: 'odd' } } }));
    features = await openFeatures({
      settingsFile,
      plugins: [join(dir, 'odd.mjs')],
      log: { info: () => undefined, warn: (line) => log.push(line) },
      now: () => time,
    });
  }

  test('makes its block from the facts that it declares, and returns only plain data', async () => {
    await openWith('');
    expect((await ask()).fraud_detection).toMatchObject({
      model: 'rules',
      fraud_analysis: { recommendation: 'The score is 94.', confidence: 1 },
    });
  });

  test.each([
    ['throws', "check() { throw new Error('x') },"],
    ['never ends', 'check() { for (;;); },'],
    ['ends its thread', 'check() { process.exit(0) },'],
    ['gives a block of another form', 'finish: () => ({ fraud_analysis: 1 }),'],
  ])('one that %s fails its own block', async (_, over) => {
    await openWith(over);
    const insights = await ask();
    expect(insights.fraud_detection.error?.code).toBe('feature_failed');
    expect(insights.trust_enhancement.error).toBeUndefined();
  });
});

test('a program with a plugin’s thread ends when it has nothing else to do', async () => {
  savePlugin('');
  const program = `import { loadPlugins } from ${JSON.stringify(pathToFileURL(getModuleFile('features/load-plugins')).href)};
    await loadPlugins({ paths: [${JSON.stringify(join(dir, 'odd.mjs'))}], optional: [], log: { info() {}, warn() {} } });`;
  writeFileSync(join(dir, 'program.mjs'), program);
  await open();
  const ended = spawn(process.execPath, [join(dir, 'program.mjs')], { timeout: 120_000 });
  expect(await once(ended, 'exit')).toEqual([0, null]);
});

describe('a plugin that does not load', () => {
  test.each([
    ['ends its thread', 'process.exit(0);', /odd\.mjs does not load: its thread ended/],
    ['throws when loaded', "throw new Error('no such thing');", /does not load: no such thing\./],
  ])('because it %s stops the start in one line', async (_, text, says) => {
    writeFileSync(join(dir, 'odd.mjs'), text);
    const start = openFeatures({ settingsFile: join(dir, 'none.json'), plugins: [join(dir, 'odd.mjs')] });
    features = await openFeatures({ settingsFile: join(dir, 'none.json') });
    await expect(start).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(says),
    });
  });
});

test('settings that a plugin could not check while its thread was down are used when it answers again', async () => {
  savePlugin("if (options.mode !== 'mended') process.exit(7);");
  await open();
  // Each end of the thread lengthens the pause before the next start, here to a second.
  for (let i = 0; i < 4; i += 1) {
    await codeOf();
    time += 510;
  }
  const settings = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
  settings.models.odd.options = { mode: 'mended' };
  writeFileSync(join(dir, 'features.json'), JSON.stringify(settings));
  expect(await codeOf()).toBe('model_unavailable');
  time += 1_000;
  expect(await codeOf()).toBe('ok');
});
