// Takes half a minute: builds the single executable, and runs it without any other file of Bonafide. No other test does so.
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, textOf } from './kit/pages.ts';
import { savePage } from './kit/models/plugins-page.ts';
import { startProgram } from './kit/server.ts';
import type { Server } from './kit/server.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

const built = mkdtempSync(join(tmpdir(), 'bonafide-built-'));
const alone = mkdtempSync(join(tmpdir(), 'bonafide-alone-'));
const program = join(alone, 'bonafide');
/** The only writable folder of the program. */
const state = join(alone, 'state');

/**
 * Runs the program with an empty PATH, in a read-only folder. If the test may, the program runs as a user without files, on a
 * read-only root.
 */
const READ_ONLY = `PATH=/usr/sbin:/usr/bin:/sbin:/bin && mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro / &&
  exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups env -i PATH= STATE_DIRECTORY="$@"`;
const enclosed = ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', READ_ONLY, 'sh', state];
const mayEnclose =
  isRoot && isLinux && spawnSync('unshare', ['--mount', 'setpriv', '--version']).status === 0;
const [first = program, ...rest] = mayEnclose ? [...enclosed, program] : [program];
const env = { PATH: '', STATE_DIRECTORY: state };

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function bonafide(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(first, [...rest, ...args], { cwd: state, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const serve = (...args: string[]): Promise<Server> =>
  startProgram([first, ...rest], args, { cwd: state, env });

function build(out: string, ...args: string[]): Promise<void> {
  const script = join(ROOT, '.config/binary/build.mjs');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, '--out', out, ...args], { cwd: ROOT }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

beforeAll(async () => {
  await build(built);
  copyFileSync(join(built, 'bonafide'), program);
  mkdirSync(state);
  chmodSync(alone, 0o755);
  if (mayEnclose) chownSync(state, NOBODY, NOBODY);
});
afterAll(() => {
  for (const folder of [built, alone]) rmSync(folder, { recursive: true, force: true });
});

test('it comes with its checksum, and with a bill of all that is in it', () => {
  expect(readdirSync(built).sort()).toEqual(['bonafide', 'bonafide.cdx.json', 'bonafide.sha256']);
  expect(spawnSync('sha256sum', ['--check', 'bonafide.sha256'], { cwd: built }).status).toBe(0);
  const bill = JSON.parse(readFileSync(join(built, 'bonafide.cdx.json'), 'utf8'));
  const { dependencies } = JSON.parse(textOf('package.json'));
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['node', ...Object.keys(dependencies)]));
});

test('twice built, it is the same to the byte', async () => {
  const again = join(built, 'again');
  await build(again);
  const sum = (folder: string) => readFileSync(join(folder, 'bonafide.sha256'), 'utf8');
  expect(sum(again)).toBe(sum(built));
  rmSync(again, { recursive: true });
});

test('alone in a folder it tells its version, its pages and the licences of what is in it', async () => {
  const { version } = JSON.parse(textOf('package.json'));
  expect(await bonafide('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect((await bonafide('docs', 'plugins')).stdout).toContain('# Writing plugins');
  const { stdout } = await bonafide('licenses', '--text');
  for (const text of ['OpenSSL', 'better-sqlite3 ', 'drizzle-orm ', 'swagger-ui-dist '])
    expect(stdout).toContain(text);
});

test('it imports, checks and backs up in the state folder that it is given', async () => {
  writeFileSync(join(alone, 'people.csv'), 'id,name,email\n1,Ada Example,ada@example.com\n');
  expect(await bonafide('graph', 'import', join(alone, 'people.csv'))).toMatchObject({ code: 0 });
  const { stdout } = await bonafide('check', '--name', 'Ada Example', '--email', 'ada@example.com');
  expect(stdout).toMatch(/email +primary match/);
  expect(await bonafide('backup', join(state, 'backup.tar'))).toMatchObject({ code: 0 });
  expect(existsSync(join(state, 'graph.db'))).toBe(true);
  // A reading of a rare character comes from a package that is not bundled.
  const compared = await bonafide('names', 'compare', '王小明', 'Wang Xiaoming', '--json');
  expect(JSON.parse(compared.stdout)).toMatchObject({ same: true });
});

test('the demo answers, shows its pages, and stops when it is told to', async () => {
  const { url, demoKey, process: child, ended } = await serve('--demo');
  for (const page of ['/readyz', '/docs', '/openapi.json', '/docs/api'])
    expect((await fetch(url + page)).status).toBe(200);
  const headers = { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' };
  const body = textOf('data/sample/demo-request.json');
  const answer = await fetch(`${url}/v1/validate`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await signedIn(url)).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
});

/** Loads the page of the console with all its files, signs in with a link, and sends the requests of a page. */
async function signedIn(url: string): Promise<number> {
  const page = await (await fetch(`${url}/console`)).text();
  const files = Array.from(page.matchAll(/"(\/console\/assets\/[^"]+)"/g), ([, file = '']) => file);
  const loaded = await Promise.all(files.map((file) => fetch(url + file)));
  expect(loaded.map(({ status }) => status)).toEqual(files.map(() => 200));
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  const { stdout } = await bonafide('console', 'link', '--data-dir', join(state, 'demo'), '--url', url);
  const [, link] = /#link=(\S+)/.exec(stdout) ?? [];
  const mark = { 'bonafide-console': '1', origin: url };
  const session = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { ...mark, 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(`${url}/admin/v1/graph`, { headers: { ...mark, cookie } })).status;
}

test('several workers serve, and a plugin of the operator in TypeScript answers', async () => {
  const plugins = join(alone, 'plugins');
  mkdirSync(plugins);
  savePage(plugins);
  const plugin = join(plugins, 'short-narrative.ts');
  const { stdout } = await bonafide('plugins', 'list', '--plugins', plugin);
  expect(stdout).toContain(plugin);
  const { url } = await serve('--demo', '--workers', '2', '--plugins', plugin);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test.runIf(isLinux)(
  'its files lie in a private folder, and are made anew where somebody changed one',
  async () => {
    const [laid = ''] = readdirSync(state).filter(
      (name) => name.startsWith('bonafide-') && !name.endsWith('demo'),
    );
    const file = join(state, laid, 'src/cli.js');
    writeFileSync(file, 'process.stdout.write("somebody else\\n");');
    expect((await bonafide('--version')).stdout).not.toContain('somebody else');
    expect(readFileSync(file, 'utf8')).not.toContain('somebody else');
  },
);

test('it puts another version in its own place after a backup, and goes back', async () => {
  const own = mkdtempSync(join(tmpdir(), 'bonafide-upgraded-'));
  const file = join(own, 'bonafide');
  copyFileSync(program, file);
  const other = join(own, 'other');
  writeFileSync(other, '#!/bin/sh\necho 9.9.9\n', { mode: 0o755 });
  const data = join(own, 'data');
  const run = (...args: string[]) =>
    spawnSync(file, args, {
      encoding: 'utf8',
      env: { ...env, BONAFIDE_DATA_DIR: data, CACHE_DIRECTORY: own },
    });
  writeFileSync(join(own, 'people.csv'), 'id,name,email\n1,Ada Example,ada@example.com\n');
  expect(run('graph', 'import', join(own, 'people.csv'))).toMatchObject({ status: 0 });
  const elsewhere = join(own, 'none');
  expect(run('upgrade', '--from', other, '--data-dir', elsewhere)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${elsewhere} contains no data of Bonafide`),
  });
  expect(run('--version').stdout).not.toContain('9.9.9');
  // A folder with the name of the copy prevents the upgrade, for root too.
  mkdirSync(`${file}.next`);
  expect(run('upgrade', '--from', other).stderr).toContain(`${file} cannot be replaced`);
  expect(existsSync(join(data, 'backups'))).toBe(false);
  rmdirSync(`${file}.next`);
  expect(run('upgrade', '--from', other)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('9.9.9'),
  });
  expect(readdirSync(join(data, 'backups'))).toEqual([expect.stringMatching(/^before-9\.9\.9-.*\.tar$/)]);
  expect(run('--version').stdout).toBe('9.9.9\n');
  const back = spawnSync(`${file}.previous`, ['--version'], {
    encoding: 'utf8',
    env: { ...env, CACHE_DIRECTORY: own },
  });
  expect(back.status).toBe(0);
  rmSync(own, { recursive: true, force: true });
});

test('for another machine it is built too', async () => {
  await build(built, '--target', 'linux-arm64');
  const header = readFileSync(join(built, 'bonafide-linux-arm64')).subarray(0, 20);
  // ELF, 64 bits, for AArch64 (183): https://refspecs.linuxfoundation.org/elf/elf.pdf.
  expect([header.toString('latin1', 1, 4), header[4], header.readUInt16LE(18)]).toEqual(['ELF', 2, 183]);
});

test.skipIf(mayEnclose)(
  'NOT SHOWN here, for want of rights: as another user, on a root that is read-only',
  () => {
    expect(mayEnclose).toBe(false);
  },
);
