import * as v from 'valibot';
import { API_KEY_SCOPES } from '../../accounts/access.ts';
import { API_KEY_STATES } from '../../accounts/keys.ts';
import { parseDayOrTimestamp } from '../../accounts/time.ts';
import type { Route } from '../openapi/operation.ts';
import * as s from '../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const scope = v.picklist(API_KEY_SCOPES);

const keyFields = {
  id: s.string('Id of the key: `key_` and 12 characters. It is not secret.'),
  chain: s.string('Id of the first key of its rotations. Usage and earlier calls belong to this id.'),
  account: s.nullableString('Account of the key; null for a key without account and plan.'),
  name: s.string('What the key is for.'),
  prefix: s.string('First characters of the key itself.'),
  scopes: s.list(scope, 'Scopes of the key.'),
  region: s.nullableString('Country in which phone numbers are read; null for the server’s.'),
  allowed_addresses: s.nullableString(
    'Client addresses and networks, separated by commas; null for any address.',
  ),
  created: s.timestamp('When the key was created.'),
  last_used: s.nullableTimestamp('When the key was last used, to the minute; null for never.'),
  expires: s.nullableTimestamp('When the key expires; null for never.'),
  revoked: s.nullableTimestamp('When the key was revoked; null if it was not.'),
  rotated_to: s.nullableString('Id of the key that replaces this one; null if none does.'),
};

export const apiKeySchema = s.openApiObject('Key', 'An API key, without the secret key itself.', keyFields);
const apiKeyPageSchema = s.createPageSchema('Keys', apiKeySchema, 'API keys, oldest first.');

const secretKey = s.string('The secret key itself. It is shown in this answer only.');
export const createdApiKeySchema = s.openApiObject('MadeKey', 'A created key.', {
  key: secretKey,
  ...keyFields,
});
export const rotatedApiKeySchema = s.openApiObject(
  'ReplacedKey',
  'The new key, and the old key, which expires after the grace period.',
  { made: createdApiKeySchema, old: apiKeySchema },
);

const newKeySchema = s.openApiObject('NewKey', 'A key to be created.', {
  name: s.shortString('What the key is for, 1 to 100 characters.'),
  ...s.optional({
    scopes: s.list(scope, 'Scopes of the key; `validate` by default.'),
    test: s.boolean('True for a `bf_test_` key: it is answered from invented people and never billed.'),
    account: s.nullableString('Account of the key; by default none, and so no plan.'),
    region: s.nullableString(
      'Country, as two ISO letters, in which numbers and addresses without a country are read.',
    ),
    allowed_addresses: s.nullable(
      v.pipe(v.string(), v.maxLength(4000)),
      'Client addresses and networks, separated by commas: `192.0.2.0/24,2001:db8::/32`.',
    ),
    expires: s.nullable(
      s.requestTimestamp(''),
      'When the key expires, such as `2027-12-31T00:00:00Z`; never by default.',
    ),
  }),
});

const rotationSchema = s.openApiObject('Grace', 'Grace period of a rotation.', {
  grace: v.optional(
    s.string('How long the old key stays valid, such as `30m`, `7d` or `0s`; `24h` by default.', {
      pattern: /^\d{1,6}[smhd]$/,
      form: 'a duration such as 30m, 7d or 0s',
    }),
  ),
});

const leakedTextSchema = s.openApiObject('LeakedText', 'A text that may contain keys.', {
  text: s.string('A text that was found somewhere, such as a line of a log. It is not stored.', {
    max: 1000,
  }),
});

const leakedKeyFields = {
  key: s.nullable(apiKeySchema, 'The key; null if it is not ours.'),
  live: s.boolean('True if the key works now.'),
};
const leakedKeySchema = s.openApiObject('JudgedKey', 'A text with the shape of a key.', {
  is: s.oneOf(['not ours', 'ours'], '`ours` for a key of this store.'),
  ...leakedKeyFields,
});
const leakReportSchema = s.openApiObject('Leaked', 'Keys in a leaked text.', {
  is: s.oneOf(
    ['no key', 'not ours', 'ours'],
    '`no key` by shape and checksum, `not ours`, or `ours`: of several keys the most dangerous one.',
  ),
  ...leakedKeyFields,
  keys: s.list(leakedKeySchema, 'Every key in the text, in its order.'),
});

