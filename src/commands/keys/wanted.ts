// What the command line says a key is to be.
import type { ArgsDef, ParsedArgs } from 'citty';
import type { NewKey } from '../../accounts/keys.ts';
import { newKeyOf } from '../../admin/keys.ts';
import { COMMON, duration } from '../command.ts';

export const CREATE = {
  ...COMMON,
  name: { type: 'string', description: 'What the key is for', required: true },
  scopes: {
    type: 'string',
    description: 'Words of validate, read, raw, metrics, graph, admin, with commas',
    default: 'validate',
  },
  test: { type: 'boolean', description: 'A bf_test_ key' },
  account: {
    type: 'string',
    description: 'The account whose key it is; without one it stands alone, without quota',
    valueHint: 'acc_…',
  },
  region: {
    type: 'string',
    description: 'Country of its numbers and addresses that name none (default the server’s)',
    valueHint: 'GB',
  },
  allow: {
    type: 'string',
    description: 'Addresses and networks that it may be used from, with commas (default any)',
    valueHint: '192.0.2.0/24',
  },
  expires: {
    type: 'string',
    description: 'Time until it ends, such as 90d (default never)',
    valueHint: 'time',
  },
} as const satisfies ArgsDef;

/** What the command line says a key is to be. Errors: invalid_arguments. */
export function wantedOf(args: ParsedArgs<typeof CREATE>, now: number): NewKey {
  const { name, test, account, region, allow, scopes, expires } = args;
  const asked = {
    name,
    test,
    account,
    region,
    allowedAddresses: allow,
    scopes: scopes.split(',').map((word) => word.trim()),
    expires: expires === undefined ? null : now + duration(expires, 'expires'),
  };
  return newKeyOf(asked, now);
}
