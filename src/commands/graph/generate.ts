// bonafide graph generate: records of people who do not exist, as data really is, with the truth about them.
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { once } from 'node:events';
import { basename, dirname, join, resolve } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { checkLines } from '../../generate/checks/index.ts';
import { recordLines } from '../../generate/record.ts';
import { sections } from '../../generate/tables/names.ts';
import { makeWorld, type World } from '../../generate/world.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { GENERATE_TABLES } from '../../platform/assets.ts';
import { defineCommand, print } from '../shared/command.ts';

const MOST_PEOPLE = 100_000_000;

export default defineCommand({
  meta: { name: 'generate', description: 'Write records of invented people, for tests and measurements' },
  args: {
    people: { type: 'string', description: 'How many people', required: true, valueHint: 'number' },
    seed: {
      type: 'string',
      description: 'Another number makes other people (default 1)',
      valueHint: 'number',
    },
    country: { type: 'string', description: 'Countries with commas (default all)', valueHint: 'US,GB,…' },
    out: { type: 'string', description: 'Where the records go (default standard output)', valueHint: 'file' },
    truth: { type: 'string', description: 'Where to write which record is whose', valueHint: 'file' },
    checks: { type: 'string', description: 'Where to write labelled checks', valueHint: 'file' },
    cases: { type: 'string', description: 'How many checks (default 10000)', valueHint: 'number' },
    json: { type: 'boolean', description: 'Print JSON for scripts' },
  },
  examples: [
    'graph generate --people 10000 --out people.jsonl --truth truth.jsonl',
    'graph generate --people 5000 --country US,GB --seed 7 --out people.jsonl --checks checks.jsonl',
  ],
  async run({ args }) {
    const world = worldOf(args);
    const cases = wholeNumber(args.cases ?? '10000', { option: 'cases', from: 0, to: 10_000_000 });
    if (args.cases !== undefined && args.checks === undefined)
      throw new BonafideError(
        'invalid_arguments',
        '--cases says how many checks --checks writes: name a file there.',
      );
    refuseSame([args.out, args.truth, args.checks]);
    const [out, truth, checks] = [args.out, args.truth, args.checks].map(openForWriting);
    let labelled = 0;
    for (const lines of recordLines(world)) {
      if (out) out.write(lines.records);
      else await toStandardOutput(lines.records);
      truth?.write(lines.truth);
    }
    if (checks)
      for (const line of checkLines(world, cases)) {
        checks.write(line);
        labelled++;
      }
    for (const file of [out, truth, checks]) file?.close();
    if (!args.out) return;
    const { people, records, seed } = world;
    const told = checks ? `, ${labelled} labelled checks${labelled < cases ? FEWER(cases) : ''}` : '';
    const counts = { people, records, seed, ...(checks && { checks: labelled }) };
    print(args, counts, `${records} records of ${people} people${told}`);
  },
});

const FEWER = (cases: number) => ` (of ${cases}: these people have nothing that the others could be made of)`;

/** Errors: invalid_arguments where two outputs are one file, however it is called. */
function refuseSame(files: (string | undefined)[]): void {
  const named = files.flatMap((file) => (file === undefined ? [] : [fileBehind(file)]));
  if (new Set(named).size < named.length)
    throw new BonafideError('invalid_arguments', '--out, --truth and --checks need a file each.');
}

/** Devices take whatever comes. */
function fileBehind(file: string): string | symbol {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there) return there.isFile() ? `${there.dev} ${there.ino}` : Symbol(file);
  const folder = dirname(resolve(file));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file));
}

function worldOf(args: { people: string; seed?: string; country?: string }): World {
  const places = readTable('places.txt');
  const known = [...sections(places).keys()];
  const codes = args.country?.split(',').flatMap((code) => code.trim().toUpperCase() || []);
  if (codes && (codes.length === 0 || codes.some((code) => !known.includes(code))))
    throw new BonafideError('invalid_arguments', `--country knows ${known.join(', ')}, with commas.`);
  return makeWorld({
    people: wholeNumber(args.people, { option: 'people', from: 1, to: MOST_PEOPLE }),
    seed: wholeNumber(args.seed ?? '1', { option: 'seed', from: 0, to: 2 ** 32 - 1 }),
    countries: [...new Set(codes)],
    names: readTable('names.txt'),
    places,
  });
}

const readTable = (name: string): string => readFileSync(join(GENERATE_TABLES, name), 'utf8');

function wholeNumber(text: string, of: { option: string; from: number; to: number }): number {
  const { option, from, to } = of;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new BonafideError('invalid_arguments', `--${option} must be a whole number, ${from} to ${to}.`);
}

interface Output {
  write(text: string): void;
  close(): void;
}

function openForWriting(file: string | undefined): Output | null {
  if (file === undefined) return null;
  refuseOwnFile(dirname(file), file);
  try {
    const handle = openSync(file, 'w', 0o600);
    return { write: (text) => appendFileSync(handle, text), close: () => closeSync(handle) };
  } catch {
    throw new BonafideError('unreadable_file', `${file} cannot be written.`);
  }
}

/** Waits where the reader is slower. */
async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
