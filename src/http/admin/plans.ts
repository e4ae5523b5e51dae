// Plans.
import * as v from 'valibot';
import { PLAN_OPERATIONS, PLAN_FEATURES, PLAN_TERMS_SCHEMA } from '../../accounts/billing/terms.ts';
import {
  list,
  namedObject,
  nullable,
  pageSchema,
  shortString,
  string,
  timestamp,
  integer,
  oneOf,
} from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const { entries } = PLAN_TERMS_SCHEMA;

const about = {
  included: 'Calls a month that cost nothing more.',
  price: 'Of a call beyond, a decimal number of up to six places.',
  currency: 'Of the price, ISO 4217.',
  overage: 'What becomes of calls beyond the included ones: billed, or refused.',
  rate: 'How often a key may call; null for no limit.',
  concurrency: 'Calls of a key that are worked on at a time; null for the server’s own bound.',
  probes: 'Checks an hour that only ask who is on record; null for no limit.',
  operations: 'Operations that may be called.',
  features: 'AI features that may be asked for.',
};

const rateParts = {
  calls: integer('So many calls of a key', 1),
  seconds: integer('in so many seconds,', 1),
  burst: integer('and so many at once.', 1),
};

const terms = {
  included: integer(about.included),
  price: string(about.price),
  currency: string(about.currency),
  overage: oneOf(['bill', 'block'], about.overage),
  rate: nullable(v.object(rateParts), about.rate),
  concurrency: nullable(integer(''), about.concurrency),
  probes: nullable(integer(''), about.probes),
  operations: list(v.picklist(PLAN_OPERATIONS), about.operations),
  features: list(v.picklist(PLAN_FEATURES), about.features),
};

const version = namedObject(
  'PlanVersion',
  {
    version: integer('Its number.', 1),
    since: timestamp('From when on it applies.'),
    ...terms,
    digits: integer('Decimal places of an amount in its currency.'),
  },
  'What a plan says from a time on. A version never changes.',
);

export const planSchema = namedObject(
  'Plan',
  {
    id: string('Its short name.'),
    created: timestamp('When it was made.'),
    retired: nullable(
      timestamp(''),
      'From when on it is given to no account any more; null where it is not retired.',
    ),
    versions: list(version, 'Its versions, the oldest first.'),
  },
  'A plan.',
);

export const planPageSchema = pageSchema('Plans', planSchema, 'Plans, the oldest first.');

/** Terms that are named: what is not has its default in a new plan, and stays in a change. */
const chosen = {
  included: v.optional(v.pipe(entries.included.wrapped, v.description(about.included))),
  price: v.optional(v.pipe(shortString(about.price), v.examples(['0.02']))),
  currency: v.optional(shortString(about.currency)),
  overage: v.optional(v.pipe(entries.overage.wrapped, v.description(about.overage))),
  rate: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.strictObject(rateParts), v.examples([{ calls: 10, seconds: 60, burst: 3 }]))),
      v.description(about.rate),
    ),
  ),
  concurrency: v.optional(v.pipe(entries.concurrency.wrapped, v.description(about.concurrency))),
  probes: v.optional(v.pipe(entries.probes.wrapped, v.description(about.probes))),
  operations: v.optional(v.pipe(entries.operations.wrapped, v.description(about.operations))),
  features: v.optional(v.pipe(entries.features.wrapped, v.description(about.features))),
};

export const startSchema = v.optional(
  shortString(
    'When it applies: a day such as `2026-12-01`, a time such as `2026-12-01T09:00:00Z`, or `next-month`; now where it is not said.',
  ),
);

export const newPlanSchema = namedObject(
  'NewPlan',
  { id: shortString('A word of up to 40 small letters, digits, - and _.'), ...chosen },
  'A plan to be made. Terms that are left out have their defaults.',
);

export const planChangeSchema = namedObject(
  'PlanChange',
  { ...chosen, from: startSchema },
  'The terms that change; the others stay.',
);

export const PLAN_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET plans', 'listPlans', {
    summary: 'The plans',
    about: 'Plans with all their versions, the oldest first. `bonafide plans list` at the command line.',
    query: PAGING,
    answers: planPageSchema,
    handle: ({ query, run }) => run('plans.list', query),
  }),
  adminRoute('POST plans', 'createPlan', {
    summary: 'Make a plan',
    about:
      'What is left out has its default: nothing included, free, billed, without limits. `bonafide plans create`.',
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
  adminRoute('GET plans/:id', 'showPlan', {
    of: 'plan',
    summary: 'A plan',
    about: 'With all its versions. `bonafide plans show`.',
    answers: planSchema,
    handle: ({ id, run }) => run('plans.show', id),
  }),
  adminRoute('PATCH plans/:id', 'changePlan', {
    of: 'plan',
    summary: 'Change a plan',
    about:
      'Adds a version with the terms that are named; the others stay, and what was called is billed by what applied then. `bonafide plans change`.',
    body: planChangeSchema,
    examples: {
      dearer: {
        summary: 'Another price from the next month on',
        value: { price: '0.03', from: 'next-month' },
      },
      free: { summary: 'No rate limit any more', value: { rate: null } },
    },
    answers: planSchema,
    handle: ({ id, body: { from, ...terms }, run }) => run('plans.change', { id, terms, from }),
  }),
  adminRoute('POST plans/:id/retire', 'retirePlan', {
    of: 'plan',
    summary: 'Retire a plan',
    about: 'It is given to no account any more; those that have it keep it. `bonafide plans retire`.',
    answers: planSchema,
    handle: ({ id, run }) => run('plans.retire', id),
  }),
];
