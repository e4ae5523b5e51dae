import { timeOf } from '../../accounts/moment.ts';
import * as KEYS from '../openapi/operations/admin/keys.ts';
import { at } from './route.ts';
import type { AdminRoute } from './route.ts';

export const KEY_ROUTES: AdminRoute[] = [
  at(KEYS.LIST, ({ query, ask }) => ask('keys.list', query)),
  at(KEYS.CREATE, ({ body, ask }) => {
    const { allowed_addresses: allowedAddresses, expires, ...asked } = body;
    return ask('keys.create', { ...asked, allowedAddresses, expires: expires ? timeOf(expires) : null });
  }),
  at(KEYS.VERIFY, ({ body, ask }) => ask('keys.verify', body.text)),
  at(KEYS.SHOW, ({ id, ask }) => ask('keys.show', id)),
  at(KEYS.ROTATE, ({ id, body: { grace = '24h' }, ask }) => ask('keys.rotate', { id, grace })),
  at(KEYS.REVOKE, ({ id, ask }) => ask('keys.revoke', id)),
  at(KEYS.PROBES, ({ ask }) => ask('keys.probes', null)),
];
