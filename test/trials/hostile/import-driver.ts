// Imports one generated file after another in one process, and prints the faults of each.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../src/commands/command-line.ts';
import { randomNumbers } from '../../bench/people.ts';
import { importFile, MARK } from './grammar.ts';
import { fileOfOthers } from './others.ts';
import { changedFile } from './packed.ts';
import type { Seen } from './fuzz-imports.ts';

const { folder, seed, count } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  seed: number;
  count: number;
};
const random = randomNumbers(seed);
const out = process.stdout.write;
const say = (seen: Seen) => void out.call(process.stdout, `${JSON.stringify(seen)}\n`);
const memory = () => process.memoryUsage().rss / 2 ** 20;
/** Interval of files that are stored; all others are dry runs, because linking takes longer than reading. */
const KEPT = 10;
/** Limit of CPU time of all threads, because elapsed time depends on other work of the machine. */
const SLOW_MS = 5000;

async function commandLine(args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const keep = (chunk: unknown) => ((text += String(chunk)), true);
  const [stdout, stderr] = [process.stdout.write, process.stderr.write];
  [process.stdout.write, process.stderr.write] = [keep, keep];
  try {
    return { code: await runCommandLine(args), text };
  } finally {
    [process.stdout.write, process.stderr.write] = [stdout, stderr];
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function wrongIn(code: number, text: string, took: number): string | undefined {
  if (text.includes(MARK)) return 'a value on the screen';
  if (code !== 0 && !/^error: .+$/m.test(text)) return `an error without a line: ${text.slice(0, 120)}`;
  if (/should not have/.test(text)) return `an error without a reason: ${text.trim().slice(-160)}`;
  return took > SLOW_MS ? `took more than ${SLOW_MS / 1000} s of the processor` : undefined;
}

mkdirSync(folder, { recursive: true });
for (let n = 1; n <= count; n++) {
  const kind = random();
  const { ending, bytes } =
    kind < 0.1 ? changedFile(random) : kind < 0.4 ? fileOfOthers(random) : importFile(random);
  const file = join(folder, `file.${ending}`);
  writeFileSync(file, bytes);
  const kept = n % KEPT === 0;
  const begun = cpuMs();
  const { code, text } = await commandLine([
    'graph',
    'import',
    file,
    '--data-dir',
    join(folder, 'data'),
    ...(kept ? [] : ['--dry-run']),
  ]);
  const seen = wrongIn(code, text, cpuMs() - begun);
  if (seen) say({ n, seen, file: JSON.stringify(bytes.toString().slice(0, 100)), memory: memory() });
  if (n % 100 === 1 || n === count) say({ n, memory: memory() });
  rmSync(file);
  // Removes the graph, because a growing graph makes each import slower than the one before.
  if (n % 500 === 0) rmSync(join(folder, 'data'), { recursive: true, force: true });
}
process.exit(0);
