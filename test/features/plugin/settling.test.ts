// The test kit reports plugin functions that never settle by name, after a deadline.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defineGraph } from '../../../src/features/plugin/index.ts';
import type { AnyGraph, AnyModel } from '../../../src/features/plugin/index.ts';
import { graphProblems, modelProblems } from '../../../src/features/plugin/test/index.ts';

const never = () => new Promise<never>(() => undefined);
const NOBODY = { total: 0, people: [] };
const SOON = { withinMs: 50 };
const graph = (over: Partial<AnyGraph>) =>
  ({ ...defineGraph({ name: 'own', version: '1.0.0', lookUp: () => NOBODY }), ...over }) as AnyGraph;

test.each([
  [{ open: never }, 'open did not settle within 0.05 s'],
  [{ lookUp: never }, 'lookUp of nobody did not settle within 0.05 s'],
  [
    { lookUp: ({ name }) => (name === '' ? NOBODY : never()) },
    'lookUp of a made-up person did not settle within 0.05 s',
  ],
  [{ close: never }, 'close did not settle within 0.05 s'],
] as [Partial<AnyGraph>, string][])('of a graph: %o', async (over, says) =>
  expect(await graphProblems(graph(over), SOON)).toEqual([says]),
);

test('a model', async () => {
  const model = { kind: 'model', name: 'mute', version: '1.0.0', generate: never } as AnyModel;
  expect(await modelProblems(model, SOON)).toContain('generate did not settle within 0.05 s');
});

test('the process stays alive until the deadline, although nothing else keeps it', () => {
  const kit = pathToFileURL(resolve('src/features/plugin/test/index.ts')).href;
  const plugin = `{ kind: 'graph', name: 'own', version: '1.0.0', lookUp: () => new Promise(() => undefined) }`;
  const text = `import { graphProblems } from '${kit}';
    for (const answers of [true, false]) console.log((await graphProblems(${plugin}, { answers, withinMs: 50 })).join());`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
  expect(said.split('\n')).toEqual([
    'lookUp of nobody did not settle within 0.05 s',
    'lookUp does not settle when its signal is aborted already',
    '',
  ]);
});

test('a person whose first date is after the last date is reported', async () => {
  const dates = { firstSeen: '2025-03-02', lastSeen: '2021-01-01' };
  const found = { total: 1, people: [{ id: 1, names: [], has: [], ...dates }] };
  expect(await graphProblems(graph({ lookUp: () => found }))).toEqual([
    'tells a first date after the last one: both would be left out',
  ]);
});
