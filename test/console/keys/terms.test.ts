import { expect, test } from 'vitest';
import type { Plan } from '../../../src/console/app/types.ts';
import {
  findPlanTermsAt,
  getNextMonthStart,
  toChangedPlanTerms,
  toPlanTermsBody,
  toPlanTermsForm,
} from '../../../src/console/keys/terms.ts';

const NOW = Date.UTC(2026, 10, 24);
const TERMS = {
  included: 1000,
  price: '0.02',
  currency: 'USD',
  overage: 'bill',
  rate: { calls: 10, seconds: 1, burst: 10 },
  concurrency: null,
  probes: null,
  operations: ['validate'],
  features: [],
  digits: 2,
};
const PLAN = {
  id: 'starter',
  versions: [
    { ...TERMS, version: 1, since: '2026-01-01T00:00:00.000Z' },
    { ...TERMS, version: 2, since: '2026-12-01T00:00:00.000Z', price: '0.05' },
    { ...TERMS, version: 3, since: '2026-11-20T00:00:00.000Z', included: 2000 },
    { ...TERMS, version: 4, since: '2026-12-01T00:00:00.000Z', price: '0.05', included: 2000 },
  ],
} as unknown as Plan;

test('the terms in force have the latest start that is over, and the highest version of that start', () => {
  const versionAt = (time: number) => findPlanTermsAt(PLAN, time)?.version;
  expect([versionAt(NOW), versionAt(getNextMonthStart(NOW))]).toEqual([3, 4]);
  expect(versionAt(Date.UTC(2020, 1))).toBe(1);
  expect(new Date(getNextMonthStart(Date.UTC(2026, 11, 31))).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test('a change sends only the terms that the user edited, not the price of next month', () => {
  const terms = findPlanTermsAt(PLAN, NOW);
  const form = { ...toPlanTermsForm(terms), included: '3000', price: ' 0.02 ' };
  expect(toChangedPlanTerms(form, terms)).toEqual({ included: 3000 });
  expect(toChangedPlanTerms(toPlanTermsForm(terms), terms)).toEqual({});
});

test('another order of the operations and features is not a change', () => {
  const form = toPlanTermsForm(undefined);
  const reversed = {
    ...form,
    operations: form.operations.toReversed(),
    features: form.features.toReversed(),
  };
  expect(toChangedPlanTerms(reversed, undefined)).toEqual({});
});

test('a text that is not a number is sent as it is, not as null (no limit)', () => {
  const form = { ...toPlanTermsForm(undefined), included: '', rate: '1,000', concurrency: 'ten', probes: '' };
  expect(JSON.parse(JSON.stringify(toPlanTermsBody(form)))).toMatchObject({
    included: '',
    rate: { calls: '1,000', seconds: 1, burst: '1,000' },
    concurrency: 'ten',
    probes: null,
  });
});
