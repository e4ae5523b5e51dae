// Commands `bonafide plans`: included calls, prices and limits of accounts.
import type { ParsedArgs } from 'citty';
import type { PlanTerms } from '../../accounts/billing/terms.ts';
import { toPlanJson } from '../../admin/accounts.ts';
import { getPlanVersionAt, listPlans } from '../../store/plans.ts';
import {
  defineArgument,
  defineOption,
  parseCommaSeparatedList,
  createUsageError,
} from '../helpers/arguments.ts';
import { defineCommand, defineCommandGroup, formatTable, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runAndPrintStoreOperation } from '../helpers/operations.ts';

export const PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS = {
  included: defineOption('Number of calls a month that are included', 'calls'),
  price: defineOption('Price of a call beyond the included ones, such as 0.0125', 'amount'),
  currency: defineOption('Currency of the price, such as EUR', 'code'),
  overage: defineOption('Calls beyond the included ones: bill them, or block them', 'bill|block'),
  rate: defineOption('Rate limit of each key, such as 10/s or 600/m, or none'),
  burst: defineOption('Calls of a key that may arrive at once, with --rate', 'calls'),
  concurrency: defineOption('Calls of a key that may be in flight at once, or none for no limit', 'calls'),
  probes: defineOption(
    'Probes an hour (checks that may test who is on record), or none for no limit',
    'checks',
  ),
  watches: defineOption('Watches of an account, or none for no limit', 'watches'),
  operations: defineOption('Operations, with commas: validate, enhanced'),
  features: defineOption(
    'AI features, with commas, or none: trust_enhancement, fraud_detection, name_matching',
  ),
};

export const PLAN_CHANGE_START_OPTION = {
  from: defineOption('Start of the change: a day such as 2026-12-01, or next-month (default now)', 'time'),
};

const PLAN = { plan: defineArgument('Short name of the plan, such as starter') };

const create = defineCommand('Create a plan', {
  args: { ...PLAN, ...PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS },
  examples: [
    'plans create starter --included 1000 --price 0.02 --currency EUR',
    'plans create trial --included 100 --overage block --rate 1/s --burst 5 --features none',
  ],
  run: (args) =>
    runAndPrintStoreOperation(
      args,
      'plans.create',
      { id: args.plan, ...parseTerms(args) },
      (plan) => `The plan ${plan.id} is created.\n\n${formatPlan(plan)}`,
    ),
});

const list = defineCommand('List the plans with their current terms', {
  run: async (args) => {
    const plans = await withStore(args, 'empty', (store) => listPlans(store));
    const rows = plans.map(({ id, versions, retired }) => {
      const { version, terms } = getPlanVersionAt(versions, Date.now());
      return [
        id,
        `version ${version}`,
        `${terms.included} calls a month included`,
        terms.overage === 'block' ? 'then refused' : `then ${terms.price} ${terms.currency} a call`,
        retired === null ? '' : 'retired',
      ];
    });
    const text = 'There are no plans. Create one: bonafide plans create PLAN --included CALLS';
    printResult(args, plans.map(toPlanJson), rows.length === 0 ? text : formatTable(rows));
  },
});

const show = defineCommand('Show a plan with all its versions', {
  args: PLAN,
  examples: ['plans show starter'],
  run: (args) => runAndPrintStoreOperation(args, 'plans.show', args.plan, formatPlan),
});

const change = defineCommand('Add a version of a plan with some changed terms', {
  args: { ...PLAN, ...PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS, ...PLAN_CHANGE_START_OPTION },
  examples: ['plans change starter --price 0.03 --from next-month', 'plans change starter --rate none'],
  run: (args) => {
    const input = { id: args.plan, terms: parseTerms(args), from: args.from };
    return runAndPrintStoreOperation(args, 'plans.change', input, formatPlan);
  },
});

