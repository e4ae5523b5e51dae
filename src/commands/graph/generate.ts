// Command `bonafide graph generate`: records of invented people with realistic errors, and labels for tests.
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
import { generateCaseLines } from '../../generate/checks/index.ts';
import { generateRecordLines } from '../../generate/records.ts';
import { parseKeyValueSections } from '../../generate/tables.ts';
import { createGeneratedWorld, type GeneratedWorld } from '../../generate/world.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import { PEOPLE_GENERATOR_TABLES_FOLDER } from '../../platform/assets.ts';
import {
  defineFlag,
  defineOption,
  parseCommaSeparatedList,
  parseWholeNumber,
  defineRequiredOption,
  createUsageError,
} from '../helpers/arguments.ts';
import { defineCommandWithoutCommonOptions, printResult } from '../helpers/command.ts';
import { createUnwritableFileError } from '../helpers/files.ts';

const MAX_PEOPLE = 100_000_000;
const MAX_CASES = 10_000_000;

export const graphGenerateCommand = defineCommandWithoutCommonOptions(
  'Write records of invented people, for tests',
  {
    args: {
      people: defineRequiredOption('Number of people', 'number'),
      seed: defineOption('Seed: another number invents other people (default 1)', 'number'),
      country: defineOption('Countries, with commas (default all)', 'US,GB,…'),
      out: defineOption('File for the records (default standard output)', 'file'),
      truth: defineOption('File for the true person of each record', 'file'),
      checks: defineOption('File for labelled checks', 'file'),
      cases: defineOption('Number of labelled checks (default 10000)', 'number'),
      json: defineFlag('Print JSON for scripts'),
    },
    examples: [
      'graph generate --people 10000 --out people.jsonl --truth truth.jsonl',
      'graph generate --people 5000 --country US,GB --seed 7 --out people.jsonl --checks checks.jsonl',
    ],
    run: async (args) => {
      const world = createWorld(args);
      const cases = parseWholeNumber(args.cases ?? '10000', '--cases', { min: 0, max: MAX_CASES });
      if (args.cases !== undefined && args.checks === undefined)
        throw createUsageError('--cases needs --checks FILE, the file for the labelled checks.');
      refuseSameFile([args.out, args.truth, args.checks]);
      const out = openOutput(args.out, '--out');
      const truth = openOutput(args.truth, '--truth');
      const checks = openOutput(args.checks, '--checks');
      for (const lines of generateRecordLines(world)) {
        if (out) out.write(lines.records);
        else await writeToStandardOutput(lines.records);
        truth?.write(lines.truth);
      }
      let checkCount = 0;
      if (checks)
        for (const line of generateCaseLines(world, cases)) {
          checks.write(line);
          checkCount++;
        }
      for (const file of [out, truth, checks]) file?.close();
      if (!args.out) return;
      const { people, records, seed } = world;
      const counts = { people, records, seed, ...(checks && { checks: checkCount }) };
      const fewer =
        checkCount < cases ? ` (fewer than ${cases}: these people have no data for more checks)` : '';
      const checksText = checks ? `, ${checkCount} labelled checks${fewer}` : '';
      printResult(args, counts, `${records} records of ${people} people${checksText}`);
    },
  },
);

/** Throws if two outputs are the same file. Errors: invalid_arguments. */
function refuseSameFile(files: (string | undefined)[]): void {
  const targets = files.flatMap((file) => (file === undefined ? [] : [identifyFile(file)]));
  if (new Set(targets).size < targets.length)
    throw createUsageError('--out, --truth and --checks must be different files.');
}

/** Returns a value that is equal for two paths of the same file. Devices always count as different, because they can take several outputs. */
function identifyFile(file: string): string | symbol {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats) return stats.isFile() ? `${stats.dev} ${stats.ino}` : Symbol(file);
  const folder = dirname(resolve(file));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file));
}

function createWorld(args: { people: string; seed?: string; country?: string }): GeneratedWorld {
  const places = readTable('places.txt');
  const knownCountries = [...parseKeyValueSections(places).keys()];
  const countries =
    args.country === undefined ? [] : parseCommaSeparatedList(args.country.toUpperCase()).filter(Boolean);
  if (
    (args.country !== undefined && countries.length === 0) ||
    countries.some((country) => !knownCountries.includes(country))
  )
    throw createUsageError(
      `--country must be one or more of ${knownCountries.join(', ')}, separated by commas.`,
    );
  return createGeneratedWorld({
    people: parseWholeNumber(args.people, '--people', { max: MAX_PEOPLE }),
    seed: parseWholeNumber(args.seed ?? '1', '--seed', { min: 0, max: 2 ** 32 - 1 }),
    countries: [...new Set(countries)],
    names: readTable('names.txt'),
    places,
  });
}

const readTable = (name: string): string => readFileSync(join(PEOPLE_GENERATOR_TABLES_FOLDER, name), 'utf8');

interface Output {
  write(text: string): void;
  close(): void;
}

/** Opens an output file; returns null if no file is named. Errors: invalid_arguments, read_only. */
function openOutput(file: string | undefined, optionName: string): Output | null {
  if (file === undefined) return null;
  requireNotOwnDataFile(dirname(file), file);
  try {
    const handle = openSync(file, 'w', 0o600);
    return { write: (text) => appendFileSync(handle, text), close: () => closeSync(handle) };
  } catch {
    throw createUnwritableFileError(file, optionName);
  }
}

/** Writes to standard output; waits while the reader is slower. */
async function writeToStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
