// Takes about a minute: builds, packs, and installs the tarball twice with all its dependencies, including a Node of 190 MB. Only this test
// shows that an installation runs.
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, textOf } from './kit/pages.ts';
import { savePage } from './kit/models/plugins-page.ts';
import { startLauncher } from './kit/server.ts';
import type { Server } from './kit/server.ts';

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const folder = mkdtempSync(join(tmpdir(), 'bonafide-pack-'));
const app = join(folder, 'app');
const wide = join(folder, 'global');
const installed = join(app, 'node_modules/bonafide');
let pagesGone = false;

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Variables of the installation: its data is in a folder of the test, not in that of the user. */
const ELSEWHERE = { XDG_DATA_HOME: join(folder, 'share') };

/** Returns the environment of another user's shell, without npm's settings for this repository and its packages in the path. */
function outside(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(registry|cache|cafile|userconfig|.*proxy)$)|BONAFIDE_|NODE_|VITEST)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
  // This Node is new enough for Bonafide, and the Node of the machine may not be.
  return {
    ...Object.fromEntries(kept),
    ...ELSEWHERE,
    PATH: [dirname(process.execPath), ...path].join(delimiter),
  };
}

function run(file: string, args: string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env: outside() }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

async function succeed(file: string, args: string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await run(file, args, cwd);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${stdout} ${stderr}`);
}
const npm = (args: string[], cwd: string): Promise<void> => succeed('npm', args, cwd);
const node = (args: string[]): Promise<Ran> => run(process.execPath, args, app);
const bonafide = (...args: string[]): Promise<Ran> => run(join(app, 'node_modules/.bin/bonafide'), args, app);

/** Returns a Node on this machine that is too old to run Bonafide, or undefined. */
function olderNode(): string | undefined {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((part) => join(part, 'node'));
  return found.find((file) => {
    if (!existsSync(file)) return false;
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(stdout)?.[1] ?? 99) < 24;
  });
}
const older = olderNode();
const { version } = JSON.parse(textOf('package.json')) as { version: string };

beforeAll(async () => {
  for (const made of [app, wide]) mkdirSync(made);
  await succeed(process.execPath, ['.config/console.mjs', '--stale'], ROOT);
  const looking = setInterval(
    () => void (pagesGone ||= !existsSync(join(ROOT, 'dist/console/index.html'))),
    5,
  );
  await succeed(process.execPath, ['.config/build.mjs'], ROOT);
  clearInterval(looking);
  await npm(['pack', '--pack-destination', folder], ROOT);
  const tarball = join(folder, `bonafide-${version}.tgz`);
  // npm waits five minutes for a registry that does not answer, and then retries.
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-timeout=20000', '--fetch-retries=5'];
  await npm(['install', ...quiet, tarball], app);
  await npm(['pkg', 'set', 'type=module'], app);
  await npm(['install', '--global', '--prefix', wide, ...quiet, tarball], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a build takes no page away from a server that runs from the sources', () => {
  expect(pagesGone).toBe(false);
});

test('the tarball holds the build, the launcher and the README, and no test', () => {
  expect(readdirSync(installed).toSorted()).toEqual(['README.md', 'dist', 'package.json', 'src']);
  expect(readdirSync(join(installed, 'src'))).toEqual(['bonafide.mjs']);
  expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual([
    'README.md',
    'console',
    'data',
    'licences.json',
    'plugins',
    'src',
    'swagger-ui',
  ]);
  expect(existsSync(join(installed, 'dist/package.json'))).toBe(false);
});

test('development dependencies are not installed', () => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as { devDependencies: object };
  const there = Object.keys(devDependencies).filter((name) => existsSync(join(app, 'node_modules', name)));
  expect(there).toEqual([]);
});

test('it tells its version, its pages and what two names have in common', async () => {
  expect(await bonafide('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect((await bonafide('docs', 'plugins')).stdout).toContain('# Writing plugins');
  const compared = await bonafide('names', 'compare', '王小明', 'Wang Xiaoming', '--json');
  expect(JSON.parse(compared.stdout)).toMatchObject({ same: true });
});

test('a global installation runs too, from a link', async () => {
  const file = process.platform === 'win32' ? 'bonafide.cmd' : 'bin/bonafide';
  expect(await run(join(wide, file), ['--version'], folder)).toMatchObject({ stdout: `${version}\n` });
});

test.runIf(older !== undefined)('an older Node hands over to the Node that was installed', async () => {
  const local = join(installed, 'src/bonafide.mjs');
  const nested = join(wide, 'lib/node_modules/bonafide/src/bonafide.mjs');
  for (const launcher of [local, nested]) {
    const ran = await run(older ?? '', [launcher, 'plugins', 'list', '--data-dir', folder], folder);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('narrative') });
  }
});

/** Returns the result of the tool of /mcp. */
async function toolOf({ url, demoKey }: Server): Promise<unknown> {
  const { name, emails } = JSON.parse(textOf('data/sample/demo-request.json'));
  const params = { name: 'verify_identity', arguments: { name, emails } };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await answer.json()) as { result: unknown }).result;
}
const CHECKED = {
  isError: false,
  structuredContent: { success: true, dominant_identity: expect.any(Number) },
};

test.runIf(older !== undefined)('started by an older Node, it serves checks and agents too', async () => {
  const cwd = join(folder, 'older');
  mkdirSync(cwd);
  const server = await startLauncher(join(installed, 'src/bonafide.mjs'), ['--demo'], {
    cwd,
    env: ELSEWHERE,
    node: older,
  });
  expect(await toolOf(server)).toMatchObject(CHECKED);
  server.process.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('serve --demo answers the demo request with AI features and an agent, and shows its pages', async () => {
  const server = await startLauncher(join(installed, 'src/bonafide.mjs'), ['--demo'], {
    cwd: app,
    env: ELSEWHERE,
  });
  const answer = await fetch(`${server.url}/v1/validate/enhanced`, {
    method: 'POST',
    headers: { 'x-api-key': server.demoKey ?? '', 'content-type': 'application/json' },
    body: textOf('data/sample/demo-request.json'),
  });
  expect(await answer.json()).toMatchObject({
    trustworthiness_score: 84,
    ai_insights: { ai_enabled: true, name_matching: { model: 'rules' } },
  });
  expect((await fetch(`${server.url}/docs/plugins`)).status).toBe(200);
  expect(await toolOf(server)).toMatchObject(CHECKED);
  server.process.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');
});

const EMBEDDING = `import { loadConfig, openApp } from 'bonafide';
const config = await loadConfig({ flags: { dataDir: 'embedded', log: 'silent' } });
const app = await openApp(config);
const answer: Response = await app.fetch(new Request('http://localhost/healthz'));
console.log(answer.status);
await app.close();\n`;

describe('an author with nothing but the package', () => {
  beforeAll(() => {
    savePage(app);
    writeFileSync(join(app, 'embed.ts'), EMBEDDING);
  });

  test('compiles the page’s files and a program that embeds the whole, declarations checked', async () => {
    const compiled = await node([TSC, '--project', '.', '--listFiles']);
    expect(compiled.stdout.replace(/^\/.*\n/gm, '')).toBe('');
    expect(compiled.stdout).toContain('bonafide/dist/src/features/plugin/index.d.ts');
    expect(compiled.code).toBe(0);
  });

  test('is told by the compiler where a block is not as specified', async () => {
    const text = readFileSync(join(app, 'short-narrative.ts'), 'utf8');
    const wrong = join(app, 'wrong.ts');
    writeFileSync(wrong, text.replace("'MANUAL_REVIEW'", "'LATER'"));
    const { code, stdout } = await node([TSC, '--project', '.']);
    rmSync(wrong);
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/^wrong\.ts[^]*"LATER"/);
  });

  test('checks them on the contract, by the command and by the test kit', async () => {
    expect(await bonafide('plugins', 'check', 'short-narrative.ts')).toEqual({
      code: 0,
      stdout: 'feature short-narrative 1.0.0 obeys the plugin contract\n',
      stderr: '',
    });
    const { code, stdout } = await node(['contract.ts']);
    expect([code, stdout]).toEqual([0, '[]\n[]\n[]\n[]\n']);
  });

  test('uses the TypeScript feature', async () => {
    const args = ['--plugins', 'short-narrative.ts', '--data-dir', join(folder, 'data'), '--json'];
    const used = await bonafide(
      'features',
      'use',
      'narrative',
      'rules',
      '--feature-plugin',
      'short-narrative',
      ...args,
    );
    expect(JSON.parse(used.stdout)).toMatchObject({ features: [{ plugin: 'short-narrative' }, {}, {}] });
  });

  test('embeds the whole in the compiled program', async () => {
    expect(await node(['embed.ts'])).toEqual({ code: 0, stdout: '200\n', stderr: '' });
  });
});
