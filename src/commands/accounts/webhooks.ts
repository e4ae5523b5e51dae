// Commands `bonafide webhooks`: messages to the operator's webhook, and addresses that events of accounts are sent to.
import { existsSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isIpAddressInNetworks, isPublicIpAddress } from '../../accounts/addresses.ts';
import { generateWebhookSecret } from '../../accounts/billing/webhook.ts';
import {
  type WebhookEndpointJson,
  type WebhookMessageJson,
  toWebhookEndpointJson,
} from '../../admin/events.ts';
import { BonafideError } from '../../errors.ts';
import { toIsoTime } from '../../admin/wire.ts';
import { loadOrCreateSecret, requireSecret } from '../../graph/encryption/secret.ts';
import { INTERNAL_ADDRESS_PROBLEM } from '../../observe/notices.ts';
import { listStoredWebhookEndpoints } from '../../store/events/endpoints.ts';
import { getStoreLocation } from '../../store/open.ts';
import { createAndEncryptWebhookEndpointSecret } from '../../watches/watch.ts';
import { defineArgument, defineOption, parseWholeNumber } from '../helpers/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  defineCommandGroup,
  formatTable,
  loadSettings,
  printResult,
} from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runAndPrintStoreOperation, runStoreOperation } from '../helpers/operations.ts';

const list = defineCommand('List messages with their attempts, newest first', {
  args: { limit: defineOption('Maximum number of messages (default 50)', 'number') },
  examples: ['webhooks list'],
  run: (args) =>
    runAndPrintStoreOperation(
      args,
      'webhooks.list',
      { limit: parseWholeNumber(args.limit ?? '50', '--limit') },
      ({ items }) => formatMessages(items),
    ),
});

const send = defineCommand('Send a message again, also if it was delivered or given up', {
  args: { id: defineArgument('Id of the message (msg_…), as `webhooks list` shows it') },
  examples: ['webhooks send msg_0b7c2f1e-5a0e-4f6f-9f39-0e7c8f1d2a3b'],
  run: (args) => runAndPrintStoreOperation(args, 'webhooks.send', args.id, formatQueued),
});

const test = defineCommand('Send a test message', {
  run: (args) => runAndPrintStoreOperation(args, 'webhooks.test', null, formatQueued),
});

const secret = defineCommand('Create a file with a new secret for the signatures', {
  args: { file: defineArgument('File to create, for the setting webhook.secretFile') },
  examples: ['webhooks secret /etc/bonafide/webhook-secret'],
  run: (args) => {
    const { file } = args;
    if (existsSync(file))
      throw new BonafideError(
        'already_there',
        `The file ${file} already exists. Choose another file for the secret, or remove this file.`,
      );
    writeFileSync(file, `${generateWebhookSecret()}\n`, { mode: 0o600, flag: 'wx' });
    const text = `${file} has a new secret. Set webhook.secretFile to this file, and give its line to the receiver.`;
    printResult(args, { file }, text);
  },
});

/** Creates a secret that signs messages to a webhook endpoint. Returns it together with its encrypted form. Errors: secret_missing. */
async function createSecret(args: CommonArgs) {
  const config = await loadSettings(args);
  const location = getStoreLocation(config);
  // An installation with accounts but without records has no secret yet, so one is created.
  const hasStoreFile = 'file' in location && existsSync(location.file);
  const dataSecret = hasStoreFile
    ? loadOrCreateSecret(config.dataDir, config.secret)
    : requireSecret(config.dataDir, config.secret, NO_SECRET_ADVICE);
  return createAndEncryptWebhookEndpointSecret(dataSecret);
}

const NO_SECRET_ADVICE =
  'The address needs the secret of the servers: copy their file "secret" into the data folder, or set BONAFIDE_SECRET.';

const INTERNAL_ADVICE =
  'Nothing is sent to addresses of this machine or of private networks. To allow one, add it to the setting webhookNetworks of the server.';

