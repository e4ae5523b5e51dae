export interface Key {
  id: string;
  chain: string;
  account: string | null;
  name: string;
  prefix: string;
  scopes: string[];
  region: string | null;
  allowed_addresses: string | null;
  created: string;
  last_used: string | null;
  expires: string | null;
  revoked: string | null;
  rotated_to: string | null;
}

export interface Account {
  id: string;
  name: string;
  keys: string[];
  created: string;
  closed: string | null;
  plan: string | null;
  plans: { since: string; plan: string | null }[];
}

export interface Terms {
  included: number;
  price: string;
  currency: string;
  overage: 'bill' | 'block';
  rate: { calls: number; seconds: number; burst: number } | null;
  concurrency: number | null;
  probes: number | null;
}

export interface Plan {
  id: string;
  created: string;
  retired: string | null;
  versions: (Terms & { version: number; since: string })[];
}

export interface Invoice {
  account: string;
  name: string;
  month: string;
  lines: {
    plan: string;
    version: number;
    calls: number;
    included: number;
    overage: number;
    price: string;
    currency: string;
    amount: string;
  }[];
  totals: { currency: string; amount: string }[];
}

export interface UsageLine {
  account: string;
  month: string;
  plan: string | null;
  calls: number;
  overage: number;
  test: number;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

export type KeyState = 'valid' | 'expired' | 'revoked';

export function stateOf({ revoked, expires }: Pick<Key, 'revoked' | 'expires'>, now = Date.now()): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'valid';
}
