// The terms of a plan as a command line says them.
import type { ArgsDef, ParsedArgs } from 'citty';
import { BonafideError } from '../../errors.ts';
import type { PlanTerms } from '../../accounts/model.ts';

export const TERMS_ARGS = {
  included: { type: 'string', description: 'Calls a month that cost nothing more', valueHint: 'calls' },
  price: { type: 'string', description: 'Of a call beyond, such as 0.0125', valueHint: 'amount' },
  currency: { type: 'string', description: 'Of the price, such as EUR', valueHint: 'code' },
  overage: {
    type: 'string',
    description: 'Calls beyond the included ones: bill or block',
    valueHint: 'bill|block',
  },
  rate: { type: 'string', description: 'How often a key may call, such as 10/s or 600/m, or none' },
  burst: { type: 'string', description: 'So many calls at once, with --rate', valueHint: 'calls' },
  concurrency: { type: 'string', description: 'Calls of a key at a time, or none', valueHint: 'calls' },
  probes: {
    type: 'string',
    description: 'Checks an hour that only ask who is on record, or none',
    valueHint: 'checks',
  },
  operations: { type: 'string', description: 'Words of validate, enhanced, with commas' },
  features: {
    type: 'string',
    description: 'Words of trust_enhancement, fraud_detection, name_matching, with commas, or none',
  },
} as const satisfies ArgsDef;

/** When a change applies. */
export const FROM = {
  from: {
    type: 'string',
    description: 'When it applies: a day such as 2026-12-01, or next-month (default now)',
    valueHint: 'time',
  },
} as const satisfies ArgsDef;

type TermsArgs = ParsedArgs<typeof TERMS_ARGS>;

/** The terms that a command line names, as the schema of src/accounts/billing/terms.ts reads them. Errors: invalid_arguments. */
export function termsOf(args: TermsArgs): Record<string, unknown> {
  const { price, currency, overage } = args;
  const said = {
    price,
    overage,
    currency: currency?.toUpperCase(),
    included: number(args.included),
    rate: rateOf(args),
    concurrency: numberOrNone(args.concurrency),
    probes: numberOrNone(args.probes),
    operations: words(args.operations),
    features: words(args.features),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Digits alone: `1e3` and `0x10` are numbers to JavaScript, and slips to an operator. */
const number = (text: string | undefined) =>
  text === undefined ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : NaN;

const numberOrNone = (text: string | undefined) => (text === 'none' ? null : number(text));

function words(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return [];
  return [...new Set(text.split(',').map((word) => word.trim()))];
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function rateOf({ rate, burst }: TermsArgs): PlanTerms['rate'] | undefined {
  if (rate === undefined && burst !== undefined) throw wrong('--burst goes with --rate.');
  if (rate === undefined) return undefined;
  if (rate === 'none') return null;
  const [, calls = '', unit = ''] = /^(\d{1,7})\/([smhd])$/.exec(rate) ?? [];
  const seconds = SECONDS[unit];
  if (seconds === undefined) throw wrong('--rate must be calls by time, such as 10/s or 600/m, or none.');
  return { calls: Number(calls), seconds, burst: number(burst) ?? Number(calls) };
}

/** `10/s` of a rate. */
export function rateText(rate: PlanTerms['rate']): string {
  if (!rate) return 'no limit';
  const unit = Object.entries(SECONDS).find(([, seconds]) => seconds === rate.seconds)?.[0];
  return `${rate.calls}/${unit ?? `${rate.seconds}s`}, ${rate.burst} at once`;
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);
