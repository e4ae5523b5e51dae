// Definition of commands: the options that every command has, its settings, and its output.
import { existsSync } from 'node:fs';
import type { ArgsDef, CommandDef, ParsedArgs } from 'citty';
import { getDefaultDataFolders, loadConfig, setSqliteTempFolder } from '../../config.ts';
import type { Config, SettingName } from '../../config.ts';
import { isFileReplacementUnfinished, requireEntryTypes } from '../../maintenance/data-files.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { defineFlag, defineOption, createUsageError } from './arguments.ts';

/** Command or group of commands. `examples` are command lines for its help, without the leading `bonafide`. */
export type Command = CommandDef & { examples?: string[] };

export const COMMON_OPTIONS = {
  'data-dir': {
    ...defineOption('', 'folder'),
    get description() {
      return `Folder of the databases and the secret (BONAFIDE_DATA_DIR; default ${getDefaultDataFolders().own})`;
    },
  },
  config: defineOption('Settings file (default bonafide.config.* in the working folder)', 'file'),
  json: defineFlag('Print JSON for scripts'),
} satisfies ArgsDef;

export interface CommonArgs {
  'data-dir'?: string | undefined;
  config?: string | undefined;
  json?: boolean | undefined;
}

/** Returns all values of an option that may be repeated. */
export type OptionValuesGetter = (option: string) => string[];

interface CommandParts<Own extends ArgsDef, All extends ArgsDef> {
  args?: Own;
  /** Example command lines without the leading `bonafide`. */
  examples?: string[];
  /** Runs the command. Returns the exit code; 0 if the result is not a number. */
  run(args: ParsedArgs<All>, valuesOf: OptionValuesGetter): unknown;
}

/** Defines a command, and adds the common options after its own options. */
export const defineCommand = <const A extends ArgsDef = Record<never, never>>(
  description: string,
  { args, ...parts }: CommandParts<A, A & typeof COMMON_OPTIONS>,
): Command =>
  defineCommandWithoutCommonOptions(description, { ...parts, args: { ...(args as A), ...COMMON_OPTIONS } });

export const defineCommandWithoutCommonOptions = <const A extends ArgsDef>(
  description: string,
  { args, examples, run }: CommandParts<A, A>,
): Command => ({
  meta: { description },
  ...(args && { args }),
  ...(examples && { examples }),
  run: (context) => run(context.args as ParsedArgs<A>, context.data as OptionValuesGetter),
});

export const defineCommandGroup = (
  description: string,
  parts: Required<Pick<Command, 'subCommands' | 'examples'>>,
): Command => ({ meta: { description }, ...parts });

/** Reads the settings; flags of the command line have priority. Also checks the data folder, and activates the operator's name tables. */
export async function loadSettings(
  args: CommonArgs,
  flags: { [S in SettingName]?: string | undefined } = {},
  defaults?: Partial<Config>,
): Promise<Config> {
  // A script passes an empty text if its variable is unset: without this check, the command would work in the default folder.
  if (args['data-dir'] === '') throw createUsageError('--data-dir needs a value.');
  const config = await loadConfig({
    file: args.config,
    flags: { dataDir: args['data-dir'], ...flags },
    defaults,
  });
  requireEntryTypes(config.dataDir);
  setSqliteTempFolder(config.dataDir);
  // Complete a restore that was killed half-way before anything reads the folder.
  if (isFileReplacementUnfinished(config.dataDir))
    (await import('../../maintenance/swap.ts')).completeInterruptedFileReplacement(config.dataDir);
  for (const file of config.nameTables) loadOperatorNameTable(file);
  return config;
}

/** Prints a result on standard output: as JSON with --json, otherwise as text. */
export function printResult(
  args: { json?: boolean | undefined },
  data: unknown,
  text: string | string[],
): void {
  process.stdout.write(`${args.json ? JSON.stringify(data) : [text].flat().join('\n')}\n`);
}

/** Prints a line for the operator on standard error, so that standard output contains only the result. */
export const printNote = (text: string): void => void process.stderr.write(`${text}\n`);

/** Returns a function that prints a notice if the data folder was created since this call. The notice makes a mistyped folder name visible. */
export function createNewDataFolderNotifier(dataDir: string): () => void {
  if (existsSync(dataDir)) return () => undefined;
  return () => printNote(`Created the data folder ${dataDir}`);
}

/** Formats rows of cells as a text table with two spaces between columns. */
export function formatTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  const formatRow = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return rows.map((row) => formatRow(row).trimEnd()).join('\n');
}

/** Formats milliseconds since 1970 as an ISO 8601 time in UTC; null stays null. */
export const formatTime = <T extends number | null>(time: T) =>
  (time === null ? null : new Date(time).toISOString()) as T extends number ? string : null;

/** Formats milliseconds since 1970 as a date in UTC, such as `2026-10-31`. */
export const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
