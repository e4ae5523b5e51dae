// The one place that reads the name tables of data/names, so that a bundle can replace it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { NAME_TABLES } from '../platform/assets.ts';

/** Text of one shipped table, by file name. */
export function readTable(name: string): string {
  return readFileSync(join(NAME_TABLES, name), 'utf8');
}

/**
 * Text of an operator's own table.
 * Errors: file_not_found, unreadable_file.
 */
export function readOwnTable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new BonafideError(
      missing ? 'file_not_found' : 'unreadable_file',
      missing
        ? `There is no name table at ${path}; check the path.`
        : `The name table ${path} cannot be read; check its permissions.`,
    );
  }
}

/** Lines of a table without comments (`#` to the end of the line) and empty lines. */
export function tableLines(text: string): string[] {
  const lines: string[] = [];
  for (const raw of text.split('\n')) {
    const cut = raw.indexOf('#');
    const line = (cut < 0 ? raw : raw.slice(0, cut)).trim();
    if (line) lines.push(line);
  }
  return lines;
}
