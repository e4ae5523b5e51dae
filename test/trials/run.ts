// npm run trials: trials of the real command line and the real server under faults. See trials.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMutants } from './mutants/run.ts';
import { line, summary, TABLE_HEAD } from './report.ts';
import { isPassed } from './trial.ts';
import type { Size } from './trial.ts';
import { runTrial, TRIALS } from './trials.ts';

const HELP = `npm run trials -- [--short | --long] [--only NAME,NAME] [--part 0.1] [--seed 1] [--list]
Some twenty minutes on two cores; --short takes seconds for each, --long soaks for an hour. With
--part there are only so many of the kills, calls and cuts: for a machine that does other things beside it.

npm run trials -- failover [--rounds 30] [--asynchronous] [--seed 1]
A PostgreSQL primary is killed, frozen or switched over so many times, under load.

npm run trials -- mutants [--only MODULE,MODULE] [--sample 60] [--seed 1]
Changes the source of each module in so many places, one at a time, runs the module's own tests, and prints the
changes that no test notices. Some minutes for each module.
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    only: { type: 'string' },
    part: { type: 'string', default: '1' },
    rounds: { type: 'string' },
    asynchronous: { type: 'boolean', default: false },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) process.stdout.write(HELP);
else if (options.list) for (const { name, about } of TRIALS) process.stdout.write(`${name}: ${about}\n`);
else process.exitCode = (await (positionals[0] === 'mutants' ? runMutantsOnly() : runAll())) ? 0 : 1;

function runMutantsOnly(): Promise<boolean> {
  const modules = options.only?.split(',');
  return runMutants({ modules, sample: Number(options.sample), seed: Number(options.seed) });
}

function size(): Size {
  if (options.short) return 'short';
  return options.long ? 'long' : 'default';
}

async function runAll(): Promise<boolean> {
  const only = options.only?.split(',') ?? (positionals.length > 0 ? positionals : undefined);
  const unknown = only?.find((name) => TRIALS.every((trial) => trial.name !== name));
  if (unknown) throw new Error(`there is no trial ${unknown}: ${TRIALS.map(({ name }) => name).join(', ')}`);
  const root = mkdtempSync(join(tmpdir(), 'bonafide-trials-'));
  const tallies = [];
  process.stdout.write(TABLE_HEAD);
  try {
    for (const trial of TRIALS) {
      if (only && !only.includes(trial.name)) continue;
      const tally = await runTrial(trial, {
        root,
        size: size(),
        seed: Number(options.seed),
        part: Number(options.part),
        rounds: options.rounds === undefined ? undefined : Number(options.rounds),
        asynchronous: options.asynchronous,
      });
      tallies.push(tally);
      process.stdout.write(line(trial, tally));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  process.stdout.write(summary(tallies));
  return tallies.every(isPassed);
}
