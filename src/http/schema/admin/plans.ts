import * as v from 'valibot';
import { OPERATIONS, PLAN_FEATURES, TERMS } from '../../../accounts/billing/terms.ts';
import { list, named, orNull, text, time, whole, word } from '../parts.ts';
import { pageOf, shortText } from './parts.ts';

const { entries } = TERMS;
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
  calls: whole('So many calls of a key', 1),
  seconds: whole('in so many seconds,', 1),
  burst: whole('and so many at once.', 1),
};

const terms = {
  included: whole(about.included),
  price: text(about.price),
  currency: text(about.currency),
  overage: word(['bill', 'block'], about.overage),
  rate: orNull(v.object(rateParts), about.rate),
  concurrency: orNull(whole(''), about.concurrency),
  probes: orNull(whole(''), about.probes),
  operations: list(v.picklist(OPERATIONS), about.operations),
  features: list(v.picklist(PLAN_FEATURES), about.features),
};

const version = named(
  'PlanVersion',
  {
    version: whole('Its number.', 1),
    since: time('From when on it applies.'),
    ...terms,
    digits: whole('Decimal places of an amount in its currency.'),
  },
  'What a plan says from a time on. A version never changes.',
);

export const plan = named(
  'Plan',
  {
    id: text('Its short name.'),
    created: time('When it was made.'),
    retired: orNull(
      time(''),
      'From when on it is given to no account any more; null where it is not retired.',
    ),
    versions: list(version, 'Its versions, the oldest first.'),
  },
  'A plan.',
);
export const plans = pageOf('Plans', plan, 'Plans, the oldest first.');

/** Terms that are named: what is not has its default in a new plan, and stays in a change. */
const chosen = {
  included: v.optional(v.pipe(entries.included.wrapped, v.description(about.included))),
  price: v.optional(v.pipe(shortText(about.price), v.examples(['0.02']))),
  currency: v.optional(shortText(about.currency)),
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

export const from = v.optional(
  shortText(
    'When it applies: a day such as `2026-12-01`, a time such as `2026-12-01T09:00:00Z`, or `next-month`; now where it is not said.',
  ),
);

export const newPlan = named(
  'NewPlan',
  { id: shortText('A word of up to 40 small letters, digits, - and _.'), ...chosen },
  'A plan to be made. Terms that are left out have their defaults.',
);
export const planChange = named('PlanChange', { ...chosen, from }, 'The terms that change; the others stay.');
