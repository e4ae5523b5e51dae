import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findRunningServerUrl,
  toBrowserUrl,
  writeServerAddress,
  chooseDataFolder,
} from '../../../src/commands/serve/console.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

function dataFolder(): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'held.json'), '{"held":[]}');
  return folder;
}

test('a link leads to the running server of the folder, else to the address in the settings', async () => {
  const folder = dataFolder();
  const link = async () =>
    JSON.parse((await runHere(['console', 'link', '--data-dir', folder, '--json'])).stdout).url;
  const forget = writeServerAddress(folder, 'http://0.0.0.0:18787');
  expect(await link()).toMatch(/^http:\/\/localhost:18787\/console#link=\w+$/);
  forget();
  expect(existsSync(join(folder, 'serving.json'))).toBe(false);
  expect(await link()).toMatch(/^http:\/\/127\.0\.0\.1:8787\//);
});

test('migrate-to refuses while a server runs on the folder, and says what to do', async () => {
  const folder = dataFolder();
  for (const url of ['http://127.0.0.1:8787', 'unix:/run/bonafide.sock']) {
    const forget = writeServerAddress(folder, url);
    expect(findRunningServerUrl(folder)).toBe(url.startsWith('unix:') ? null : url);
    const { code, stderr } = await runHere([
      'migrate-to',
      'postgres://nobody@127.0.0.1:1/none',
      '--data-dir',
      folder,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`(process ${process.pid}, ${url})`)]);
    expect(stderr).toContain('Stop the server, run this command again');
    forget();
  }
});

test('of several folders the one with a running server is used, else the first with data', () => {
  const [own, demo] = [dataFolder(), dataFolder()];
  const none = join(own, 'none');
  expect(chooseDataFolder([none, demo])).toBe(demo);
  expect(chooseDataFolder([own, demo])).toBe(own);
  writeServerAddress(demo, 'http://127.0.0.1:8787');
  expect(chooseDataFolder([own, demo])).toBe(demo);
  expect(() => chooseDataFolder([none, `${none}-demo`])).toThrow(`Neither ${none} nor ${none}-demo contains`);
});

test('the address file of a stopped server, and a damaged one, are ignored', () => {
  const folder = dataFolder();
  for (const text of ['{"pid":4194304999,"url":"http://127.0.0.1:1"}', '{"pid":0,"url":"x"}', 'null', '{']) {
    writeFileSync(join(folder, 'serving.json'), text);
    expect(findRunningServerUrl(folder)).toBeNull();
  }
  const taken = freshFolder();
  mkdirSync(join(taken, 'serving.json'));
  expect(() => writeServerAddress(taken, 'http://127.0.0.1:1')()).not.toThrow();
});

test.each([
  ['http://0.0.0.0:80', 'http://localhost:80'],
  ['https://[::]:8787', 'https://localhost:8787'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
])('a browser asks %s as %s', (url, asked) => {
  expect(toBrowserUrl(url)).toBe(asked);
});
