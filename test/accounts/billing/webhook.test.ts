import { createHmac, randomBytes } from 'node:crypto';
import { expect, it, test } from 'vitest';
import {
  getNextWebhookAttemptTime,
  parseWebhookSecret,
  signWebhookMessage,
} from '../../../src/accounts/billing/webhook.ts';

test('a message is signed over its id, its time and its body, with the bytes of the secret', () => {
  // Example of the libraries of the specification.
  const secret = parseWebhookSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1614265330, body: '{"test": 2432232314}' };
  expect(signWebhookMessage(secret, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const own = randomBytes(32);
  const expected = createHmac('sha256', own)
    .update(`${message.id}.${message.seconds}.${message.body}`)
    .digest('base64');
  expect(signWebhookMessage(parseWebhookSecret(`whsec_${own.toString('base64')}\r`), message)).toBe(
    `v1,${expected}`,
  );
});

it.each([
  '',
  'whsec_',
  'whsec_c2hvcnQ=',
  `whsec_${randomBytes(65).toString('base64')}`,
  randomBytes(32).toString('base64'),
  'whsec_###',
])('a secret is not %j', (text) => {
  expect(() => parseWebhookSecret(text)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
});

test('a message is tried ten times over three days and some hours', () => {
  const pauses = Array.from({ length: 10 }, (_, i) => getNextWebhookAttemptTime(i + 1, 0));
  expect(pauses.at(-1)).toBeNull();
  const days = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 86_400_000;
  expect(days).toBeGreaterThan(3);
});
