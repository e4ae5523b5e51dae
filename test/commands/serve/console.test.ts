import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findRunningServerUrl,
  toBrowserUrl,
  writeServerAddress,
  chooseDataFolder,
} from '../../../src/commands/serve/console.ts';
import { createFileOwnerMark } from '../../../src/platform/temporary-files.ts';
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
    expect(findRunningServerUrl(folder)?.url).toBe(url.startsWith('unix:') ? undefined : url);
    const { code, stderr } = await runHere([
      'migrate-to',
      'postgres://nobody@127.0.0.1:1/none',
      '--data-dir',
      folder,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`(process ${process.pid}, ${url})`)]);
    expect(stderr).toContain('Stop the server, run this command again');
    expect(stderr).toContain(`If the server was killed, delete ${join(folder, 'serving.json')}.`);
    forget();
  }
});

test('a server that was killed in a container, where each process has the same id, does not stop migrate-to', async () => {
  const folder = dataFolder();
  const file = join(folder, 'serving.json');
  const migrate = ['migrate-to', 'postgres://nobody@127.0.0.1:1/none', '--data-dir', folder];
  const [url, week] = ['http://127.0.0.1:8787', 7 * 86_400];
  const write = (content: object) => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, url, ...content }));
    utimesSync(file, Date.now() / 1000 - week, Date.now() / 1000 - week);
  };
  // Older versions of Bonafide wrote no owner.
  for (const content of [{ owner: createFileOwnerMark() }, {}]) {
    write(content);
    expect(findRunningServerUrl(folder)).toBeNull();
    expect((await runHere(migrate)).stderr).not.toContain('A server');
  }
  write({ owner: `00000000-${process.pid}`, url });
  const { stdout, stderr } = await runHere(['console', 'link', '--data-dir', folder]);
  expect(stdout).toMatch(/^http\S+\/console#link=\S+\n$/);
  expect(stderr).toContain(`A server of another machine or container uses the folder (${url}). If the link`);
  expect(stderr).not.toContain('does not seem to run');
  const refused = `A server of another machine or container uses ${folder} .* If the server was killed, delete ${file}`;
  expect((await runHere(migrate)).stderr).toMatch(new RegExp(refused));
});

test('a server that stops does not remove the address file of another machine', () => {
  const folder = dataFolder();
  const file = join(folder, 'serving.json');
  const remove = writeServerAddress(folder, 'http://127.0.0.1:8787');
  const other = { ...JSON.parse(readFileSync(file, 'utf8')), owner: `00000000-${process.pid}` };
  writeFileSync(file, JSON.stringify(other));
  remove();
  expect(existsSync(file)).toBe(true);
});

test('of several folders the one with a running server is used, else the first with data', () => {
  const [own, demo] = [dataFolder(), dataFolder()];
  const none = join(own, 'none');
  expect(chooseDataFolder([none, demo])).toBe(demo);
  const elsewhere = { pid: 1, url: 'http://127.0.0.1:8787', owner: '00000000-1' };
  writeFileSync(join(demo, 'serving.json'), JSON.stringify(elsewhere));
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
