import { existsSync, readFileSync } from 'node:fs';
import { nextAttempt, readWebhookSecret, signatureOf } from '../../accounts/billing/webhook.ts';
import { BonafideError } from '../../errors.ts';

/** The secret in the first line of a file. Errors: file_not_found, invalid_config. */
export function signingSecretIn(file: string): Buffer {
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  return readWebhookSecret(line);
}

/** Where notices go, and how each is signed. Errors: those of `signingSecretIn`. */
export function sendingTo({ url, secretFile }: { url: string; secretFile: string }) {
  const secret = signingSecretIn(secretFile);
  const sign = (message: { id: string; seconds: number; body: string }) => signatureOf(secret, message);
  return { url, sign, nextAttempt };
}
