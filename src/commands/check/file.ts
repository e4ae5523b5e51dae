// `check --file`: the parts that it takes, and what is told of it.
import { statSync } from 'node:fs';
import { isKeyText } from '../../accounts/key-text.ts';
import { openChecks } from '../../app/checks.ts';
import { environment } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import type { InputFormat } from '../../import/input/input.ts';
import { loadSettings, print } from '../shared/command.ts';
import { openInputFile } from '../shared/files.ts';
import { progressBar, runInterruptibly } from '../shared/terminal.ts';
import { askGraph, askServer, type Asking } from './targets.ts';
import { openOutput } from './output.ts';
import { openPeople } from './rows.ts';
import { checkPeople, type Tally } from './run.ts';

export type FileAsked = Parameters<typeof loadSettings>[0] & {
  file?: string | undefined;
  out?: string | undefined;
  map?: string | undefined;
  server?: string | undefined;
  concurrency?: string | undefined;
  region?: string | undefined;
};

/** The exit code where some people were not answered. */
const SOME_NOT = 3;

/**
 * Checks everybody in a file, and gives the exit code.
 *
 * Errors: invalid_arguments, file_not_found, unreadable_file, already_there; and while nobody is answered yet, why nobody can be.
 */
export async function checkFile(asked: FileAsked): Promise<number> {
  const { asking, close } = asked.server === undefined ? await localOf(asked) : serverOf(asked, asked.server);
  const tally: Tally = { rows: 0, answered: 0, before: 0 };
  const done = { out: '', stopped: null as BonafideError | null };
  try {
    await checked(asked, { asking, tally, onOut: (out) => (done.out = out) });
  } catch (error) {
    if (!(error instanceof BonafideError) || tally.answered === 0) throw error;
    done.stopped = error;
    note(`error: ${error.message}`);
  } finally {
    close();
  }
  tell(asked, asking, { ...tally, ...done });
  return done.stopped || tally.answered < tally.rows ? SOME_NOT : 0;
}

interface Work {
  asking: Asking;
  tally: Tally;
  onOut(out: string): void;
}

async function checked(asked: FileAsked, { asking, tally, onOut }: Work): Promise<void> {
  const { file = '-', map, json = false } = asked;
  const input = openInputFile(file);
  let bytes = 0;
  input.stream.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const people = await openPeople(input, { map, onColumns: note });
  const out = outOf(asked, people.format);
  onOut(out);
  const output = openOutput(out, people.format);
  note(asking.says);
  const bar = progressBar({ quiet: json, title: 'checking', unit: 'people' });
  const onLine = ({ rows }: Tally) => {
    if (rows % SHOW_EVERY === 0 || asking.counts)
      bar.show({ phase: 'checking', done: input.bytes ? bytes / input.bytes : null, count: rows });
  };
  await runInterruptibly(() => checkPeople({ people, asking, output, onLine }, tally), {
    close: output.close,
    says: 'The run was stopped. Run it again to go on.',
  }).finally(() => {
    bar.stop();
    output.close();
  });
}
const SHOW_EVERY = 100;

const note = (text: string) => void process.stderr.write(`${text}\n`);

/** Beside the input unless it is named; never the input itself. Errors: invalid_arguments. */
function outOf({ file = '-', out }: FileAsked, format: InputFormat): string {
  if (out === undefined && file === '-') throw usage('Say with --out where the answers go.');
  const name = file.replace(/(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt))?(?:\.gz)?$/i, '');
  const chosen = out ?? `${name}.checked.${format}`;
  const [there, from] = [chosen, file].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (there && from && there.ino === from.ino && there.dev === from.dev)
    throw usage('--out must be another file than the people’s.');
  return chosen;
}

async function localOf(asked: FileAsked) {
  if (asked.concurrency !== undefined) throw usage('--concurrency goes with --server.');
  const config = await loadSettings(asked, { region: asked.region });
  const checks = openChecks(config);
  return { asking: askGraph(checks, config.dataDir), close: checks.close };
}

const MOST_AT_ONCE = 64;

/** Errors: invalid_arguments. */
function serverOf({ concurrency = '8', region, ...asked }: FileAsked, server: string) {
  const url = /^https?:\/\//i.test(server) ? URL.parse(server) : null;
  if (!url) throw usage('--server must be an address such as http://127.0.0.1:8787.');
  const key = environment.BONAFIDE_KEY?.trim() ?? '';
  if (!isKeyText(key))
    throw usage(
      `${key === '' ? 'There is no API key' : 'What is no API key is'} in the variable BONAFIDE_KEY: --server needs one.`,
    );
  const atOnce = /^\d{1,2}$/.test(concurrency) ? Number(concurrency) : 0;
  if (atOnce < 1 || atOnce > MOST_AT_ONCE)
    throw usage(`--concurrency must be a whole number from 1 to ${MOST_AT_ONCE}.`);
  if (region !== undefined || asked['data-dir'] !== undefined)
    throw usage('--region and --data-dir go without --server: the server has its own.');
  let told = false;
  const onWait = (seconds: number) => {
    if (!told) note(`the server asks to wait ${seconds} s and more: its rate limit is reached`);
    told = true;
  };
  return { asking: askServer({ url, key, atOnce, onWait }), close: () => undefined };
}

const usage = (text: string) => new BonafideError('invalid_arguments', text);

function countedText({ counted, earlier }: Asking['told']): string {
  if (counted === 0)
    return `nothing was counted${earlier > 0 ? ': each answer had counted as a call before' : ''}`;
  return `each answer counted as a call${earlier > 0 ? `, ${earlier} of them before this run` : ''}`;
}

interface Told extends Tally {
  out: string;
  stopped: BonafideError | null;
}

function tell(
  asked: FileAsked,
  { counts, told }: Asking,
  { out, rows, answered, before, stopped }: Told,
): void {
  const unanswered = rows - answered;
  const data = {
    out,
    rows,
    answered,
    unanswered,
    before,
    counts,
    counted: told.counted,
    complete: stopped === null,
  };
  const people = `${rows} ${rows === 1 ? 'person' : 'people'}`;
  const lines = [
    `${people} in ${out}: ${answered} answered, ${unanswered} not${unanswered > 0 ? ' (see its column error)' : ''}`,
    ...(before > 0 ? [`${before} of them ${before === 1 ? 'was' : 'were'} there from before`] : []),
    countedText(told),
    ...(stopped ? ['not everybody was asked about: run it again to go on'] : []),
  ];
  print(asked, data, lines.join('\n'));
}
