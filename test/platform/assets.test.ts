import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import * as assets from '../../src/platform/assets.ts';
import * as bonafide from '../../src/index.ts';
import * as kit from '../../src/features/plugin/test/index.ts';
import { ROOT, textOf } from '../kit/pages.ts';

/** Folders that contain the others, or that a build creates. */
const MADE: unknown[] = [assets.PACKAGE_FOLDER, assets.CONSOLE_FOLDER];
const folders = Object.values(assets)
  .filter((value): value is string => typeof value === 'string' && isAbsolute(value) && !MADE.includes(value))
  .map((folder) => relative(ROOT, folder));

test('what ships beside the code is where the code looks for it', () => {
  expect(folders).toContain('data/names');
  for (const folder of folders) expect(readdirSync(join(ROOT, folder)).length).toBeGreaterThan(0);
  expect(existsSync(assets.getModuleFile('store/sqlite/writer'))).toBe(true);
});

test('a build takes every folder that the code looks for', () => {
  const build = textOf('.config/assets.mjs');
  for (const folder of folders.filter((one) => one !== 'plugins')) expect(build).toContain(`'${folder}'`);
  // The console is built by a separate script.
  expect(build).toContain('.config/console.mjs');
});

test('the names that the package gives are these', () => {
  const { exports } = JSON.parse(textOf('package.json')) as { exports: object };
  expect(Object.keys(exports)).toEqual(['.', './client', './plugin', './plugin/test', './package.json']);
  expect(Object.keys(bonafide).toSorted()).toEqual(['BonafideError', 'loadConfig', 'openApp']);
  expect(Object.keys(kit).toSorted()).toEqual([
    'PATTERNS',
    'factsOf',
    'featureProblems',
    'graphProblems',
    'modelProblems',
    'samplesOf',
  ]);
});
