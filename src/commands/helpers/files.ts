// Input and output files that a command line names.
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import type { ImportInput } from '../../import/stage.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import { readTextFile } from '../../platform/files.ts';
import { createUsageError } from './arguments.ts';

/** Throws if a file or folder does not exist. Errors: file_not_found. */
export function requireFile(path: string): void {
  if (!existsSync(path))
    throw new BonafideError('file_not_found', `There is no file ${path}. Check the path.`);
}

/** Opens a file for reading; the name `-` is standard input. Errors: file_not_found, unreadable_file for a folder. */
export function openInputFile(name: string): ImportInput {
  if (name === '-') return { name, stream: process.stdin, bytes: null };
  requireFile(name);
  if (statSync(name).isDirectory())
    throw new BonafideError('unreadable_file', `${name} is a folder. Name the files in the folder.`);
  return { name, stream: createReadStream(name), bytes: statSync(name).size };
}

/** Returns the column map of the option --map: its value, or the content of the file that it names. */
export const readColumnMapOptionText = (value: string): string =>
  value.includes('=') || !existsSync(value) ? value : readTextFile(value);

/** True if both paths lead to the same existing file. */
export function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}

/** Throws if an output file would overwrite an input file or a database of the data folder. Errors: invalid_arguments. */
export function refuseOutputOverInputOrDatabase(
  option: string,
  file: string | undefined,
  { dataDir, inputs }: { dataDir: string; inputs: string[] },
): void {
  if (!file) return;
  requireNotOwnDataFile(dataDir, file);
  if (inputs.some((input) => isSameFile(file, input)))
    throw createUsageError(`--${option} names an input file. Choose another file.`);
}

/** Writes a file with mode 0600. `option` is the option that names the file, for the error message. Errors: read_only. */
export function writeOutputFile(file: string, text: string, option: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    throw createUnwritableFileError(file, option);
  }
}

export const createUnwritableFileError = (file: string, option: string): BonafideError =>
  new BonafideError('read_only', `${file} cannot be written. Choose another file with ${option}.`);

/** Text for the header of a column that has none. */
export const MISSING_HEADER_LABEL = '(no header)';

/** Formats the recognised columns of a table, such as `people.csv: name=Full Name, email=Mail; not used: Notes`. */
export function formatRecognisedColumns({
  input,
  columns,
}: {
  input: string;
  /** Column headers, each with the recognised field; null if the column is not used. */
  columns: { header: string; field: string | null }[];
}): string {
  const used = columns.flatMap(({ header, field }) => (field === null ? [] : [`${field}=${header}`]));
  const unused = columns.flatMap(({ header, field }) =>
    field === null ? [header || MISSING_HEADER_LABEL] : [],
  );
  return `${input}: ${used.join(', ')}${unused.length > 0 ? `; not used: ${unused.join(', ')}` : ''}`;
}
