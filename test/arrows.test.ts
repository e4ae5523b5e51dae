// The source follows the table of modules (kit/modules.ts): imports go down only, types included.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cyclesOf, dependenciesOf, readSources, rulesOf } from './kit/arrows.ts';
import { MODULES } from './kit/modules.ts';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = readSources(TOP, ['src', 'plugins']);
const DEPENDENCIES = SOURCES.flatMap(dependenciesOf);

const { moduleOf, violationsOf } = rulesOf(MODULES);

const MOST_FILES = 12;
const wordsOf = (text: string) => text.split(' ').filter(Boolean);

test('a folder holds a dozen files at most, beside its folders', () => {
  const folders = [...SOURCES, ...readSources(TOP, ['test'])].map(({ file }) => dirname(file));
  const counts = Object.entries(Object.groupBy(folders, (folder) => folder));
  const full = counts.filter(([, files = []]) => files.length > MOST_FILES).map(([folder]) => folder);
  expect(full).toEqual([]);
});

describe('imports', () => {
  test('follow the table', () => {
    expect(DEPENDENCIES.flatMap(violationsOf)).toEqual([]);
  });

  test('have no cycle, types included', () => {
    expect(cyclesOf(DEPENDENCIES)).toEqual([]);
  });

  test('go down only: a module imports no module that is later in the table', () => {
    const order = Object.keys(MODULES);
    const up = Object.entries(MODULES).flatMap(([name, { modules, types = '' }], i) =>
      wordsOf(`${modules} ${types}`)
        .filter((module) => order.indexOf(module) >= i)
        .map((module) => `${name} → ${module}`),
    );
    expect(up).toEqual([]);
  });

  test('take no value from a file that only runs as a thread', () => {
    const threads = new Set(
      SOURCES.filter(({ text }) => text.includes('if (parentPort === null) throw')).map(({ file }) => file),
    );
    const loads = DEPENDENCIES.filter(({ target, isTypeOnly }) => threads.has(target) && !isTypeOnly);
    expect(threads.size).toBeGreaterThan(5);
    expect(loads.map(({ file, line, target }) => `${file}:${line} loads ${target}`)).toEqual([]);
  });

  test('of the thread that writes calls reach no query builder, which takes most of its start', () => {
    const reached = new Set(['src/store/sqlite/writer.ts']);
    for (const file of reached)
      for (const { file: from, target, kind, isTypeOnly } of DEPENDENCIES)
        if (from === file && kind === 'file' && !isTypeOnly) reached.add(target);
    expect(reached.size).toBeGreaterThan(10);
    expect(reached).not.toContain('src/store/drizzle.ts');
  });

  test('are in the table only if a file needs them', () => {
    const used = new Set(
      DEPENDENCIES.map(
        ({ file, kind, target }) => `${moduleOf(file)} → ${kind === 'file' ? moduleOf(target) : target}`,
      ),
    );
    const idle = Object.entries(MODULES).flatMap(([name, { modules, packages, types = '' }]) =>
      [...wordsOf(`${modules} ${types}`), ...wordsOf(packages).filter((one) => one !== 'node:*')]
        .map((one) => `${name} → ${one}`)
        .filter((arrow) => !used.has(arrow)),
    );
    expect(idle).toEqual([]);
  });
});

