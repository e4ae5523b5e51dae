// Keys of the trials on PostgreSQL: of an account with a plan, for checks, and of an administrator, for the feed.
import { createAccount } from '../../../src/store/accounts.ts';
import { createKey } from '../../../src/store/keys.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';

export interface Keys {
  check: string;
  admin: string;
}

export function createTrialKeys(address: string): Keys {
  const store = openPostgresStore(address);
  const past = Date.now() - 1000;
  try {
    createPlan(store, 'starter', { included: 50, price: '0.01' }, past);
    const { id } = createAccount(store, { name: 'trial', plan: 'starter' }, past);
    const { key: check } = createKey(store, { name: 'trial', scopes: ['validate'], account: id }, past);
    const { key: admin } = createKey(store, { name: 'feed', scopes: ['admin'] }, past);
    return { check, admin };
  } finally {
    store.close();
  }
}
