// Commands `bonafide webhooks`: messages to the operator's webhook.
import { existsSync, writeFileSync } from 'node:fs';
import { generateWebhookSecret } from '../../accounts/billing/webhook.ts';
import type { MessageJson } from '../../admin/webhooks.ts';
import { BonafideError } from '../../errors.ts';
import { argument, option, parseWholeNumber } from '../helpers/arguments.ts';
import { defineCommand, defineGroup, formatTable, printResult } from '../helpers/command.ts';
import { printStoreOperation } from '../helpers/operations.ts';

const list = defineCommand('List messages with their attempts, newest first', {
  args: { limit: option('Maximum number of messages (default 50)', 'number') },
  examples: ['webhooks list'],
  run: (args) =>
    printStoreOperation(
      args,
      'webhooks.list',
      { limit: parseWholeNumber(args.limit ?? '50', '--limit') },
      ({ items }) => formatMessages(items),
    ),
});

const send = defineCommand('Send a message again, also if it was delivered or given up', {
  args: { id: argument('Id of the message (msg_…), as `webhooks list` shows it') },
  examples: ['webhooks send msg_0b7c2f1e-5a0e-4f6f-9f39-0e7c8f1d2a3b'],
  run: (args) => printStoreOperation(args, 'webhooks.send', args.id, formatQueued),
});

const test = defineCommand('Send a test message', {
  run: (args) => printStoreOperation(args, 'webhooks.test', null, formatQueued),
});

const secret = defineCommand('Create a file with a new secret for the signatures', {
  args: { file: argument('File to create, for the setting webhook.secretFile') },
  examples: ['webhooks secret /etc/bonafide/webhook-secret'],
  run: (args) => {
    const { file } = args;
    if (existsSync(file))
      throw new BonafideError('already_there', `${file} exists. Choose another file, or remove it.`);
    writeFileSync(file, `${generateWebhookSecret()}\n`, { mode: 0o600, flag: 'wx' });
    const text = `${file} has a new secret. Set webhook.secretFile to this file, and give its line to the receiver.`;
    printResult(args, { file }, text);
  },
});

export const webhooksCommands = defineGroup('List, test and send again messages to the webhook', {
  subCommands: { list, send, test, secret },
  examples: ['webhooks secret /etc/bonafide/webhook-secret', 'webhooks test', 'webhooks list'],
});

const formatQueued = ({ id }: MessageJson) =>
  `${id} is queued. A running server sends it within five seconds; then see: bonafide webhooks list`;

function formatMessages(messages: MessageJson[]): string {
  if (messages.length === 0) return 'There are no messages.';
  const rows = messages.map((message) => [
    message.created,
    message.type,
    message.state,
    String(message.attempts),
    message.failure ?? '',
    message.next_attempt === null ? '' : `next ${message.next_attempt}`,
    message.id,
  ]);
  return formatTable([['created', 'type', 'state', 'attempts', 'failure', '', 'message'], ...rows]);
}
