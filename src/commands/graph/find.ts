// Commands `bonafide graph find` and `bonafide graph export`: a person's records, and all data about a person.
import type { PeopleOperationResult } from '../../admin/graph/people-operations.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import type { FoundPerson, ValueMatch } from '../../people/find-people.ts';
import { exportPerson } from '../../people/export-person.ts';
import { linkPendingRecords } from '../../people/linking.ts';
import { defineArgument, defineOption, parseIdentityNumber, REGION_OPTION } from '../helpers/arguments.ts';
import { defineCommand, type OptionValuesGetter } from '../helpers/command.ts';
import { writeOutputFile } from '../helpers/files.ts';
import { recordCommandInAuditLog, withGraph } from '../helpers/open.ts';
import { runAndPrintGraphOperation } from '../helpers/operations.ts';

const KINDS = ['name', 'email', 'phone', 'address'] as const satisfies ValueMatch['kind'][];

export const graphFindCommand = defineCommand('Find identities by name, e-mail, phone or address', {
  args: {
    name: defineOption('A name. Each of these four options may be repeated'),
    email: defineOption('An e-mail address'),
    phone: defineOption('A phone number'),
    address: defineOption('An address on one line'),
    ...REGION_OPTION,
  },
  examples: ['graph find --email jane@example.com', 'graph find --name "Jane Doe" --phone "+1 415 555 0100"'],
  run: (args, valuesOf) => {
    const [names = [], emails = [], phones = [], addresses = []] = KINDS.map(valuesOf);
    const toText = (result: PeopleOperationResult<'find'>) => formatSearch(result, valuesOf, args.region);
    return runAndPrintGraphOperation(args, 'find', { names, emails, phones, addresses }, toText);
  },
});

/** Searched value as error messages name it, without its text: its kind, and its index among the options of this kind. */
type SearchedValue = Pick<ValueMatch, 'kind' | 'index'>;

function formatSearch(
  { people, tried, more }: PeopleOperationResult<'find'>,
  valuesOf: OptionValuesGetter,
  region = 'the country in the settings',
): string {
  const label = ({ kind, index }: SearchedValue) =>
    valuesOf(kind).length > 1 ? `${kind} ${index + 1}` : kind;
  const matchedLabels = new Set(people.flatMap(({ has }) => has.map(label)));
  const missing = KINDS.flatMap((kind) => valuesOf(kind).map((_, index) => ({ kind, index }))).filter(
    (value) => !matchedLabels.has(label(value)),
  );
  const isMissing = (wanted: ValueMatch['kind']) => missing.some(({ kind }) => kind === wanted);
  const lines = people.flatMap((person) => formatPerson(person, label));
  if (people.length === 0) lines.push('No identity has any of these values.');
  else if (missing.length > 0) lines.push(`No identity has this ${missing.map(label).join(', ')}.`);
  // A phone number without a country code is a different number in each country.
  if (tried !== null && isMissing('phone'))
    lines.push(
      `The phone number has no country code. It was read as a number of ${tried}, then of every other country with such numbers.`,
    );
  if (isMissing('address'))
    lines.push(
      `Addresses without a country were read as addresses of ${region}. Name another country with --region.`,
    );
  if (more > 0) lines.push(`… and ${more} more identities: very many identities share a value`);
  return lines.join('\n');
}

function formatPerson(
  { identity, names, has, records }: FoundPerson,
  label: (value: SearchedValue) => string,
): string[] {
  const formatMatch = (match: ValueMatch) => {
    const { kind, how, region } = match;
    if (region !== null) return `${label(match)} (read as a number of ${region})`;
    return kind === how ? label(match) : `${label(match)} (${how})`;
  };
  const matches = [...new Set(has.map(formatMatch))].join(', ');
  return [
    `identity ${identity}  ${names.join(' / ') || 'without a name'}  has this ${matches}`,
    ...records.map(
      ({ source, recordId, holds }) => `  record ${source}:${recordId}${holds ? ' contains the value' : ''}`,
    ),
  ];
}

export const graphExportCommand = defineCommand('Print all data about a person, as JSON for that person', {
  args: {
    identity: defineArgument('Identity number'),
    out: defineOption('Output file (default standard output)', 'file'),
  },
  examples: ['graph export 12 > data.json', 'graph export 12 --out data.json'],
  run: (args) =>
    withGraph(args, 'read', async (graph, config) => {
      await linkPendingRecords(graph);
      const data = await exportPerson(graph, parseIdentityNumber(args.identity));
      const text = `${JSON.stringify(data, null, 2)}\n`;
      if (args.out === undefined) process.stdout.write(text);
      else {
        requireNotOwnDataFile(config.dataDir, args.out);
        writeOutputFile(args.out, text, '--out');
      }
      const { identity, records } = data;
      const detail = { records: records.length };
      recordCommandInAuditLog(config, { act: 'graph.export', target: String(identity), detail });
    }),
});
