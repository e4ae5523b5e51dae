import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as assets from '../../src/platform/assets.ts';
import * as bonafide from '../../src/index.ts';
import * as kit from '../../src/features/plugin/test/index.ts';
import { textOf } from '../kit/pages.ts';

test('what ships beside the code is where the code looks for it', () => {
  const folders = [assets.NAME_TABLES, assets.SAMPLE, assets.DOCS, assets.BUILTIN_PLUGINS];
  for (const folder of folders) expect(readdirSync(folder).length).toBeGreaterThan(1);
  expect(existsSync(join(assets.STORE_MIGRATIONS, 'meta/_journal.json'))).toBe(true);
  expect(existsSync(assets.codeFile('store/sqlite/writer'))).toBe(true);
});

test('a build takes every folder that the code looks for', () => {
  const build = textOf('.config/build.mjs');
  for (const folder of ['data/names', 'data/sample', 'data/docs', 'src/store/sqlite/migrations'])
    expect(build).toContain(`'${folder}'`);
});

test('the names that the package gives are these', () => {
  const { exports } = JSON.parse(textOf('package.json')) as { exports: object };
  expect(Object.keys(exports)).toEqual(['.', './plugin', './plugin/test', './package.json']);
  expect(Object.keys(bonafide).toSorted()).toEqual(['BonafideError', 'loadConfig', 'openApp']);
  expect(Object.keys(kit).toSorted()).toEqual([
    'PATTERNS',
    'factsOf',
    'featureProblems',
    'modelProblems',
    'samplesOf',
  ]);
});
