// The typed client as a package of its own: packed, installed in an empty folder without a registry, compiled and used.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freshFolder } from '../kit/folder.ts';
import { freshApp } from '../kit/app.ts';
import { ROOT } from '../kit/pages.ts';

const run = promisify(execFile);
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const PROGRAM = `import { BonafideApiError, createClient, type Check, type CheckRequest } from 'bonafide-client';
const client = createClient({ url: process.argv[2] ?? '', key: process.argv[3] ?? '' });
const request: CheckRequest = { name: 'Nobody Atall', emails: ['nobody@atall.example'] };
const check: Check = await client.validate(request);
const statuses: string[] = check.input_validation.email.inputs.map(({ match_status }) => match_status);
const { usage } = createClient({ url: process.argv[2] ?? '', key: 'bf_live_wrong' });
const code = await usage().catch((error: unknown) => (error instanceof BonafideApiError ? error.code : 'none'));
console.log(JSON.stringify([statuses, code]));
`;

test('the client alone is packed, installed without a registry, compiled, and calls a server', async () => {
  const folder = freshFolder();
  const made = join(folder, 'client');
  await run(process.execPath, [join(ROOT, '.config/client.mjs'), made], { cwd: ROOT });
  await run('npm', ['pack', made], { cwd: folder });
  const { version } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as { version: string };
  const tarball = join(folder, `bonafide-client-${version}.tgz`);
  expect(statSync(tarball).size).toBeLessThan(100_000);
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: user });
  writeFileSync(join(user, 'program.ts'), PROGRAM);
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  await run(process.execPath, [TSC, ...strict, ...types, 'program.ts'], { cwd: user });
  const { app, usual } = await freshApp();
  const { url } = await app.listen();
  const { stdout } = await run(process.execPath, ['program.ts', url, usual], { cwd: user });
  expect(JSON.parse(stdout)).toEqual([['Unverified'], 'invalid_api_key']);
});
