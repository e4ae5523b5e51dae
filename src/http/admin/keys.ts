// API keys and their probes.
import * as v from 'valibot';
import { SCOPES } from '../../accounts/access.ts';
import { KEY_STATES } from '../../accounts/keys.ts';
import { parseTime } from '../../accounts/time.ts';
import {
  flag,
  list,
  moment,
  named,
  orNull,
  pageOf,
  shortText,
  text,
  texts,
  time,
  whole,
  word,
} from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const scopes = v.picklist(SCOPES);

const fields = {
  id: text('The key’s id: `key_` and 12 characters. It is no secret.'),
  chain: text('The first key of its rotations: usage and earlier calls belong to this.'),
  account: orNull(
    v.string(),
    'The account whose key it is; null for a key that stands alone, without a plan.',
  ),
  name: text('What it is for.'),
  prefix: text('How the key itself begins.'),
  scopes: list(scopes, 'What it may do.'),
  region: orNull(v.string(), 'Country in which its numbers are read; null for the server’s.'),
  allowed_addresses: orNull(
    v.string(),
    'Addresses and networks it may be used from, with commas; null for any.',
  ),
  created: time('When it was made.'),
  last_used: orNull(time(''), 'When it was used last, to the minute; null for never.'),
  expires: orNull(time(''), 'When it ends; null for never.'),
  revoked: orNull(time(''), 'Since when it is refused; null where it is not revoked.'),
  rotated_to: orNull(v.string(), 'The key that replaces it; null where none does.'),
};

export const key = named('Key', fields, 'An API key, without the key itself.');

export const keys = pageOf('Keys', key, 'API keys, the oldest first.');

const secret = text('The key itself: it is shown only in this answer.');

export const madeKey = named('MadeKey', { key: secret, ...fields }, 'A key that was made.');

export const replacedKey = named(
  'ReplacedKey',
  { made: madeKey, old: key },
  'The key that replaces another, and that one, which ends after the time of grace.',
);

export const newKey = named(
  'NewKey',
  {
    name: shortText('What it is for, 1 to 100 characters.'),
    scopes: v.optional(list(scopes, 'What it may do; `validate` alone where it is not said.')),
    test: v.optional(flag('A `bf_test_` key, which is answered from invented people and never billed.')),
    account: v.optional(
      orNull(v.string(), 'The account whose key it is; without one it stands alone, without a plan.'),
    ),
    region: v.optional(
      orNull(v.string(), 'Country of its numbers and addresses that name none, by two ISO letters.'),
    ),
    allowed_addresses: v.optional(
      orNull(
        v.pipe(v.string(), v.maxLength(4000)),
        'Addresses and networks it may be used from, with commas: `192.0.2.0/24,2001:db8::/32`.',
      ),
    ),
    expires: v.optional(
      orNull(moment(''), 'When it ends, such as `2027-12-31T00:00:00Z`; never where it is not said.'),
    ),
  },
  'A key to be made.',
);

export const grace = named(
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

export const leakedText = named(
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
  key: orNull(key, 'Whose it is; null where it is not ours.'),
  live: flag('It works now.'),
};

const judgedKey = named(
  'JudgedKey',
  { is: word(['not ours', 'ours'], 'None of this store’s keys, or one of them.'), ...judged },
  'A key in a text.',
);

export const leaked = named(
  'Leaked',
  {
    is: word(
      ['no key', 'not ours', 'ours'],
      'No key by shape and checksum, none of this store’s, or one of them: of several keys one that works, if any does.',
    ),
    ...judged,
    keys: list(judgedKey, 'Each key that is in it, in its order.'),
  },
  'What is in a text.',
);

const watched = named(
  'Watched',
  {
    key: text('The first key of a chain of rotations.'),
    checks: whole('Checks in the last day.'),
    name_only: whole('With a name alone.'),
    one_value: whole('With one value.'),
    without_record: whole('That found nothing of the person.'),
    fresh: whole('Different names and values among them.'),
    runs: whole('Numbers that followed one another.'),
    suspicion: word(['quiet', 'look', 'harvesting'], 'How far it looks like learning who is on record.'),
    why: texts('What stands out.'),
  },
  'How a key asked.',
);

export const probes = named(
  'Probes',
  { items: list(watched, 'What stands out first.') },
  'How each key asked in the last day.',
);

export const keyState = v.optional(word(KEY_STATES, 'Only keys of this state.'));

export const ofAccount = v.optional(shortText('Only those of this account.'));

export const KEY_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET keys', 'listKeys', {
    summary: 'The keys',
    about: 'API keys, the oldest first. `bonafide keys list` at the command line.',
    query: { account: ofAccount, state: keyState, ...PAGING },
    answers: keys,
    handle: ({ query, run }) => run('keys.list', query),
  }),
  adminRoute('POST keys', 'createKey', {
    summary: 'Make a key',
    about:
      'The key itself is in this answer and nowhere else: only a digest of it is kept. `bonafide keys create`.',
    body: newKey,
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
    answers: madeKey,
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
    body: leakedText,
    examples: {
      leaked: {
        summary: 'A line of a log',
        value: { text: 'token=bf_live_0000000000000000000000000000000000000, …' },
      },
    },
    answers: leaked,
    handle: ({ body, run }) => run('keys.verify', body.text),
  }),
  adminRoute('GET keys/:id', 'showKey', {
    of: 'key',
    summary: 'A key',
    about: 'What it may do, from where, and when it was used last. `bonafide keys show`.',
    answers: key,
    handle: ({ id, run }) => run('keys.show', id),
  }),
  adminRoute('POST keys/:id/rotate', 'rotateKey', {
    of: 'key',
    summary: 'Replace a key',
    about:
      'Makes another of the same chain, name, scopes and account; the old one stays valid for a time of grace. `bonafide keys rotate`.',
    body: grace,
    examples: {
      usual: { summary: 'With a day of grace', value: {} },
      longer: { summary: 'With a week', value: { grace: '7d' } },
    },
    answers: replacedKey,
    status: 201,
    handle: ({ id, body: { grace = '24h' }, run }) => run('keys.rotate', { id, grace }),
  }),
  adminRoute('POST keys/:id/revoke', 'revokeKey', {
    of: 'key',
    summary: 'Revoke a key',
    about: 'Refuses it from now on, and every key that it replaced. `bonafide keys revoke`.',
    answers: key,
    handle: ({ id, run }) => run('keys.revoke', id),
  }),
  adminRoute('GET probes', 'listProbes', {
    summary: 'Who learns who is on record',
    about: 'How each key asked in the last day, what stands out first. `bonafide keys probes`.',
    answers: probes,
    handle: ({ run }) => run('keys.probes', null),
  }),
];
