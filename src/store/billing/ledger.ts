// The writer's side of quotas: what a batch of calls is charged, inside the very transaction that commits it. So no two calls, threads or
// processes can both have the last one, and a call that is not committed was never charged: nothing is reserved, nothing given back.
import { monthOf } from '../../accounts/billing/month.ts';
import { chargeOf, noticesOf, standingOf } from '../../accounts/billing/quota.ts';
import type { PlanInForce, Standing } from '../../accounts/model.ts';
import { accountReader } from './in-force.ts';
import { monthReader } from './month.ts';
import { noticeWriter } from './notices.ts';
import type { Sql } from '../store.ts';

/** What became of a call: where its account stands with it, or that it was refused. */
export type Charged = { standing: Standing | null } | { refused: Standing };

/** One batch, as of one moment. */
export interface Ledger {
  /** The month in which calls count that are committed now. */
  month: string;
  /** Charges one call. */
  charge(account: string, test: boolean): Charged;
  /** Writes what was charged. */
  save(): void;
}

/** What a batch adds to an account's month. */
interface Tally {
  account: string;
  month: string;
  plan: PlanInForce | null;
  /** Live calls of the month under a plan, and those beyond the included ones: before the batch, and so far. */
  before: number;
  used: number;
  beyond: number;
  add: { calls: number; overage: number; test: number };
}

const ADD = `INSERT INTO account_usage (account, month, plan, version, calls, overage, test)
  VALUES (@account, @month, @plan, @version, @calls, @overage, @test)
  ON CONFLICT (account, month, plan, version) DO UPDATE SET calls = account_usage.calls + excluded.calls,
    overage = account_usage.overage + excluded.overage, test = account_usage.test + excluded.test`;

/** Prepares the ledger of a connection; `notify` has it write notices of quotas for the operator's webhook. Used inside a transaction. */
export function ledgerOf(raw: Sql, notify: boolean): (now: number) => Ledger {
  const read = accountReader(raw);
  const monthSoFar = monthReader(raw);
  const add = raw.prepare(ADD);
  const notice = noticeWriter(raw);

  const open = (account: string, now: number): Tally => {
    const plan = read(account, now)?.plan ?? null;
    const { month, used, beyond } = monthSoFar(account, now);
    const nothing = { calls: 0, overage: 0, test: 0 };
    return { account, month, plan, before: used, used, beyond, add: nothing };
  };
  const save = (tally: Tally, now: number): void => {
    const { account, month, plan } = tally;
    add.run({ account, month, plan: plan?.plan ?? '', version: plan?.version ?? 0, ...tally.add });
    if (!plan || !notify) return;
    for (const what of noticesOf(tally.before, tally.used, plan.terms.included))
      notice({ what, account, standing: standingOf(plan, tally) }, now);
  };

  return (now) => {
    const tallies = new Map<string, Tally>();
    return {
      month: monthOf(now),
      charge(account, test) {
        let tally = tallies.get(account);
        if (!tally) tallies.set(account, (tally = open(account, now)));
        return chargeTo(tally, test);
      },
      save() {
        for (const tally of tallies.values()) if (tally.add.calls + tally.add.test > 0) save(tally, now);
      },
    };
  };
}

function chargeTo(tally: Tally, test: boolean): Charged {
  const { plan } = tally;
  if (test) {
    tally.add.test++;
    return { standing: plan && standingOf(plan, tally) };
  }
  if (!plan) {
    tally.add.calls++;
    return { standing: null };
  }
  const charge = chargeOf(tally.used, plan.terms);
  if (charge === 'refused') return { refused: standingOf(plan, tally) };
  tally.used++;
  tally.add.calls++;
  if (charge === 'beyond') {
    tally.beyond++;
    tally.add.overage++;
  }
  return { standing: standingOf(plan, tally) };
}
