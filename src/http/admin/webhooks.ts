// Administrative routes about webhooks: messages with their attempts, and the addresses of accounts that receive events.
import * as v from 'valibot';
import type { Route } from '../openapi/operation.ts';
import * as s from '../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const webhookMessageSchema = s.openApiObject(
  'WebhookMessage',
  'A message to the webhook of the settings, or to an address of an account.',
  {
    id: s.string('Id of the message: the header `webhook-id` of each attempt.'),
    type: s.string('Event, such as `quota.near`.'),
    endpoint: s.nullableString(
      'Id of the address of an account that receives it; null for the webhook of the settings.',
    ),
    state: s.oneOf(
      ['delivered', 'pending', 'failed'],
      'Answered 2xx; waiting for the next attempt; given up after the last attempt.',
    ),
    created: s.timestamp('When the event happened.'),
    attempts: s.integer('Number of attempts so far.'),
    last_attempt: s.nullableTimestamp('When it was last sent; null before the first attempt.'),
    next_attempt: s.nullableTimestamp('When it is sent next; null if it is not sent any more.'),
    delivered: s.nullableTimestamp('When it was answered 2xx; null until then.'),
    failure: s.nullableString('Why the last attempt failed; null if it did not.'),
    data: s.record(v.unknown(), 'Field `data` of the message.'),
  },
);
export const webhookMessagePageSchema = s.createPageSchema(
  'WebhookMessages',
  webhookMessageSchema,
  'Messages, newest first.',
);

const endpointFields = {
  id: s.string('Id of the address.'),
  account: s.string('Id of the account whose events are sent.'),
  url: s.string('The address.'),
  created: s.timestamp('When it was added.'),
  both_secrets_until: s.nullableTimestamp(
    'Until when messages are signed with the secret before the last rotation too; null before the first.',
  ),
};
export const webhookEndpointSchema = s.openApiObject(
  'WebhookEndpoint',
  'Address to which the events of an account are sent.',
  endpointFields,
);
const endpointWithSecretSchema = s.openApiObject(
  'WebhookEndpointWithSecret',
  'Address with its new secret.',
  {
    ...endpointFields,
    secret: s.string('Secret of the signatures. It is not shown again.'),
  },
);
const newEndpointSchema = s.openApiObject('NewWebhookEndpoint', 'An address to be added.', {
  account: s.shortString('Id of the account.'),
  url: s.string('Address that begins with `https://` or `http://`, without a user name.', { max: 2000 }),
});

export const WEBHOOK_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET webhooks', 'listWebhookMessages', {
    summary: 'List webhook messages',
    about:
      'Messages to the webhook of the settings and to addresses of accounts, with their attempts, newest first.',
    command: 'webhooks list',
    query: {
      endpoint: v.optional(s.shortString('Only messages to this address of an account (`whk_…`).')),
      subject: v.optional(s.shortString('Only messages about this watch (`wat_…`) or job (`job_…`).')),
      ...s.PAGING_PARAMETERS,
    },
    answers: webhookMessagePageSchema,
    handle: ({ query, run }) => run('webhooks.list', query),
  }),
  declareAdminRoute('POST webhooks/:id/send', 'sendWebhookMessage', {
    noun: 'message',
    summary: 'Send a webhook message again',
    about: 'The message is sent within five seconds, with the same id, also if it was delivered or given up.',
    command: 'webhooks send',
    answers: webhookMessageSchema,
    handle: ({ id, run }) => run('webhooks.send', id),
  }),
  declareAdminRoute('POST webhooks/test', 'testWebhook', {
    summary: 'Send a test message to the webhook',
    about: 'A message of the type `test` is sent within five seconds.',
    command: 'webhooks test',
    answers: webhookMessageSchema,
    handle: ({ run }) => run('webhooks.test', null),
  }),
  declareAdminRoute('GET webhooks/endpoints', 'listWebhookEndpoints', {
    summary: 'List addresses of accounts',
    about: 'Addresses to which events of accounts are sent, oldest first.',
    command: 'webhooks endpoints',
    query: { account: v.optional(s.shortString('Only those of this account.')), ...s.PAGING_PARAMETERS },
    answers: s.createPageSchema('WebhookEndpoints', webhookEndpointSchema, 'Addresses, oldest first.'),
    handle: ({ query, run }) => run('endpoints.list', query),
  }),
  declareAdminRoute('POST webhooks/endpoints', 'addWebhookEndpoint', {
    summary: 'Add an address of an account',
    about:
      'Events of the account are sent to the address from now on. The answer has the secret of the signatures, which is not shown again.',
    command: 'webhooks add',
    body: newEndpointSchema,
    examples: {
      shop: {
        summary: 'Events of a shop',
        value: { account: 'acc_4fJx0S2mQ9bL', url: 'https://shop.example/events' },
      },
    },
    answers: endpointWithSecretSchema,
    status: 201,
    async handle({ body, run }, service) {
      const { text, sealed } = service.createAndEncryptWebhookEndpointSecret();
      return { ...(await run('endpoints.add', { ...body, secret: sealed })), secret: text };
    },
  }),
  declareAdminRoute('POST webhooks/endpoints/:id/rotate', 'rotateWebhookEndpoint', {
    noun: 'endpoint',
    summary: 'Give an address a new secret',
    about: 'Messages are signed with both secrets for a day.',
    command: 'webhooks rotate',
    answers: endpointWithSecretSchema,
    async handle({ id, run }, service) {
      const { text, sealed } = service.createAndEncryptWebhookEndpointSecret();
      return { ...(await run('endpoints.rotate', { id, secret: sealed })), secret: text };
    },
  }),
  declareAdminRoute('DELETE webhooks/endpoints/:id', 'removeWebhookEndpoint', {
    noun: 'endpoint',
    summary: 'Remove an address of an account',
    about: 'Its pending messages are given up.',
    command: 'webhooks remove',
    answers: webhookEndpointSchema,
    handle: ({ id, run }) => run('endpoints.remove', id),
  }),
];
