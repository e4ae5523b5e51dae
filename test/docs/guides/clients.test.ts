// Runs the programs of the page unchanged against a real server.
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freshApp } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { createKey } from '../../../src/store/keys.ts';
import { fences, pageText, ROOT } from '../../kit/pages.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';

const has = (tool: string) => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Starts a server with the sample people. Returns a function that runs a program of the page. */
async function served() {
  const { app } = await freshApp();
  const { url } = await app.listen();
  const wanted = { name: 'page', scopes: ['validate' as const], test: true };
  const { key } = createKey(app.store, wanted, Date.now());
  const env = { ...bareEnvironment(), BONAFIDE_URL: url, BONAFIDE_KEY: key };
  return (file: string, ...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(file, args, { env }, (error, stdout, stderr) =>
        error ? reject(new Error(stderr || stdout)) : resolve(stdout),
      );
    });
}

const written = (name: string, text: string) => {
  const file = join(freshFolder(), name);
  writeFileSync(file, text);
  return file;
};
const SAID = /^\d+ (HIGH|MEDIUM) req_\w+\nnora\.ellingsworth@post\.example Primary Match\n$/;

test('TypeScript', async () => {
  const run = await served();
  const [program = ''] = fences(pageText('clients'), 'ts');
  const client = pathToFileURL(join(ROOT, 'src/client/index.ts')).href;
  const file = written('program.ts', program.replace("'bonafide/client'", `'${client}'`));
  expect(await run(process.execPath, file)).toMatch(SAID);
});

test.skipIf(!has('python3'))('Python', async () => {
  const run = await served();
  const [program = ''] = fences(pageText('clients'), 'python');
  expect(await run('python3', written('program.py', program))).toMatch(SAID);
});

test.skipIf(!has('curl'))('curl', async () => {
  const run = await served();
  const [program = ''] = fences(pageText('clients'), 'sh');
  expect(JSON.parse(await run('sh', written('program.sh', program)))).toMatchObject({ success: true });
});
