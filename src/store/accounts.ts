import { asc, eq, sql } from './drizzle.ts';
import { randomBase62 } from '../accounts/key-text.ts';
import type { AuditAction } from '../accounts/audit.ts';
import { NAME_RULE, parseDisplayName } from '../accounts/keys.ts';
import { notFoundError, invalidArgument } from '../errors.ts';
import { recordAuditEntry, changeAtomically } from './audit.ts';
import { NO_LIMIT, type Store } from './store.ts';
import { accountPlans, accounts, keys } from './schema.ts';
import { parseEffectiveTime, openPlans, type EffectiveTime, type CreatedPage } from './plans.ts';

export interface Account {
  /** `acc_` and 12 characters. */
  id: string;
  name: string;
  created: number;
  /** Its keys are refused from then on. */
  closed: number | null;
  /** Which plan it had from when on (milliseconds); null for none. The oldest first; never empty. */
  plans: { since: number; plan: string | null }[];
  /** Ids of its keys, the oldest first. */
  keys: string[];
}

export interface Accounts {
  /** In the order of their names. */
  list(): Account[];
  /** The oldest first. */
  page(some: CreatedPage): Account[];
  /** Errors: not_found. */
  get(id: string): Account;
  /** Errors: invalid_arguments, not_found where there is no such plan. */
  create(wanted: { name: string; plan?: string | null | undefined }, now: number): Account;
  /** Errors: not_found, invalid_arguments. */
  rename(id: string, name: string): Account;
  /** Gives it a plan, or none. Errors: not_found, invalid_arguments. */
  setPlan(id: string, change: { plan: string | null } & EffectiveTime, now: number): Account;
  /** Makes a key, and all of its chain of rotations, one of the account's. Errors: not_found. */
  join(id: string, key: string): Account;
  /** Errors: not_found. */
  close(id: string, now: number): Account;
  /** Errors: not_found. */
  reopen(id: string): Account;
}

/** One that has not begun yet is replaced by one of the same moment. */
const ADD_PLAN = `INSERT INTO account_plans (account, since, plan) VALUES (?, ?, ?)
  ON CONFLICT (account, since) DO UPDATE SET plan = excluded.plan`;

/** The accounts of a store. Errors, of each that changes something: those of `changing` as well. */
export function openAccounts(store: Store): Accounts {
  const { db } = store;
  const get = (id: string): Account => {
    const row = db.select().from(accounts).where(eq(accounts.id, id)).get();
    return row ? whole(store, row) : throwAccountNotFound(id);
  };
  const change = (id: string, done: Done, work: () => void) =>
    changeAtomically(store, () => {
      get(id);
      work();
      recordAuditEntry(store, { target: id, detail: {}, ...done });
      return get(id);
    });
  const addPlan = (account: string, since: number, plan: string | null) => {
    requirePlan(store, plan);
    store.raw.prepare(ADD_PLAN).run(account, since, plan);
  };
  const set = (id: string, done: Done, values: Partial<typeof accounts.$inferInsert>) =>
    change(id, done, () => db.update(accounts).set(values).where(eq(accounts.id, id)).run());
  return {
    get,
    list: () =>
      db
        .select()
        .from(accounts)
        .orderBy(asc(accounts.name), asc(accounts.id))
        .all()
        .map((row) => whole(store, row)),
    page: ({ after, limit = NO_LIMIT }) =>
      db
        .select()
        .from(accounts)
        .where(after && sql`(${accounts.created}, ${accounts.id}) > (${after[0]}, ${after[1]})`)
        .orderBy(asc(accounts.created), asc(accounts.id))
        .limit(limit)
        .all()
        .map((row) => whole(store, row)),
    create: ({ name, plan = null }, now) =>
      changeAtomically(store, () => {
        const id = `acc_${randomBase62(12)}`;
        db.insert(accounts)
          .values({ id, name: readName(name), created: now, closed: null })
          .run();
        addPlan(id, now, plan);
        recordAuditEntry(
          store,
          { act: 'accounts.create', target: id, detail: { name: readName(name), plan } },
          now,
        );
        return get(id);
      }),
    rename: (id, text) => {
      const name = readName(text);
      return set(id, { act: 'accounts.rename', detail: { name } }, { name });
    },
    setPlan: (id, { plan, since }, now) => {
      const from = parseEffectiveTime(since, now);
      const done: Done = { act: 'accounts.plan', detail: { plan, since: from } };
      return change(id, done, () => addPlan(id, from, plan));
    },
    join: (id, key) =>
      change(id, { act: 'accounts.join', detail: { key } }, () => {
        const found = db.select().from(keys).where(eq(keys.id, key)).get();
        if (!found) throw notFoundError(`There is no key ${key}. See: bonafide keys list`, 'key');
        db.update(keys).set({ account: id }).where(eq(keys.chain, found.chain)).run();
      }),
    close: (id, now) => set(id, { act: 'accounts.close' }, { closed: now }),
    reopen: (id) => set(id, { act: 'accounts.reopen' }, { closed: null }),
  };
}

/** Errors: not_found. */
export function throwAccountNotFound(id: string): never {
  throw notFoundError(`There is no account ${id}. See: bonafide accounts list`, 'account');
}

/** What a change of an account is called in the audit log. */
type Done = Pick<AuditAction, 'act'> & Partial<Pick<AuditAction, 'detail'>>;

function whole({ db }: Store, row: typeof accounts.$inferSelect): Account {
  const { since, plan } = accountPlans;
  const had = db.select({ since, plan }).from(accountPlans).where(eq(accountPlans.account, row.id));
  const own = db.select({ id: keys.id }).from(keys).where(eq(keys.account, row.id));
  return {
    ...row,
    plans: had.orderBy(asc(since)).all(),
    keys: own
      .orderBy(asc(keys.created), asc(keys.id))
      .all()
      .map(({ id }) => id),
  };
}

function requirePlan(store: Store, plan: string | null): void {
  if (plan === null || openPlans(store).get(plan).retired === null) return;
  throw invalidArgument(`The plan ${plan} is retired.`, 'plan', 'This plan is retired.');
}

/** The plan that an account has at a moment. */
export const getPlanAt = ({ plans }: Pick<Account, 'plans'>, now: number): string | null =>
  (plans.findLast(({ since }) => since <= now) ?? plans[0])?.plan ?? null;

function readName(text: string): string {
  const name = parseDisplayName(text);
  if (name !== undefined) return name;
  throw invalidArgument(`An account has a name of ${NAME_RULE}.`, 'name', `It must have ${NAME_RULE}.`);
}
