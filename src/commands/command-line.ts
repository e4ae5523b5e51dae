// Runs a command line: finds the command, checks its options and arguments, and turns errors into one line and an exit code.
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type ArgsDef, renderUsage, runCommand } from 'citty';
import { formatNameSuggestion, replaceDeprecatedName } from '../config.ts';
import { BonafideError } from '../errors.ts';
import { toErrorLogFields } from '../observe/log.ts';
import { getPackageVersion } from '../platform/assets.ts';
import { toPermissionError } from '../platform/files.ts';
import { createUsageError } from './helpers/arguments.ts';
import type { Command, OptionValuesGetter } from './helpers/command.ts';
import { shortenGarbageCollections } from './helpers/heap.ts';

/** Loaders of the commands, by name. Only the modules of the command that runs are loaded. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => {
    shortenGarbageCollections();
    return (await import('./serve/index.ts')).serveCommand;
  },
  graph: async () => (await import('./graph/index.ts')).graphCommands,
  keys: async () => (await import('./accounts/keys.ts')).keysCommands,
  audit: async () => (await import('./accounts/audit.ts')).auditCommands,
  requests: async () => (await import('./accounts/requests.ts')).loggedRequestsCommands,
  watches: async () => (await import('./accounts/watches.ts')).watchesCommands,
  webhooks: async () => (await import('./accounts/webhooks.ts')).webhooksCommands,
  plans: async () => (await import('./accounts/plans.ts')).plansCommands,
  accounts: async () => (await import('./accounts/accounts.ts')).accountsCommands,
  usage: async () => (await import('./accounts/usage.ts')).usageCommand,
  invoice: async () => (await import('./accounts/usage.ts')).invoiceCommand,
  check: async () => (await import('./check/index.ts')).checkCommand,
  names: async () => (await import('./names.ts')).namesCommands,
  features: async () => (await import('./features.ts')).featuresCommands,
  backup: async () => (await import('./maintenance/backup.ts')).backupCommand,
  'migrate-to': async () => (await import('./maintenance/migrate-to.ts')).migrateToCommand,
  restore: async () => (await import('./maintenance/backup.ts')).restoreCommand,
  config: async () => (await import('./config.ts')).configCommands,
  doctor: async () => (await import('./maintenance/doctor.ts')).doctorCommand,
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand,
  calibrate: async () => (await import('./evaluate.ts')).calibrateCommand,
  console: async () => (await import('./serve/console.ts')).consoleCommands,
  docs: async () => (await import('./docs.ts')).docsCommand,
  plugins: async () => (await import('./plugins.ts')).pluginsCommands,
  licenses: async () => (await import('./docs.ts')).licensesCommand,
  ready: async () => (await import('./maintenance/ready.ts')).readyCommand,
  upgrade: async () => (await import('./maintenance/upgrade.ts')).upgradeExecutableCommand,
};

/** Root command `bonafide` with all its subcommands. */
export const ROOT_COMMAND: Command = {
  meta: {
    version: getPackageVersion(),
    description:
      'Identity trust verification: do a name, e-mails, phones and addresses belong to one person?',
  },
  subCommands: COMMANDS,
  examples: ['serve --demo', 'check --name "Jane Doe" --email jane@example.com', 'keys create --name shop'],
};

interface FoundCommand {
  command: Command;
  /** Words that name the command, such as `keys` and `create`. */
  path: string[];
  /** Words after the command's name: options and arguments. */
  rest: string[];
}

/** Runs a command line, and returns the exit code: that of the command, 1 for an error, 2 for a wrong command line. */
export async function runCommandLine(argv: string[]): Promise<number> {
  try {
    if (argv[0] === '--version' || argv[0] === '-v') {
      process.stdout.write(`${getPackageVersion()}\n`);
      return 0;
    }
    const foundCommand = await findCommand(argv);
    if (foundCommand.rest.includes('--help') || foundCommand.rest.includes('-h') || argv.length === 0) {
      process.stdout.write(await renderHelp(foundCommand));
      return 0;
    }
    if (foundCommand.command.subCommands)
      throw createUsageError(
        `${['bonafide', ...foundCommand.path].join(' ')} needs a command. ${seeHelp(foundCommand.path)}`,
      );
    return await runFound(foundCommand);
  } catch (error) {
    const { text, code } = describeFailure(error);
    process.stderr.write(`error: ${text}\n`);
    return code;
  }
}

async function runFound({ command, path, rest }: FoundCommand): Promise<number> {
  const rawArgs = useCurrentOptions(path, rest);
  const valuesOf = checkArguments({ command, path, rest: rawArgs });
  try {
    const { result } = await runCommand(command, { rawArgs, data: valuesOf });
    return typeof result === 'number' ? result : 0;
  } catch (error) {
    // citty reports a missing or wrong option or argument with a coloured message.
    if (!(error instanceof Error) || error.name !== 'CLIError') throw error;
    throw createUsageError(`${stripVTControlCharacters(error.message).replace(/\.$/, '')}. ${seeHelp(path)}`);
  }
}

