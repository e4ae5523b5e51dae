// Accounts of a store: customers of the operator, with their plans and keys. Errors of each function that
// changes something: also those of `changeAtomically`.
import type { AuditAction } from '../accounts/audit.ts';
import { createRandomBase62 } from '../accounts/key-text.ts';
import { DISPLAY_NAME_RULE_TEXT, tryParseDisplayName } from '../accounts/keys.ts';
import { invalidArgumentError, notFoundError } from '../errors.ts';
import { changeAtomically, recordAuditEntry } from './audit.ts';
import { asc, eq, sql } from './drizzle.ts';
import { getPlan, resolveEffectiveTimeMs, type CreationOrderPageQuery, type EffectiveTime } from './plans.ts';
import { moveSomeWatchesAndEventsToAccount } from './events/watches.ts';
import { accountPlans, accounts, keys } from './schema.ts';
import { moveJobsToAccount } from './serving/jobs.ts';
import { deleteSomeContentOfClosedAccount } from './serving/writer-statements.ts';
import { NO_ITEM_LIMIT, type Store } from './store.ts';

/** Account of an operator's customer, with its plans and API keys. Times are milliseconds since 1970. */
export interface Account extends Omit<typeof accounts.$inferSelect, 'billingAddress'> {
  /** Lines of the postal address for invoices; may be empty. */
  billingAddress: string[];
  /** Plans of the account with their start times, oldest first; never empty. `plan` is null for a time without a plan. */
  plans: { since: number; plan: string | null }[];
  keys: string[];
}

export const listAccountsSortedByName = (store: Store): Account[] =>
  store.db
    .select()
    .from(accounts)
    .orderBy(asc(accounts.name), asc(accounts.id))
    .all()
    .map((row) => toAccount(store, row));

export const listAccounts = (
  store: Store,
  { after, limit = NO_ITEM_LIMIT }: CreationOrderPageQuery,
): Account[] =>
  store.db
    .select()
    .from(accounts)
    .where(after && sql`(${accounts.created}, ${accounts.id}) > (${after[0]}, ${after[1]})`)
    .orderBy(asc(accounts.created), asc(accounts.id))
    .limit(limit)
    .all()
    .map((row) => toAccount(store, row));

export function getAccount(store: Store, id: string): Account {
  const row = store.db.select().from(accounts).where(eq(accounts.id, id)).get();
  if (!row) throw notFoundError(`There is no account ${id}. See: bonafide accounts list`, 'account');
  return toAccount(store, row);
}

/** Creates an account. Errors: invalid_arguments; not_found for an unknown plan. */
export function createAccount(
  store: Store,
  { name: text, plan = null }: { name: string; plan?: string | null | undefined },
  now: number,
): Account {
  return changeAtomically(store, () => {
    const id = `acc_${createRandomBase62(12)}`;
    const name = parseName(text);
    store.db.insert(accounts).values({ id, name, created: now, closed: null }).run();
    insertPlan(store, { account: id, since: now, plan });
    recordAuditEntry(store, { act: 'accounts.create', target: id, detail: { name, plan } }, now);
    return getAccount(store, id);
  });
}

export function renameAccount(store: Store, id: string, text: string): Account {
  const name = parseName(text);
  return updateAccount(store, { id, act: 'accounts.rename', detail: { name } }, { name });
}

/** Changes of an account's invoice details. A detail that is undefined stays unchanged; null or an empty list removes it. */
export interface BillingDetailsChange {
  billingName?: string | null | undefined;
  billingAddress?: readonly string[] | undefined;
  taxId?: string | null | undefined;
}

const MAX_ADDRESS_LINES = 8;

/** Changes the invoice details of an account. The audit log records only the names of the changed details. Errors: not_found, invalid_arguments. */
export function changeBillingDetails(
  store: Store,
  id: string,
  { billingName, billingAddress, taxId }: BillingDetailsChange,
): Account {
  const lines = billingAddress?.map((line) => parseLine(line, 'billing_address'));
  if (lines && lines.length > MAX_ADDRESS_LINES) throw lineError('billing_address');
  const values = {
    ...(billingName !== undefined && { billingName: billingName && parseLine(billingName, 'billing_name') }),
    ...(lines && { billingAddress: lines.join('\n') || null }),
    ...(taxId !== undefined && { taxId: taxId && parseLine(taxId, 'tax_id') }),
  };
  return updateAccount(
    store,
    { id, act: 'accounts.billing', detail: { changed: Object.keys(values) } },
    values,
  );
}

/** Assigns a plan to an account from the time `since` on; null for no plan from then on. Errors: not_found, invalid_arguments. */
export function changeAccountPlan(
  store: Store,
  id: string,
  { plan, since }: { plan: string | null } & EffectiveTime,
  now: number,
): Account {
  const from = resolveEffectiveTimeMs(since, now);
  const change: AccountChange = { id, act: 'accounts.plan', detail: { plan, since: from } };
  return changeAccount(store, change, () => insertPlan(store, { account: id, since: from, plan }));
}

/**
 * Assigns an API key to an account, with all keys that it replaced or that replaced it. Their watches and events are moved first, in short
 * transactions, so that other writers need not wait. After a kill, a second call moves the rest. Errors: not_found.
 */
