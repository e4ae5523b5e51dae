// Keys as JSON and as text.
import type { KeyInfo } from '../../accounts/keys.ts';
import { table } from '../command.ts';

/** A key on a few lines. */
export function card(key: KeyInfo, now: number): string {
  const rows = [
    ['key', `${key.prefix}…`],
    ['name', key.name],
    ['account', key.account ?? 'none: no plan, no quota'],
    ['scopes', key.scopes.join(', ')],
    ['region', key.region ?? 'the server’s'],
    ['from', key.allowedAddresses ?? 'any address'],
    ['created', time(key.created) ?? ''],
    ['used last', time(key.lastUsed) ?? 'never'],
    ['state', state(key, now)],
  ];
  return `${key.id}\n${table(rows)}`;
}

export const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function view({ created, expires, revoked, rotatedTo, allowedAddresses, lastUsed, ...key }: KeyInfo) {
  return {
    ...key,
    allowed_addresses: allowedAddresses,
    last_used: time(lastUsed),
    created: time(created),
    expires: time(expires),
    revoked: time(revoked),
    rotated_to: rotatedTo,
  };
}

export function state({ revoked, expires, rotatedTo }: KeyInfo, now: number): string {
  if (revoked !== null) return `revoked ${time(revoked)}`;
  if (expires !== null && expires <= now) return `expired ${time(expires)}`;
  if (expires === null) return 'valid';
  return `valid until ${time(expires)}${rotatedTo ? `, replaced by ${rotatedTo}` : ''}`;
}
