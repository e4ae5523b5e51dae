// Reads name tables: the files of data/names, an operator's file, and tables in the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { NAME_TABLES_FOLDER } from '../platform/assets.ts';
import { readTextFile } from '../platform/files.ts';

export function readBuiltInTable(fileName: string): string {
  return readFileSync(join(NAME_TABLES_FOLDER, fileName), 'utf8');
}

const MAX_OPERATOR_TABLE_BYTES = 64 * 1024 * 1024;

/** Reads a name table of the operator. Errors: file_not_found, unreadable_file. */
export function readOperatorTable(path: string): string {
  try {
    return readTextFile(path, MAX_OPERATOR_TABLE_BYTES);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new BonafideError(
      isMissing ? 'file_not_found' : 'unreadable_file',
      isMissing
        ? `There is no name table at ${path}. Check the path.`
        : `The name table ${path} cannot be read. Check its permissions.`,
    );
  }
}

/** Returns the lines of a table file without empty lines and comments (from `#` to the line end). */
export function splitTableLines(text: string): string[] {
  const lines: string[] = [];
  for (const raw of text.split('\n')) {
    const comment = raw.indexOf('#');
    const line = (comment < 0 ? raw : raw.slice(0, comment)).trim();
    if (line) lines.push(line);
  }
  return lines;
}

/**
 * Parses a table in the code. Two spaces or a line end separate entries, one space separates the cells of an entry. Returns the cells of each
 * entry.
 */
export function parseTextTable(text: string): string[][] {
  const entries = text.trim().split(/\s*\n\s*|\s{2,}/);
  return entries.map((entry) => entry.split(' '));
}

/** Text replacements that are applied one after the other. */
export type TextReplacements = readonly (readonly [pattern: RegExp, replacement: string])[];

/** Parses replacements from a text table with the columns pattern and replacement. `-` means an empty replacement. Every match is replaced. */
export function parseTextReplacements(text: string): TextReplacements {
  return parseTextTable(text).map(([pattern = '', replacement = '']) => [
    new RegExp(pattern, 'g'),
    replacement === '-' ? '' : replacement,
  ]);
}

export function applyTextReplacements(text: string, rules: TextReplacements): string {
  let result = text;
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement);
  return result;
}

/** Parses a text table with two columns into a Map from the first column to the second. */
export function parseTextMap(text: string): Map<string, string> {
  return new Map(parseTextTable(text).map(([key = '', value = '']) => [key, value]));
}
