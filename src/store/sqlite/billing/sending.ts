import { existsSync, readFileSync } from 'node:fs';
import { nextAttempt, readWebhookSecret, signatureOf } from '../../../accounts/billing/webhook.ts';
import { BonafideError } from '../../../errors.ts';
import type { Store } from '../open.ts';
import { openNotices } from './notices.ts';

/** The notices of a store on their way to a webhook: the queue, and how each is signed. Errors: file_not_found, invalid_config. */
export function openSending({ raw }: Store, { url, secretFile }: { url: string; secretFile: string }) {
  if (!existsSync(secretFile)) throw new BonafideError('file_not_found', `There is no file ${secretFile}.`);
  const [line = ''] = readFileSync(secretFile, 'utf8').split('\n');
  const secret = readWebhookSecret(line);
  const sign = (message: { id: string; seconds: number; body: string }) => signatureOf(secret, message);
  return { url, queue: openNotices(raw), sign, nextAttempt };
}
