// Who asks, and whether the call is taken on: one round trip, src/store/postgres/migrations, `admit_1`.
import { hashKey, looksLikeKey } from '../../../accounts/key-text.ts';
import { isTest } from '../../../accounts/keys.ts';
import { monthOf, monthOfCommit } from '../../../accounts/billing/month.ts';
import { standingOf } from '../../../accounts/billing/quota.ts';
import type { Caller, PlanInForce, Scope, Standing } from '../../../accounts/model.ts';
import type { Ask } from './ask.ts';

/** What `enter_1` answers of a plan's rate and calls in flight. Times are milliseconds, of the server's clock. */
export interface Answered {
  at: number;
  /** Calls in flight of the key before this one, on all servers; not there where its plan does not bound them. */
  worked?: number;
  full?: boolean;
  /** Whether this one is counted with them. */
  counts?: boolean;
  allowed?: boolean;
  was?: number | null;
}

/** What came along with a caller, for the limiter. */
export interface Admitted {
  standing: Standing | null;
  answered: Answered;
  /** Whether the call was taken on; else its limits were looked at. */
  taken: boolean;
}

interface Row {
  id: string;
  chain: string;
  account: string | null;
  prefix: string;
  scopes: string;
  allowed: string | null;
  region: string | null;
  plan?: string;
  version?: number;
  terms?: string;
  months?: [month: string, used: number, beyond: number][] | null;
  taken?: boolean;
  entered?: Answered;
}

export interface AdmitOptions {
  ask: Ask;
  /** Which server this is, as its calls in flight are counted. */
  server(): string;
  clock(): number | null;
}

/** A version of a plan never changes, so its terms are read once. */
const MOST_VERSIONS = 1000;

/** Prepares the look-up of callers; `admitted` tells what came along with one. */
export function admitting({ ask, server, clock }: AdmitOptions) {
  const along = new WeakMap<Caller, Admitted>();
  const versions = new Map<string, PlanInForce>();
  const planOf = (plan: string, version: number, terms: string): PlanInForce => {
    const name = `${plan} ${version}`;
    let known = versions.get(name);
    if (!known) {
      if (versions.size >= MOST_VERSIONS) versions.clear();
      versions.set(name, (known = { plan, version, terms: JSON.parse(terms) }));
    }
    return known;
  };
  const callerIn = (row: Row | null, now: number): Caller | null => {
    if (!row) return null;
    const { id, chain, account, prefix, scopes, allowed, region, plan, version, terms, entered } = row;
    const inForce =
      plan === undefined || version === undefined || terms === undefined
        ? null
        : planOf(plan, version, terms);
    const caller: Caller = {
      key: id,
      keyId: chain,
      account,
      test: isTest(prefix),
      region,
      scopes: scopes.split(',').filter(Boolean) as Scope[],
      plan: inForce,
      allowed: allowed?.split(','),
    };
    if (inForce && entered) {
      const standing = caller.test ? null : standingIn(inForce, row.months ?? [], now);
      along.set(caller, { standing, answered: entered, taken: row.taken ?? false });
    }
    return caller;
  };
  const look = async (by: { hash?: Buffer; id?: string }, now: number, entering: boolean) => {
    const asked = [by.hash ?? null, by.id ?? null, now, server(), entering, clock()];
    return callerIn(await ask<Row>('admit_1($1, $2, $3, $4, $5, $6)', asked), now);
  };
  return {
    findKey: (text: string, now: number, entering = false): Promise<Caller | null> | null =>
      looksLikeKey(text) ? look({ hash: hashKey(text) }, now, entering) : null,
    callerOf: (id: string, now: number) => look({ id }, now, false),
    admitted: (caller: Caller) => along.get(caller),
  };
}

function standingIn(plan: PlanInForce, months: [string, number, number][], now: number): Standing {
  const month = monthOfCommit(now, months[0]?.[0] ?? null);
  const [, used = 0, beyond = 0] = months.find(([one]) => one === month) ?? [monthOf(now)];
  return standingOf(plan, { month, used, beyond });
}
