// What a server asks of its store beside calls, done by a thread that waits for PostgreSQL: see aside.ts.
import { isTest } from '../../../accounts/keys.ts';
import type { EarlierCall } from '../../../accounts/model.ts';
import { openNotices } from '../../billing/notices.ts';
import { openUsage } from '../../billing/usage.ts';
import type { Usage } from '../../billing/usage.ts';
import { forgetter } from '../../idempotency/spend.ts';
import { usedKeeper } from '../../keys/last-used.ts';
import { listKeys } from '../../keys/keys.ts';
import { openSessions } from '../../limits/sessions.ts';
import type { HourOfProbes } from '../../probes/gather.ts';
import { probesKeeper, probesSince } from '../../probes/rows.ts';
import type { Store } from '../../store.ts';
import { earlierCallsOf } from '../../stream.ts';
import { removalClock, REMOVED_AT_ONCE, remover } from '../../write.ts';
import type { Removal, Used } from '../../writing.ts';

/** The tasks on a store, by name. Every one is a statement of its own, or several whose order does not matter. */
export function tasksOn(store: Store) {
  const { raw } = store;
  const usage = openUsage(store);
  const notices = openNotices(raw);
  const sessions = openSessions({ change: (work) => work(raw) });
  const keepUsed = usedKeeper(raw);
  const keepProbes = probesKeeper(raw);
  const [remove, forget, removalTime] = [remover(raw), forgetter(raw), removalClock(raw)];
  return {
    holds() {
      const keys = listKeys(store);
      return { keys: keys.length > 0, testKeys: keys.some(({ prefix }) => isTest(prefix)) };
    },
    probesSince: (since: number) => probesSince(raw, since),
    usageOf: (...asked: Parameters<Usage['ofCaller']>) => usage.ofCaller(...asked),
    callOf: (keyId: string, requestId: string): EarlierCall | undefined =>
      earlierCallsOf(store).callOf(keyId, requestId),
    take: notices.take,
    delivered: notices.delivered,
    failed: notices.failed,
    link: sessions.link,
    spend: sessions.spend,
    begin: sessions.begin,
    find: sessions.find,
    end: sessions.end,
    count: sessions.count,
    used: ({ used }: Used) => keepUsed(used),
    probes: (hours: HourOfProbes[]) => keepProbes(hours),
    /** One step of what is old; whether there is more. */
    removeOlder({ thanMs, now }: Removal): boolean {
      const time = removalTime(now, performance.now());
      const removed = [forget(time), thanMs === null ? 0 : remove(time - thanMs)];
      return removed.includes(REMOVED_AT_ONCE);
    },
  };
}

export type Tasks = ReturnType<typeof tasksOn>;
export type Task = keyof Tasks;
