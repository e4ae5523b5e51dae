// bonafide graph find, bonafide graph export: a person's records, and all data about a person.
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { findPeople, type FoundPerson, type Has } from '../../people/find.ts';
import { heldOn } from '../../people/held.ts';
import { argument, option, parseIdentity, REGION_OPTION } from '../shared/arguments.ts';
import { defineCommand, print } from '../shared/command.ts';
import { writeOutputFile } from '../shared/files.ts';
import { recordAction, withGraph } from '../shared/open.ts';

type ValueKind = Has['kind'];
const KINDS = ['name', 'email', 'phone', 'address'] as const satisfies ValueKind[];

/** One value to search for. Messages name its position and never repeat the value. */
type SearchedValue = Pick<Has, 'kind' | 'index'>;

export const find = defineCommand('find', 'Find identities by name, e-mail, phone or address', {
  args: {
    name: option('A name. Each of these four options may be repeated'),
    email: option('An e-mail address'),
    phone: option('A phone number'),
    address: option('An address on one line'),
    ...REGION_OPTION,
  },
  examples: ['graph find --email jane@example.com', 'graph find --name "Jane Doe" --phone "+1 415 555 0100"'],
  run: (args, valuesOf) =>
    withGraph(args, async (graph, { region }) => {
      const searched = Object.fromEntries(KINDS.map((kind) => [kind, valuesOf(kind)])) as Record<
        ValueKind,
        string[]
      >;
      const { name: names, email: emails, phone: phones, address: addresses } = searched;
      const result = await findPeople(graph, { names, emails, phones, addresses, region });
      const label = ({ kind, index }: SearchedValue) =>
        searched[kind].length > 1 ? `${kind} ${index + 1}` : kind;
      const found = new Set(result.people.flatMap(({ has }) => has.map(label)));
      const missing = KINDS.flatMap((kind) => searched[kind].map((_, index) => ({ kind, index }))).filter(
        (value) => !found.has(label(value)),
      );
      const lines = [
        ...result.people.flatMap((person) => formatPerson(person, label)),
        ...formatMissing(missing.map(label), result.people.length),
        ...describeReading(missing, result.tried, region),
        ...(result.more > 0
          ? [`… and ${result.more} more identities: very many identities share a value`]
          : []),
      ];
      print(args, result, lines.join('\n'));
    }),
});

function formatMissing(labels: string[], peopleCount: number): string[] {
  if (peopleCount === 0) return ['No identity has any of these values.'];
  return labels.length > 0 ? [`No identity has this ${labels.join(', ')}.`] : [];
}

/** Describes how missing values were read: a phone number without a country is a different number in each country. */
function describeReading(missing: SearchedValue[], triedRegion: string | null, region: string): string[] {
  const isMissing = (wanted: ValueKind) => missing.some(({ kind }) => kind === wanted);
  return [
    ...(triedRegion !== null && isMissing('phone')
      ? [
          `The phone number has no country code. It was read as a number of ${triedRegion}, then of every other country with such numbers.`,
        ]
      : []),
    ...(isMissing('address')
      ? [
          `Addresses without a country were read as addresses of ${region}. Name another country with --region.`,
        ]
      : []),
  ];
}

function formatMatch(match: Has, label: (value: SearchedValue) => string): string {
  const { kind, how, region } = match;
  if (region !== null) return `${label(match)} (read as a number of ${region})`;
  return kind === how ? label(match) : `${label(match)} (${how})`;
}

function formatPerson(
  { identity, names, has, records }: FoundPerson,
  label: (value: SearchedValue) => string,
): string[] {
  const matches = [...new Set(has.map((match) => formatMatch(match, label)))].join(', ');
  return [
    `identity ${identity}  ${names.join(', ') || 'without a name'}  has this ${matches}`,
    ...records.map(
      ({ source, recordId, holds }) => `  record ${source}:${recordId}${holds ? ' contains the value' : ''}`,
    ),
  ];
}

export const exportPerson = defineCommand(
  'export',
  'Print all stored data about a person, as JSON for that person',
  {
    args: {
      identity: argument('Number of an identity'),
      out: option('Output file (default standard output)', 'file'),
    },
    examples: ['graph export 12 > data.json', 'graph export 12 --out data.json'],
    run: (args) =>
      withGraph(args, async (graph, config) => {
        const data = await heldOn(graph, parseIdentity(args.identity));
        const text = `${JSON.stringify(data, null, 2)}\n`;
        if (args.out === undefined) process.stdout.write(text);
        else {
          refuseOwnFile(config.dataDir, args.out);
          writeOutputFile(args.out, text, '--out');
        }
        recordAction(config, {
          act: 'graph.export',
          target: String(data.identity),
          detail: { records: data.records.length },
        });
      }),
  },
);
