import * as schema from '../../../schema/admin/keys.ts';
import { administrative, PAGING } from './parts.ts';

export const LIST = administrative({
  method: 'GET',
  path: 'keys',
  id: 'listKeys',
  summary: 'The keys',
  about: 'API keys, the oldest first. `bonafide keys list` at the command line.',
  query: { account: schema.ofAccount, state: schema.keyState, ...PAGING },
  answers: schema.keys,
});

export const CREATE = administrative({
  method: 'POST',
  path: 'keys',
  id: 'createKey',
  summary: 'Make a key',
  about:
    'The key itself is in this answer and nowhere else: only a digest of it is kept. `bonafide keys create`.',
  body: schema.newKey,
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
  answers: schema.madeKey,
  status: 201,
});

export const SHOW = administrative({
  method: 'GET',
  path: 'keys/:id',
  of: 'key',
  id: 'showKey',
  summary: 'A key',
  about: 'What it may do, from where, and when it was used last. `bonafide keys show`.',
  answers: schema.key,
});

export const ROTATE = administrative({
  method: 'POST',
  path: 'keys/:id/rotate',
  of: 'key',
  id: 'rotateKey',
  summary: 'Replace a key',
  about:
    'Makes another of the same chain, name, scopes and account; the old one stays valid for a time of grace. `bonafide keys rotate`.',
  body: schema.grace,
  examples: {
    usual: { summary: 'With a day of grace', value: {} },
    longer: { summary: 'With a week', value: { grace: '7d' } },
  },
  answers: schema.replacedKey,
  status: 201,
});

export const REVOKE = administrative({
  method: 'POST',
  path: 'keys/:id/revoke',
  of: 'key',
  id: 'revokeKey',
  summary: 'Revoke a key',
  about: 'Refuses it from now on, and every key that it replaced. `bonafide keys revoke`.',
  answers: schema.key,
});

export const VERIFY = administrative({
  method: 'POST',
  path: 'keys/verify',
  id: 'verifyKey',
  summary: 'Judge a leaked text',
  about:
    'Which keys are in a text that turned up somewhere, whose, and whether they work. `bonafide keys verify`.',
  body: schema.leakedText,
  examples: {
    leaked: {
      summary: 'A line of a log',
      value: { text: 'token=bf_live_0000000000000000000000000000000000000, …' },
    },
  },
  answers: schema.leaked,
});

export const PROBES = administrative({
  method: 'GET',
  path: 'probes',
  id: 'listProbes',
  summary: 'Who learns who is on record',
  about: 'How each key asked in the last day, what stands out first. `bonafide keys probes`.',
  answers: schema.probes,
});
