// The tables of the pages match the code: a missing row fails, and so does a row too many.
import type { ArgsDef, CommandDef } from 'citty';
import { describe, expect, test } from 'vitest';
import { ROOT_COMMAND } from '../../src/commands/command-line.ts';
import { COMMON_OPTIONS } from '../../src/commands/helpers/command.ts';
import { SETTING_VARIABLE_NAMES, loadConfig, DEFAULT_GRAPH_SETTINGS } from '../../src/config.ts';
import { GRAPH_SETTINGS_SCHEMA } from '../../src/config/graph.ts';
import { DEPRECATED_NAMES } from '../../src/config/names.ts';
import { FEATURE_ERROR_SENTENCES } from '../../src/features/plugin/errors.ts';
import { getDefaultFeatureSettings } from '../../src/features/settings.ts';
import { PROBLEMS } from '../../src/http/problems.ts';
import { ROUTES } from '../../src/http/server.ts';
import { toMatchStatusText } from '../../src/http/check/view.ts';
import { formatVerdictWord, toVerdictWord } from '../../src/model.ts';
import { listDocPages } from '../../src/platform/assets.ts';
import { toScoreBand } from '../../src/score/texts/facts.ts';
import { freshApp, JANE, json } from '../kit/app.ts';
import { codeIn, pageText, rows, section, textOf } from '../kit/pages.ts';

