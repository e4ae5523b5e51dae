// Command `bonafide check`: checks one person, or all people of a file.
import { runCheckWithoutServer } from '../../app/local-checks.ts';
import { BonafideError } from '../../errors.ts';
import { formatBits, toEvidenceSteps, computeEvidenceSumsAndRange } from '../../evaluate/steps.ts';
import type { ContactMatchResult, NameMatchResult, Verdict } from '../../model.ts';
import { isPhoneOfOtherCountry } from '../../import/input/request.ts';
import {
  defineFlag,
  INPUT_FORMAT_OPTIONS,
  COLUMN_MAP_OPTION,
  defineOption,
  REGION_OPTION,
  createUsageError,
} from '../helpers/arguments.ts';
import {
  defineCommand,
  formatDay,
  formatTable,
  loadSettings,
  printNote,
  printResult,
} from '../helpers/command.ts';
import { checkFile } from './file.ts';

export const checkCommand = defineCommand('Check one person without a server, or all people of a file', {
  args: {
    name: defineOption("The person's full name"),
    email: defineOption('An e-mail address; up to 5 times'),
    phone: defineOption('A phone number; up to 5 times'),
    address: defineOption('A postal address on one line; up to 5 times'),
    ...REGION_OPTION,
    why: defineFlag('Show the evidence step by step'),
    file: defineOption('Check many people: a JSON Lines or CSV file (also gzip), or -', 'file'),
    ...COLUMN_MAP_OPTION,
    ...INPUT_FORMAT_OPTIONS,
    out: defineOption(
      'With --file: output file (default FILE.checked.csv or .jsonl); an existing output is continued',
      'file',
    ),
    server: defineOption(
      'With --file: use a server, with the key in BONAFIDE_KEY, in place of the local graph; calls are counted',
      'url',
    ),
    concurrency: defineOption('With --server: number of people checked at once (default 8)', 'number'),
  },
  examples: [
    'check --name "Jane Doe" --email jane@example.com --phone "+1 415 555 0100"',
    'check --name "Jane Doe" --email jane@example.com --why',
    'check --name "Jane Doe" --address "1 Main Street, Springfield, IL 62701" --json',
    'check --file people.csv',
    'check --file people.csv --server http://127.0.0.1:8787 --out answers.csv',
  ],
  run: async (args, valuesOf) => {
    refuseMixedOptions(args);
    if (args.file !== undefined) return checkFile(args);
    const config = await loadSettings(args, { region: args.region });
    const body = {
      name: args.name,
      emails: valuesOf('email'),
      phones: valuesOf('phone'),
      addresses: valuesOf('address').map((street) => ({ street })),
      ...(args.why && { operation: 'raw' }),
    };
    const { verdict, content } = await runCheckWithoutServer(config, body).catch((error: unknown) => {
      throw error instanceof BonafideError && error.code === 'invalid_request' ? toUsageError(error) : error;
    });
    for (const [i, phone] of valuesOf('phone').entries())
      if (isUnknownPhoneOfOtherCountry(phone, verdict, config.region))
        printNote(
          `phone ${i + 1} is not a valid number in ${config.region}, but in other countries. Write its country code, such as +49, or set --region.`,
        );
    const card = formatVerdict(verdict);
    printResult(args, content, args.why ? `${card}\n\n${formatEvidence(verdict)}` : card);
    return 0;
  },
});

/** True for a phone without a matching record that is invalid in the region and valid elsewhere. */
function isUnknownPhoneOfOtherCountry(phone: string, { contacts }: Verdict, region: string): boolean {
  const digits = phone.replace(/\D/g, '');
  const isUnknown = contacts.some(
    ({ kind, input, status }) => kind === 'phone' && input === digits && status === 'unverified',
  );
  return isUnknown && isPhoneOfOtherCountry(phone, region);
}

const PERSON_OPTIONS = ['name', 'email', 'phone', 'address', 'why'];
const FILE_OPTIONS = ['file', 'map', 'encoding', 'sheet', 'out', 'server', 'concurrency'];

/** Throws unless the options of `check` describe either one person or a file. Errors: invalid_arguments. */
function refuseMixedOptions(args: Record<string, unknown>): void {
  const findGiven = (options: string[]) =>
    options.find((name) => args[name] !== undefined && args[name] !== false);
  const [personOption, fileOption] = [findGiven(PERSON_OPTIONS), findGiven(FILE_OPTIONS)];
  if (personOption !== undefined && fileOption !== undefined)
    throw createUsageError(
      `--${personOption} and --${fileOption} cannot be used together. Leave one of them out.`,
    );
  if (fileOption !== undefined && args.file === undefined)
    throw createUsageError(`--${fileOption} needs --file.`);
  if (fileOption === undefined && args.name === undefined)
    throw createUsageError('Give the name of a person with --name, or a file of people with --file.');
}

