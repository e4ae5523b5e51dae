// Options and arguments of command lines: short forms to define them, and functions to parse their values.
import { parseDuration } from '../../config.ts';
import { BonafideError, resultOr } from '../../errors.ts';

/** Creates the error for a wrong command line (exit code 2). */
export const createUsageError = (message: string): BonafideError =>
  new BonafideError('invalid_arguments', message);

export const defineOption = (description: string, hint?: string) =>
  ({ type: 'string', description, ...(hint !== undefined && { valueHint: hint }) }) as const;

export const defineRequiredOption = (description: string, hint?: string) =>
  ({ ...defineOption(description, hint), required: true }) as const;

export const defineChoiceOption = <const W extends string>(words: W[], description: string) => ({
  type: 'enum' as const,
  options: words,
  description,
});

export const defineFlag = (description: string) => ({ type: 'boolean', description }) as const;

/** Defines a positional argument. A hint that ends in "…" allows any number of arguments. */
export const defineArgument = (description: string, hint?: string) =>
  ({
    type: 'positional',
    description,
    required: true,
    ...(hint !== undefined && { valueHint: hint }),
  }) as const;

export const defineOptionalArgument = (description: string, hint?: string) =>
  ({ ...defineArgument(description, hint), required: false }) as const;

export const PLUGINS_OPTION = {
  plugins: defineOption('Your own plugins: files, or folders with plugins (BONAFIDE_PLUGINS)', 'paths'),
};
export const COLUMN_MAP_OPTION = {
  map: defineOption('Columns of a CSV file, such as name=Full Name,email=Mail', 'field=column,…'),
};
export const INPUT_FORMAT_OPTIONS = {
  encoding: defineOption('Encoding of the text, such as Shift_JIS (default: detected)', 'name'),
  sheet: defineOption('Sheet of an Excel workbook (default: the first visible one)', 'name'),
};
export const REGION_OPTION = {
  region: defineOption('Country of phone numbers without a country code (BONAFIDE_REGION; default US)'),
};
export const YES_OPTION = {
  yes: { ...defineFlag('Do not ask for confirmation'), alias: 'y' },
} as const;

const MAX_NUMBER = 999_999_999_999_999;

/**
 * Parses a whole number from digits only: `1e3` and `0x10` are refused. `name` is the option or argument in the error message. Errors:
 * invalid_arguments.
 */
export function parseWholeNumber(text: string, name: string, { min = 1, max = MAX_NUMBER } = {}): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  const range = max === MAX_NUMBER ? `from ${min}` : `from ${min} to ${max}`;
  throw createUsageError(`${name} must be a whole number ${range}.`);
}

export const parseIdentityNumber = (text: string): number => parseWholeNumber(text, 'IDENTITY');

/** Parses a duration such as `24h`, `30m`, `7d` or `0s` into milliseconds. Errors: invalid_arguments. */
export function parseDurationOption(text: string, name: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw createUsageError(`${name} must be a time such as 30m, 24h or 7d.`);
}

/** Splits a comma-separated list into its items, and trims each. */
export const parseCommaSeparatedList = (text: string): string[] => text.split(',').map((item) => item.trim());

/** Parses the values of `--set KEY=VALUE`. A value that is valid JSON, such as a number or `true`, keeps its type. Errors: invalid_arguments. */
export function parseKeyValueOptions(values: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    values.map((pair) => {
      const [, key, value] = /^([\w-]+)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw createUsageError('--set must be KEY=VALUE, such as --set model=llama3.2.');
      return [key, resultOr(() => JSON.parse(value), value)];
    }),
  );
}
