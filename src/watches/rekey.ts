// Carries watches and endpoints of accounts over to another secret of the data folder.
import type { SqlConnection } from '../store/store.ts';
import { listEndpointSecrets, replaceEndpointSecrets } from '../store/events/endpoints.ts';
import { listWatchesAfter, replaceContent } from '../store/events/watches.ts';
import { createWatchCodec } from './watch.ts';

const PAGE = 500;

/**
 * Encrypts what watches and endpoints keep under another secret (64 hex characters), in one transaction. Watches are then looked up again.
 * Returns the number of watches. Errors: damaged_database if something is not encrypted under the present secret.
 */
export function rekeyWatches(
  db: SqlConnection,
  { secret, next }: { secret: string; next: string },
  now: number,
): number {
  const [present, future] = [createWatchCodec(secret), createWatchCodec(next)];
  let count = 0;
  const carry = () => {
    for (let after = -1; ;) {
      const page = listWatchesAfter(db, after, PAGE);
      for (const { number, claim: sealed } of page) {
        const claim = present.openClaim(sealed);
        replaceContent(db, number, { claim: future.sealClaim(claim), keys: future.listKeys(claim) }, now);
      }
      count += page.length;
      after = page.at(-1)?.number ?? after;
      if (page.length < PAGE) break;
    }
    const reseal = (sealed: Buffer) => future.sealText(present.openText(sealed));
    for (const { id, secret: current, previous } of listEndpointSecrets(db))
      replaceEndpointSecrets(db, id, reseal(current), previous && reseal(previous));
  };
  db.transaction(carry).immediate();
  return count;
}
