import { existsSync, readFileSync } from 'node:fs';
import { nextAttempt, readWebhookSecret, signatureOf } from '../../../accounts/billing/webhook.ts';
import { BonafideError } from '../../../errors.ts';
import type { Store } from '../open.ts';
import { openNotices } from './notices.ts';

/** The secret in the first line of a file. Errors: file_not_found, invalid_config. */
export function signingSecretIn(file: string): Buffer {
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  return readWebhookSecret(line);
}

/** The notices of a store on their way to a webhook: the queue, and how each is signed. Errors: those of `signingSecretIn`. */
export function openSending({ raw }: Store, { url, secretFile }: { url: string; secretFile: string }) {
  const secret = signingSecretIn(secretFile);
  const sign = (message: { id: string; seconds: number; body: string }) => signatureOf(secret, message);
  return { url, queue: openNotices(raw), sign, nextAttempt };
}
