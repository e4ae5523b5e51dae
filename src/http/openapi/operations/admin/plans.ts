import * as schema from '../../../schema/admin/plans.ts';
import { administrative, PAGING } from './parts.ts';

export const LIST = administrative({
  method: 'GET',
  path: 'plans',
  id: 'listPlans',
  summary: 'The plans',
  about: 'Plans with all their versions, the oldest first. `bonafide plans list` at the command line.',
  query: PAGING,
  answers: schema.plans,
});

export const CREATE = administrative({
  method: 'POST',
  path: 'plans',
  id: 'createPlan',
  summary: 'Make a plan',
  about:
    'What is left out has its default: nothing included, free, billed, without limits. `bonafide plans create`.',
  body: schema.newPlan,
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
  answers: schema.plan,
  status: 201,
});

export const SHOW = administrative({
  method: 'GET',
  path: 'plans/:id',
  of: 'plan',
  id: 'showPlan',
  summary: 'A plan',
  about: 'With all its versions. `bonafide plans show`.',
  answers: schema.plan,
});

export const CHANGE = administrative({
  method: 'PATCH',
  path: 'plans/:id',
  of: 'plan',
  id: 'changePlan',
  summary: 'Change a plan',
  about:
    'Adds a version with the terms that are named; the others stay, and what was called is billed by what applied then. `bonafide plans change`.',
  body: schema.planChange,
  examples: {
    dearer: { summary: 'Another price from the next month on', value: { price: '0.03', from: 'next-month' } },
    free: { summary: 'No rate limit any more', value: { rate: null } },
  },
  answers: schema.plan,
});

export const RETIRE = administrative({
  method: 'POST',
  path: 'plans/:id/retire',
  of: 'plan',
  id: 'retirePlan',
  summary: 'Retire a plan',
  about: 'It is given to no account any more; those that have it keep it. `bonafide plans retire`.',
  answers: schema.plan,
});
