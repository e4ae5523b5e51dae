import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildCurlCommand } from '../src/commands/serve/demo.ts';
import { paste } from './kit/curl.ts';
import { freshFolder } from './kit/folder.ts';
import { ROOT, section, textOf } from './kit/pages.ts';
import { bareEnvironment } from './kit/programs/environment.ts';
import { startServer } from './kit/server.ts';

const readme = textOf('README.md');
const guide = section(readme, 'A first check against your own records');

/** Time limit of the test, in milliseconds: it starts five processes one after the other, on a busy machine. */
const PATIENCE = 240_000;

/** Returns the blocks of commands in a text. */
const blocks = (text: string) =>
  Array.from(text.matchAll(/(?:^ {4}.*\n)+/gm), ([block]) => block.replace(/^ {4}/gm, ''));

const ALIAS = /^ {4}(alias bonafide=.*)$/m.exec(guide)?.[1] ?? '';

/** Runs lines in a shell with the README's alias, defined in the clone. */
const shell = (lines: string, cwd: string) =>
  execFileSync('sh', ['-ec', `cd "${ROOT}"\n${ALIAS}\ncd "${cwd}"\n${lines}`], {
    cwd,
    encoding: 'utf8',
    env: bareEnvironment(),
  });

test('the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const [commands = ''] = blocks(section(readme, 'Two commands'));
  expect(commands.match(/npm (start|test)/g)).toEqual(['npm start', 'npm test']);
  expect(scripts).toMatchObject({ start: expect.stringContaining('serve --demo'), test: expect.any(String) });
});

test('the demo prints the curl line that the README shows', () => {
  const shown = blocks(section(readme, 'Two commands'))[1]?.trim().split(` -d '`)[0] ?? '-';
  expect(buildCurlCommand('http://127.0.0.1:8787', 'bf_test_…').startsWith(shown)).toBe(true);
});

test(
  'the commands of the guide give the results that it describes',
  async () => {
    const folder = freshFolder();
    const [, file = '', commands = '', serving = '', asking = ''] = blocks(guide);
    expect(commands.match(/^bonafide /gm)?.length).toBe(3);
    const said = shell(file + commands, folder);
    expect(said).toContain('Both records are in one identity.');
    expect(said).toMatch(/^SUSPICIOUS: /m);
    expect(said).toMatch(/\+ {2}email +primary match[^]*! {2}phone +another identity/);
    expect(existsSync(join(folder, 'data/local/graph.db'))).toBe(true);

    const [create = '', serve] = serving.trim().split('\n');
    expect(serve).toBe('bonafide serve');
    const key = /bf_live_\w+/.exec(shell(create, folder))?.[0] ?? '';
    const server = await startServer(join(folder, 'data/local'));
    onTestFinished(() => void server.process.kill('SIGKILL'));
    const line = asking.replace('KEY', key).replace('http://127.0.0.1:8787', server.url);
    expect(await paste(line)).toMatchObject({
      success: true,
      dominant_identity: 1,
      trustworthiness_score: 83,
    });
  },
  PATIENCE,
);

test('every step of a check that the README names is a file or a folder', () => {
  const line = blocks(section(readme, 'Steps of a check'))[0] ?? '';
  const steps = line.trim().split(/ → | \| /);
  const isThere = (step: string) => ['', '.ts'].some((end) => existsSync(join(ROOT, 'src', step + end)));
  expect(steps).toContain('check');
  expect(steps.filter((step) => !isThere(step))).toEqual([]);
});

test('a newcomer reads it in ten minutes', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(160);
});
