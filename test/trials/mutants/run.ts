// npm run trials -- mutants: changes the source of a module in one place, runs the module's tests, and prints the changes that no test notices.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { randomNumbers } from '../../bench/people.ts';
import { ROOT } from '../../kit/pages.ts';
import { inLanes } from '../trial.ts';
import { listMutants } from './mutate.ts';
import type { Mutant } from './mutate.ts';

const MODULES = ['score', 'match', 'claim', 'accounts', 'normalise', 'names', 'link'];
/** Time limit of the tests of a mutant: a change that makes them run longer counts as noticed. */
const ENDLESS = { times: 5, leastMs: 60_000 };
const COPIED = ['src', 'test', 'plugins', 'data', '.config', 'package.json', 'tsconfig.json', 'README.md'];

export interface MutantOptions {
  modules: string[] | undefined;
  /** Number of mutants of each module. */
  sample: number;
  seed: number;
}

/** Runs the mutants of each module, prints the survivors, and returns true. Throws if the tests fail without a change. */
export async function runMutants({ modules = MODULES, sample, seed }: MutantOptions): Promise<boolean> {
  const unknown = modules.find((name) => !MODULES.includes(name));
  if (unknown !== undefined) throw new Error(`There is no module ${unknown}: ${MODULES.join(', ')}.`);
  const root = mkdtempSync(join(tmpdir(), 'bonafide-mutants-'));
  try {
    const lanes = Array.from({ length: availableParallelism() }, (_, i) =>
      copyProject(join(root, String(i))),
    );
    for (const name of modules) await runModule(name, lanes, drawMutants(name, sample, seed));
    return true;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Copies the files that tests of a module read, so that the source itself never changes. */
function copyProject(folder: string): string {
  mkdirSync(folder);
  const filter = (path: string) => !/\/(node_modules|data\/local|data\/demo)$/.test(path);
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function drawMutants(name: string, sample: number, seed: number): Mutant[] {
  const random = randomNumbers(seed);
  return readdirSync(join(ROOT, 'src', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .flatMap((file) => listMutants(join(ROOT, 'src', name, file)))
    .map((mutant) => ({ mutant, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, sample)
    .map(({ mutant }) => mutant);
}

async function runModule(name: string, lanes: string[], mutants: Mutant[]): Promise<void> {
  const begun = performance.now();
  if (!(await passes(name, lanes[0] ?? '', 600_000)))
    throw new Error(`The tests of ${name} fail without a change: npm run test:run -- test/${name}/`);
  const limitMs = Math.max(ENDLESS.leastMs, ENDLESS.times * lanes.length * (performance.now() - begun));
  const survivors: Mutant[] = [];
  await inLanes(mutants, lanes.length, async (mutant, number) => {
    const folder = lanes[number] ?? '';
    const copy = join(folder, relative(ROOT, mutant.file));
    const text = readFileSync(copy, 'utf8');
    writeFileSync(copy, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end));
    if (await passes(name, folder, limitMs)) survivors.push(mutant);
    writeFileSync(copy, text);
  });
  const noticed = mutants.length - survivors.length;
  const share = ((100 * noticed) / Math.max(1, mutants.length)).toFixed(0);
  process.stdout.write(`${name}: ${noticed} of ${mutants.length} mutants noticed, ${share} %\n`);
  for (const { file, line, original, replacement } of survivors.toSorted(byPlace))
    process.stdout.write(
      `  ${relative(ROOT, file)}:${line}  ${shortened(original)} → ${shortened(replacement)}\n`,
    );
}

const byPlace = (a: Mutant, b: Mutant) => a.file.localeCompare(b.file) || a.start - b.start;
const shortened = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 60) || 'nothing';

/** Returns true if the tests of a module pass in a copy of the project within a time limit. */
function passes(name: string, folder: string, limitMs: number): Promise<boolean> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', '.config/vitest.ts', '--bail', '1', '--maxWorkers', '1', `test/${name}/`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), limitMs);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}
