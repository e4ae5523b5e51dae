// What the commands share: how one is defined, what --data-dir and --json mean, how things are printed.
import { existsSync } from 'node:fs';
import { defineCommand as cittyCommand } from 'citty';
import type { ArgsDef, CommandDef, ParsedArgs } from 'citty';
import { getDefaultFolders, setSqliteTempFolder, loadConfig, parseDuration } from '../../config.ts';
import type { Config, SettingName } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isSwapUnfinished } from '../../maintenance/kept-files.ts';
import { loadNameTables } from '../../names/index.ts';

/** A command as citty knows it, with lines that its help shows as examples (without the leading `bonafide`). */
export type Command<A extends ArgsDef = ArgsDef> = CommandDef<A> & { examples?: string[] };

export function defineCommand<const A extends ArgsDef>(command: Command<A>): Command<A> {
  return cittyCommand(command) as Command<A>;
}

/** Options that every command has. */
export const COMMON_OPTIONS = {
  'data-dir': {
    type: 'string',
    get description() {
      return `Folder of the databases and the secret (BONAFIDE_DATA_DIR; default ${getDefaultFolders().own})`;
    },
    valueHint: 'folder',
  },
  config: { type: 'string', description: 'Settings file (default bonafide.config.*)', valueHint: 'file' },
  json: { type: 'boolean', description: 'Print JSON for scripts' },
} as const satisfies ArgsDef;

/** The option of the commands that load feature plugins. */
export const PLUGINS_OPTION = {
  plugins: {
    type: 'string',
    description: 'Plugins of your own: files, or folders of them (BONAFIDE_PLUGINS)',
    valueHint: 'paths',
  },
} as const satisfies ArgsDef;

/** The options of the commands that read people from files. */
export const MAP_OPTION = {
  map: {
    type: 'string',
    description: 'CSV columns, such as name=Full Name,email=Mail',
    valueHint: 'field=column,…',
  },
} as const satisfies ArgsDef;

export const REGION_OPTION = {
  region: {
    type: 'string',
    description: 'Country of numbers without a country code (BONAFIDE_REGION; default US)',
  },
} as const satisfies ArgsDef;

type CommonArgs = ParsedArgs<typeof COMMON_OPTIONS>;

/** The settings, with what this command line says over them. The operator's own name tables are in use from here on. */
export async function loadSettings(
  args: CommonArgs,
  flags: { [O in SettingName]?: string | undefined } = {},
  defaults?: Partial<Config>,
): Promise<Config> {
  // An unset variable of a script would else have it work in the default folder.
  if (args['data-dir'] === '') throw new BonafideError('invalid_arguments', '--data-dir needs a value.');
  const config = await loadConfig({
    file: args.config,
    flags: { dataDir: args['data-dir'], ...flags },
    defaults,
  });
  setSqliteTempFolder(config.dataDir);
  // A restore that was killed half-way is completed before anybody looks into the folder.
  if (isSwapUnfinished(config.dataDir))
    (await import('../../maintenance/swap.ts')).finishSwap(config.dataDir);
  for (const file of config.nameTables) loadNameTables(file);
  return config;
}

/** Prints to standard output: JSON with --json, the text else. */
export function print(args: { json?: boolean | undefined }, data: unknown, text: string): void {
  process.stdout.write(args.json ? `${JSON.stringify(data)}\n` : `${text}\n`);
}

/** Notes whether a folder is there; what it answers says on standard error that it was made, for a mistyped one is made as well. */
export function announceNewFolder(dataDir: string): () => void {
  if (existsSync(dataDir)) return () => undefined;
  return () => void process.stderr.write(`Made the data folder ${dataDir}\n`);
}

/** Every value of an option that may be repeated, in order: citty itself keeps only the last. */
export function everyValue(rawArgs: string[], option: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawArgs.length && rawArgs[i] !== '--'; i++) {
    const arg = rawArgs[i] ?? '';
    if (arg === `--${option}`) values.push(rawArgs[++i] ?? '');
    else if (arg.startsWith(`--${option}=`)) values.push(arg.slice(option.length + 3));
  }
  return values;
}

/** `24h`, `30m`, `7d`, `0s` as milliseconds. Errors: invalid_arguments. */
export function parseDurationOption(text: string, option: string): number {
  const length = parseDuration(text);
  if (length !== undefined) return length;
  throw new BonafideError('invalid_arguments', `--${option} must be a time such as 30m, 24h or 7d.`);
}

/** Rows of words in columns, two spaces apart. */
export function formatTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
