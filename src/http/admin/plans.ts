import * as v from 'valibot';
import { PLAN_FEATURES, PLAN_OPERATIONS, PLAN_TERMS_SCHEMA } from '../../accounts/billing/terms.ts';
import type { Route } from '../openapi/operation.ts';
import { rateLimitFieldSchemas } from '../schema/calls.ts';
import * as s from '../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const { entries } = PLAN_TERMS_SCHEMA;

const ABOUT = {
  included: 'Calls a month that are included.',
  price: 'Price of one call of overage, a decimal number with up to six decimal places.',
  currency: 'Currency of the price, ISO 4217.',
  overage: 'Calls beyond the included ones are billed (`bill`), or refused (`block`).',
  rate: 'Rate limit of a key; null for none.',
  concurrency: 'Calls of a key that may be in flight at the same time; null for the limit of the server.',
  probes: 'Checks an hour that may look like harvesting; null for no limit.',
  watches: 'Watches of an account; null for no limit. Missing in terms of earlier versions.',
  operations: 'Operations that may be called.',
  features: 'AI features that may be requested.',
};

const termFields = {
  included: s.integer(ABOUT.included),
  price: s.string(ABOUT.price),
  currency: s.string(ABOUT.currency),
  overage: s.oneOf(['bill', 'block'], ABOUT.overage),
  rate: s.nullable(v.object(rateLimitFieldSchemas), ABOUT.rate),
  concurrency: s.nullable(s.integer(''), ABOUT.concurrency),
  probes: s.nullable(s.integer(''), ABOUT.probes),
  watches: v.optional(s.nullable(s.integer(''), ABOUT.watches)),
  operations: s.list(v.picklist(PLAN_OPERATIONS), ABOUT.operations),
  features: s.list(v.picklist(PLAN_FEATURES), ABOUT.features),
};

const planVersion = s.openApiObject(
  'PlanVersion',
  'Terms of a plan from a time on. A version never changes.',
  {
    version: s.integer('Number of the version.', 1),
    since: s.timestamp('Start of the version.'),
    ...termFields,
    digits: s.integer('Decimal places of amounts in its currency.'),
  },
);

export const planSchema = s.openApiObject('Plan', 'A plan.', {
  id: s.string('Short name of the plan.'),
  created: s.timestamp('When the plan was created.'),
  retired: s.nullableTimestamp(
    'When the plan was retired: no account gets it since then. Null if it is not retired.',
  ),
  versions: s.list(planVersion, 'Its versions, oldest first.'),
});
const planPageSchema = s.createPageSchema('Plans', planSchema, 'Plans, oldest first.');

/** Schemas of the terms of a plan in a request. A missing term gets its default in a new plan, and stays unchanged in an existing plan. */
const chosenTerms = s.optional({
  included: v.pipe(entries.included.wrapped, v.description(ABOUT.included)),
  price: v.pipe(s.shortString(ABOUT.price), v.examples(['0.02'])),
  currency: s.shortString(ABOUT.currency),
  overage: v.pipe(entries.overage.wrapped, v.description(ABOUT.overage)),
  rate: v.pipe(
    v.nullable(
      v.pipe(v.strictObject(rateLimitFieldSchemas), v.examples([{ calls: 10, seconds: 60, burst: 3 }])),
    ),
    v.description(ABOUT.rate),
  ),
  concurrency: v.pipe(entries.concurrency.wrapped, v.description(ABOUT.concurrency)),
  probes: v.pipe(entries.probes.wrapped, v.description(ABOUT.probes)),
  watches: v.pipe(entries.watches.wrapped, v.description(ABOUT.watches)),
  operations: v.pipe(entries.operations.wrapped, v.description(ABOUT.operations)),
  features: v.pipe(entries.features.wrapped, v.description(ABOUT.features)),
});

/** Schema of the field `from`: the time at which a change of a plan takes effect. */
export const planChangeEffectiveTimeSchema = v.optional(
  s.shortString(
    'When the change applies: a day such as `2026-12-01`, a time such as `2026-12-01T09:00:00Z`, or `next-month`; now by default.',
  ),
);
const newPlanSchema = s.openApiObject('NewPlan', 'A plan to be created. Missing terms have their defaults.', {
  id: s.shortString('Up to 40 lower-case letters, digits, - and _.'),
  ...chosenTerms,
});
const planChangeSchema = s.openApiObject('PlanChange', 'Terms that change; missing terms stay the same.', {
  ...chosenTerms,
  from: planChangeEffectiveTimeSchema,
});

export const PLAN_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET plans', 'listPlans', {
    summary: 'List plans',
    about: 'Plans with all their versions, oldest first.',
    command: 'plans list',
    query: s.PAGING_PARAMETERS,
    answers: planPageSchema,
    handle: ({ query, run }) => run('plans.list', query),
  }),
  declareAdminRoute('POST plans', 'createPlan', {
    summary: 'Create a plan',
    about: 'Defaults: no calls included, price 0, overage is billed, no limits.',
    command: 'plans create',
    body: newPlanSchema,
    examples: {
      billed: {
        summary: 'A thousand calls, then two cents each',
        value: { id: 'starter-eur', included: 1000, price: '0.02', currency: 'EUR' },
      },
      trial: {
        summary: 'A hundred calls, then none; slowly, and plain checks only',
        value: {
          id: 'trial',
          included: 100,
          overage: 'block',
          rate: { calls: 1, seconds: 1, burst: 5 },
          probes: 20,
          operations: ['validate'],
          features: [],
        },
      },
    },
    answers: planSchema,
    status: 201,
    handle: ({ body, run }) => run('plans.create', body),
  }),
  declareAdminRoute('GET plans/:id', 'showPlan', {
    noun: 'plan',
    summary: 'Show a plan',
    about: 'A plan with all its versions.',
    command: 'plans show',
    answers: planSchema,
    handle: ({ id, run }) => run('plans.show', id),
  }),
  declareAdminRoute('PATCH plans/:id', 'changePlan', {
    noun: 'plan',
    summary: 'Change a plan',
    about:
      'Adds a version with the given terms; missing terms stay the same. Earlier calls are billed by the version that applied to them.',
    command: 'plans change',
    body: planChangeSchema,
    examples: {
      dearer: { summary: 'A new price from the next month on', value: { price: '0.03', from: 'next-month' } },
      free: { summary: 'Without a rate limit', value: { rate: null } },
    },
    answers: planSchema,
    handle: ({ id, body: { from, ...terms }, run }) => run('plans.change', { id, terms, from }),
  }),
  declareAdminRoute('POST plans/:id/retire', 'retirePlan', {
    noun: 'plan',
    summary: 'Retire a plan',
    about: 'No account can get it from now on; accounts that have it keep it.',
    command: 'plans retire',
    answers: planSchema,
    handle: ({ id, run }) => run('plans.retire', id),
  }),
];
