// Finds the command of a command line, refuses what it does not know, turns errors into one line and an exit code.
import { stripVTControlCharacters } from 'node:util';
import { renderUsage, runCommand, type ArgsDef, type CommandDef } from 'citty';
import type { Command } from './shared/command.ts';
import { shortenCollections } from './shared/heap.ts';
import { BonafideError } from '../errors.ts';
import { packageVersion } from '../platform/assets.ts';
import { nearestWord } from '../normalise/typo.ts';
import { describe } from '../observe/log.ts';

type Loader = () => Promise<Command<never>>;

/** Each command is loaded when it is asked for. */
const COMMANDS: Record<string, Loader> = {
  serve: () => (shortenCollections(), load(import('./serve/index.ts'))),
  graph: () => load(import('./graph/index.ts')),
  keys: () => load(import('./accounts/keys.ts')),
  audit: () => load(import('./accounts/audit.ts')),
  plans: () => load(import('./accounts/plans.ts')),
  accounts: () => load(import('./accounts/accounts.ts')),
  usage: async () => (await import('./accounts/usage.ts')).usageCommand as Command<never>,
  invoice: async () => (await import('./accounts/usage.ts')).invoiceCommand as Command<never>,
  check: () => load(import('./check/index.ts')),
  names: () => load(import('./names.ts')),
  features: () => load(import('./features.ts')),
  backup: async () => (await import('./maintenance/backup.ts')).backupCommand as Command<never>,
  'migrate-to': () => load(import('./maintenance/migrate-to.ts')),
  restore: async () => (await import('./maintenance/backup.ts')).restoreCommand as Command<never>,
  config: () => load(import('./config.ts')),
  doctor: () => load(import('./maintenance/doctor.ts')),
  evaluate: () => load(import('./evaluate.ts')),
  calibrate: () => load(import('./calibrate.ts')),
  console: () => load(import('./serve/console.ts')),
  docs: async () => (await import('./docs.ts')).docsCommand as Command<never>,
  plugins: () => load(import('./plugins.ts')),
  licenses: async () => (await import('./docs.ts')).licensesCommand as Command<never>,
  ready: () => load(import('./maintenance/ready.ts')),
  upgrade: () => load(import('./maintenance/upgrade.ts')),
};

const load = async (module: Promise<{ default: unknown }>) => (await module).default as Command<never>;

/** The whole command line; what it says of itself is what `--help` and the pages are compared with. */
export const ROOT_COMMAND: Command = {
  meta: {
    name: 'bonafide',
    version: packageVersion(),
    description:
      'Identity trust verification: how far a name, e-mails, phones and addresses belong together.',
  },
  subCommands: COMMANDS as unknown as Record<string, CommandDef>,
  examples: ['serve --demo', 'check --name "Jane Doe" --email jane@example.com', 'keys create --name shop'],
};

interface Found {
  command: Command;
  /** The words that lead to it: `keys create`. */
  path: string[];
  rest: string[];
}

/** Runs one command line and answers the exit code: 0 or what the command answers, 1 for an error, 2 for a command line that is wrong. */
export async function runCommandLine(argv: string[]): Promise<number> {
  try {
    if (argv[0] === '--version' || argv[0] === '-v') {
      process.stdout.write(`${packageVersion()}\n`);
      return 0;
    }
    const found = await find(argv);
    if (found.rest.includes('--help') || found.rest.includes('-h') || argv.length === 0) {
      process.stdout.write(await help(found));
      return 0;
    }
    if (found.command.subCommands) throw usage(`Which one? ${hint(found.path)}`);
    refuseUnknown(found);
    const { result } = await runCommand(found.command, { rawArgs: found.rest });
    return typeof result === 'number' ? result : 0;
  } catch (error) {
    const { text, code } = describeFailure(error);
    process.stderr.write(`error: ${text}\n`);
    return code;
  }
}

async function find(argv: string[]): Promise<Found> {
  let command = ROOT_COMMAND;
  const path: string[] = [];
  let rest = argv;
  while (command.subCommands && rest[0] !== undefined && !rest[0].startsWith('-')) {
    const [word, ...after] = rest as [string, ...string[]];
    const known = (await resolved(command.subCommands)) as Record<string, unknown>;
    if (!Object.hasOwn(known, word)) {
      const meant = nearestWord(word, Object.keys(known));
      throw usage(
        `There is no command ${[...path, word].join(' ')}. ${meant ? `Did you mean ${meant}?` : hint(path)}`,
      );
    }
    command = (await resolved(known[word])) as Command;
    path.push(word);
    rest = after;
  }
  return { command, path, rest };
}