const probesOfKey = s.openApiObject(
  'Watched',
  'Checks of one key that may be harvesting: learning who is on record.',
  {
    key: s.string('Id of the first key of a chain of rotations.'),
    checks: s.integer('Checks in the last day.'),
    name_only: s.integer('Checks of a name alone.'),
    one_value: s.integer('Checks with one value.'),
    without_record: s.integer('Checks that found nothing of the person.'),
    fresh: s.integer('Number of different names and values.'),
    runs: s.integer('Numbers that followed one another.'),
    suspicion: s.oneOf(['quiet', 'look', 'harvesting'], 'How much the checks look like harvesting.'),
    why: s.stringList('What is suspicious.'),
  },
);
export const apiKeyHarvestingAssessmentsSchema = s.openApiObject(
  'Probes',
  'Checks of each key in the last day that may be harvesting.',
  { items: s.list(probesOfKey, 'Most suspicious first.') },
);

export const accountParameterSchema = v.optional(s.shortString('Only those of this account.'));

export const API_KEY_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET keys', 'listKeys', {
    summary: 'List keys',
    about: 'API keys, oldest first.',
    command: 'keys list',
    query: {
      account: accountParameterSchema,
      state: v.optional(s.oneOf(API_KEY_STATES, 'Only keys in this state.')),
      ...s.PAGING_PARAMETERS,
    },
    answers: apiKeyPageSchema,
    handle: ({ query, run }) => run('keys.list', query),
  }),
  declareAdminRoute('POST keys', 'createKey', {
    summary: 'Create a key',
    about: 'The secret key itself is in this answer only: the server stores a digest of it.',
    command: 'keys create',
    body: newKeySchema,
    examples: {
      usual: { summary: 'For a service that checks', value: { name: 'shop' } },
      bounded: {
        summary: 'For one network, until a date, and for reading only',
        value: {
          name: 'audit',
          scopes: ['read'],
          region: 'GB',
          allowed_addresses: '192.0.2.0/24,2001:db8::/32',
          expires: '2099-12-31T00:00:00Z',
        },
      },
    },
    answers: createdApiKeySchema,
    status: 201,
    handle({ body: { allowed_addresses: allowedAddresses, expires, ...rest }, run }) {
      return run('keys.create', {
        ...rest,
        allowedAddresses,
        expires: expires ? parseDayOrTimestamp(expires) : null,
      });
    },
  }),
  declareAdminRoute('POST keys/verify', 'verifyKey', {
    summary: 'Find keys in a leaked text',
    about: 'Which keys are in a text that was found somewhere, whose they are, and whether they work.',
    command: 'keys verify',
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
  declareAdminRoute('GET keys/:id', 'showKey', {
    noun: 'key',
    summary: 'Show a key',
    about: 'Its scopes, limits and last use.',
    command: 'keys show',
    answers: apiKeySchema,
    handle: ({ id, run }) => run('keys.show', id),
  }),
  declareAdminRoute('POST keys/:id/rotate', 'rotateKey', {
    noun: 'key',
    summary: 'Rotate a key',
    about:
      'Creates a key with the same chain, name, scopes and account; the old key stays valid for a grace period.',
    command: 'keys rotate',
    body: rotationSchema,
    examples: {
      usual: { summary: 'With a grace period of one day', value: {} },
      longer: { summary: 'With a grace period of one week', value: { grace: '7d' } },
    },
    answers: rotatedApiKeySchema,
    status: 201,
    handle: ({ id, body: { grace = '24h' }, run }) => run('keys.rotate', { id, grace }),
  }),
  declareAdminRoute('POST keys/:id/revoke', 'revokeKey', {
    noun: 'key',
    summary: 'Revoke a key',
    about: 'The key, and every key that it replaced, stops working at once.',
    command: 'keys revoke',
    answers: apiKeySchema,
    handle: ({ id, run }) => run('keys.revoke', id),
  }),
  declareAdminRoute('GET probes', 'listProbes', {
    summary: 'List suspected harvesting',
    about: 'Checks of each key in the last day, most suspicious first.',
    command: 'keys probes',
    answers: apiKeyHarvestingAssessmentsSchema,
    handle: ({ run }) => run('keys.probes', null),
  }),
];
