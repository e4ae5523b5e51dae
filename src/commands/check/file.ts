// `check --file`: options, progress and summary.
import { isApiKeyText } from '../../accounts/key-text.ts';
import { createCheckerWithoutServer } from '../../app/local-checks.ts';
import { processEnvironment } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import type { CsvOrJsonLinesFormat } from '../../import/input/input.ts';
import { parseWholeNumber, createUsageError } from '../helpers/arguments.ts';
import { type CommonArgs, loadSettings, printResult, printNote } from '../helpers/command.ts';
import { isSameFile, openInputFile } from '../helpers/files.ts';
import { createProgressBar, runWithCleanupOnInterrupt } from '../helpers/terminal.ts';
import { openOutputFile } from './output.ts';
import { openPeopleFile } from './rows.ts';
import { checkPeople, type CheckedRowCounts } from './run.ts';
import { type CheckBackend, createLocalCheckBackend, createServerCheckBackend } from './targets.ts';

export interface CheckFileArgs extends CommonArgs {
  file?: string | undefined;
  out?: string | undefined;
  map?: string | undefined;
  encoding?: string | undefined;
  sheet?: string | undefined;
  server?: string | undefined;
  concurrency?: string | undefined;
  region?: string | undefined;
}

const [EXIT_NOBODY, EXIT_INCOMPLETE] = [1, 3];

/**
 * Checks all people of a file, and returns the exit code. Errors before the first answer: invalid_arguments, file_not_found, unreadable_file,
 * read_only, already_there if the output file belongs to another input, and those of `CheckBackend.check`. An error after the first answer ends the
 * run with a summary.
 */
export async function checkFile(args: CheckFileArgs): Promise<number> {
  const { target, region, close } =
    args.server === undefined ? await openLocalTarget(args) : openServerTarget(args, args.server);
  const tally: CheckedRowCounts = { rows: 0, answered: 0, before: 0 };
  const result = { out: '', error: null as BonafideError | null };
  try {
    await runFile({ ...args, region }, { target, tally, onOutput: (out) => (result.out = out) });
  } catch (error) {
    if (!(error instanceof BonafideError) || tally.answered === 0) throw error;
    result.error = error;
    printNote(`error: ${error.message}`);
  } finally {
    close();
  }
  printSummary(args, target, { ...tally, ...result });
  if (tally.rows > 0 && tally.answered === 0) return EXIT_NOBODY;
  return result.error || tally.answered < tally.rows ? EXIT_INCOMPLETE : 0;
}

const PROGRESS_INTERVAL = 100;

async function runFile(
  args: CheckFileArgs,
  {
    target,
    tally,
    onOutput,
  }: { target: CheckBackend; tally: CheckedRowCounts; onOutput(file: string): void },
): Promise<void> {
  const { file = '-', map, encoding, sheet, region, json = false } = args;
  const source = openInputFile(file);
  let bytes = 0;
  source.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const input = await openPeopleFile(source, { map, encoding, sheet, region, onColumns: printNote });
  const out = chooseOutput(args, input.format);
  onOutput(out);
  const output = openOutputFile(out, input.format);
  printNote(target.description);
  const bar = createProgressBar({ quiet: json, title: 'checking', unit: 'people' });
  const onLine = ({ rows }: CheckedRowCounts) => {
    if (rows % PROGRESS_INTERVAL === 0 || target.isCounted)
      bar.show({ phase: 'checking', done: source.bytes ? bytes / source.bytes : null, count: rows });
  };
  await runWithCleanupOnInterrupt(() => checkPeople({ input, target, output, onLine }, tally), {
    close: output.close,
    message: 'The run was interrupted. Run the command again to continue.',
  }).finally(() => {
    bar.stop();
    output.close();
  });
}

/**
 * Returns the path of the output file: the value of --out, or a path next to the input. Errors: invalid_arguments if the output is the input.
 */
function chooseOutput({ file = '-', out }: CheckFileArgs, format: CsvOrJsonLinesFormat): string {
  if (out === undefined && file === '-') throw createUsageError('Name the output file with --out.');
  const name = file.replace(/(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt))?(?:\.gz)?$/i, '');
  const chosen = out ?? `${name}.checked.${format}`;
  if (isSameFile(chosen, file)) throw createUsageError('--out names the input file. Choose another file.');
  return chosen;
}

async function openLocalTarget(args: CheckFileArgs) {
  if (args.concurrency !== undefined) throw createUsageError('--concurrency needs --server.');
  const config = await loadSettings(args, { region: args.region });
  const checks = createCheckerWithoutServer(config);
  return {
    target: createLocalCheckBackend(checks, config.dataDir),
    region: config.region,
    close: checks.close,
  };
}

const MAX_CONCURRENCY = 64;

/** Creates the backend that sends the checks to a server, from --server, --concurrency and the variable BONAFIDE_KEY. Errors: invalid_arguments. */
function openServerTarget(args: CheckFileArgs, server: string) {
  const url = /^https?:\/\//i.test(server) ? URL.parse(server) : null;
  if (!url) throw createUsageError('--server must be an address such as http://127.0.0.1:8787.');
  const key = processEnvironment.BONAFIDE_KEY?.trim() ?? '';
  if (key === '')
    throw createUsageError('--server needs an API key. Set the variable BONAFIDE_KEY to the key.');
  if (!isApiKeyText(key))
    throw createUsageError('The variable BONAFIDE_KEY does not contain an API key (bf_live_… or bf_test_…).');
  const concurrency = parseWholeNumber(args.concurrency ?? '8', '--concurrency', { max: MAX_CONCURRENCY });
  if (args.region !== undefined || args['data-dir'] !== undefined)
    throw createUsageError(
      '--region and --data-dir cannot be used with --server: the server has its own settings. Leave them out.',
    );
  let isReported = false;
  const onWait = (seconds: number) => {
    if (!isReported) printNote(`The rate limit is reached. Waiting ${seconds} s or longer.`);
    isReported = true;
  };
  const target = createServerCheckBackend({ url, key, concurrency, onWait });
  return { target, region: undefined, close: () => undefined };
}

interface Summary extends CheckedRowCounts {
  out: string;
  error: BonafideError | null;
}

function printSummary(
  args: CheckFileArgs,
  { isCounted, answers }: CheckBackend,
  { out, rows, answered, before, error }: Summary,
): void {
  const unanswered = rows - answered;
  const data = {
    out,
    rows,
    answered,
    unanswered,
    before,
    counts: isCounted,
    counted: answers.counted,
    complete: error === null,
  };
  const people = `${rows} ${rows === 1 ? 'person' : 'people'}`;
  const failed = unanswered > 0 ? `, ${unanswered} failed (see the column error)` : '';
  const lines = [
    `${people} in ${out}: ${answered} checked${failed}.`,
    ...(before > 0
      ? [
          `${before} of them were checked by an earlier run. To check them again, remove ${out}, or name another file with --out.`,
        ]
      : []),
    formatCalls(answers),
    ...(error ? ['Not all people were checked. Run the command again to continue.'] : []),
  ];
  printResult(args, data, lines.join('\n'));
}

function formatCalls({ counted, earlier }: CheckBackend['answers']): string {
  const calls = counted === 0 ? 'No calls were' : counted === 1 ? '1 call was' : `${counted} calls were`;
  const byEarlierRun = earlier > 0 ? `; ${earlier} had been counted by an earlier run` : '';
  return `${calls} counted${byEarlierRun}.`;
}
