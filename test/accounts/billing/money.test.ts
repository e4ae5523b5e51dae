import { assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, it, test } from 'vitest';
import {
  computePriceOfCallsInMinorUnits,
  computePercentOfAmount,
  formatAmount,
  getCurrencyDecimals,
  isCurrencyCode,
  isPriceText,
} from '../../../src/accounts/billing/money.ts';

it.each([
  ['0', true],
  ['12', true],
  ['0.0125', true],
  ['0.000001', true],
  ['999999999.999999', true],
  ['0.0000001', false],
  ['01', false],
  ['.5', false],
  ['1.', false],
  ['-1', false],
  ['1e3', false],
  ['', false],
])('a price is a plain decimal number: %s %s', (text, is) => {
  expect(isPriceText(text)).toBe(is);
});

it.each([
  [3, '0.0125', 2, '0.04'],
  [1, '0.004', 2, '0.00'],
  [1, '0.005', 2, '0.01'],
  [7, '19.99', 2, '139.93'],
  [3, '0.5', 0, '2'],
  [5, '0.0005', 3, '0.003'],
  [1_000_000_000, '999999999.999999', 2, '999999999999999000.00'],
])('%i calls at %s with %i digits are %s', (calls, price, digits, amount) => {
  expect(formatAmount(computePriceOfCallsInMinorUnits(calls, price, digits), digits)).toBe(amount);
});

test('an amount is the exact product, rounded half up once', () => {
  const price = tuple(nat(999), nat(999_999)).map(
    ([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`,
  );
  assert(
    property(nat(1_000_000), price, constantFrom(0, 2, 3), (calls, text, digits) => {
      const exact = BigInt(text.replace('.', '')) * BigInt(calls);
      const unit = 10n ** BigInt(6 - digits);
      const off = computePriceOfCallsInMinorUnits(calls, text, digits) * unit - exact;
      expect(off <= unit / 2n && off > -unit + unit / 2n).toBe(true);
    }),
  );
});

test('currencies have their own decimal places', () => {
  expect(['EUR', 'JPY', 'KWD'].map(getCurrencyDecimals)).toEqual([2, 0, 3]);
  expect(['EUR', 'eur', 'EURO', 'XXZ'].map(isCurrencyCode)).toEqual([true, false, false, false]);
});

it.each([
  [100n, '19', 19n],
  [8n, '19', 2n],
  [10n, '5', 1n],
  [9n, '5', 0n],
  [12_345n, '8.1', 1000n],
  [999_999_999_999_999_999n, '100', 999_999_999_999_999_999n],
  [50n, '0.9999', 0n],
  [1n, '0', 0n],
])('of %i minor units, %s per cent are %i, rounded half up', (minor, percent, share) => {
  expect(computePercentOfAmount(minor, percent)).toBe(share);
});
