// Reads sections, tables and links of the documentation.
import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../', import.meta.url).pathname;

/** Returns the text of a file of the repository, such as `data/docs/names.md`. */
export const textOf = (file: string): string => readFileSync(ROOT + file, 'utf8');
export const pageText = (page: string): string => textOf(`data/docs/${page}.md`);

/** Returns the text under a heading, up to the next heading of its level or above. Throws if there is no such heading. */
export function section(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
  if (start < 0) throw new Error(`there is no section ${title}`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** Returns the rows of all tables in a text, without their heads. Cells that are one code span lose its backticks. */
export function rows(text: string): string[][] {
  const lines = text.split('\n');
  return lines
    .filter(
      (line, i) => line.startsWith('|') && !/^\|[-|]+$/.test(line) && !/^\|[-|]+$/.test(lines[i + 1] ?? ''),
    )
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
    );
}

/** Returns the text of every code span. */
export const codeIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);

/** Returns the targets of the links of a text, except for those in code. */
export function linksIn(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, href = '']) => href);
}

/** Replaces the minus sign of the pages by that of JavaScript. */
export const minus = (text: string): string => text.replaceAll('−', '-');

/** Returns the fenced blocks of one language; `''` for blocks without a language. */
export function fences(text: string, language: string): string[] {
  const blocks = text.matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, name, block = '']) => ({ name, block }))
    .filter(({ name }) => name === language)
    .map(({ block }) => block);
}