describe('a planted violation', () => {
  const found = (file: string, text: string) => dependenciesOf({ file, text }).flatMap(violationsOf);

  test.each([
    ['an import', "import { callOf } from '../store/sqlite/open.ts';"],
    ['an import of a type', "import type { Store } from '../store/sqlite/open.ts';"],
    ['an import for its effect', "import '../store/sqlite/open.ts';"],
    ['an export of what another file has', "export { callOf } from '../store/sqlite/open.ts';"],
    ['an export of all', "export * from '../store/sqlite/open.ts';"],
    ['an export of a type', "export type { Store } from '../store/sqlite/open.ts';"],
    ['an import when it is needed', "const store = await import('../store/sqlite/open.ts');"],
    ['a type that names its file', "let store: import('../store/sqlite/open.ts').Store;"],
    ['a required file', "const store = require('../store/sqlite/open.ts');"],
    [
      'a file required by way of Node',
      "const store = createRequire(import.meta.url)('../store/sqlite/open.ts');",
    ],
    ['a file that is looked up', "const store = import.meta.resolve('../store/sqlite/open.ts');"],
    ['a required file, the TypeScript way', "import store = require('../store/sqlite/open.ts');"],
    [
      'a file that is loaded by its address',
      "new Worker(new URL('../store/sqlite/writer.ts', import.meta.url));",
    ],
  ])('is found: %s', (_, text) => {
    expect(found('src/http/planted.ts', `// a comment\n${text}`)).toEqual([
      expect.stringMatching(
        /^src\/http\/planted\.ts:2 imports src\/store\/sqlite\/\w+\.ts: http may not import store\/sqlite$/,
      ),
    ]);
  });

  test.each([
    ['src/score/planted.ts', 'const level = process.env.LEVEL;', 'process.env'],
    ['src/http/planted.ts', 'const { level } = process.env;', 'process.env'],
    ['src/match/planted.ts', 'const today = Date.now();', 'Date.now'],
    ['src/link/planted.ts', 'const today = new Date();', 'new Date'],
    ['src/link/planted.ts', 'const start = performance.now();', 'performance'],
    ['src/score/planted.ts', 'const chance = Math.random();', 'Math.random'],
    ['src/normalise/planted.ts', "console.log('seen');", 'console'],
    ['src/match/planted.ts', 'setTimeout(later, 5);', 'setTimeout'],
  ])('is found: %s uses %s', (file, text, target) => {
    expect(found(file, text)).toEqual([`${file}:1 uses ${target}, and ${moduleOf(file)} may not`]);
  });

  test.each([
    ['an import of a value', "import { key } from '../http/schema/builders.ts';"],
    ['an import of a type beside values', "import { type Key } from '../http/schema/builders.ts';"],
    ['an export of a value', "export { key } from '../http/schema/builders.ts';"],
    ['an import for its effect', "import '../http/schema/builders.ts';"],
    ['an import when it is needed', "const schema = await import('../http/schema/builders.ts');"],
    ['an import of all values', "import * as schema from '../http/schema/builders.ts';"],
  ])('is found where only types may be imported: %s', (_, text) => {
    expect(found('src/console/planted.ts', text)).toEqual([
      'src/console/planted.ts:1 imports src/http/schema/builders.ts: console may not import http/schema',
    ]);
  });

  test('is found where only types of a package may be imported', () => {
    expect(found('src/console/planted.ts', "import { object } from 'valibot';")).toEqual([
      'src/console/planted.ts:1 imports the package valibot, and console may not',
    ]);
    expect(found('src/console/planted.ts', "import type { InferOutput } from 'valibot';")).toEqual([]);
    expect(found('src/console/planted.ts', "import type { Key } from '../http/schema/builders.ts';")).toEqual(
      [],
    );
    expect(found('src/console/planted.ts', "import type { Row } from '../store/rows.ts';")).toHaveLength(1);
    expect(found('src/http/planted.ts', "import type { Store } from '../store/rows.ts';")).toHaveLength(1);
  });

  test.each([
    ['src/http/planted.ts', 'better-sqlite3'],
    ['src/commands/planted.ts', 'drizzle-orm/better-sqlite3'],
    ['src/score/planted.ts', 'node:fs'],
    ['src/claim/planted.ts', 'h3'],
    ['plugins/planted/index.ts', 'h3'],
  ])('is found: %s imports the package %s', (file, name) => {
    expect(found(file, `import type { X } from '${name}';`)).toEqual([
      `${file}:1 imports the package ${name.split('/')[0]}, and ${moduleOf(file)} may not`,
    ]);
  });

  test.each([
    ['src/http/planted.ts', "db.prepare('SELECT count(*) FROM calls WHERE key = ?');", 'SELECT'],
    ['src/link/planted.ts', 'db.exec(`CREATE TEMP TABLE pairs (a INTEGER, b INTEGER)`);', 'CREATE'],
    ['src/graph/resolve/planted.ts', 'db.exec(`\n  INSERT INTO meta VALUES (1)`);', 'INSERT'],
  ])('is found: %s contains SQL', (file, text, word) => {
    expect(found(file, text)).toEqual([`${file}:1 contains SQL (${word}), and ${moduleOf(file)} may not`]);
  });

  test('is found from every module into every other that it may not import', () => {
    const inside = (module: string) =>
      /\.\w+$/.test(module)
        ? `src/${module}`
        : module === 'plugins'
          ? 'plugins/planted.ts'
          : `src/${module}/planted.ts`;
    const missed = Object.entries(MODULES).flatMap(([from, { modules }]) =>
      Object.keys(MODULES)
        .filter((to) => to !== from && !wordsOf(modules).includes(to))
        .filter(
          (to) =>
            violationsOf({ file: inside(from), line: 1, kind: 'file', target: inside(to) }).length !== 1,
        )
        .map((to) => `${from} → ${to}`),
    );
    expect(missed).toEqual([]);
  });

  test('is found: a cycle of types', () => {
    const files = [
      { file: 'src/score/a.ts', text: "import type { B } from './b.ts';" },
      { file: 'src/score/b.ts', text: "export type { A } from './a.ts';" },
    ];
    expect(cyclesOf(files.flatMap(dependenciesOf))).toEqual([
      ['src/score/a.ts', 'src/score/b.ts', 'src/score/a.ts'],
    ]);
  });
});
