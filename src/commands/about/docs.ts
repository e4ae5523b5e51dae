// bonafide docs [PAGE]: the pages of documentation in the terminal.
import { BonafideError } from '../../errors.ts';
import { findPage, listPages } from '../../platform/doc-pages.ts';
import { nearest } from '../../normalise/nearest.ts';
import { defineCommand, table } from '../command.ts';

export default defineCommand({
  meta: { name: 'docs', description: 'Print a page of the documentation, or list the pages' },
  args: {
    page: { type: 'positional', description: 'Its name; without it, the list', required: false },
  },
  examples: ['docs', 'docs scoring'],
  run({ args: { page } }) {
    process.stdout.write(page === undefined ? list() : text(page));
  },
});

function list(): string {
  const rows = listPages().map(({ page, about }) => [page, about]);
  return `${table(rows)}\n\nOne of them: bonafide docs PAGE. A server shows them at /docs.\n`;
}

function text(page: string): string {
  const found = findPage(page.replace(/\.md$/, ''));
  if (found !== null) return found;
  const names = listPages().map((known) => known.page);
  const meant = nearest(page, names);
  const hint = meant ? `Did you mean ${meant}?` : `There are ${names.join(', ')}.`;
  throw new BonafideError('invalid_arguments', `There is no page ${page}. ${hint}`);
}
