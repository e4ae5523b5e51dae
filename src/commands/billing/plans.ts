import type { PlanTerms } from '../../accounts/model.ts';
import { changePlan, planView } from '../../admin/billing/plans.ts';
import { noPlan, openPlans } from '../../store/billing/plans.ts';
import type { Plan } from '../../store/billing/plans.ts';
import { versionAt } from '../../store/billing/versions.ts';
import type { PlanVersion } from '../../store/billing/versions.ts';
import { COMMON, defineCommand, print, table } from '../command.ts';
import { withStore } from '../with-store.ts';
import { FROM, rateText, termsOf, TERMS_ARGS } from './terms.ts';

const PLAN = {
  plan: { type: 'positional', description: 'The plan, by its short name, such as starter', required: true },
} as const;

const create = defineCommand({
  meta: { name: 'create', description: 'Make a plan' },
  args: { ...PLAN, ...TERMS_ARGS, ...COMMON },
  examples: [
    'plans create starter --included 1000 --price 0.02 --currency EUR',
    'plans create trial --included 100 --overage block --rate 1/s --burst 5 --features none',
  ],
  run: ({ args }) =>
    withStore(args, (store) => {
      const plan = openPlans(store).create(args.plan, termsOf(args), Date.now());
      print(args, planView(plan), `The plan ${plan.id} is made.\n\n${card(plan)}`);
    }),
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the plans, as they are now' },
  args: COMMON,
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
    const { version, terms } = versionAt(versions, now);
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
  print(args, plans.map(planView), rows.length === 0 ? none : table(rows));
}

const show = defineCommand({
  meta: { name: 'show', description: 'Show a plan with all its versions' },
  args: { ...PLAN, ...COMMON },
  examples: ['plans show starter'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const plan = openPlans(store).get(args.plan);
        print(args, planView(plan), card(plan));
      },
      () => noPlan(args.plan),
    ),
});

const change = defineCommand({
  meta: { name: 'change', description: 'Add a version of a plan, with what is named; the rest stays' },
  args: { ...PLAN, ...TERMS_ARGS, ...FROM, ...COMMON },
  examples: ['plans change starter --price 0.03 --from next-month', 'plans change starter --rate none'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const wanted = { id: args.plan, terms: termsOf(args), from: args.from };
        const plan = changePlan(store, wanted, Date.now());
        print(args, planView(plan), card(plan));
      },
      () => noPlan(args.plan),
    ),
});

const retire = defineCommand({
  meta: { name: 'retire', description: 'Give a plan to no account any more; those that have it keep it' },
  args: { ...PLAN, ...COMMON },
  examples: ['plans retire starter'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const plan = openPlans(store).retire(args.plan, Date.now());
        print(args, planView(plan), `${plan.id} is retired.`);
      },
      () => noPlan(args.plan),
    ),
});

export default defineCommand({
  meta: { name: 'plans', description: 'Make, list and change plans: included calls, prices, limits' },
  subCommands: { create, list, show, change, retire },
  examples: ['plans create starter --included 1000 --price 0.02 --currency EUR', 'plans list'],
});

const time = (at: number) => new Date(at).toISOString();

const card = ({ versions }: Plan): string =>
  versions.map((one) => versionText(one, versionAt(versions, one.since))).join('\n\n');

/** A version, and the newer one of the same moment that applies in its place. */
function versionText({ version, since, terms }: PlanVersion, inForce: PlanVersion): string {
  const replaced = inForce.version === version ? '' : `, replaced by version ${inForce.version}`;
  return `version ${version}, from ${time(since)}${replaced}\n${table(termRows(terms))}`;
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