/** Matches command lines in indented blocks, without variables before them and redirections after them. */
const COMMAND_LINE =
  /^ {4,}(?:\S*=\S* |sudo )*(?:npm run (?:-s )?bonafide -- |(?:\.\/)?bonafide )([^\n|>#&<]+)/gm;

const columns = (text: string, ...places: number[]) =>
  rows(text).map((cells) => places.map((place) => cells[place] ?? ''));

test('settings: each with its environment variable and its default', async () => {
  const listed = columns(pageText('settings'), 0, 1, 2);
  expect(Object.fromEntries(listed.map(([option, variable]) => [option, variable]))).toEqual(
    SETTING_VARIABLE_NAMES,
  );
  const { dataDir, ...others } = await loadConfig({ env: {}, cwd: '/' });
  expect(dataDir).toBe('/data/local');
  const said = Object.fromEntries(listed.map(([option = '', , value]) => [option, value]));
  const defaults = Object.entries(others).filter(([, value]) => value !== undefined && !Array.isArray(value));
  expect(said).toMatchObject(Object.fromEntries(defaults.map(([option, value]) => [option, String(value)])));
});

test('the parts of the setting graph: each with its default', () => {
  const listed = columns(section(pageText('upstream'), 'Settings'), 0, 1);
  const known = Object.entries(DEFAULT_GRAPH_SETTINGS).flatMap(([part, value]) =>
    typeof value === 'object' ? [] : [[part, String(value)]],
  );
  const parts = Object.keys(GRAPH_SETTINGS_SCHEMA.entries).map((part) => [part, 'none']);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries([...parts, ...known]));
});

test('errors: each code with its status', () => {
  const listed = columns(section(pageText('http'), 'Errors'), 0, 1).map(([status, code]) => [
    code,
    Number(status),
  ]);
  const known = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
});

test('routes: each with its method', () => {
  const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
  const pages = [section(pageText('http'), 'Routes'), section(pageText('admin'), 'Routes')];
  const listed = pages.flatMap((text) => columns(text, 0).flat());
  expect(served.length).toBeGreaterThan(5);
  expect(listed.toSorted()).toEqual(served.toSorted());
});

test('match statuses, in the words of version 1', () => {
  const words = (['primary', 'secondary', 'different', 'unverified'] as const).map((status) =>
    toMatchStatusText({ status, identity: 7 }).replace('7', 'n'),
  );
  const answer = section(pageText('http'), 'Reading the answer');
  const table = answer.slice(answer.indexOf('| `match_status`'), answer.indexOf('With version 2'));
  expect(columns(table, 0).flat()).toEqual(words);
});

test('bands: bounds, status and verdict word', () => {
  const bands = [
    ['85 and above', 100, 85],
    ['65–84', 84, 65],
    ['40–64', 64, 40],
    ['below 40', 39, 0],
  ] as const;
  const expected = bands.map(([said, most, least]) => {
    expect(toScoreBand(most)).toBe(toScoreBand(least));
    return [
      said,
      toScoreBand(least),
      formatVerdictWord(toVerdictWord({ band: toScoreBand(least), contacts: 1, unknown: 0 })),
    ];
  });
  expect(columns(section(pageText('http'), 'Reading the answer'), 0, 1, 2).slice(0, 4)).toEqual(expected);
  expect(columns(section(textOf('README.md'), 'The verdicts'), 0, 1)).toEqual([
    ...expected.map(([said, , word]) => [said, word]),
    ['any, if no contact has a record', 'NO RECORD'],
    ['any, if no contact was sent', 'NAME ONLY'],
  ]);
});

test('administration: each route with a command that there is', () => {
  const known = rows(pageText('commands')).map(([command = '']) => command.replace(/( [A-Z…]+)+$/, ''));
  const named = rows(section(pageText('admin'), 'Routes')).flatMap(([, , command = '']) =>
    command.includes('`') ? codeIn(command) : command,
  );
  expect(named.filter((command) => command !== '' && !known.includes(command))).toEqual([]);
});

describe('commands', () => {
  const leaves = async (command: CommandDef, path: string[]): Promise<[string, ArgsDef][]> => {
    const below = (await resolved(command.subCommands)) as Record<string, unknown> | undefined;
    if (!below) return [[path.join(' '), (command.args ?? {}) as ArgsDef]];
    const all = Object.entries(below).map(async ([name, sub]) =>
      leaves((await resolved(sub)) as CommandDef, [...path, name]),
    );
    return (await Promise.all(all)).flat();
  };
  const resolved = async (part: unknown) => (typeof part === 'function' ? part() : part);
  const text = pageText('commands');
  const listed = rows(text.slice(text.indexOf('\n## ')));

  test('each with exactly its options', async () => {
    const page = listed.map(([command = '', options = '']) => [
      command.replace(/( [A-Z…]+)+$/, ''),
      codeIn(options)
        .concat(/^--[\w-]+$/.test(options) ? options : [])
        .toSorted(),
    ]);
    const common = Object.keys(COMMON_OPTIONS);
    const code = (await leaves(ROOT_COMMAND as CommandDef, [])).map(([path, args]) => [
      path,
      Object.entries(args)
        .filter(([name, { type }]) => type !== 'positional' && !common.includes(name))
        .map(([name]) => `--${name}`)
        .toSorted(),
    ]);
    expect(Object.fromEntries(page)).toEqual(Object.fromEntries(code));
  });

  test('each command line of a page is a command with these options', async () => {
    const known = new Map(
      (await leaves(ROOT_COMMAND as CommandDef, [])).map(([path, args]) => [path, Object.keys(args)]),
    );
    const texts = [textOf('README.md'), ...listDocPages().map(({ page }) => pageText(page))];
    const lines = texts.flatMap((page) =>
      Array.from(page.matchAll(COMMAND_LINE), ([, line = '']) => line.replace(/'[^']*'|"[^"]*"/g, 'TEXT')),
    );
    expect(lines.length).toBeGreaterThan(100);
    const wrong = lines.filter((line) => {
      const words = line.split(' ');
      const path = [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => known.has(name));
      const options = Array.from(line.matchAll(/(?<= )--([\w-]+)/g), ([, option = '']) => option);
      const valid = [...(known.get(path ?? '') ?? []), ...Object.keys(COMMON_OPTIONS)];
      return path === undefined || options.some((option) => !valid.includes(option));
    });
    expect(wrong).toEqual([]);
  });

  test('each deprecated name with its replacement', () => {
    const lines = section(text, 'Deprecated names')
      .split('\n')
      .filter((line) => line.startsWith('- '));
    const { command, option } = DEPRECATED_NAMES;
    expect(lines).toEqual(
      Object.entries({ ...command, ...option }).map(([old, name]) => `- \`${old}\`: use \`${name}\``),
    );
  });

  test('the options that all have', () => {
    const head = text.slice(0, text.indexOf('\n## '));
    expect(rows(head).map(([option = '']) => option.split(' ')[0])).toEqual(
      Object.keys(COMMON_OPTIONS).map((name) => `--${name}`),
    );
  });
});

const COMMON_FIELDS = ['ai_enabled', 'feature', 'model'];
const keysIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([name, below]) => [name, ...keysIn(below)]);

describe('AI features', () => {
  const text = pageText('ai-features');

  test('each field of each block', async () => {
    const { post } = await freshApp();
    const { ai_insights: blocks } = await json(post('/v1/validate/enhanced', JANE));
    const { ai_enabled: _, ...named } = blocks as Record<string, object>;
    const listed = new Map(
      rows(section(text, 'The blocks')).map(([block, holds = '']) => [block, codeIn(holds)]),
    );
    for (const [block, fields] of Object.entries(named)) {
      const missing = keysIn(fields).filter((name) => !COMMON_FIELDS.includes(name) && name !== block);
      expect(listed.get(block)).toEqual(expect.arrayContaining(missing));
    }
  });

  test('each error code', () => {
    const listed = rows(section(text, 'Guard and errors')).flatMap(([codes = '']) =>
      codes.includes('`') ? codeIn(codes) : codes,
    );
    expect(listed.toSorted()).toEqual(Object.keys(FEATURE_ERROR_SENTENCES).toSorted());
  });

  test('each setting of a feature, with its default', () => {
    const { options: _, plugin: __, ...defaults } = getDefaultFeatureSettings().features.trust_enhancement;
    const listed = Object.fromEntries(
      rows(section(text, 'Settings')).map(([name = '', value]) => [name, value]),
    );
    for (const [name, value] of Object.entries(defaults))
      expect(listed[`features.<feature>.${name}`]).toBe(String(value));
  });
});
