// The pages of documentation as they ship: Markdown files, and `index.md`, whose list gives their order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS } from './assets.ts';

export interface PageInfo {
  /** Its file's name without the ending, as in `/docs/scoring`. */
  page: string;
  title: string;
  /** What it is about, in a few words. */
  about: string;
}

/** The pages in the order of the index. */
export function listPages(): PageInfo[] {
  const lines = readPage('index').matchAll(/^- \[([^\]]+)\]\(([a-z-]+)\.md\): (.+)$/gm);
  return Array.from(lines, ([, title = '', page = '', about = '']) => ({ page, title, about }));
}

/** The Markdown of a page, or null where there is none of this name. */
export function findPage(page: string): string | null {
  return page === 'index' || listPages().some((known) => known.page === page) ? readPage(page) : null;
}

const readPage = (page: string) => readFileSync(join(DOCS, `${page}.md`), 'utf8');
