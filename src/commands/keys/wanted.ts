// What the command line says a key is to be.
import type { ArgsDef, ParsedArgs } from 'citty';
import { SCOPES } from '../../accounts/access.ts';
import { networksOf } from '../../accounts/addresses.ts';
import type { Scope } from '../../accounts/model.ts';
import { NAME_TEXT, readNameText } from '../../accounts/name-text.ts';
import { isRegion } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { COMMON, duration } from '../command.ts';

export const CREATE = {
  ...COMMON,
  name: { type: 'string', description: 'What the key is for', required: true },
  scopes: {
    type: 'string',
    description: 'Words of validate, read, raw, metrics, admin, with commas',
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

/** What a key is to be, but for the account, which only the store knows. Errors: invalid_arguments. */
export function wantedOf(args: ParsedArgs<typeof CREATE>, now: number) {
  const name = readNameText(args.name);
  if (name === undefined) throw wrong(`--name must have ${NAME_TEXT}.`);
  return {
    name,
    scopes: scopesOf(args.scopes),
    test: args.test,
    expires: args.expires === undefined ? null : now + lifetime(args.expires),
    region: regionOf(args.region),
    allowedAddresses: args.allow === undefined ? null : networksOf(args.allow).join(),
  };
}

function lifetime(text: string): number {
  const length = duration(text, 'expires');
  if (length > 0) return length;
  throw wrong('--expires must be longer than nothing, such as 90d: such a key would never work.');
}

function regionOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isRegion(text)) return text.toUpperCase();
  throw wrong('--region takes a country by its two ISO letters, such as US or GB.');
}

const wrong = (text: string) => new BonafideError('invalid_arguments', text);

function scopesOf(text: string): Scope[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))] as Scope[];
  if (words.every((word) => SCOPES.includes(word))) return words;
  throw wrong(`--scopes takes words of ${SCOPES.join(', ')}, with commas.`);
}
