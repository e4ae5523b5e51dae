import { describe, expect, it, test } from 'vitest';
import { requirePlanFeatures, requirePlanOperation } from '../../../src/accounts/access.ts';
import { getMonthEnd, getBillingMonthOfCall, getNextMonth, parseMonth } from '../../../src/accounts/time.ts';
import {
  getNextCallChargeKind,
  findQuotaNotices,
  requireRemainingQuota,
  toQuotaUsage,
  getQuotaState,
} from '../../../src/accounts/billing/quota.ts';
import { parsePlanTerms } from '../../../src/accounts/billing/terms.ts';
import type { Caller } from '../../../src/accounts/model.ts';

const coded = (code: string) => expect.objectContaining({ code });
const callerWith = (terms: object): Caller => ({
  keyId: 'k',
  account: 'acc_a',
  scopes: ['validate'],
  test: false,
  plan: { plan: 'p', version: 1, terms: parsePlanTerms(terms) },
});

describe('a call', () => {
  it.each([
    [0, 2, 'bill', 'included'],
    [1, 2, 'block', 'included'],
    [2, 2, 'bill', 'overage'],
    [2, 2, 'block', 'refused'],
    [0, 0, 'block', 'refused'],
  ] as const)(
    'after %i of %i included ones, where the rest is to %s, is %s',
    (used, included, overage, charge) => {
      expect(getNextCallChargeKind(used, { included, overage })).toBe(charge);
    },
  );

  it('of an account without remaining calls is refused before any work, with the time until the next month', () => {
    const { plan } = callerWith({ included: 1, overage: 'block' });
    const now = Date.UTC(2026, 10, 30, 23, 59, 59);
    const at = (used: number) => plan && toQuotaUsage(plan, { month: '2026-11', used, overage: 0 });
    expect(() => requireRemainingQuota(at(0), now)).not.toThrow();
    expect(() => requireRemainingQuota(at(1), now)).toThrow(
      expect.objectContaining({
        code: 'quota_exhausted',
        details: { retryAfterMs: 1000, rule: 'monthly quota' },
      }),
    );
    expect(() => requireRemainingQuota(null, now)).not.toThrow();
  });
});

test('an account is near its quota from 80 % on', () => {
  expect([79, 80, 99, 100, 120].map((used) => getQuotaState(used, 100))).toEqual([
    'below',
    'near',
    'near',
    'reached',
    'reached',
  ]);
  expect([3, 4].map((used) => getQuotaState(used, 4))).toEqual(['below', 'reached']);
  expect(getQuotaState(0, 0)).toBe('reached');
});

test('each state is reported when it is entered, and only then', () => {
  expect(findQuotaNotices(79, 80, 100)).toEqual(['near']);
  expect(findQuotaNotices(80, 99, 100)).toEqual([]);
  expect(findQuotaNotices(70, 100, 100)).toEqual(['near', 'reached']);
  expect(findQuotaNotices(100, 150, 100)).toEqual([]);
  expect(findQuotaNotices(0, 1, 0)).toEqual([]);
});

describe('a plan', () => {
  it('refuses operations that the plan does not have', () => {
    const caller = callerWith({ operations: ['validate'] });
    expect(() => requirePlanOperation(caller, 'validate_ai')).not.toThrow();
    expect(() => requirePlanOperation(caller, 'enhanced')).toThrow(coded('forbidden'));
    expect(() => requirePlanOperation({ ...caller, plan: null }, 'enhanced')).not.toThrow();
  });

  it('refuses requested features that the plan does not have', () => {
    const caller = callerWith({ features: ['fraud_detection'] });
    const only = { trust_enhancement: false, fraud_detection: true, name_matching: false };
    expect(() => requirePlanFeatures(caller, 'enhanced', only)).not.toThrow();
    expect(() => requirePlanFeatures(caller, 'enhanced', { ...only, name_matching: true })).toThrow(
      coded('forbidden'),
    );
    expect(() => requirePlanFeatures(caller, 'validate_ai', only)).toThrow(coded('forbidden'));
    expect(() => requirePlanFeatures(caller, 'validate', { ...only, name_matching: true })).not.toThrow();
  });
});

describe('a month', () => {
  it('ends when the next month begins, also at the end of a year', () => {
    expect([
      getNextMonth('2026-11'),
      getNextMonth('2026-12'),
      getNextMonth('2027-01'),
      getNextMonth('2028-02'),
    ]).toEqual(['2026-12', '2027-01', '2027-02', '2028-03']);
    expect(getMonthEnd('2026-12')).toBe(Date.UTC(2027, 0, 1));
  });

  it('of a commit is that of the clock, except after a step back over its beginning', () => {
    const december = Date.UTC(2026, 11, 1);
    expect(getBillingMonthOfCall(december, null)).toBe('2026-12');
    expect(getBillingMonthOfCall(december - 1, '2026-11')).toBe('2026-11');
    expect(getBillingMonthOfCall(december - 1, '2026-12')).toBe('2026-12');
    expect(getBillingMonthOfCall(december - 86_400_000, '2026-12')).toBe('2026-11');
    expect(getBillingMonthOfCall(december, '2031-01')).toBe('2026-12');
  });

  it.each(['2026-13', '2026-1', '0000-01', '2026', ''])('is refused: %j', (text) => {
    expect(() => parseMonth(text)).toThrow(coded('invalid_arguments'));
  });
});
