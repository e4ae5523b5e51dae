import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere, type Ran } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { checkPlugins } from '../../src/commands/plugins.ts';

const RULES = `import { defineModel } from 'bonafide/plugin';
export default defineModel({ name: 'house', version: '2.3.4', generate: ({ rules }) => rules?.() });\n`;

function file(name: string, text: string): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  return path;
}

const check = (name: string, text: string, ...args: string[]): Promise<Ran> =>
  runHere(['plugins', 'check', file(name, text), ...args]);

const feature = (over: string): string => `import { defineFeature, v } from 'bonafide/plugin';
export default defineFeature({ name: 'odd', version: '1.0.0', gives: 'trust_enhancement', facts: ['score'],
  answer: v.object({}), brief: (facts) => facts, system: () => 'x', finish: () => ({}), ${over} });\n`;

test('plugins list shows every plugin with its version and its file', async () => {
  const path = file('house.mjs', RULES);
  const args = ['--plugins', path, '--data-dir', freshFolder()];
  const { code, stdout } = await runHere(['plugins', 'list', ...args]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^narrative +1\.0\.0 +feature +built in$/m);
  expect(stdout).toMatch(/^rules +1\.0\.0 +model +built in$/m);
  expect(stdout).toContain(`house              2.3.4  model    ${path}`);
  const listed = JSON.parse((await runHere(['plugins', 'list', ...args, '--json'])).stdout) as object[];
  expect(listed.at(-1)).toEqual({ kind: 'model', name: 'house', version: '2.3.4', path });
});

describe('plugins check', () => {
  test('ends with 0 for a plugin that obeys the contract', async () => {
    expect(await check('house.mjs', RULES)).toEqual({
      code: 0,
      stdout: 'model house 2.3.4 obeys the plugin contract\n',
      stderr: '',
    });
  });

  test('ends with 1 and lists the problems of a plugin', async () => {
    const { code, stdout, stderr } = await check('house.mjs', RULES.replace('rules?.()', '"Well, hello!"'));
    expect(code).toBe(1);
    expect(stdout).toBe(
      'model house 2.3.4 breaks the plugin contract\n- the answer is not JSON\n- repair: the answer is not JSON\n',
    );
    expect(stderr).toBe(
      'error: 1 of 1 plugins break the plugin contract. The lines above list the problems.\n',
    );
  });

  test.each([
    ["fetch('http://127.0.0.1:2')", true],
    ["connect('/nowhere').then()", true],
    ["Promise.reject(new Error('the mood could not be reached'))", false],
  ])(
    'names --form-only if a server cannot be reached, whatever the message says: %s',
    async (call, isNamed) => {
      const text = `import { connect as open } from 'node:net';
      import { once } from 'node:events';
      const connect = async (path) => { try { await once(open(path), 'connect'); } catch (cause) { throw new Error('broken', { cause }); } };
      ${RULES.replace('({ rules }) => rules?.()', `() => ${call}`)}`;
      const { stdout, stderr } = await check('far.mjs', text);
      expect(stdout).toContain('- throws ');
      expect(stderr.includes('add --form-only')).toBe(isNamed);
      expect((await check('far.mjs', text, '--form-only')).stderr).not.toContain('add --form-only');
    },
  );

  test('calls no model with --form-only, and takes options with --set', async () => {
    const text = `import { defineModel, v } from 'bonafide/plugin';
      export default defineModel({ name: 'far', version: '1.0.0', options: v.strictObject({ url: v.string() }),
        generate() { throw new Error('asked'); } });`;
    expect(await check('far.mjs', text, '--form-only', '--set', 'url=x')).toMatchObject({ code: 0 });
    const asked = await check('far.mjs', text, '--set', 'url=x');
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('throws Error: asked') });
    const unset = await check('far.mjs', text);
    expect(unset.stdout).toContain('- options: url is missing; it must be a text\n');
  });

  test.each([
    [
      'no file',
      ['plugins', 'check', '/nowhere/x.mjs'],
      1,
      /^error: There is no file \/nowhere\/x\.mjs\. Check the path\.\n$/,
    ],
    ['no argument', ['plugins', 'check'], 2, /^error: [^\n]*file[^\n]*\n$/i],
    [
      'a bad option',
      ['plugins', 'check', 'x.mjs', '--set', 'x'],
      2,
      /^error: --set must be KEY=VALUE, such as --set model=llama3\.2\.\n$/,
    ],
  ])('%s is one line and the exit code of other commands', async (_, args, code, says) => {
    const ran = await runHere(args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toMatch(says);
  });
});

