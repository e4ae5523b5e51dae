// Who is held, and what is held on somebody.
import { writeFileSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { type FoundPerson, findPeople, type Has } from '../../people/find.ts';
import { heldOn } from '../../people/held.ts';
import { COMMON_OPTIONS, defineCommand, everyValue, print, REGION_OPTION } from '../shared/command.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { parseIdentity } from '../shared/arguments.ts';

export const find = defineCommand({
  meta: { name: 'find', description: 'Whose records hold a name, an e-mail, a phone or an address' },
  args: {
    name: { type: 'string', description: 'A name; may be repeated, as the others' },
    email: { type: 'string', description: 'An e-mail address' },
    phone: { type: 'string', description: 'A phone number' },
    address: { type: 'string', description: 'An address on one line' },
    ...REGION_OPTION,
    ...COMMON_OPTIONS,
  },
  examples: ['graph find --email jane@example.com', 'graph find --name "Jane Doe" --phone "+1 415 555 0100"'],
  run: ({ args, rawArgs }) =>
    withGraph(args, async (graph, { region }) => {
      const sought = Object.fromEntries(KINDS.map((kind) => [kind, everyValue(rawArgs, kind)])) as Record<
        Has['kind'],
        string[]
      >;
      const { name: names, email: emails, phone: phones, address: addresses } = sought;
      const it = await findPeople(graph, { names, emails, phones, addresses, region });
      const called = ({ kind, index }: Value) => (sought[kind].length > 1 ? `${kind} ${index + 1}` : kind);
      const found = new Set(it.people.flatMap(({ has }) => has.map(called)));
      const missed = KINDS.flatMap((kind) => sought[kind].map((_, index) => ({ kind, index }))).filter(
        (value) => !found.has(called(value)),
      );
      const lines = it.people.flatMap((person) => personText(person, called));
      if (it.people.length === 0) lines.push('Nobody on record.');
      else if (missed.length > 0) lines.push(`nobody on record has that ${missed.map(called).join(', ')}`);
      lines.push(...readAs(missed, it.tried, region));
      if (it.more > 0) lines.push(`and ${it.more} more: a value that very many share`);
      print(args, it, lines.join('\n'));
    }),
});

const KINDS = ['name', 'email', 'phone', 'address'] as const satisfies Has['kind'][];

/** One of those that were asked for; it is told by its place, and not repeated. */
type Value = Pick<Has, 'kind' | 'index'>;

/** What was tried of values that nobody has: a number that names no country is another number in each. */
function readAs(missed: Value[], tried: string | null, region: string): string[] {
  const lines: string[] = [];
  const isMissed = (of: Has['kind']) => missed.some(({ kind }) => kind === of);
  if (tried !== null && isMissed('phone'))
    lines.push(
      `The phone names no country: it was read as one of ${tried}, then as one of every other country that has such numbers.`,
    );
  if (isMissed('address'))
    lines.push(`Addresses that name no country were read as of ${region}: say --region for another.`);
  return lines;
}

function hasText(has: Has, called: (value: Value) => string): string {
  const { kind, how, region } = has;
  if (region !== null) return `${called(has)} (as a number of ${region})`;
  return kind === how ? called(has) : `${called(has)} (${how})`;
}

function personText(
  { identity, names, has, records }: FoundPerson,
  called: (value: Value) => string,
): string[] {
  const what = [...new Set(has.map((one) => hasText(one, called)))].join(', ');
  return [
    `identity ${identity}  ${names.join(', ') || 'without a name'}  has that ${what}`,
    ...records.map(
      ({ source, recordId, holds }) => `  record ${source}:${recordId}${holds ? ' holds it' : ''}`,
    ),
  ];
}

export const exportOne = defineCommand({
  meta: {
    name: 'export',
    description: 'Everything that is held on a person, as JSON to be given to that person',
  },
  args: {
    identity: { type: 'positional', description: 'An identity number', required: true },
    out: { type: 'string', description: 'Where it goes (default standard output)', valueHint: 'file' },
    ...COMMON_OPTIONS,
  },
  examples: ['graph export 12 > held.json', 'graph export 12 --out held.json'],
  run: ({ args }) =>
    withGraph(args, async (graph, config) => {
      const it = await heldOn(graph, parseIdentity(args.identity));
      const text = `${JSON.stringify(it, null, 2)}\n`;
      if (args.out === undefined) process.stdout.write(text);
      else save(config.dataDir, args.out, text);
      recordAction(config, {
        act: 'graph.export',
        target: String(it.identity),
        detail: { records: it.records.length },
      });
    }),
});

function save(dataDir: string, file: string, text: string): void {
  refuseOwnFile(dataDir, file);
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    throw new BonafideError('read_only', `Cannot write ${file}: choose another with --out.`);
  }
}
