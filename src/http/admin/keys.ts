// API keys and their probes.
import * as v from 'valibot';
import { SCOPES } from '../../accounts/access.ts';
import { KEY_STATES } from '../../accounts/keys.ts';
import { parseTime } from '../../accounts/time.ts';
import {
  boolean,
  list,
  timestampInput,
  namedObject,
  nullable,
  pageSchema,
  shortString,
  string,
  strings,
  timestamp,
  integer,
  oneOf,
} from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const scopes = v.picklist(SCOPES);

const fields = {
  id: string('The key’s id: `key_` and 12 characters. It is no secret.'),
  chain: string('The first key of its rotations: usage and earlier calls belong to this.'),
  account: nullable(
    v.string(),
    'The account whose key it is; null for a key that stands alone, without a plan.',
  ),
  name: string('What it is for.'),
  prefix: string('How the key itself begins.'),
  scopes: list(scopes, 'What it may do.'),
  region: nullable(v.string(), 'Country in which its numbers are read; null for the server’s.'),
  allowed_addresses: nullable(
    v.string(),
    'Addresses and networks it may be used from, with commas; null for any.',
  ),
  created: timestamp('When it was made.'),
  last_used: nullable(timestamp(''), 'When it was used last, to the minute; null for never.'),
  expires: nullable(timestamp(''), 'When it ends; null for never.'),
  revoked: nullable(timestamp(''), 'Since when it is refused; null where it is not revoked.'),
  rotated_to: nullable(v.string(), 'The key that replaces it; null where none does.'),
};

export const keySchema = namedObject('Key', fields, 'An API key, without the key itself.');

export const keyPageSchema = pageSchema('Keys', keySchema, 'API keys, the oldest first.');

const secret = string('The key itself: it is shown only in this answer.');

export const createdKeySchema = namedObject('MadeKey', { key: secret, ...fields }, 'A key that was made.');

export const rotatedKeySchema = namedObject(
  'ReplacedKey',
  { made: createdKeySchema, old: keySchema },
  'The key that replaces another, and that one, which ends after the time of grace.',
);

export const newKeySchema = namedObject(
  'NewKey',
  {
    name: shortString('What it is for, 1 to 100 characters.'),
    scopes: v.optional(list(scopes, 'What it may do; `validate` alone where it is not said.')),
    test: v.optional(boolean('A `bf_test_` key, which is answered from invented people and never billed.')),
    account: v.optional(
      nullable(v.string(), 'The account whose key it is; without one it stands alone, without a plan.'),
    ),
    region: v.optional(
      nullable(v.string(), 'Country of its numbers and addresses that name none, by two ISO letters.'),
    ),
    allowed_addresses: v.optional(
      nullable(
        v.pipe(v.string(), v.maxLength(4000)),
        'Addresses and networks it may be used from, with commas: `192.0.2.0/24,2001:db8::/32`.',
      ),
    ),
    expires: v.optional(
      nullable(
        timestampInput(''),
        'When it ends, such as `2027-12-31T00:00:00Z`; never where it is not said.',
      ),
    ),
  },
  'A key to be made.',
);

export const rotationSchema = namedObject(
  'Grace',
  {
    grace: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,6}[smhd]$/),
        v.description(
          'How long the old key stays valid, such as `30m`, `7d` or `0s`; `24h` where it is not said.',
        ),
      ),
    ),
  },
  'How a key is replaced.',
);

export const leakedTextSchema = namedObject(
  'LeakedText',
  {
    text: v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description('A text that turned up somewhere. It is not kept.'),
    ),
  },
  'A text to be judged.',
);

const judged = {
  key: nullable(keySchema, 'Whose it is; null where it is not ours.'),
  live: boolean('It works now.'),
};

const judgedKey = namedObject(
  'JudgedKey',
  { is: oneOf(['not ours', 'ours'], 'None of this store’s keys, or one of them.'), ...judged },
  'A key in a text.',
);

export const leakReportSchema = namedObject(
  'Leaked',
  {
    is: oneOf(
      ['no key', 'not ours', 'ours'],
      'No key by shape and checksum, none of this store’s, or one of them: of several keys one that works, if any does.',
    ),
    ...judged,
    keys: list(judgedKey, 'Each key that is in it, in its order.'),
  },
  'What is in a text.',
);

