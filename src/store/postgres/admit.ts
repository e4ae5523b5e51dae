// Who asks, and whether the call is taken on: one round trip, src/store/postgres/migrations, `admit_1`.
import { hashKey, isKeyText } from '../../accounts/key-text.ts';
import { isTestKey } from '../../accounts/keys.ts';
import { monthOf, getCommitMonth } from '../../accounts/time.ts';
import { toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { Caller, CurrentPlan, Scope, QuotaUsage } from '../../accounts/model.ts';
import type { CallFunction } from './client.ts';
import {
  createFingerprinter,
  inProgressError,
  idempotencyMismatchError,
} from '../../accounts/idempotency.ts';
import type { CallStore } from '../engine.ts';

/** What `enter_1` answers of a plan's rate and calls in flight. Times are milliseconds, of the server's clock. */
export interface LimitReply {
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
export interface AdmittedCaller {
  quotaUsage: QuotaUsage | null;
  answered: LimitReply;
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
  entered?: LimitReply;
}

export interface AdmitOptions {
  ask: CallFunction;
  /** Which server this is, as its calls in flight are counted. */
  server(): string;
  clock(): number | null;
}

/** A version of a plan never changes, so its terms are read once. */
const MOST_VERSIONS = 1000;

/** Prepares the look-up of callers; `admitted` tells what came along with one. */
export function createAdmission({ ask, server, clock }: AdmitOptions) {
  const along = new WeakMap<Caller, AdmittedCaller>();
  const versions = new Map<string, CurrentPlan>();
  const planOf = (plan: string, version: number, terms: string): CurrentPlan => {
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
      test: isTestKey(prefix),
      region,
      scopes: scopes.split(',').filter(Boolean) as Scope[],
      plan: inForce,
      allowedNetworks: allowed?.split(','),
    };
    if (inForce && entered) {
      const quotaUsage = caller.test ? null : standingIn(inForce, row.months ?? [], now);
      along.set(caller, { quotaUsage, answered: entered, taken: row.taken ?? false });
    }
    return caller;
  };
  const look = async (by: { hash?: Buffer; id?: string }, now: number, entering: boolean) => {
    const asked = [by.hash ?? null, by.id ?? null, now, server(), entering, clock()];
    return callerIn(await ask<Row>('admit_1($1, $2, $3, $4, $5, $6)', asked), now);
  };
  return {
    findKey: (text: string, now: number, entering = false): Promise<Caller | null> | null =>
      isKeyText(text) ? look({ hash: hashKey(text) }, now, entering) : null,
    callerOf: (id: string, now: number) => look({ id }, now, false),
    admitted: (caller: Caller) => along.get(caller),
  };
}

function standingIn(plan: CurrentPlan, months: [string, number, number][], now: number): QuotaUsage {
  const month = getCommitMonth(now, months[0]?.[0] ?? null);
  const [, used = 0, beyond = 0] = months.find(([one]) => one === month) ?? [monthOf(now)];
  return toQuotaUsage(plan, { month, used, beyond });
}

// Calls that carried an Idempotency-Key, over all servers: one round trip, `begin_1`.
interface Begun {
  /** The id that an earlier try was counted under. */
  counted?: string;
  /** Whether the kept request is this one. */
  same?: boolean;
  /** Whether this one is worked on from now on. */
  begun: boolean;
}

interface Options {
  ask: CallFunction;
  /** 32 bytes under which fingerprints are made. */
  secret: Buffer;
  keepMs: number;
}

/** Begins tries of calls with an Idempotency-Key; see `ValidateDeps`. */
export function createPostgresIdempotency({ ask, secret, keepMs }: Options): CallStore['retries'] {
  const printOf = createFingerprinter(secret);
  return {
    async begin({ requestId, caller, now }, { key, target, body }) {
      const print = printOf({ account: caller.keyId, key }, { target, body: body() });
      const spend = { ...print, expires: now + keepMs };
      const answer = await ask<Begun>('begin_1($1, $2, $3, $4)', [print.key, print.request, requestId, now]);
      const { counted = null, same = true, begun = false } = answer ?? {};
      // What cannot be said now ends by itself.
      const end = () => void (begun && ask('end_1($1, $2)', [print.key, requestId]).catch(() => undefined));
      if (same && (begun || counted !== null)) return { counted, spend, end };
      end();
      throw same ? inProgressError() : idempotencyMismatchError();
    },
  };
}
