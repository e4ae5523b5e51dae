// Runs the commands of the page "Re-certify your sellers" unchanged.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freshFolder } from '../../kit/folder.ts';
import { pageText, section } from '../../kit/pages.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';
import { startLauncher } from '../../kit/server.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

const run = promisify(execFile);
const blocks = Array.from(
  section(pageText('watches'), 'Watch a seller').matchAll(/(?:^ {4}.*\n)+/gm),
  ([block]) => block.replace(/^ {4}/gm, ''),
);

test('a seller is watched, and an event is recorded', async () => {
  const folder = freshFolder();
  const shell = async (lines: string) => {
    const script = `bonafide() { "${process.execPath}" "${getLauncher()}" "$@"; }\n${lines}`;
    const options = { cwd: folder, encoding: 'utf8' as const, env: bareEnvironment() };
    return (await run('sh', ['-ec', script], options)).stdout;
  };
  const [create = '', serve, watch = '', events = ''] = blocks;
  expect(serve).toBe('BONAFIDE_WATCHES=true bonafide serve --data-dir market\n');
  await shell(create);
  const env = { BONAFIDE_WATCHES: 'true' };
  const { url } = await startLauncher(getLauncher(), ['--data-dir', join(folder, 'market')], {
    cwd: folder,
    env,
  });
  const here = (lines: string) => lines.replace('http://127.0.0.1:8787', url);
  const made = JSON.parse(await shell(here(watch)));
  expect(made).toMatchObject({ reference: 'seller-17', notify_on: ['band', 'score'] });
  const answer = await shell(here(events));
  const { events: recorded } = JSON.parse(answer.slice(answer.indexOf('{"events"')));
  expect(recorded).toMatchObject([
    { type: 'watch.changed', watch_id: made.watch_id, reference: 'seller-17' },
  ]);
});