/** Prints the secret of a webhook endpoint. Adds a warning if its address is internal: no messages are sent to internal addresses. */
async function printSecret(args: CommonArgs, endpoint: WebhookEndpointJson, text: string): Promise<void> {
  const { webhookNetworks } = await loadSettings(args);
  const host = new URL(endpoint.url).hostname.replace(/^\[|\]$/g, '');
  const isInternal = isIP(host)
    ? !isPublicIpAddress(host) && !isIpAddressInNetworks(webhookNetworks, host)
    : host === 'localhost' && webhookNetworks.length === 0;
  const lines = [
    text,
    '',
    `${endpoint.id} (${endpoint.url}). Give this secret to the receiver now: it is not shown again.`,
    ...(isInternal ? [INTERNAL_ADVICE] : []),
  ];
  printResult(args, { ...endpoint, secret: text }, lines.join('\n'));
}

const add = defineCommand('Send the events of an account to an address', {
  args: {
    account: defineArgument('Id of the account (acc_…)'),
    url: defineArgument('Address of the receiver'),
  },
  examples: ['webhooks add acc_4fJx0S2mQ9bL https://shop.example/events'],
  run: async (args) => {
    const { account, url } = args;
    const { text, sealed: secret } = await createSecret(args);
    const endpoint = await runStoreOperation(args, 'endpoints.add', { account, url, secret });
    await printSecret(args, endpoint, text);
  },
});

const endpoints = defineCommand('List the addresses that events of an account are sent to', {
  args: { account: defineArgument('Id of the account (acc_…)') },
  run: async (args) => {
    const list = await withStore(args, 'empty', (store) => listStoredWebhookEndpoints(store, args.account));
    const rows = list.map(({ id, url, created }) => [id, url, toIsoTime(created)]);
    printResult(
      args,
      list.map(toWebhookEndpointJson),
      rows.length === 0 ? 'The account has no addresses.' : formatTable(rows),
    );
  },
});

const ENDPOINT = { id: defineArgument('Id of the address (whk_…), as `webhooks endpoints` shows it') };

const rotate = defineCommand('Give an address a new secret; the old one is in use for another day', {
  args: ENDPOINT,
  run: async (args) => {
    const { text, sealed: secret } = await createSecret(args);
    const endpoint = await runStoreOperation(args, 'endpoints.rotate', { id: args.id, secret });
    await printSecret(args, endpoint, text);
  },
});

const remove = defineCommand('Remove an address of an account; its pending messages are given up', {
  args: ENDPOINT,
  run: async (args) => {
    const endpoint = await runStoreOperation(args, 'endpoints.remove', args.id);
    printResult(args, endpoint, `${endpoint.url} is removed.`);
  },
});

export const webhooksCommands = defineCommandGroup('Messages to the webhook and to addresses of accounts', {
  subCommands: { list, send, test, secret, add, endpoints, rotate, remove },
  examples: ['webhooks secret /etc/bonafide/webhook-secret', 'webhooks test', 'webhooks list'],
});

const formatQueued = ({ id }: WebhookMessageJson) =>
  `${id} is queued. A running server sends it within five seconds; then see: bonafide webhooks list`;

function formatMessages(messages: WebhookMessageJson[]): string {
  if (messages.length === 0) return 'There are no messages.';
  const rows = messages.map((message) => [
    message.created,
    message.type,
    message.endpoint ?? 'webhook',
    message.state,
    String(message.attempts),
    message.failure ?? '',
    message.next_attempt === null ? '' : `next ${message.next_attempt}`,
    message.id,
  ]);
  const table = formatTable([
    ['created', 'type', 'to', 'state', 'attempts', 'failure', '', 'message'],
    ...rows,
  ]);
  return messages.some(({ failure }) => failure === INTERNAL_ADDRESS_PROBLEM)
    ? `${table}\n\n${INTERNAL_ADVICE}`
    : table;
}
