import { existsSync, readFileSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';

/** The first line of a file; nothing where no file is named. Errors: file_not_found, invalid_arguments. */
export function passphraseOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
  if (line.length >= 8) return line;
  throw new BonafideError(
    'invalid_arguments',
    `The first line of ${file} must be a passphrase of 8 characters or more.`,
  );
}
