// Entries of a data folder that a command would wait for, or through which it would change another folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshApp } from '../kit/app.ts';
import { bonafide } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';

const SOURCES = new URL('../../src', import.meta.url).href;

/** Every name under which the program opens a file or a folder in the data folder. */
const FILES =
  'graph.db records.db store.db link.db limits.db store.db-wal graph.db-shm features.json calibrations.json secret secret.old held.json serving.json demo-key rejects.jsonl rejects.json'.split(
    ' ',
  );
const TEMPORARY_FILES = ['import-begun.0a1b2c3d-1', 'held.json.1-0', 'secret.1-0.tmp', 'moving.lock'];
const FOLDERS = ['uploads', 'sample', 'receipts', '.bonafide-restored'];
const PLANTS: Record<string, (path: string) => void> = {
  'a named pipe': (path) => void execFileSync('mkfifo', ['-m', '600', path]),
  'a folder': (path) => mkdirSync(path),
  'a symbolic link': (path) => symlinkSync('/nowhere/at/all', path),
};

const CASES = [
  ...FILES.flatMap((name) => Object.keys(PLANTS).map((type) => [name, type])),
  ...[...TEMPORARY_FILES, ...FOLDERS].map((name) => [name, 'a named pipe']),
  ...FOLDERS.map((name) => [name, 'a symbolic link']),
] as [string, string][];

const COMMANDS: Record<string, string[]> = {
  'console link': ['console', 'link'],
  'graph forget': ['graph', 'forget', '--email', 'a@b.example', '--yes'],
  serve: ['serve', '--port', '0'],
};

/** Runs command lines, all in one process, which loads the source once. Returns the last line on standard error of each. */
function runAll(commandLines: string[][]): string[] {
  const script = `const { runCommandLine } = await import('${SOURCES}/commands/command-line.ts');
    const told = []; let text = '';
    process.stderr.write = (part) => { text += part; return true; };
    for (const words of ${JSON.stringify(commandLines)}) {
      text = ''; await runCommandLine(words);
      told.push(text.trim().split('\\n').at(-1));
    }
    process.stdout.write('\\n' + JSON.stringify(told), () => process.exit());`;
  const { stdout, error } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 180_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  if (error) throw error;
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
}

/** Each command with each case: the path of the entry, its type, and what the command says. */
function runCases() {
  const runs = Object.entries(COMMANDS).flatMap(([command, words]) =>
    CASES.map(([name, type]) => {
      const folder = freshFolder();
      const path = join(folder, name);
      PLANTS[type]?.(path);
      return { command, path, type, words: [...words, '--data-dir', folder] };
    }),
  );
  const told = runAll(runs.map(({ words }) => words));
  return runs.map((run, i) => ({ ...run, told: told[i] }));
}

let ran: ReturnType<typeof runCases> | undefined;

it.each(Object.keys(COMMANDS))('%s refuses an entry of another type', { timeout: 240_000 }, (command) => {
  ran ??= runCases();
  const own = ran.filter((run) => run.command === command);
  expect(own).toHaveLength(CASES.length);
  for (const { told, path, type } of own) expect(told).toContain(`${path} is ${type}`);
});

it(
  'doctor says the same as the server, and a link keeps the files of its target',
  { timeout: 90_000 },
  async () => {
    const { app, folder } = await freshApp();
    await app.close();
    const outside = freshFolder();
    writeFileSync(join(outside, 'letter'), 'x');
    utimesSync(join(outside, 'letter'), 0, 0);
    symlinkSync(outside, join(folder, 'uploads'));
    const says = `${join(folder, 'uploads')} is a symbolic link, not a folder`;
    expect((await bonafide(['serve', '--port', '0', '--data-dir', folder])).stderr).toContain(says);
    expect((await bonafide(['doctor', '--data-dir', folder])).stdout).toContain(says);
    expect(existsSync(join(outside, 'letter'))).toBe(true);
  },
);

it(
  'a link to a regular file is read, and a hidden file of another program is ignored',
  { timeout: 90_000 },
  async () => {
    const { app, folder } = await freshApp();
    await app.close();
    const outside = join(freshFolder(), 'secret');
    cpSync(join(folder, 'secret'), outside);
    execFileSync('ln', ['-sf', outside, join(folder, 'secret')]);
    symlinkSync('/dev/null', join(folder, '.bash_history'));
    expect((await bonafide(['graph', 'sources', '--data-dir', folder])).code).toBe(0);
  },
);
