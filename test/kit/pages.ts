// The pages of documentation as tests read them: sections, tables, links.
import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../', import.meta.url).pathname;

/** A text of the repository: `data/docs/names.md`. */
export const textOf = (file: string): string => readFileSync(ROOT + file, 'utf8');
export const pageText = (page: string): string => textOf(`data/docs/${page}.md`);

/** What stands under a heading, up to the next one of its level or above. Throws where there is no such heading. */
export function section(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
  if (start < 0) throw new Error(`there is no section ${title}`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** The rows of all tables in a text, without their heads; code marks are taken off cells that are one word of code. */
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

/** Everything in code marks. */
export const codeIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);

/** Where the links of a text lead; what stands in code is no link. */
export function linksIn(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, href = '']) => href);
}

/** A number as the pages write it, as JavaScript does. */
export const minus = (text: string): string => text.replaceAll('−', '-');

/** What stands in fenced blocks of one language; `''` for those that name none. */
export function fences(text: string, language: string): string[] {
  const blocks = text.matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, name, block = '']) => ({ name, block }))
    .filter(({ name }) => name === language)
    .map(({ block }) => block);
}
