// Keys as text.
import { stateOf } from '../../accounts/keys.ts';
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

export function state(key: KeyInfo, now: number): string {
  const { revoked, expires, rotatedTo } = key;
  const state = stateOf(key, now);
  if (state !== 'valid') return `${state} ${time(revoked ?? expires)}`;
  if (expires === null) return state;
  return `valid until ${time(expires)}${rotatedTo ? `, replaced by ${rotatedTo}` : ''}`;
}
