// The files that a command line names, and what it says of them.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import type { ImportInput } from '../../import/stage.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';

/** Errors: `file_not_found`, `unreadable_file` for a folder. */
export function openInputFile(name: string): ImportInput {
  if (name === '-') return { name, stream: process.stdin, bytes: null };
  if (!existsSync(name)) throw new BonafideError('file_not_found', `There is no file ${name}.`);
  if (statSync(name).isDirectory())
    throw new BonafideError('unreadable_file', `${name} is a folder: name the files in it.`);
  return { name, stream: createReadStream(name), bytes: statSync(name).size };
}

/** A map as it is said, or in a file. */
export function readColumnMap(said: string): string {
  return said.includes('=') || !existsSync(said) ? said : readFileSync(said, 'utf8');
}

/** An output is written over a file that is there: never over what is read, nor over the graph. Errors: `invalid_arguments`. */
export function refuseOutputFile(
  option: string,
  file: string | undefined,
  { dataDir, inputs }: { dataDir: string; inputs: string[] },
): void {
  if (!file) return;
  refuseOwnFile(dataDir, file);
  const [there, ...read] = [file, ...inputs].map((name) => statSync(name, { throwIfNoEntry: false }));
  if (there?.isFile() && read.some((input) => input?.ino === there.ino && input.dev === there.dev))
    throw new BonafideError(
      'invalid_arguments',
      `--${option} names a file that is imported: choose another.`,
    );
}

/** What the columns of a table were taken for, on one line. */
export function formatColumns(of: {
  input: string;
  columns: { header: string; field: string | null }[];
}): string {
  const { input, columns } = of;
  const used = columns.flatMap(({ header, field }) => (field === null ? [] : [`${field}=${header}`]));
  const unused = columns.flatMap(({ header, field }) => (field === null ? [header] : []));
  return `${input}: ${used.join(', ')}${unused.length > 0 ? `; not used: ${unused.join(', ')}` : ''}`;
}
