// Receivers of webhook messages: the operator's webhook, and the endpoints of accounts.
import { isInNetworks, isPublicAddress } from '../../accounts/addresses.ts';
import { getNextAttempt, parseWebhookSecret, signWebhookMessage } from '../../accounts/billing/webhook.ts';
import type { Config } from '../../config.ts';
import { loadSecret } from '../../graph/encryption/secret.ts';
import type { Log } from '../../observe/log.ts';
import type { DeliveryOptions, DeliveryTarget } from '../../observe/notices.ts';
import type { StoredEndpoint } from '../../store/events/endpoints.ts';
import { openWebhookSettings, type PendingNotice } from '../../store/serving/notices.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { createWatchCodec, type WatchCodec } from '../../watches/watch.ts';

/** Interval between looks at the queue, in milliseconds: with watches, and without. */
const LOOK_EVERY_MS = { watches: 500, plain: 5000 };

/** Returns the options of the delivery of messages. Errors: those of the setting `webhook`. */
export function createDelivery(
  { dataDir, secret, webhook, watches, webhookNetworks }: Config,
  log: Log,
  { notices }: Pick<StoreEngine, 'notices'>,
): DeliveryOptions<PendingNotice> {
  const operator = webhook ? openWebhookSettings(webhook) : null;
  let codec: WatchCodec | undefined;
  const openSecret = (sealed: Buffer) =>
    parseWebhookSecret((codec ??= createWatchCodec(loadSecret(dataDir, secret))).openText(Buffer.from(sealed)));
  const isAllowed = (address: string) => isPublicAddress(address) || isInNetworks(webhookNetworks, address);
  const toTarget = ({ url, secret: current, previous, previousUntil }: StoredEndpoint): DeliveryTarget => ({
    url,
    isAllowed,
    sign(message) {
      const secrets = [current, ...(previous && (previousUntil ?? 0) > Date.now() ? [previous] : [])];
      return secrets.map((sealed) => signWebhookMessage(openSecret(sealed), message)).join(' ');
    },
  });
  return {
    queue: { ...notices, lease: (now, leaseMs) => notices.lease(now, leaseMs, operator !== null) },
    findTarget: ({ endpoint, endpointId }) =>
      endpoint ? toTarget(endpoint) : endpointId === null ? operator : null,
    nextAttempt: getNextAttempt,
    log,
    everyMs: watches ? LOOK_EVERY_MS.watches : LOOK_EVERY_MS.plain,
  };
}