/** citty lets every part of a command be a value, a promise or a function that gives one. */
const resolved = async (part: unknown): Promise<unknown> => (typeof part === 'function' ? part() : part);

/** Options that the command does not have, options without their value, words that it does not take. */
function refuseUnknown({ command, path, rest }: Found): void {
  const args = Object.entries((command.args ?? {}) as ArgsDef);
  const options = new Map<string, boolean>();
  for (const [name, { type, ...arg }] of args) {
    if (type === 'positional') continue;
    const aliases = 'alias' in arg ? [arg.alias ?? []].flat() : [];
    for (const word of [name, ...aliases])
      options.set(`${word.length === 1 ? '-' : '--'}${word}`, type !== 'boolean');
    if (type === 'boolean') options.set(`--no-${name}`, false);
  }
  const most = mostWords(args);
  let words = 0;
  for (let i = 0; i < rest.length && rest[i] !== '--'; i++) {
    const [option = '', value] = (rest[i] ?? '').split(/=(.*)/s);
    if (!option.startsWith('-') || option === '-') {
      if (++words > most) throw usage(`${path.join(' ')} ${takes(most)}. ${hint(path)}`);
      continue;
    }
    const needsValue = options.get(option);
    if (needsValue === undefined) {
      const meant = nearestWord(option, [...options.keys()]);
      throw usage(
        `${path.join(' ')} has no option ${option}. ${meant ? `Did you mean ${meant}?` : hint(path)}`,
      );
    }
    if (needsValue && value === undefined && rest[++i] === undefined) throw usage(`${option} needs a value.`);
  }
}

/** How many words of its own a command takes: any number where the hint of one says so. */
function mostWords(args: [string, ArgsDef[string]][]): number {
  const words = args.filter(([, { type }]) => type === 'positional');
  return words.some(([, { valueHint }]) => valueHint?.endsWith('…')) ? Infinity : words.length;
}

const takes = (most: number) =>
  most === 0 ? 'does not take words of its own' : most === 1 ? 'takes one word' : `takes ${most} words`;

async function help({ command, path }: Found): Promise<string> {
  const above = ['bonafide', ...path.slice(0, -1)].join(' ');
  const parent = path.length > 0 ? { meta: { name: above } } : undefined;
  const text = await renderUsage(command as CommandDef, parent as CommandDef | undefined);
  const examples = (command.examples ?? []).map((line) => `  bonafide ${line}\n`).join('');
  const whole = `${text.trimEnd()}\n${examples ? `\nEXAMPLES\n\n${examples}` : ''}`;
  return process.stdout.isTTY ? whole : stripVTControlCharacters(whole);
}

const hint = (path: string[]) => `See: ${['bonafide', ...path, '--help'].join(' ')}`;
const usage = (text: string) => new BonafideError('invalid_arguments', text);

/** What is nobody's mistake but the machine's, wherever it is met. */
const SYSTEM: Record<string, string> = {
  EMFILE: 'The process may open no more files: raise its limit, such as with ulimit -n',
  ENFILE: 'The machine may open no more files: close some, or raise its limit',
  ENOMEM: 'There is no memory left: free some and try again',
  ENOSPC: 'The disk is full: free some space and try again',
  EDQUOT: 'The quota of the disk is used up: free some space and try again',
  ENAMETOOLONG: 'The name of a file or folder is longer than the system allows: choose a shorter one',
  ELOOP: 'A link among the folders of a path leads back to itself: mend it, or choose another path',
  EIO: 'The disk reports a failure: check it',
};

/** An error as one line for people, and the exit code. */
export function describeFailure(error: unknown): { text: string; code: number } {
  if (error instanceof BonafideError)
    return { text: error.message, code: error.code === 'invalid_arguments' ? 2 : 1 };
  if (error instanceof Error && error.name === 'CLIError') {
    return { text: stripVTControlCharacters(error.message), code: 2 };
  }
  const { name, code, at } = describe(error);
  const cause = SYSTEM[code ?? ''];
  if (cause) return { text: `${cause} (${code}).`, code: 1 };
  const place = at[0] ? ` (${code ?? name} ${at[0]})` : ` (${code ?? name})`;
  return { text: `Something failed that should not have${place}. Please report this line.`, code: 1 };
}
