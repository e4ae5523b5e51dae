// The files that the page on plugins asks its reader to save, unchanged.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../pages.ts';

/** Returns every file of the page by its name. */
export function filesOfPage(): Map<string, string> {
  const blocks = textOf('data/docs/plugins.md').matchAll(
    /[Ss]ave it as\s+`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)```/g,
  );
  return new Map(Array.from(blocks, ([, name = '', text = '']) => [name, text]));
}

/** Saves all files of the page in a folder. */
export function savePage(folder: string): void {
  for (const [name, text] of filesOfPage()) writeFileSync(join(folder, name), text);
}
