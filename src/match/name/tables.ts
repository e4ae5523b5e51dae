// The one place that reads the name tables of data/names, so that a bundle can replace it.
import { readFileSync } from 'node:fs';

const folder = new URL('../../../data/names/', import.meta.url);

/** Text of one shipped table, by file name. */
export function readTable(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
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