const retire = defineCommand('Retire a plan: only accounts that have the plan keep it', {
  args: PLAN,
  examples: ['plans retire starter'],
  run: (args) =>
    runAndPrintStoreOperation(
      args,
      'plans.retire',
      args.plan,
      ({ id }) => `The plan ${id} is retired. Accounts that have the plan keep it.`,
    ),
});

export const plansCommands = defineCommandGroup(
  'Create, list and change plans: included calls, prices, limits',
  {
    subCommands: { create, list, show, change, retire },
    examples: ['plans create starter --included 1000 --price 0.02 --currency EUR', 'plans list'],
  },
);

/** Returns the plan terms that the options set, as input of `PLAN_TERMS_SCHEMA`. Errors: invalid_arguments. */
function parseTerms(args: ParsedArgs<typeof PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS>): Record<string, unknown> {
  const terms = {
    price: args.price,
    overage: args.overage,
    currency: args.currency?.toUpperCase(),
    included: parseNumber(args.included),
    rate: parseRate(args.rate, args.burst),
    concurrency: parseLimit(args.concurrency),
    probes: parseLimit(args.probes),
    watches: parseLimit(args.watches),
    operations: parseWords(args.operations),
    features: parseWords(args.features),
  };
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

/** Parses digits. Any other text becomes NaN, which the schema of the terms refuses. */
const parseNumber = (text: string | undefined) =>
  text === undefined ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : NaN;

/** Parses a limit; `none` becomes null (no limit). */
const parseLimit = (text: string | undefined) => (text === 'none' ? null : parseNumber(text));

const parseWords = (text: string | undefined) =>
  text === undefined ? undefined : text === 'none' ? [] : [...new Set(parseCommaSeparatedList(text))];

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function parseRate(rate: string | undefined, burst: string | undefined): PlanTerms['rate'] | undefined {
  if (rate === undefined && burst !== undefined) throw createUsageError('--burst needs --rate.');
  if (rate === undefined) return undefined;
  if (rate === 'none') return null;
  const [, calls = '', unit = ''] = /^(\d{1,7})\/([smhd])$/.exec(rate) ?? [];
  const seconds = UNIT_SECONDS[unit];
  if (seconds === undefined)
    throw createUsageError('--rate must be calls per time, such as 10/s or 600/m, or none.');
  return { calls: Number(calls), seconds, burst: parseNumber(burst) ?? Number(calls) };
}

function formatRate(rate: PlanTerms['rate']): string {
  if (!rate) return 'no limit';
  const unit = Object.keys(UNIT_SECONDS).find((name) => UNIT_SECONDS[name] === rate.seconds);
  return `${rate.calls}/${unit ?? `${rate.seconds}s`}, burst ${rate.burst}`;
}

type PlanJson = ReturnType<typeof toPlanJson>;

const formatPlan = ({ versions }: PlanJson): string =>
  versions.map((version) => formatVersion(version, versions)).join('\n\n');

function formatVersion(
  { version, since, ...terms }: PlanJson['versions'][number],
  versions: PlanJson['versions'],
) {
  const {
    included,
    price,
    currency,
    overage,
    concurrency,
    probes,
    watches = null,
    operations,
    features,
  } = terms;
  // If several versions have the same start, the newest one applies.
  const newest = versions.findLast((other) => other.since === since)?.version ?? version;
  const rows = [
    ['  included', `${included} calls a month`],
    ['  overage', overage === 'block' ? 'refused' : `${price} ${currency} a call`],
    ['  rate', formatRate(terms.rate)],
    ['  in flight', concurrency === null ? 'limit of the server' : `${concurrency} calls of a key`],
    ['  probes', probes === null ? 'no limit' : `${probes} an hour`],
    ['  watches', watches === null ? 'no limit' : String(watches)],
    ['  operations', operations.join(', ') || 'none'],
    ['  features', features.join(', ') || 'none'],
  ];
  const replaced = newest === version ? '' : `, replaced by version ${newest}`;
  return `version ${version}, from ${since}${replaced}\n${formatTable(rows)}`;
}