describe('code with an endless loop is terminated and reported', () => {
  const MAX_SILENCE_MS = 6000;
  const check = (text: string, name = 'a.mjs') =>
    checkPlugins({ path: file(name, text), options: {}, answers: true, env: {} }, MAX_SILENCE_MS);
  const blocked = 'a call blocked its thread for 6 s and was terminated. Does it loop endlessly?';
  const LOOPS = `generate() { for (;;); }`;

  test('a model that loops in a call; the models after it are reported as not checked', async () => {
    const text = `import { defineModel } from 'bonafide/plugin';
      const model = (name, over) => defineModel({ name, version: '1.0.0', ...over });
      export default [model('fine', { generate: ({ rules }) => rules?.() }), model('stuck', { ${LOOPS} }), model('next', { ${LOOPS} })];`;
    expect((await check(text)).map(({ name, problems }) => [name, problems])).toEqual([
      ['fine', []],
      ['stuck', [blocked]],
      ['next', [`was not checked: ${blocked}`]],
    ]);
  });

  test('a file that loops while it loads, and a file that ends its process', async () => {
    await expect(check('for (;;);')).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(check('process.exit(0);')).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('does not load: it ended its thread.'),
    });
  });
});

const wrong: [what: string, name: string, text: string, says: string][] = [
  [
    'facts that are no list',
    'a.mjs',
    feature("facts: 'score'"),
    '`facts` must be a list of names of facts, of intent,',
  ],
  [
    'a brief that is no function',
    'a.mjs',
    feature('brief: {}'),
    '`brief` must be a function: (facts, options) →',
  ],
  [
    'a missing version',
    'a.mjs',
    RULES.replace("version: '2.3.4',", ''),
    '`version` must be a text of three numbers',
  ],
  ['an answer that is no schema', 'a.mjs', feature('answer: {}'), '`answer` must be a valibot schema'],
  [
    'a fourth slot',
    'a.mjs',
    feature("gives: 'horoscope'"),
    '`gives` must be one of trust_enhancement, fraud_detection, name_matching: these three blocks are all that the response has; there is no place for "horoscope"',
  ],
  [
    'no plugin at all',
    'a.mjs',
    'export default 5;',
    'its default export must be a plugin (made by defineFeature, defineModel or defineGraph)',
  ],
  [
    'a syntax error',
    'a.mjs',
    `const a = 1;\n\nexport default { a: : };\n`,
    "Unexpected token ':' (FILE, line 3).",
  ],
  [
    'a syntax error in TypeScript',
    'a.ts',
    `const a: number = 1;\nlet b = ;\n`,
    'Expression expected (FILE, line 2).',
  ],
  [
    'an enum',
    'a.ts',
    'enum A { b }\nexport default A;',
    'enum is not supported in strip-only mode (FILE, line 1).',
  ],
  [
    'a top-level await',
    'a.mjs',
    `await 1;\n${RULES}`,
    'it has a top-level await, which a plugin cannot have',
  ],
];

describe('a plugin is refused with an error that says what is expected', () => {
  test.each(wrong)('%s', async (_, name, text, says) => {
    const path = file(name, text);
    const { code, stdout, stderr } = await runHere(['plugins', 'check', path]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(says.replace('FILE', path));
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});
