// The files that the page on writing plugins tells its reader to save, as they stand there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../pages.ts';

/** Every file of the page by its name. */
export function filesOfPage(): Map<string, string> {
  const blocks = textOf('data/docs/plugins.md').matchAll(
    /[Ss]ave it as\s+`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)```/g,
  );
  return new Map(Array.from(blocks, ([, name = '', text = '']) => [name, text]));
}

/** Saves them all in a folder. */
export function savePage(folder: string): void {
  for (const [name, text] of filesOfPage()) writeFileSync(join(folder, name), text);
}
