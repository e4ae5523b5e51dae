// A year of usage under changing plans: the invoices of the store are compared with an independent sum over
// single calls.
import { expect, test } from 'vitest';
import { changeAccountPlan, createAccount } from '../../src/store/accounts.ts';
import { addPlanVersion, createPlan } from '../../src/store/plans.ts';
import { randomNumbers } from '../bench/people.ts';
import { createBilledStore, DAY, NOVEMBER, listDrafts } from './billed-store.ts';
import { onEngines } from './engines.ts';

const random = randomNumbers(20_261_101);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Terms of the independent sum: plain numbers, so that it uses no arithmetic of the code under test. */
interface Sum {
  included: number;
  blocks: boolean;
  /** Price in millionths of a unit. */
  price: number;
  currency: string;
  /** Millionths in the smallest unit of the currency. */
  unit: number;
}

const CURRENCIES = [
  { currency: 'EUR', unit: 10_000, digits: 2 },
  { currency: 'JPY', unit: 1_000_000, digits: 0 },
] as const;

function randomTerms(): { terms: Record<string, unknown>; sum: Sum } {
  const { currency, unit } = pick(CURRENCIES);
  const included = pick([0, 5, 20, 60]);
  const price = pick([0, 1, 5000, 12_500, 333_333, 1_999_999]);
  const blocks = random() < 0.3;
  const text = `${Math.floor(price / 1_000_000)}.${String(price % 1_000_000).padStart(6, '0')}`;
  const terms = { included, price: text, currency, overage: blocks ? 'block' : 'bill' };
  return { terms, sum: { included, blocks, price, currency, unit } };
}

onEngines(() => {
  test('twelve months of three accounts whose plans change at any time: invoices equal an independent sum, to the cent', () => {
    const { store, call } = createBilledStore();
    const names = ['a', 'b', 'c'];
    const said = new Map<string, { since: number; sum: Sum }[]>();
    for (const name of names) {
      const { terms, sum } = randomTerms();
      createPlan(store, name, terms, NOVEMBER);
      said.set(name, [{ since: NOVEMBER, sum }]);
    }
    const had = names.map((plan) => ({
      id: createAccount(store, { name: plan, plan }, NOVEMBER).id,
      plans: [{ since: NOVEMBER, plan: plan as string | null }],
    }));

    // Calls beyond the included calls, by account, month and terms.
    const beyond = new Map<string, { account: string; month: string; sum: Sum; calls: number }>();
    const used = new Map<string, number>();
    let [accepted, refused] = [0, 0];
    const wrong: string[] = [];
    const last = <T extends { since: number }>(list: T[], now: number) =>
      list.findLast(({ since }) => since <= now);

    for (let now = NOVEMBER; now < NOVEMBER + 365 * DAY; now += 1 + Math.floor(random() * DAY)) {
      if (random() < 0.08) {
        const plan = pick(names);
        const { terms, sum } = randomTerms();
        addPlanVersion(store, plan, { terms }, now);
        said.get(plan)?.push({ since: now, sum });
      }
      const account = pick(had);
      if (random() < 0.05) {
        const plan = pick([...names, null]);
        changeAccountPlan(store, account.id, { plan }, now);
        account.plans.push({ since: now, plan });
      }
      const count = 1 + Math.floor(random() * 12);
      const outcomes = call(now, count, { account: account.id });
      const month = new Date(now).toISOString().slice(0, 7);
      const plan = last(account.plans, now)?.plan ?? null;
      const version = plan === null ? undefined : last(said.get(plan) ?? [], now);
      for (const outcome of outcomes) {
        const wasRefused = outcome !== undefined && 'refused' in outcome;
        if (!version) {
          if (wasRefused) wrong.push(`refused without a plan at ${now}`);
          continue;
        }
        const before = used.get(account.id + month) ?? 0;
        const { sum } = version;
        const isRefused = before >= sum.included && sum.blocks;
        if (isRefused !== wasRefused) wrong.push(`${wasRefused ? 'refused' : 'accepted'} at ${now}`);
        if (isRefused) {
          refused++;
          continue;
        }
        accepted++;
        used.set(account.id + month, before + 1);
        const name = [account.id, month, plan, version.since].join();
        const entry = beyond.get(name) ?? { account: account.id, month, sum, calls: 0 };
        beyond.set(name, { ...entry, calls: entry.calls + (before >= sum.included ? 1 : 0) });
      }
    }
    expect(wrong).toEqual([]);
    expect(accepted).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(50);

    const expected = new Map<string, number>();
    for (const { account, month, sum, calls } of beyond.values()) {
      const name = `${month} ${account} ${sum.currency}`;
      const amount = Math.floor((calls * sum.price) / sum.unit + 0.5);
      expected.set(name, (expected.get(name) ?? 0) + amount);
    }
    const invoiced = new Map<string, number>();
    for (const month of new Set(Array.from(beyond.values(), ({ month }) => month)))
      for (const { account, totals } of listDrafts(store, { month }))
        for (const { currency, amount } of totals)
          invoiced.set(`${month} ${account} ${currency}`, Number(amount.replace('.', '')));
    expect(Object.fromEntries(invoiced)).toEqual(Object.fromEntries(expected));
    expect(invoiced.size).toBeGreaterThan(24);
  });
});
