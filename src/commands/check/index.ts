import { checkOnce } from '../../app/checks.ts';
import { BonafideError } from '../../errors.ts';
import type { ContactVerdict, NameVerdict, Verdict } from '../../model.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  everyValue,
  MAP_OPTION,
  print,
  REGION_OPTION,
  formatTable,
} from '../shared/command.ts';
import { checkFile } from './file.ts';
import { signed, stepsOf, sumsOf } from '../../evaluate/steps.ts';

export default defineCommand({
  meta: {
    name: 'check',
    description: 'Check one person against the graph, without a server, or everybody in a file',
  },
  args: {
    ...COMMON_OPTIONS,
    name: { type: 'string', description: "The person's full name" },
    email: { type: 'string', description: 'An email address; up to 5 times' },
    phone: { type: 'string', description: 'A phone number; up to 5 times' },
    address: { type: 'string', description: 'An address on one line; up to 5 times' },
    ...REGION_OPTION,
    why: { type: 'boolean', description: 'Show the evidence step by step' },
    file: {
      type: 'string',
      description: 'Many people: JSON Lines or CSV (gzip too), or -',
      valueHint: 'file',
    },
    ...MAP_OPTION,
    out: {
      type: 'string',
      description: 'Where the answers go (default FILE.checked.csv or .jsonl); what is there is gone on with',
      valueHint: 'file',
    },
    server: {
      type: 'string',
      description:
        'Ask a server, with the key in BONAFIDE_KEY, in place of the local graph; its answers count',
      valueHint: 'url',
    },
    concurrency: {
      type: 'string',
      description: 'With --server: people to ask about at a time (default 8)',
      valueHint: 'number',
    },
  },
  examples: [
    'check --name "Jane Doe" --email jane@example.com --phone "+1 415 555 0100"',
    'check --name "Jane Doe" --email jane@example.com --why',
    'check --name "Jane Doe" --address "1 Main Street, Springfield, IL 62701" --json',
    'check --file people.csv',
    'check --file people.csv --server http://127.0.0.1:8787 --out answers.csv',
  ],
  async run({ args, rawArgs }) {
    refuseMixed(args);
    if (args.file !== undefined) return checkFile(args);
    const config = await loadSettings(args, { region: args.region });
    const every = (option: string) => everyValue(rawArgs, option);
    const body = {
      name: args.name,
      emails: every('email'),
      phones: every('phone'),
      addresses: every('address').map((street) => ({ street })),
      ...(args.why && { operation: 'raw' }),
    };
    const { verdict, content } = await checkOnce(config, body).catch((error: unknown) => {
      throw error instanceof BonafideError && error.code === 'invalid_request' ? inFlags(error) : error;
    });
    print(args, content, args.why ? `${card(verdict)}\n\n${whyText(verdict)}` : card(verdict));
    return 0;
  },
});

const OF_ONE = ['name', 'email', 'phone', 'address', 'why'];
const OF_MANY = ['file', 'map', 'out', 'server', 'concurrency'];

/** One person or a file of them. Errors: invalid_arguments. */
function refuseMixed(args: Record<string, unknown>): void {
  const given = (options: string[]) =>
    options.find((option) => args[option] !== undefined && args[option] !== false);
  const [one, many] = [given(OF_ONE), given(OF_MANY)];
  const wrong = (text: string) => new BonafideError('invalid_arguments', text);
  if (one !== undefined && many !== undefined) throw wrong(`--${one} and --${many} do not go together.`);
  if (many !== undefined && args.file === undefined) throw wrong(`--${many} goes with --file.`);
  if (many === undefined && args.name === undefined)
    throw wrong('Whom to check? Give --name, or --file for many people.');
}

/** What is wrong with the request, said in the options of this command. */
function inFlags({ message, details }: BonafideError): BonafideError {
  const [first] = details.issues ?? [];
  const [, field = '', index = '0'] = /^\/([a-z]+)(?:\/(\d+))?/.exec(first?.pointer ?? '') ?? [];
  const option = { name: 'name', emails: 'email', phones: 'phone', addresses: 'address' }[field];
  const which = option && option !== 'name' ? ` (number ${Number(index) + 1})` : '';
  const text = first ? first.detail : message;
  return new BonafideError('invalid_arguments', option ? `--${option}${which}: ${text}` : text);
}

const MARKS = { primary: '+', secondary: '+', different: '!', unverified: '-' } as const;
const WORDS = {
  primary: 'primary match',
  secondary: 'secondary match',
  different: 'another identity',
  unverified: 'no matching record',
} as const;

function card({ name, contacts, score }: Verdict): string {
  const { value, band, confidence, message, summary, insights, dominantIdentity: dominant, history } = score;
  const rows = [row('name', name), ...contacts.map((one) => row(one.kind, one))];
  const seen =
    history.firstSeen === null ? [] : [`Seen ${day(history.firstSeen)} to ${day(history.lastSeen)}`];
  const identity = dominant === null ? [] : [`Identity ${dominant}`];
  // The message's sentence is the summary's first: a reader needs it once.
  const sentence = message.slice(message.indexOf(': ') + 2);
  const more = summary.slice(sentence.length).trim();
  return [
    `${value} / 100  ${band}, confidence ${confidence}${score.isPossibleCatfish ? ', possible catfish' : ''}`,
    message,
    '',
    formatTable(rows),
    '',
    ...(more === '' ? [] : [more]),
    ...insights.filter((text) => text !== summary).map((text) => `* ${text}`),
    ...[...identity, ...seen].join('. ').split('\n').filter(Boolean),
  ].join('\n');
}

function row(label: string, { input, status, identity }: NameVerdict | ContactVerdict) {
  const words = status === 'different' ? `${WORDS[status]} (${identity})` : WORDS[status];
  const written = typeof input === 'string' ? input : Object.values(input).filter(Boolean).join(', ');
  return [MARKS[status], label, words, written];
}

const day = (time: number | null) => (time === null ? 'now' : new Date(time).toISOString().slice(0, 10));

const WIDTH = 32;

/** The sum behind a score as a waterfall: each piece of evidence a bar from where the one before ended, then the bounds. */
function whyText({ score, raw }: Verdict): string {
  const steps = stepsOf(raw?.explanation ?? []);
  const { ends, low, high } = sumsOf(steps);
  const at = (bits: number) => Math.round(((bits - low) / Math.max(1, high - low)) * WIDTH);
  const rows = steps.map(({ bits, text }, i) => {
    const end = ends[i] ?? 0;
    return [signed(bits), bar(at(end - bits), at(end)), text];
  });
  const sum = ends.at(-1) ?? 0;
  const { preCapped, explanation } = score.combined;
  return [
    `Why ${score.value}, in bits:`,
    '',
    formatTable([...rows, [signed(sum), bar(at(0), at(sum)), `sum: ${preCapped} of 100`]]),
    '',
    explanation,
  ].join('\n');
}

/** A step too small to be seen is a thin line. */
function bar(from: number, to: number): string {
  const [left, right] = from < to ? [from, to] : [to, from];
  const drawn = left === right ? '▏' : '█'.repeat(right - left);
  return `${' '.repeat(left)}${drawn}`.padEnd(WIDTH);
}