const watched = namedObject(
  'Watched',
  {
    key: string('The first key of a chain of rotations.'),
    checks: integer('Checks in the last day.'),
    name_only: integer('With a name alone.'),
    one_value: integer('With one value.'),
    without_record: integer('That found nothing of the person.'),
    fresh: integer('Different names and values among them.'),
    runs: integer('Numbers that followed one another.'),
    suspicion: oneOf(['quiet', 'look', 'harvesting'], 'How far it looks like learning who is on record.'),
    why: strings('What stands out.'),
  },
  'How a key asked.',
);

export const keyProbesSchema = namedObject(
  'Probes',
  { items: list(watched, 'What stands out first.') },
  'How each key asked in the last day.',
);

export const keyStateQuery = v.optional(oneOf(KEY_STATES, 'Only keys of this state.'));

export const accountQuery = v.optional(shortString('Only those of this account.'));

export const KEY_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET keys', 'listKeys', {
    summary: 'The keys',
    about: 'API keys, the oldest first. `bonafide keys list` at the command line.',
    query: { account: accountQuery, state: keyStateQuery, ...PAGING },
    answers: keyPageSchema,
    handle: ({ query, run }) => run('keys.list', query),
  }),
  adminRoute('POST keys', 'createKey', {
    summary: 'Make a key',
    about:
      'The key itself is in this answer and nowhere else: only a digest of it is kept. `bonafide keys create`.',
    body: newKeySchema,
    examples: {
      usual: { summary: 'For a service that checks', value: { name: 'shop' } },
      bounded: {
        summary: 'For one network, one year and looking only',
        value: {
          name: 'audit',
          scopes: ['read'],
          region: 'GB',
          allowed_addresses: '192.0.2.0/24,2001:db8::/32',
          expires: '2099-12-31T00:00:00Z',
        },
      },
    },
    answers: createdKeySchema,
    status: 201,
    handle: ({ body, run }) => {
      const { allowed_addresses: allowedAddresses, expires, ...asked } = body;
      return run('keys.create', { ...asked, allowedAddresses, expires: expires ? parseTime(expires) : null });
    },
  }),
  adminRoute('POST keys/verify', 'verifyKey', {
    summary: 'Judge a leaked text',
    about:
      'Which keys are in a text that turned up somewhere, whose, and whether they work. `bonafide keys verify`.',
    body: leakedTextSchema,
    examples: {
      leaked: {
        summary: 'A line of a log',
        value: { text: 'token=bf_live_0000000000000000000000000000000000000, …' },
      },
    },
    answers: leakReportSchema,
    handle: ({ body, run }) => run('keys.verify', body.text),
  }),
  adminRoute('GET keys/:id', 'showKey', {
    of: 'key',
    summary: 'A key',
    about: 'What it may do, from where, and when it was used last. `bonafide keys show`.',
    answers: keySchema,
    handle: ({ id, run }) => run('keys.show', id),
  }),
  adminRoute('POST keys/:id/rotate', 'rotateKey', {
    of: 'key',
    summary: 'Replace a key',
    about:
      'Makes another of the same chain, name, scopes and account; the old one stays valid for a time of grace. `bonafide keys rotate`.',
    body: rotationSchema,
    examples: {
      usual: { summary: 'With a day of grace', value: {} },
      longer: { summary: 'With a week', value: { grace: '7d' } },
    },
    answers: rotatedKeySchema,
    status: 201,
    handle: ({ id, body: { grace = '24h' }, run }) => run('keys.rotate', { id, grace }),
  }),
  adminRoute('POST keys/:id/revoke', 'revokeKey', {
    of: 'key',
    summary: 'Revoke a key',
    about: 'Refuses it from now on, and every key that it replaced. `bonafide keys revoke`.',
    answers: keySchema,
    handle: ({ id, run }) => run('keys.revoke', id),
  }),
  adminRoute('GET probes', 'listProbes', {
    summary: 'Who learns who is on record',
    about: 'How each key asked in the last day, what stands out first. `bonafide keys probes`.',
    answers: keyProbesSchema,
    handle: ({ run }) => run('keys.probes', null),
  }),
];
