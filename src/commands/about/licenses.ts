// bonafide licenses: what others made, and under which terms it comes along.
import { shippedPackages } from '../../platform/shipped/licences.ts';
import type { Package } from '../../platform/shipped/packages.ts';
import { defineCommand, print, table } from '../command.ts';

export default defineCommand({
  meta: { name: 'licenses', description: 'List the packages of others that come along, with their licences' },
  args: {
    text: { type: 'boolean', description: 'Print the text of every licence' },
    json: { type: 'boolean', description: 'Print JSON for scripts' },
  },
  examples: ['licenses', 'licenses --text > LICENSES.txt'],
  run({ args }) {
    const packages = shippedPackages();
    print(args, packages, args.text ? packages.map(whole).join('\n\n') : table(packages.map(row)));
  },
});

const row = ({ name, version, licence }: Package): string[] => [name, version, licence];

const whole = ({ name, version, licence, text }: Package): string =>
  `${name} ${version} (${licence})\n\n${text ?? `It brings no text; see https://spdx.org/licenses/${licence}.html`}`;
