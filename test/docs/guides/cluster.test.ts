// Runs the commands of the page "From laptop to cluster" unchanged.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../../kit/folder.ts';
import { pageText, section } from '../../kit/pages.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';
import { startLauncher } from '../../kit/server.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

const page = pageText('cluster');
/** Returns the blocks of commands in a section. */
const blocks = (head: string) =>
  Array.from(section(page, head).matchAll(/(?:^ {4}.*\n)+/gm), ([block]) => block.replace(/^ {4}/gm, ''));

test('the commands of the page give the results that it describes', async () => {
  const folder = freshFolder();
  const shell = (lines: string) =>
    execFileSync('sh', ['-ec', `bonafide() { "${process.execPath}" "${getLauncher()}" "$@"; }\n${lines}`], {
      cwd: folder,
      encoding: 'utf8',
      env: bareEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const [one = ''] = blocks('One machine');
  const answer = shell(one);
  expect(answer).toContain('LIKELY REAL');

  const [serving = '', asking = ''] = blocks('One graph, many machines that check');
  const [create = '', serve = ''] = serving.split('\n');
  expect(serve).toBe('BONAFIDE_GRAPH=serve=true bonafide serve --data-dir main');
  shell(create);
  const env = { BONAFIDE_GRAPH: 'serve=true' };
  const { url } = await startLauncher(getLauncher(), ['--data-dir', join(folder, 'main')], {
    cwd: folder,
    env,
  });
  const here = (lines: string) => lines.replace('http://127.0.0.1:8787', url);
  const laptop = shell(here(asking));
  expect(answer.endsWith(laptop)).toBe(true);
  const refused = () =>
    shell(here(asking.replace(/bonafide check.*/s, 'bonafide graph stats --data-dir laptop')));
  expect(refused).toThrow(/stores no records/);

  const [own = ''] = blocks('Own records beside it');
  const both = shell(here(own));
  expect(both).toMatch(/Priya Raman[^]*Jane Doe/i);
  expect(both).not.toContain('NO RECORD');
  expect(both).toMatch(/identity 3\b/i);
});
