import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { loadOrCreateSecret } from '../../graph/encryption/secret.ts';
import { getWatchRecheckIntervalHours } from '../../graph/engines.ts';
import type { WatchService } from '../../http/check/watches.ts';
import { toOwnerId } from '../../store/events/events.ts';
import { type StoredWatch, toWatchNumber } from '../../store/events/watches.ts';
import type { StoreEngine } from '../../store/engine.ts';
import {
  createWatchCodec,
  serializeWatchedVerdict,
  toWatchJson,
  toWatchedVerdict,
  type WatchCodec,
} from '../../watches/watch.ts';

const DAY_MS = 86_400_000;

const OFF = new BonafideError(
  'watches_off',
  'This server keeps no watches. Its operator turns them on with the setting watches: true (BONAFIDE_WATCHES=true).',
  { rule: 'setting watches' },
);

const limitError = (most: number) =>
  new BonafideError(
    'watch_limit',
    `The plan of this account has ${most} watches, and all are in use. Delete one, or ask for a larger plan.`,
    { rule: 'watches of the plan' },
  );

export function createWatchService(
  config: Pick<Config, 'dataDir' | 'secret' | 'watches' | 'graph' | 'recheckEveryHours'>,
  { watches }: Pick<StoreEngine, 'watches'>,
): WatchService {
  const recheckEveryHours = getWatchRecheckIntervalHours(config);
  let opened: WatchCodec | undefined;
  const codec = () => (opened ??= createWatchCodec(loadOrCreateSecret(config.dataDir, config.secret)));
  /** Ids of requests that reserved one of the watches of a plan, and have not stored it yet. */
  const reserved = new Set<string>();
  const toJson = (watch: StoredWatch) => toWatchJson(watch, recheckEveryHours);
  // The position is encrypted, because it would reveal how many watches the server has. So would its number of digits.
  const toCursor = (id: number): string =>
    codec().sealText(String(id).padStart(16, '0')).toString('base64url');
  /** Returns the position that a cursor contains. Errors: invalid_request. */
  const openCursor = (cursor: string): number => {
    try {
      return Number(codec().openText(Buffer.from(cursor, 'base64url')));
    } catch {
      throw wrongCursorError();
    }
  };
  return {
    async runWithWatchReservation(caller, request, work) {
      if (!config.watches) throw OFF;
      const most = caller.plan?.terms.watches ?? null;
      if (most === null) return work(async () => undefined);
      const place = { request, owner: toOwnerId(caller), most };
      try {
        return await work(async () => {
          if (!(await retryWhileBusy(() => watches.reserveWatch(place, Date.now())))) throw limitError(most);
          reserved.add(request);
        });
      } finally {
        if (reserved.delete(request))
          await retryWhileBusy(() => watches.releaseWatch(request)).catch(() => undefined);
      }
    },
    async add(caller, { claim, answer, verdict, options, requestId, ownId, now }) {
      const most = caller.plan?.terms.watches ?? null;
      const { sealClaim, listKeys, digestAnswer, toNumber } = codec();
      const watch = {
        number: toNumber(requestId),
        owner: toOwnerId(caller),
        reference: options.reference,
        created: now,
        expires: now + options.expires_in_days * DAY_MS,
        notifyOn: [...new Set(options.notify_on)].join(),
        minChange: options.min_change,
        claim: sealClaim(claim),
        keys: listKeys(claim),
        digest: digestAnswer(answer),
        state: serializeWatchedVerdict(toWatchedVerdict(verdict)),
      };
      const stored = await retryWhileBusy(() =>
        watches.addWatch(watch, most === null ? null : { request: ownId, most }, {
          actor: caller.key ?? caller.keyId,
          now,
        }),
      );
      if (!stored) throw limitError(most ?? 0);
      // The stored watch has replaced the reservation.
      reserved.delete(ownId);
      return toJson(stored);
    },
    async list(caller, { limit, cursor }) {
      const after = cursor === undefined ? 0 : openCursor(cursor);
      const rows = await watches.listWatches(toOwnerId(caller), after, limit + 1);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return { watches: shown.map(toJson), next: rows.length > limit && last ? toCursor(last.id) : null };
    },
    async find(caller, id) {
      const number = toWatchNumber(id);
      const watch = number === null ? null : await watches.findWatch(number, toOwnerId(caller));
      return watch && toJson(watch);
    },
    async remove(caller, id) {
      const number = toWatchNumber(id);
      return (
        number !== null &&
        (await retryWhileBusy(() =>
          watches.deleteWatch(number, toOwnerId(caller), {
            actor: caller.key ?? caller.keyId,
            now: Date.now(),
          }),
        ))
      );
    },
    listEvents: (caller, { limit, after = null }) =>
      watches.listEvents({ owner: toOwnerId(caller), after, limit }),
  };
}

const [MAX_TRIES, RETRY_MS] = [40, 25];

/** Repeats work on the store while another writer holds its lock, because the call has already been counted. Errors: those of the work. */
async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof BonafideError && error.code === 'database_busy';
      if (!isBusy || tries === MAX_TRIES) throw error;
      await pause(RETRY_MS);
    }
}

const wrongCursorError = () =>
  new BonafideError('invalid_request', 'The request has one error; see `errors`.', {
    issues: [
      {
        pointer: '',
        code: 'invalid_cursor',
        detail: 'The query parameter `cursor` must be `next` of the page before.',
      },
    ],
  });
