import { describe, expect, it } from 'vitest';
import { changeAccountPlan, createAccount } from '../../../src/store/accounts.ts';
import { addPlanVersion, createPlan, retirePlan } from '../../../src/store/plans.ts';
import { listAccountUsage } from '../../../src/store/usage.ts';
import { createBilledStore, DAY, NOVEMBER, listDrafts } from '../billed-store.ts';
import { onEngines } from '../engines.ts';

const counted = (outcomes: ReturnType<ReturnType<typeof createBilledStore>['call']>) =>
  outcomes.filter((one) => one && 'quotaUsage' in one).length;

onEngines(() => {
  describe('a quota that blocks', () => {
    it('admits exactly its calls, in one batch and in many, and stores no row of refused calls', () => {
      const { call, store } = createBilledStore({ included: 10, overage: 'block' });
      expect(counted(call(NOVEMBER, 7))).toBe(7);
      const outcomes = call(NOVEMBER + 1, 1000);
      expect(counted(outcomes)).toBe(3);
      expect(outcomes[3]).toEqual({
        refused: expect.objectContaining({ used: 10, included: 10, overage: 0 }),
      });
      expect(counted(call(NOVEMBER + 2, 1000))).toBe(0);
      expect(store.raw.prepare('SELECT count(*) FROM calls').pluck().get()).toBe(10);
      expect(store.raw.prepare('SELECT calls FROM usage').pluck().get()).toBe(10);
    });

    it('is available again when the next month begins, and only then', () => {
      const { call } = createBilledStore({ included: 1, overage: 'block' });
      const december = NOVEMBER + 30 * DAY;
      expect([NOVEMBER, december - 1, december, december + 1].map((now) => counted(call(now)))).toEqual([
        1, 0, 1, 0,
      ]);
    });

    it('neither limits nor counts calls of test keys', () => {
      const { store, call, account } = createBilledStore({ included: 1, overage: 'block' });
      call(NOVEMBER);
      expect(counted(call(NOVEMBER, 5, { test: true }))).toBe(5);
      expect(listAccountUsage(store, { month: '2026-11', account })).toMatchObject([
        { calls: 1, overage: 0, test: 5 },
      ]);
    });

    it('of 0 calls refuses every call', () => {
      expect(counted(createBilledStore({ included: 0, overage: 'block' }).call(NOVEMBER, 3))).toBe(0);
    });
  });

  describe('calls beyond the included ones', () => {
    it('are billed by a plan that bills', () => {
      const { store, call } = createBilledStore({ included: 2, price: '0.05', overage: 'bill' });
      const quotaUsage = (used: number, beyond: number) => ({
        quotaUsage: expect.objectContaining({ used, overage: beyond, included: 2 }),
      });
      expect(call(NOVEMBER, 4)).toEqual([
        quotaUsage(1, 0),
        quotaUsage(2, 0),
        quotaUsage(3, 1),
        quotaUsage(4, 2),
      ]);
      expect(listAccountUsage(store, { month: '2026-11' })).toMatchObject([
        { plan: 'starter', version: 1, calls: 4, overage: 2 },
      ]);
    });

    it('of several accounts, and of keys without accounts, are counted separately in one batch', () => {
      const { store, call, account } = createBilledStore({ included: 1, overage: 'block' });
      const other = createAccount(store, { name: 'Other', plan: 'starter' }, NOVEMBER).id;
      const bare = createAccount(store, { name: 'Bare' }, NOVEMBER).id;
      for (const one of [account, other, bare])
        expect(counted(call(NOVEMBER, 2, { account: one }))).toBe(one === bare ? 2 : 1);
      expect(call(NOVEMBER, 1, { account: null })).toEqual([undefined]);
      expect(
        listAccountUsage(store, { month: '2026-11' }).map(({ account: whose, calls, plan }) => [
          whose,
          calls,
          plan,
        ]),
      ).toEqual([
        [bare, 2, ''],
        [other, 1, 'starter'],
        [account, 1, 'starter'],
      ]);
    });
  });

  describe('a clock that steps back over the end of a month', () => {
    it('does not open the month before for an account that was billed in the next: no second quota, no changed bill', () => {
      const { store, call, account } = createBilledStore({ included: 2, overage: 'block' });
      const december = NOVEMBER + 30 * DAY;
      expect(counted(call(december + 5, 1))).toBe(1);
      expect(counted(call(december - 5, 5))).toBe(1);
      expect(listAccountUsage(store, { month: '2026-11', account })).toEqual([]);
      expect(listAccountUsage(store, { month: '2026-12', account })).toMatchObject([{ calls: 2 }]);
    });

    it('is followed if it had been far ahead', () => {
      const { store, call, account } = createBilledStore({ included: 2 });
      call(Date.UTC(2031, 0, 1));
      call(NOVEMBER + DAY);
      expect(listAccountUsage(store, { month: '2026-11', account })).toMatchObject([{ calls: 1 }]);
    });

    it('uses the plan that an account began with', () => {
      const { call } = createBilledStore({ included: 1, overage: 'block' });
      expect(counted(call(NOVEMBER - 1000, 3))).toBe(1);
    });
  });

  describe('a plan that changes within the month', () => {
    it('charges each call by the terms at its commit, and continues the count of the month', () => {
      const { store, call, account } = createBilledStore({
        included: 3,
        price: '0.10',
        currency: 'EUR',
      });
      call(NOVEMBER, 5);
      addPlanVersion(store, 'starter', { terms: { price: '0.25' } }, NOVEMBER + DAY);
      call(NOVEMBER + 2 * DAY, 2);
      createPlan(store, 'large', { included: 100, price: '0.01', currency: 'EUR' }, NOVEMBER + DAY);
      changeAccountPlan(store, account, { plan: 'large', since: NOVEMBER + 4 * DAY }, NOVEMBER + 3 * DAY);
      call(NOVEMBER + 3 * DAY, 1);
      call(NOVEMBER + 4 * DAY, 10);
      const [invoice] = listDrafts(store, { month: '2026-11' });
      expect(
        invoice?.lines.map(({ plan, version, calls, overage, amount }) => [
          plan,
          version,
          calls,
          overage,
          amount,
        ]),
      ).toEqual([
        ['starter', 1, 5, 2, '0.20'],
        ['starter', 2, 3, 3, '0.75'],
        ['large', 1, 10, 0, '0.00'],
      ]);
      expect(invoice?.totals).toEqual([{ currency: 'EUR', amount: '0.95', tax: '0.00', total: '0.95' }]);
    });

    it('leaves past months as they were', () => {
      const { store, call } = createBilledStore({ price: '1' });
      call(NOVEMBER, 3);
      const before = listDrafts(store, { month: '2026-11' });
      addPlanVersion(
        store,
        'starter',
        { terms: { price: '9', currency: 'JPY', included: 50 } },
        NOVEMBER + 40 * DAY,
      );
      retirePlan(store, 'starter', NOVEMBER + 41 * DAY);
      expect(listDrafts(store, { month: '2026-11' })).toEqual(before);
    });
  });

  describe('notices for the webhook', () => {
    const abouts = ({ store }: ReturnType<typeof createBilledStore>) =>
      store.raw.prepare('SELECT about FROM webhooks ORDER BY created, about').pluck().all();

    it('are written once a month, in the transaction that caused them: near the quota, and at its end', () => {
      const world = createBilledStore({ included: 10 });
      const said = (what: string, month: string) => `quota.${what} ${world.account} ${month} 10`;
      world.call(NOVEMBER, 7);
      expect(abouts(world)).toEqual([]);
      world.call(NOVEMBER, 1);
      expect(abouts(world)).toEqual([said('near', '2026-11')]);
      for (let i = 0; i < 4; i++) world.call(NOVEMBER, 1);
      expect(abouts(world)).toEqual([said('near', '2026-11'), said('reached', '2026-11')]);
      world.call(NOVEMBER + 31 * DAY, 30);
      expect(abouts(world).slice(2)).toEqual([said('near', '2026-12'), said('reached', '2026-12')]);
    });

    it('have the account and its numbers, and no call', () => {
      const world = createBilledStore({ included: 1, overage: 'block' });
      world.call(NOVEMBER, 1);
      const body = JSON.parse(String(world.store.raw.prepare('SELECT body FROM webhooks').pluck().get()));
      expect(body).toEqual({
        type: 'quota.reached',
        timestamp: '2026-11-01T00:00:00.000Z',
        data: {
          account: world.account,
          month: '2026-11',
          plan: 'starter',
          included: 1,
          calls: 1,
          overage: 0,
          blocks: true,
        },
      });
    });
  });
});
