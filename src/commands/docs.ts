// Commands `bonafide docs` and `bonafide licenses`: pages of the documentation, and licences of the included packages.
import { formatNameSuggestion } from '../config.ts';
import { readDocPage, listDocPages } from '../platform/assets.ts';
import { listShippedPackages, type ShippedPackage } from '../platform/shipped-packages.ts';
import { defineFlag, defineOptionalArgument, createUsageError } from './helpers/arguments.ts';
import { defineCommandWithoutCommonOptions, formatTable, printResult } from './helpers/command.ts';

export const docsCommand = defineCommandWithoutCommonOptions(
  'Print a page of the documentation, or the list of pages',
  {
    args: { page: defineOptionalArgument('Name of the page; without a name, the list of pages is printed') },
    examples: ['docs', 'docs scoring'],
    run: ({ page }) => void process.stdout.write(page === undefined ? formatPageList() : readPage(page)),
  },
);

function formatPageList(): string {
  const rows = listDocPages().map(({ page, about }) => [page, about]);
  return `${formatTable(rows)}\n\nPrint a page: bonafide docs PAGE. A server shows the pages at /docs.\n`;
}

/** Returns the text of a documentation page. Errors: invalid_arguments if the page does not exist. */
function readPage(name: string): string {
  const text = readDocPage(name.replace(/\.md$/, ''));
  if (text !== null) return text;
  const names = listDocPages().map(({ page }) => page);
  throw createUsageError(`There is no page ${name}. ${formatNameSuggestion(name, names, 'pages')}`);
}

export const licensesCommand = defineCommandWithoutCommonOptions(
  'List the included packages and their licences',
  {
    args: { text: defineFlag('Print the text of every licence'), json: defineFlag('Print JSON for scripts') },
    examples: ['licenses', 'licenses --text > LICENSES.txt'],
    run(args) {
      const packages = listShippedPackages();
      const rows = packages.map(({ name, version, licence }) => [name, version, licence]);
      printResult(args, packages, args.text ? packages.map(formatLicence).join('\n\n') : formatTable(rows));
    },
  },
);

function formatLicence({ name, version, licence, text }: ShippedPackage): string {
  const link = `The package contains no licence text. See https://spdx.org/licenses/${licence}.html`;
  return `${name} ${version} (${licence})\n\n${text ?? link}`;
}