async function findCommand(argv: string[]): Promise<FoundCommand> {
  let command = ROOT_COMMAND;
  const path: string[] = [];
  let rest = argv;
  while (command.subCommands && rest[0] !== undefined && !rest[0].startsWith('-')) {
    const commands = (await resolve(command.subCommands)) as Record<string, unknown>;
    const name = replaceDeprecatedName('command', rest[0], path);
    if (!Object.hasOwn(commands, name))
      throw createUsageError(
        `There is no command ${[...path, name].join(' ')}. ${formatNameSuggestion(name, Object.keys(commands), 'commands')}`,
      );
    command = (await resolve(commands[name])) as Command;
    path.push(name);
    rest = rest.slice(1);
  }
  return { command, path, rest };
}

/** Resolves a part of a command, which citty allows to be a value, a promise, or a function that returns either. */
const resolve = async (part: unknown): Promise<unknown> => (typeof part === 'function' ? part() : part);

/** Replaces the deprecated options of a command by their current names. */
function useCurrentOptions(path: string[], words: string[]): string[] {
  return words.map((word) => {
    const [option = '', ...value] = word.split(/(=.*)/s);
    if (!option.startsWith('--')) return word;
    return [replaceDeprecatedName('option', option, path), ...value].join('');
  });
}

/**
 * Throws for unknown options, missing option values and too many arguments, which citty accepts. Returns a function that lists all values of a
 * repeated option. Errors: invalid_arguments.
 */
function checkArguments({ command, path, rest }: FoundCommand): OptionValuesGetter {
  const args = Object.entries((command.args ?? {}) as ArgsDef);
  const options: Record<string, { type: 'boolean' | 'string'; short?: string }> = {};
  const known: string[] = [];
  for (const [name, arg] of args) {
    if (arg.type === 'positional') continue;
    const isFlag = arg.type === 'boolean';
    const alias = 'alias' in arg ? String(arg.alias) : null;
    options[name] = { type: isFlag ? 'boolean' : 'string', ...(alias !== null && { short: alias }) };
    known.push(`--${name}`, ...(alias === null ? [] : [`-${alias}`]), ...(isFlag ? [`--no-${name}`] : []));
  }
  const { tokens } = parseArgs({
    args: rest,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!known.includes(rawName))
      throw createUsageError(
        `${path.join(' ')} has no option ${rawName}. ${formatNameSuggestion(rawName, known, 'options')}`,
      );
    if (options[name]?.type !== 'string') continue;
    // Another option in the place of the value: `--name --email jane@example.com`.
    const isOption = inlineValue === false && known.includes(value.split('=')[0] ?? '');
    if (value === undefined || isOption) throw createUsageError(`${rawName} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const count = tokens.filter(({ kind }) => kind === 'positional').length;
  if (count > maxArguments(args))
    throw createUsageError(`${path.join(' ')} takes ${countText(maxArguments(args))}. ${seeHelp(path)}`);
  return (option) => values.get(option) ?? [];
}

/** Returns the maximum number of arguments; Infinity if an argument's hint ends in "…". */
function maxArguments(args: [string, ArgsDef[string]][]): number {
  const positional = args.filter(([, { type }]) => type === 'positional');
  return positional.some(([, { valueHint }]) => valueHint?.endsWith('…')) ? Infinity : positional.length;
}

const countText = (count: number) =>
  count === 0 ? 'no arguments' : `at most ${count} ${count === 1 ? 'argument' : 'arguments'}`;

async function renderHelp({ command, path }: FoundCommand): Promise<string> {
  const words = ['bonafide', ...path];
  const named = { ...command, meta: { ...command.meta, name: words.at(-1) ?? '' } };
  const usage = await renderUsage(named, { meta: { name: words.slice(0, -1).join(' ') } });
  const examples = command.examples ?? [path.join(' ')];
  const text = `${usage.trimEnd()}\n\nEXAMPLES\n\n${examples.map((line) => `  bonafide ${line}\n`).join('')}`;
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

const seeHelp = (path: string[]) => `See: ${['bonafide', ...path, '--help'].join(' ')}`;

const SYSTEM_ERRORS: Record<string, string> = {
  EMFILE: 'The process may open no more files. Raise its limit, for example with ulimit -n',
  ENFILE: 'The system may open no more files. Close files, or raise the limit of the system',
  ENOMEM: 'There is no free memory. Free some memory and try again',
  ENOSPC: 'The disk is full. Free some space and try again',
  EDQUOT: 'The disk quota is used up. Free some space and try again',
  ENAMETOOLONG: 'The name of a file or folder is longer than the system allows. Choose a shorter name',
  ELOOP: 'The symbolic links of a path form a loop. Repair the links, or choose another path',
  EIO: 'The disk reports an error. Check the disk',
};

/** Returns one line of text that describes an error, and the exit code. */
export function describeFailure(thrown: unknown): { text: string; code: number } {
  const error = toPermissionError(thrown) ?? thrown;
  if (error instanceof BonafideError)
    return { text: error.message, code: error.code === 'invalid_arguments' ? 2 : 1 };
  const { name, code = name, at } = toErrorLogFields(error);
  const systemError = SYSTEM_ERRORS[code];
  if (systemError) return { text: `${systemError} (${code}).`, code: 1 };
  const place = [code, ...at.slice(0, 1)].join(' ');
  return {
    text: `Unexpected error (${place}). This is a bug in Bonafide. Please report this line.`,
    code: 1,
  };
}
