import { expect, test } from 'vitest';
import { listAuditEntries } from '../../src/store/audit.ts';
import { getPlanVersionAt } from '../../src/store/plans.ts';
import { addPlanVersion, getPlan } from '../../src/store/plans.ts';
import { createBilledStore, DAY, NOVEMBER, listDrafts } from './billed-store.ts';
import { onEngines } from './engines.ts';

const DECEMBER = NOVEMBER + 30 * DAY;
const JANUARY = DECEMBER + 31 * DAY;

onEngines(() => {
  test('a change is carried into later versions and billed there; terms that a later version set itself stay', () => {
    const { store, account, call } = createBilledStore({ price: '0.02', currency: 'USD' });
    addPlanVersion(store, 'starter', { terms: { price: '0.03' }, since: DECEMBER }, NOVEMBER);
    addPlanVersion(store, 'starter', { terms: { price: '0.05', currency: 'EUR' } }, NOVEMBER + DAY);
    const { versions } = getPlan(store, 'starter');
    expect(getPlanVersionAt(versions, NOVEMBER + DAY).terms).toMatchObject({
      price: '0.05',
      currency: 'EUR',
    });
    expect(getPlanVersionAt(versions, DECEMBER).terms).toMatchObject({
      price: '0.03',
      currency: 'EUR',
      digits: 2,
    });
    expect(versions.map(({ version, since }) => [version, since])).toEqual([
      [1, NOVEMBER],
      [2, DECEMBER],
      [3, NOVEMBER + DAY],
      [4, DECEMBER],
    ]);
    expect(versions[1]?.terms.currency).toBe('USD');
    expect(listAuditEntries(store, { limit: 1 })[0]?.detail).toMatchObject({ version: 3, carried: ['4'] });
    call(DECEMBER + DAY, 100);
    const [invoice] = listDrafts(store, { month: '2026-12', account });
    expect(invoice?.totals).toEqual([{ currency: 'EUR', amount: '3.00', tax: '0.00', total: '3.00' }]);
  });

  test('a change is carried over all later versions; each keeps the terms that it set, even to the value of before', () => {
    const { store } = createBilledStore({ included: 10, overage: 'block' });
    addPlanVersion(store, 'starter', { terms: { overage: 'block' }, since: JANUARY }, NOVEMBER);
    addPlanVersion(store, 'starter', { terms: { included: 20 }, since: DECEMBER }, NOVEMBER);
    addPlanVersion(store, 'starter', { terms: { overage: 'bill', included: 5 } }, NOVEMBER + 1);
    const at = (time: number) => {
      const { included, overage } = getPlanVersionAt(getPlan(store, 'starter').versions, time).terms;
      return [included, overage];
    };
    expect([at(NOVEMBER), at(NOVEMBER + 1), at(DECEMBER), at(JANUARY)]).toEqual([
      [10, 'block'],
      [5, 'bill'],
      [20, 'bill'],
      [20, 'block'],
    ]);
  });
});