/** Converts an error about request fields to an error about the options of this command. */
function toUsageError({ message, details }: BonafideError): BonafideError {
  const [issue] = details.issues ?? [];
  const [, field = '', index = '0'] = /^\/([a-z]+)(?:\/(\d+))?/.exec(issue?.pointer ?? '') ?? [];
  const optionName = { name: 'name', emails: 'email', phones: 'phone', addresses: 'address' }[field];
  const number = optionName && optionName !== 'name' ? ` (number ${Number(index) + 1})` : '';
  const text = issue?.detail ?? message;
  return createUsageError(optionName ? `--${optionName}${number}: ${text}` : text);
}

const STATUS_MARKS = { primary: '+', secondary: '+', different: '!', unverified: '-' } as const;
const STATUS_LABELS = {
  primary: 'primary match',
  secondary: 'secondary match',
  different: 'another identity',
  unverified: 'no matching record',
} as const;

/** Formats a verdict as lines of text: score, message, a table of name and contacts, insights. */
function formatVerdict({ name, contacts, score }: Verdict): string {
  const { value, band, confidence, message, summary, insights, dominantIdentity, history } = score;
  const rows = [toRow('name', name), ...contacts.map((contact) => toRow(contact.kind, contact))];
  const seen =
    history.firstSeen === null
      ? []
      : [
          history.lastSeen === null
            ? `Seen since ${formatDay(history.firstSeen)}`
            : `Seen ${formatDay(history.firstSeen)} to ${formatDay(history.lastSeen)}`,
        ];
  const identity = dominantIdentity === null ? [] : [`Identity ${dominantIdentity}`];
  // The summary starts with the sentence of the message: print that sentence once.
  const sentence = message.slice(message.indexOf(': ') + 2);
  const rest = summary.slice(sentence.length).trim();
  return [
    `${value} / 100  ${band}, confidence ${confidence}${score.isPossibleCatfish ? ', possible catfish' : ''}`,
    message,
    '',
    formatTable(rows),
    '',
    ...(rest === '' ? [] : [rest]),
    ...insights.filter((text) => text !== summary).map((text) => `* ${text}`),
    ...[...identity, ...seen].join('. ').split('\n').filter(Boolean),
  ].join('\n');
}

function toRow(label: string, { input, status, identity }: NameMatchResult | ContactMatchResult): string[] {
  const statusText =
    status === 'different' ? `${STATUS_LABELS[status]} (${identity})` : STATUS_LABELS[status];
  const value = typeof input === 'string' ? input : Object.values(input).filter(Boolean).join(', ');
  return [STATUS_MARKS[status], label, statusText, value];
}

/** Width of the waterfall chart, in characters. */
const CHART_WIDTH = 32;

/** Formats the evidence behind a score as a waterfall chart: each bar starts where the previous one ended. */
function formatEvidence({ score, raw }: Verdict): string {
  const steps = toEvidenceSteps(raw?.explanation ?? []);
  const { ends, low, high } = computeEvidenceSumsAndRange(steps);
  const toColumn = (bits: number) => Math.round(((bits - low) / Math.max(1, high - low)) * CHART_WIDTH);
  const rows = steps.map(({ bits, text }, i) => {
    const end = ends[i] ?? 0;
    return [formatBits(bits), drawBar(toColumn(end - bits), toColumn(end)), text];
  });
  const sum = ends.at(-1) ?? 0;
  const { preCapped, explanation } = score.combined;
  return [
    `Evidence for the score ${score.value}, in bits:`,
    '',
    formatTable([
      ...rows,
      [formatBits(sum), drawBar(toColumn(0), toColumn(sum)), `sum: ${preCapped} of 100`],
    ]),
    '',
    explanation,
  ].join('\n');
}

/** Draws a bar between two columns. A step that is narrower than a column becomes a thin line. */
function drawBar(from: number, to: number): string {
  const [left, right] = from < to ? [from, to] : [to, from];
  const bar = left === right ? '▏' : '█'.repeat(right - left);
  return `${' '.repeat(left)}${bar}`.padEnd(CHART_WIDTH);
}
