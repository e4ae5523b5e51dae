// bonafide docs [PAGE]: the pages of documentation in the terminal.
import { BonafideError } from '../errors.ts';
import { findPage, listPages } from '../platform/doc-pages.ts';
import { nearestWord } from '../normalise/typo.ts';
import { defineCommand, formatTable, print } from './shared/command.ts';
import { shippedPackages } from '../platform/shipped/licences.ts';
import type { Package } from '../platform/shipped/packages.ts';

export const docsCommand = defineCommand({
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
  return `${formatTable(rows)}\n\nOne of them: bonafide docs PAGE. A server shows them at /docs.\n`;
}

function text(page: string): string {
  const found = findPage(page.replace(/\.md$/, ''));
  if (found !== null) return found;
  const names = listPages().map((known) => known.page);
  const meant = nearestWord(page, names);
  const hint = meant ? `Did you mean ${meant}?` : `There are ${names.join(', ')}.`;
  throw new BonafideError('invalid_arguments', `There is no page ${page}. ${hint}`);
}

// bonafide licenses: what others made, and under which terms it comes along.
export const licensesCommand = defineCommand({
  meta: { name: 'licenses', description: 'List the packages of others that come along, with their licences' },
  args: {
    text: { type: 'boolean', description: 'Print the text of every licence' },
    json: { type: 'boolean', description: 'Print JSON for scripts' },
  },
  examples: ['licenses', 'licenses --text > LICENSES.txt'],
  run({ args }) {
    const packages = shippedPackages();
    print(args, packages, args.text ? packages.map(whole).join('\n\n') : formatTable(packages.map(row)));
  },
});

const row = ({ name, version, licence }: Package): string[] => [name, version, licence];

const whole = ({ name, version, licence, text }: Package): string =>
  `${name} ${version} (${licence})\n\n${text ?? `It brings no text; see https://spdx.org/licenses/${licence}.html`}`;
