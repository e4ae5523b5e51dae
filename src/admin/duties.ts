// What an operator may have done or looked up in a store from afar: each by a name, with what is asked as one plain value.
import type { AuditAction } from '../accounts/audit.ts';
import type { KeyState } from '../accounts/keys.ts';
import { parseDuration } from '../config/values.ts';
import { recordAuditEntry } from '../store/audit.ts';
import type { Store } from '../store/store.ts';
import {
  activity,
  type ActivityAsked,
  followAudit,
  pageOfActs,
  pageOfCalls,
  showCall,
  type CallsAsked,
} from './logs.ts';
import { BILLING } from './billing/duties.ts';
import {
  judgeText,
  makeKey,
  newKeyOf,
  pageOfKeys,
  refuseKey,
  replaceKey,
  showKey,
  type KeyAsked,
} from './keys.ts';
import type { Paging } from './page.ts';
import { watched, watchedView } from './probes.ts';

export const DUTIES = {
  'keys.list': (
    store: Store,
    asked: { account?: string | undefined; state?: KeyState | undefined } & Paging,
    now: number,
  ) => pageOfKeys(store, asked, now),
  'keys.create': (store: Store, asked: KeyAsked, now: number) => makeKey(store, newKeyOf(asked, now), now),
  'keys.show': (store: Store, id: string) => showKey(store, id),
  'keys.rotate': (store: Store, { id, grace }: { id: string; grace: string }, now: number) =>
    replaceKey(store, { id, graceMs: parseDuration(grace) ?? 0 }, now),
  'keys.revoke': (store: Store, id: string, now: number) => refuseKey(store, id, now),
  'keys.verify': (store: Store, text: string, now: number) => judgeText(store, text, now),
  'keys.probes': (store: Store, _: null, now: number) => ({ items: watched(store, now).map(watchedView) }),
  ...BILLING,
  'audit.list': (store: Store, asked: Parameters<typeof pageOfActs>[1]) => pageOfActs(store, asked),
  'audit.verify': (store: Store, head: string | undefined) => followAudit(store, head),
  activity: (store: Store, asked: ActivityAsked, now: number) => activity(store, asked, now),
  'requests.list': (store: Store, asked: CallsAsked) => pageOfCalls(store, asked),
  'requests.show': (store: Store, id: string) => showCall(store, id),
  /** Notes what was done outside the store. */
  note: (store: Store, done: Omit<AuditAction, 'actor'>, now: number) => recordAuditEntry(store, done, now),
};

export type Duties = typeof DUTIES;
export type Duty = keyof Duties;
export type Asked<D extends Duty> = Parameters<Duties[D]>[1];
export type Done<D extends Duty> = ReturnType<Duties[D]>;
