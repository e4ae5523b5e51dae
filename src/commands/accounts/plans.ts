import type { PlanTerms } from '../../accounts/model.ts';
import {
  throwPlanNotFound,
  openPlans,
  type Plan,
  getVersionAt,
  type PlanVersion,
} from '../../store/plans.ts';
import { changePlan, toPlanJson } from '../../admin/accounts.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';
import type { ArgsDef, ParsedArgs } from 'citty';
import { BonafideError } from '../../errors.ts';

export const PLAN_TERM_OPTIONS = {
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

const PLAN = {
  plan: { type: 'positional', description: 'The plan, by its short name, such as starter', required: true },
} as const;

const create = defineCommand({
  meta: { name: 'create', description: 'Make a plan' },
  args: { ...PLAN, ...PLAN_TERM_OPTIONS, ...COMMON_OPTIONS },
  examples: [
    'plans create starter --included 1000 --price 0.02 --currency EUR',
    'plans create trial --included 100 --overage block --rate 1/s --burst 5 --features none',
  ],
  run: ({ args }) =>
    withStore(args, (store) => {
      const plan = openPlans(store).create(args.plan, termsOf(args), Date.now());
      print(args, toPlanJson(plan), `The plan ${plan.id} is made.\n\n${card(plan)}`);
    }),
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the plans, as they are now' },
  args: COMMON_OPTIONS,
  examples: ['plans list', 'plans list --json'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => showAll(args, openPlans(store).list()),
      () => showAll(args, []),
    ),
});

function showAll(args: { json?: boolean | undefined }, plans: Plan[]): void {
  const now = Date.now();
  const rows = plans.map(({ id, versions, retired }) => {
    const { version, terms } = getVersionAt(versions, now);
    const beyond = terms.overage === 'block' ? 'then refused' : `then ${terms.price} ${terms.currency} each`;
    return [
      id,
      `version ${version}`,
      `${terms.included} calls a month`,
      beyond,
      retired === null ? '' : 'retired',
    ];
  });
  const none = 'There are no plans. Make one: bonafide plans create PLAN --included CALLS';
  print(args, plans.map(toPlanJson), rows.length === 0 ? none : formatTable(rows));
}

const show = defineCommand({
  meta: { name: 'show', description: 'Show a plan with all its versions' },
  args: { ...PLAN, ...COMMON_OPTIONS },
  examples: ['plans show starter'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const plan = openPlans(store).get(args.plan);
        print(args, toPlanJson(plan), card(plan));
      },
      () => throwPlanNotFound(args.plan),
    ),
});

const change = defineCommand({
  meta: { name: 'change', description: 'Add a version of a plan, with what is named; the rest stays' },
  args: { ...PLAN, ...PLAN_TERM_OPTIONS, ...FROM, ...COMMON_OPTIONS },
  examples: ['plans change starter --price 0.03 --from next-month', 'plans change starter --rate none'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const wanted = { id: args.plan, terms: termsOf(args), from: args.from };
        const plan = changePlan(store, wanted, Date.now());
        print(args, toPlanJson(plan), card(plan));
      },
      () => throwPlanNotFound(args.plan),
    ),
});

const retire = defineCommand({
  meta: { name: 'retire', description: 'Give a plan to no account any more; those that have it keep it' },
  args: { ...PLAN, ...COMMON_OPTIONS },
  examples: ['plans retire starter'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const plan = openPlans(store).retire(args.plan, Date.now());
        print(args, toPlanJson(plan), `${plan.id} is retired.`);
      },
      () => throwPlanNotFound(args.plan),
    ),
});

export default defineCommand({
  meta: { name: 'plans', description: 'Make, list and change plans: included calls, prices, limits' },
  subCommands: { create, list, show, change, retire },
  examples: ['plans create starter --included 1000 --price 0.02 --currency EUR', 'plans list'],
});

const time = (at: number) => new Date(at).toISOString();

const card = ({ versions }: Plan): string =>
  versions.map((one) => versionText(one, getVersionAt(versions, one.since))).join('\n\n');

/** A version, and the newer one of the same moment that applies in its place. */
function versionText({ version, since, terms }: PlanVersion, inForce: PlanVersion): string {
  const replaced = inForce.version === version ? '' : `, replaced by version ${inForce.version}`;
  return `version ${version}, from ${time(since)}${replaced}\n${formatTable(termRows(terms))}`;
}

function termRows(terms: PlanTerms): string[][] {
  const { included, price, currency, overage, concurrency, probes, operations, features } = terms;
  return [
    ['  included', `${included} calls a month`],
    ['  beyond', overage === 'block' ? 'refused' : `${price} ${currency} a call`],
    ['  rate', rateText(terms.rate)],
    ['  at a time', concurrency === null ? 'no limit of its own' : `${concurrency} calls of a key`],
    ['  probes', probes === null ? 'no limit' : `${probes} an hour`],
    ['  operations', operations.join(', ') || 'none'],
    ['  features', features.join(', ') || 'none'],
  ];
}

// The terms of a plan as a command line says them.

type TermsArgs = ParsedArgs<typeof PLAN_TERM_OPTIONS>;

/** The terms that a command line names, as the schema of src/accounts/billing/terms.ts reads them. Errors: invalid_arguments. */
function termsOf(args: TermsArgs): Record<string, unknown> {
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
function rateText(rate: PlanTerms['rate']): string {
  if (!rate) return 'no limit';
  const unit = Object.entries(SECONDS).find(([, seconds]) => seconds === rate.seconds)?.[0];
  return `${rate.calls}/${unit ?? `${rate.seconds}s`}, ${rate.burst} at once`;
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);