export function addKeyChainToAccount(store: Store, id: string, keyId: string): Account {
  const getChain = () => {
    getAccount(store, id);
    const key = store.db.select().from(keys).where(eq(keys.id, keyId)).get();
    if (!key) throw notFoundError(`There is no key ${keyId}. See: bonafide keys list`, 'key');
    return key.chain;
  };
  const moveSome = () =>
    changeAtomically(store, () => moveSomeWatchesAndEventsToAccount(store.raw, getChain(), id));
  repeatWithPauses(() => moveSome() > 0);
  return changeAccount(store, { id, act: 'accounts.join', detail: { key: keyId } }, () => {
    const chain = getChain();
    store.db.update(keys).set({ account: id }).where(eq(keys.chain, chain)).run();
    while (moveSomeWatchesAndEventsToAccount(store.raw, chain, id) > 0);
    moveJobsToAccount(store.raw, chain, id);
  });
}

/** Maximum time (ms) for which closing an account deletes its watches and jobs. Servers delete the rest later. */
const DELETE_MS = 2000;

/**
 * Closes an account. Its API keys are refused at once. Deletes its watches and jobs in short transactions, for at most two seconds; servers delete
 * the rest. Errors: not_found.
 */
export function closeAccount(store: Store, id: string, now: number): Account {
  const account = updateAccount(store, { id, act: 'accounts.close' }, { closed: now });
  repeatWithPauses(() => deleteSomeContent(store), DELETE_MS);
  return account;
}

/** Reopens a closed account, after its remaining watches and jobs are deleted. Errors: not_found. */
export function reopenAccount(store: Store, id: string): Account {
  if (getAccount(store, id).closed !== null) repeatWithPauses(() => deleteSomeContent(store));
  return updateAccount(store, { id, act: 'accounts.reopen' }, { closed: null });
}

function deleteSomeContent(store: Store): boolean {
  try {
    return deleteSomeContentOfClosedAccount(store.raw);
  } catch (error) {
    throw store.toStoreError(error);
  }
}

const SLEEPING = new Int32Array(new SharedArrayBuffer(4));

/** Calls `work` until it returns false, for at most `mostMs`. Pauses after each call as long as the call took, so that other writers get the lock. */
function repeatWithPauses(work: () => boolean, mostMs = Infinity): void {
  const started = performance.now();
  for (let from = started; work() && from - started < mostMs; from = performance.now())
    Atomics.wait(SLEEPING, 0, 0, performance.now() - from);
}

/** Returns the id of the plan that an account has at the time `now`; null if it has none. */
export const getAccountPlanAt = ({ plans }: Pick<Account, 'plans'>, now: number): string | null =>
  (plans.findLast(({ since }) => since <= now) ?? plans[0])?.plan ?? null;

/** Change of an account: its id, with action and details for the audit log. */
type AccountChange = { id: string } & Pick<AuditAction, 'act'> & Partial<Pick<AuditAction, 'detail'>>;

function changeAccount(store: Store, { id, act, detail = {} }: AccountChange, work: () => void): Account {
  return changeAtomically(store, () => {
    getAccount(store, id);
    work();
    recordAuditEntry(store, { act, target: id, detail });
    return getAccount(store, id);
  });
}

const updateAccount = (
  store: Store,
  change: AccountChange,
  values: Partial<typeof accounts.$inferInsert>,
): Account =>
  changeAccount(store, change, () =>
    store.db.update(accounts).set(values).where(eq(accounts.id, change.id)).run(),
  );

function toAccount({ db }: Store, row: typeof accounts.$inferSelect): Account {
  const { since, plan } = accountPlans;
  const plans = db.select({ since, plan }).from(accountPlans).where(eq(accountPlans.account, row.id));
  const own = db.select({ id: keys.id }).from(keys).where(eq(keys.account, row.id));
  const keyRows = own.orderBy(asc(keys.created), asc(keys.id)).all();
  const billingAddress = row.billingAddress?.split('\n') ?? [];
  return {
    ...row,
    billingAddress,
    plans: plans.orderBy(asc(since)).all(),
    keys: keyRows.map(({ id }) => id),
  };
}

/** SQL statement that adds a plan to an account, or replaces the plan with the same start time. */
const INSERT_PLAN = `INSERT INTO account_plans (account, since, plan) VALUES (?, ?, ?)
  ON CONFLICT (account, since) DO UPDATE SET plan = excluded.plan`;

function insertPlan(
  store: Store,
  { account, since, plan }: { account: string; since: number; plan: string | null },
): void {
  if (plan !== null && getPlan(store, plan).retired !== null)
    throw invalidArgumentError(
      `The plan ${plan} is retired. Choose another: bonafide plans list`,
      'plan',
      'This plan is retired.',
    );
  store.raw.prepare(INSERT_PLAN).run(account, since, plan);
}

function parseLine(text: string, field: keyof typeof LINES): string {
  const line = tryParseDisplayName(text);
  if (line !== undefined) return line;
  throw lineError(field);
}

const LINES = {
  billing_name: 'The billing name of an account',
  billing_address: `Each line of a billing address, of which there are at most ${MAX_ADDRESS_LINES},`,
  tax_id: 'The tax number of an account',
};
const lineError = (field: keyof typeof LINES) =>
  invalidArgumentError(
    `${LINES[field]} must have ${DISPLAY_NAME_RULE_TEXT}.`,
    field,
    `It must have ${DISPLAY_NAME_RULE_TEXT}.`,
  );

function parseName(text: string): string {
  const name = tryParseDisplayName(text);
  if (name !== undefined) return name;
  throw invalidArgumentError(
    `The name of an account must have ${DISPLAY_NAME_RULE_TEXT}.`,
    'name',
    `It must have ${DISPLAY_NAME_RULE_TEXT}.`,
  );
}
