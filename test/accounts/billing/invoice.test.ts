import { expect, test } from 'vitest';
import {
  computeInvoiceAmounts,
  hasAmountDue,
  isMonthFullyCounted,
} from '../../../src/accounts/billing/invoice.ts';
import { parsePlanTerms } from '../../../src/accounts/billing/terms.ts';

const row = (overage: number, currency = 'EUR', version = 1) => ({
  account: 'acc_x',
  month: '2026-10',
  plan: 'starter',
  version,
  terms: parsePlanTerms({ price: '0.01', currency }),
  calls: overage + 1,
  overage,
  test: 0,
});
const TAXES = [
  { name: 'VAT', rate: '19' },
  { name: 'City', rate: '0.5' },
];

test('each tax is rounded in each line, and the sums add rounded amounts', () => {
  // 19 per cent of 0.03 is 0.0057: twice 0.01, where the tax of both lines together would be 0.01.
  const { lines, taxes, totals } = computeInvoiceAmounts([row(3), row(3, 'EUR', 2)], TAXES);
  expect(lines.map(({ amount, tax, total }) => [amount, tax, total])).toEqual([
    ['0.03', '0.01', '0.04'],
    ['0.03', '0.01', '0.04'],
  ]);
  expect(lines[0]?.taxes).toEqual([
    { name: 'VAT', rate: '19', amount: '0.01' },
    { name: 'City', rate: '0.5', amount: '0.00' },
  ]);
  expect(taxes.map(({ amount }) => amount)).toEqual(['0.02', '0.00']);
  expect(totals).toEqual([{ currency: 'EUR', amount: '0.06', tax: '0.02', total: '0.08' }]);
});

test('each currency has its own taxes and total, with its own decimal places', () => {
  const yen = { ...row(1000, 'JPY'), terms: parsePlanTerms({ price: '0.25', currency: 'JPY' }) };
  const { taxes, totals } = computeInvoiceAmounts([row(100), yen], [{ name: 'VAT', rate: '10' }]);
  expect(taxes.map(({ currency, amount }) => `${amount} ${currency}`)).toEqual(['0.10 EUR', '25 JPY']);
  expect(totals.map(({ currency, total }) => `${total} ${currency}`)).toEqual(['1.10 EUR', '275 JPY']);
});

test('without overage or without a plan nothing is due', () => {
  const free = { ...row(5), terms: null };
  expect([row(5), row(0), free].map((usage) => hasAmountDue(computeInvoiceAmounts([usage], TAXES)))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a month is complete ten minutes after its end', () => {
  const times = ['2026-10-31T23:59:59Z', '2026-11-01T00:09:59Z', '2026-11-01T00:10:00Z'];
  expect(times.map((time) => isMonthFullyCounted('2026-10', Date.parse(time)))).toEqual([false, false, true]);
});
