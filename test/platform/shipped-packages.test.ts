import { expect, test } from 'vitest';
import { listShippedPackages } from '../../src/platform/shipped-packages.ts';
import { runHere } from '../kit/cli.ts';
import { textOf } from '../kit/pages.ts';

const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test('every package that comes along is listed with its version and licence, and what only development needs is not', () => {
  const packages = listShippedPackages();
  const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  expect(versions).toMatchObject(dependencies);
  // An indirect dependency: tdigest of prom-client requires bintrees.
  expect(versions).toHaveProperty('bintrees');
  for (const name of ['vitest', 'typescript', 'rolldown']) expect(devDependencies).toHaveProperty(name);
  for (const name of ['vitest', 'typescript', 'rolldown']) expect(versions).not.toHaveProperty(name);
  expect(
    packages.filter(({ licence }) => !/^(MIT|ISC|Apache-2\.0|BlueOak|BSD|0BSD|Unlicense)/.test(licence)),
  ).toEqual([]);
});

test('what is bundled for browsers is listed without what its maker built it from', () => {
  const names = listShippedPackages().map(({ name }) => name);
  expect(names).toContain('swagger-ui-dist');
  expect(names).not.toContain('@scarf/scarf');
});

test('licenses prints a line a package, and the texts where they are asked for', async () => {
  const list = await runHere(['licenses']);
  expect(list.stdout).toMatch(/^better-sqlite3 +\S+ +MIT$/m);
  expect(list.stdout).not.toContain('Permission is hereby granted');
  expect((await runHere(['licenses', '--text'])).stdout).toContain('Permission is hereby granted');
});
